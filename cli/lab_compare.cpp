#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "commands.hpp"
#include "json_output.hpp"
#include "lab/compare.hpp"
#include "lab_options.hpp"
#include "progress_bar.hpp"
#include "southwell/core/version.hpp"
#include "whole_number.hpp"

namespace southwell::cli {
namespace {

struct Options {
  lab::CompareOptions compare;
  std::string mode = "both";
  std::string grid = "sub";
  int threads = 0;
  bool json = false;
};

nlohmann::json row_json(const std::string& problem, const std::string& rule,
                        const lab::ComparedMode& mode) {
  std::size_t runs = 0;
  for (const auto& instance : mode.errors) runs += instance.size();
  return {{"problem", problem},
          {"solver", "gcd"},
          {"mode", mode.mode},
          {"rule", rule},
          {"iterations", mode.best.iterations},
          {"clip", mode.best.clip},
          {"step", mode.best.step},
          {"settings", mode.settings},
          {"runs", runs},
          {"error_search", number_or_null(mode.search_error)},
          {"error_mean", number_or_null(mode.mean())},
          {"error_min", number_or_null(mode.least())},
          {"error_max", number_or_null(mode.most())},
          {"support_right", mode.support_right},
          {"support_wrong", mode.support_wrong},
          {"seconds", mode.seconds}};
}

void print_json_of(const std::vector<lab::Compared>& found, const Options& options) {
  nlohmann::json out = {{"southwell_version", kVersion}, {"private", false}};
  out["rows"] = nlohmann::json::array();
  out["paired"] = nlohmann::json::array();
  for (const lab::Compared& each : found) {
    for (const lab::ComparedMode& mode : each.modes) {
      out["rows"].push_back(row_json(each.problem, options.compare.rule, mode));
    }
    if (each.modes.size() < 2) continue;
    const lab::Interval95 difference = paired_difference(each);
    out["paired"].push_back({{"problem", each.problem},
                             {"difference", number_or_null(difference.mean)},
                             {"low", number_or_null(difference.mean - difference.half_width)},
                             {"high", number_or_null(difference.mean + difference.half_width)}});
  }
  print_json(out);
}

void print_table(const std::vector<lab::Compared>& found) {
  fmt::print("  {:10} {:9} {:>4} {:>10} {:>8} {:>11} {:>11} {:>11} {:>7} {:>7} {:>9}\n", "problem",
             "mode", "T", "clip", "step", "error", "least", "most", "right", "wrong", "s per fit");
  for (const lab::Compared& each : found) {
    fmt::print("  {:10} {:9} {:>4} {:>10} {:>8} {:11.4g}\n", each.problem, "w = 0", "", "", "",
               each.error_at_zero);
    for (const lab::ComparedMode& mode : each.modes) {
      fmt::print(
          "  {:10} {:9} {:4} {:10.4g} {:8.3g} {:11.4g} {:11.4g} {:11.4g} {:7.2f} {:7.2f} "
          "{:9.2g}\n",
          each.problem, mode.mode, mode.best.iterations, mode.best.clip, mode.best.step,
          mode.mean(), mode.least(), mode.most(), mode.support_right, mode.support_wrong,
          mode.seconds);
    }
    if (each.modes.size() < 2) continue;
    const lab::Interval95 difference = paired_difference(each);
    fmt::print("  {:10} {} - {}: {:.4g}, 95 % interval {:.4g} to {:.4g}\n", each.problem,
               each.modes[1].mode, each.modes[0].mode, difference.mean,
               difference.mean - difference.half_width, difference.mean + difference.half_width);
  }
  fmt::print("\n  error: (f(w) - f*) / f*, mean over instances and runs on fresh seeds\n");
}

void run(const Options& given) {
  Options options = given;
  if (options.mode != "both") options.compare.modes = {options.mode};
  options.compare.grid = options.grid == "sub" ? lab::Grid::sub : lab::Grid::paper;
  core::ThreadPool pool(options.threads);
  std::vector<lab::Compared> found;
  {
    ProgressBar comparing("comparing");
    options.compare.progress = std::ref(comparing);
    found = lab::compare(options.compare, pool);
  }
  if (options.json) {
    print_json_of(found, options);
    return;
  }
  print_table(found);
  print_not_private();
}

}  // namespace

void add_lab_compare(CLI::App& lab) {
  auto options = std::make_shared<Options>();
  CLI::App* command = lab.add_subcommand(
      "compare", "Modes of DP-GCD on the paper's problems at the same budget; not private");
  lab::CompareOptions& compare = options->compare;
  command
      ->add_option("PROBLEM", compare.problems,
                   "log1, log2, square, california, madelon_l1, madelon_l2, dorothea, mtp")
      ->required();
  command->add_option("--mode", options->mode, "certified, paper, both [both]")
      ->check(CLI::IsMember({"certified", "paper", "both"}));
  command->add_option("--rule", compare.rule, "gs_s, gs_r, gs_q [gs_s]")
      ->check(CLI::IsMember({"gs_s", "gs_r", "gs_q"}));
  command->add_option("--grid", options->grid, "sub: every 5th clip, every 3rd step; paper [sub]")
      ->check(CLI::IsMember({"sub", "paper"}));
  command->add_option("--instances", compare.instances, "Of a generated problem [10]")
      ->transform(whole_number(1));
  command->add_option("--runs", compare.runs, "On each instance, in the search [5]")
      ->transform(whole_number(1));
  command->add_option("--fresh", compare.fresh, "Of each winner on each instance [20]")
      ->transform(whole_number(1));
  command->add_option("--epsilon", compare.epsilon, "[1]")->check(CLI::PositiveNumber);
  command->add_option("--delta", compare.delta, "[1/n^2]");
  command->add_option("--share", compare.share, "Of selections in certified mode [auto]");
  command->add_option("--data", compare.data, "Directory of the data sets that are files");
  command->add_option("--threads", options->threads, "Number of threads [all cores]")
      ->transform(thread_count());
  command->add_flag("--json", options->json, "Print JSON instead of a table");
  command->footer(
      "Each mode searches the same grid of the paper (clips, steps, iterations, translated into\n"
      "the product's clip) and its winner runs again on fresh seeds. M_j are taken from the data,\n"
      "as in the paper.\n"
      "\n"
      "Examples:\n"
      "  southwell lab compare square log2\n"
      "  southwell lab compare madelon_l1 --data ../shared/data --runs 20\n");
  command->callback([options] { run(*options); });
}

}  // namespace southwell::cli
