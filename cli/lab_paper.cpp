#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "commands.hpp"
#include "lab/paper_files.hpp"
#include "lab/problems.hpp"
#include "lab_options.hpp"
#include "outputs.hpp"
#include "progress_bar.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/fit/any_algorithm.hpp"
#include "southwell/privacy/accounting/calibrate.hpp"
#include "southwell/problem/grid_score.hpp"
#include "validators.hpp"

namespace southwell::cli {
namespace {

struct Options {
  lab::PaperOptions paper;
  std::string mode = "both";
  bool quick = false;
  int threads = 0;
};

void print_head() {
  fmt::print(
      "  {:10} {:4} {:9} {:5} {:>13} {:>7} {:>8} {:>10} {:>7} {:>10} {:>10} {:>10} {:>10} {:>6} "
      "{:>6} {:>7}\n",
      "problem", "alg.", "mode", "rule", "settings*runs", "T", "passes", "C", "step", "search",
      "fresh", "least", "most", "right", "wrong", "seconds");
}

void print_row(const lab::PaperWinner& w) {
  fmt::print(
      "  {:10} {:4} {:9} {:5} {:>13} {:7} {:8.4g} {:10.4g} {:7.3g} {:10.4g} {:10.4g} {:10.4g} "
      "{:10.4g} {:6.2f} {:6.2f} {:7.1f}\n",
      w.cell.problem, w.cell.of.solver, w.cell.of.mode, w.cell.of.rule,
      fmt::format("{}*{}", w.settings, w.runs), w.best.iterations, w.best.passes, w.best.clip,
      w.best.step, w.search.mean, w.fresh.mean, w.fresh.least, w.fresh.most, w.support_right,
      w.support_wrong, w.search_seconds);
  std::fflush(stdout);
}

/// Certified beside paper mode, where both were asked for.
void print_ratios(const std::vector<lab::PaperWinner>& winners) {
  for (const lab::PaperWinner& paper : winners) {
    if (paper.cell.of.mode != "paper") continue;
    for (const lab::PaperWinner& certified : winners) {
      lab::PaperCell same = certified.cell;
      same.of.mode = "paper";
      if (certified.cell.of.mode != "certified" || same.name() != paper.cell.name()) continue;
      fmt::print("  {:10} {:4} {:5} paper / certified, fresh runs: {:.3g}\n", paper.cell.problem,
                 paper.cell.of.solver, paper.cell.of.rule, paper.fresh.mean / certified.fresh.mean);
    }
  }
}

/// What applies to nothing that was asked for is refused, not ignored.
void refuse_strangers(const Options& options) {
  const auto& algorithms = options.paper.algorithms;
  const bool greedy = std::find(algorithms.begin(), algorithms.end(), "gcd") != algorithms.end();
  const lab::TuningOptions& tuning = options.paper.tuning;
  if ((tuning.share || tuning.selection || tuning.release) &&
      (!greedy || options.mode == "paper")) {
    const char* const flag = tuning.share       ? "--share"
                             : tuning.selection ? "--selection"
                                                : "--release";
    throw InvalidArgument(std::string(flag) +
                          ": given, but it is only valid with gcd in certified mode");
  }
}

void run(const Options& given) {
  refuse_strangers(given);
  check_output_directory({"--out", given.paper.out.string()});
  for (const std::string& name : given.paper.problems) lab::paper_problem(name);
  Options options = given;
  if (options.mode != "both") options.paper.modes = {options.mode};
  if (options.quick) {
    options.paper.extent.part = lab::PaperExtent::Part::quick;
    options.paper.tuning.runs = 2;
    options.paper.tuning.finalists = 8;
    options.paper.tuning.final_runs = 4;
    options.paper.tuning.fresh = 10;
  }
  core::ThreadPool pool(options.threads);
  std::vector<lab::PaperWinner> winners;
  print_head();
  {
    ProgressBar searching("searching");
    options.paper.tuning.progress = std::ref(searching);
    winners = lab::run_paper(options.paper, pool, print_row);
  }
  print_ratios(winners);
  fmt::print(
      "\n  error: (f(w) - f*) / f*; search: mean of the runs the setting was chosen by; fresh,\n"
      "  least, most: {} further runs of the winner by the product's own fits\n",
      options.paper.tuning.fresh);
  if (!options.paper.out.empty())
    fmt::print("  written to {}\n", core::printable(options.paper.out.string()));
  print_not_private();
}

}  // namespace

void add_lab_paper(const Command& lab) {
  auto options = std::make_shared<Options>();
  const Command command =
      lab.add_subcommand("paper", "The paper's grid searches on its problems; not private");
  lab::PaperOptions& paper = options->paper;
  command.add_option("--problem", paper.problems,
                     "log1, log2, square, california, madelon_l1, madelon_l2, dorothea, mtp [all]");
  command.add_option("--algorithm", paper.algorithms, core::listed(fit::kPrintedSolvers) + " [all]")
      .check(one_of(fit::kPrintedSolvers));
  command.add_option("--mode", options->mode, "certified, paper, both [both]")
      .check(one_of({"certified", "paper", "both"}));
  command
      .add_option("--rule", paper.rules, "Of gcd: " + core::listed(problem::kRuleNames) + " [gs_s]")
      .check(one_of(problem::kRuleNames));
  command.add_option("--runs", paper.tuning.runs, "Of each setting [5]").check(whole_number(1));
  command
      .add_option("--fresh", paper.tuning.fresh, "Of each winner, by the product's own fits [50]")
      .check(whole_number(1));
  command.add_option("--epsilon", paper.tuning.epsilon, "[1]; delta is 1/n^2")
      .check(positive_number());
  command.add_option("--share", paper.tuning.share, "gcd: of selections in certified mode [auto]");
  command
      .add_option(
          "--selection", paper.tuning.selection,
          "gcd, certified mode: " + core::listed(privacy::kSelectionNames) + " [exponential]")
      .check(one_of(privacy::kSelectionNames));
  command
      .add_option("--release", paper.tuning.release,
                  "gcd, certified mode: " + core::listed(privacy::kReleaseNames) +
                      " [the one with less noise]")
      .check(one_of(privacy::kReleaseNames));
  command.add_option("--instance", paper.instance, "Seed of the generated problems [1]")
      .check(whole_number(0));
  command.add_option("--data", paper.data, "Directory of the data sets that are files");
  command.add_option("--out", paper.out,
                     "Directory for results, winners, trajectories, supports (CSV) and a manifest");
  command
      .add_flag("--quick", options->quick,
                "A part of the grid: every 5th clip, every 3rd step, at most 4 passes, 2 runs")
      .excludes("--runs")
      .excludes("--fresh");
  command.add_option("--threads", options->threads, "Number of threads [all cores]")
      .check(thread_count());
  command.footer(
      "The settings of a search are simulated many at a time; its winner runs again on fresh "
      "seeds\n"
      "with the product's own fits. Settings that coincide run once and are reported under each "
      "of\n"
      "their names. With --out, a study that was interrupted goes on where it stopped.\n"
      "\n"
      "Examples:\n"
      "  southwell lab paper --problem square --problem log2 --quick\n"
      "  southwell lab paper --data ../shared/data --out results\n");
  command.callback([options] { run(*options); });
}

}  // namespace southwell::cli
