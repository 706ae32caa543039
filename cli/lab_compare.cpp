#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "commands.hpp"
#include "json_output.hpp"
#include "lab/compare.hpp"
#include "lab_options.hpp"
#include "objective_options.hpp"
#include "progress_bar.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/core/version.hpp"
#include "southwell/fit/any_algorithm.hpp"
#include "southwell/problem/grid_score.hpp"
#include "validators.hpp"

namespace southwell::cli {
namespace {

struct Options {
  lab::CompareOptions compare;
  std::vector<std::string> problems;
  std::size_t instances = 10;
  std::string data;
  LabOptions file;  ///< of the problems that are files
  std::string mode = "both";
  std::string grid = "sub";
  std::vector<std::size_t> phase{2, 1};
};

bool is_named(const std::string& problem) {
  for (const lab::PaperProblem& each : lab::paper_problems()) {
    if (each.name == problem) return true;
  }
  return false;
}

lab::CompareProblem problem_of(const std::string& given, const Options& options,
                               core::ThreadPool& pool) {
  const bool is_file = std::filesystem::exists(given);
  if (!is_named(given) && !is_file) {
    std::string names;
    for (const lab::PaperProblem& each : lab::paper_problems()) {
      names += std::string(each.name) + ", ";
    }
    throw InvalidArgument("PROBLEM: given '" + given + "', accepted are " + names +
                          "or a data file that is there");
  }
  if (is_named(given)) {
    return lab::named_problem(given, options.instances, options.data, pool);
  }
  if (options.file.objective.loss.empty()) {
    throw InvalidArgument("--loss: is required for a file, and so are its penalty and target");
  }
  return {given, 1, [&options, given, &pool](std::uint64_t) {
            LabOptions file = options.file;
            file.data = given;
            return lab::LoadedProblem{read_lab_data(file, pool), {}, file.objective};
          }};
}

/// The part of f(0) - f* that is left.
double share_of(const lab::Compared& of, const lab::ComparedRow& row) {
  return row.tuned.fresh_error().mean / of.error_at_zero;
}

double right(const lab::FreshRun& run) { return static_cast<double>(run.support_right); }
double wrong(const lab::FreshRun& run) { return static_cast<double>(run.support_wrong); }
double seconds(const lab::FreshRun& run) { return run.seconds; }

nlohmann::json row_json(const lab::Compared& of, const lab::ComparedRow& row) {
  const lab::ErrorSummary error = row.tuned.fresh_error();
  return {{"problem", of.problem},
          {"solver", row.of.solver},
          {"mode", row.of.mode},
          {"rule", row.of.rule},
          {"iterations", row.tuned.winner().iterations},
          {"clip", row.clip},
          {"step", row.step},
          {"settings", row.tuned.settings_run},
          {"runs", row.runs()},
          {"error_at_zero", number_or_null(of.error_at_zero)},
          {"error_search", number_or_null(row.tuned.searched[row.tuned.best].mean)},
          {"error_mean", number_or_null(error.mean)},
          {"error_share", number_or_null(share_of(of, row))},
          {"error_min", number_or_null(error.least)},
          {"error_max", number_or_null(error.most)},
          {"support_right", row.mean(right)},
          {"support_wrong", row.mean(wrong)},
          {"seconds", row.mean(seconds)}};
}

std::string name_of(const lab::ComparedRow& row) {
  const std::string of = row.of.solver + " " + row.of.mode;
  return of + (row.of.rule.empty() ? "" : " " + row.of.rule);
}

void print_json_of(const std::vector<lab::Compared>& found) {
  nlohmann::json out = {{"southwell_version", kVersion}, {"private", false}};
  out["rows"] = nlohmann::json::array();
  out["paired"] = nlohmann::json::array();
  for (const lab::Compared& each : found) {
    for (std::size_t k = 0; k < each.rows.size(); ++k) {
      out["rows"].push_back(row_json(each, each.rows[k]));
      if (k == 0) continue;
      const lab::Interval95 difference = paired_difference(each.rows[0].tuned, each.rows[k].tuned);
      out["paired"].push_back({{"problem", each.problem},
                               {"first", name_of(each.rows[0])},
                               {"second", name_of(each.rows[k])},
                               {"difference", number_or_null(difference.mean)},
                               {"low", number_or_null(difference.mean - difference.half_width)},
                               {"high", number_or_null(difference.mean + difference.half_width)}});
    }
  }
  print_json(out);
}

void print_table(const std::vector<lab::Compared>& found) {
  fmt::print("  {:10} {:19} {:>7} {:>9} {:>8} {:>10} {:>6} {:>10} {:>10} {:>7} {:>7} {:>8}\n",
             "problem", "solver", "T", "clip", "step", "error", "left", "least", "most", "right",
             "wrong", "s per fit");
  for (const lab::Compared& each : found) {
    const std::string problem = core::printable(each.problem);  // the name of a file, perhaps
    fmt::print("  {:10} {:19} {:>7} {:>9} {:>8} {:10.4g} {:>6}\n", problem, "w = 0", "", "", "",
               each.error_at_zero, "100 %");
    for (const lab::ComparedRow& row : each.rows) {
      const lab::ErrorSummary error = row.tuned.fresh_error();
      fmt::print(
          "  {:10} {:19} {:7} {:9.3g} {:8.3g} {:10.4g} {:4.0f} % {:10.4g} {:10.4g} {:7.2f} {:7.2f} "
          "{:8.2g}\n",
          problem, name_of(row), row.tuned.winner().iterations, row.clip, row.step, error.mean,
          100.0 * share_of(each, row), error.least, error.most, row.mean(right), row.mean(wrong),
          row.mean(seconds));
    }
    for (std::size_t k = 1; k < each.rows.size(); ++k) {
      const lab::Interval95 difference = paired_difference(each.rows[0].tuned, each.rows[k].tuned);
      fmt::print("  {:10} {} - {}: {:.4g}, 95 % interval {:.4g} to {:.4g}\n", problem,
                 name_of(each.rows[k]), name_of(each.rows[0]), difference.mean,
                 difference.mean - difference.half_width, difference.mean + difference.half_width);
    }
  }
  fmt::print(
      "\n  error: (f(w) - f*) / f*, mean over instances and runs on fresh seeds; left: its part "
      "of\n"
      "  f(0) - f*; replace_one, but for sgd as published, whose noise is that of adding a "
      "record\n");
}

/// What applies to nothing that was asked for is refused, not ignored.
void refuse_strangers(const Command& command, const Options& options) {
  const auto refuse = [&](const char* flag, bool applies, const char* valid_with) {
    if (command.has(flag) && !applies) {
      throw InvalidArgument(std::string(flag) + ": given, but it is only valid with " + valid_with);
    }
  };
  const auto& solvers = options.compare.solvers;
  const bool greedy = std::find(solvers.begin(), solvers.end(), "gcd") != solvers.end();
  const bool files = !std::all_of(options.problems.begin(), options.problems.end(), is_named);
  refuse("--rule", greedy, "the solver gcd");
  refuse("--share", greedy && options.mode != "paper", "the solver gcd in certified mode");
  refuse("--phase", options.grid == "sub", "--grid sub");
  for (const char* flag :
       {"--loss", "--penalty", "--alpha", "--l1-ratio", "--lower", "--upper", "--huber-width",
        "--target", "--features", "--missing", "--delimiter", "--encoding", "--standardize"}) {
    refuse(flag, files, "problems that are files");
  }
}

void run(const Options& given) {
  Options options = given;
  if (options.mode == "all") {
    options.compare.modes.emplace_back("untuned");
  } else if (options.mode != "both") {
    options.compare.modes = {options.mode};
  }
  if (options.grid == "paper") options.compare.extent = {};
  options.compare.extent.first_clip = options.phase[0];
  options.compare.extent.first_step = options.phase[1];
  core::ThreadPool pool(options.file.read.threads);
  std::vector<lab::CompareProblem> problems;
  problems.reserve(options.problems.size());
  for (const std::string& name : options.problems) {
    problems.push_back(problem_of(name, options, pool));
  }
  std::vector<lab::Compared> found;
  {
    ProgressBar comparing("comparing");
    options.compare.tuning.progress = std::ref(comparing);
    found = lab::compare(problems, options.compare, pool);
  }
  if (options.file.json) {
    print_json_of(found);
    return;
  }
  print_table(found);
  print_not_private();
}

void add_grid_options(const Command& command, Options& options) {
  command.add_option("--grid", options.grid, "sub: every 5th clip, every 3rd step; paper [sub]")
      .check(one_of({"sub", "paper"}));
  command
      .add_option("--phase", options.phase,
                  "Of the sub grid: its first clip, 0 to 4, and first step, 0 to 2 [2,1]")
      .delimiter(',')
      .expected(2)
      .check({[](const std::string& given) {
                return given.size() == 1 && given[0] >= '0' && given[0] <= '4'
                           ? std::string()
                           : "given '" + given + "', accepted are 0 to 4 (clip) and 0 to 2 (step)";
              },
              ""});
}

/// Where problems come from, and what a file is.
void add_problem_options(const Command& command, Options& options) {
  command.add_option("--data", options.data, "Directory of the named data sets");
  command.add_option("--target", options.file.read.target,
                     "A file's target: CSV name or column number from 0");
  command.add_option("--features", options.file.read.features, "Features of a sparse file")
      .check(whole_number(1));
  add_csv_options(command, options.file.read);
  command.add_flag("--standardize", options.file.standardize,
                   "Center a file's columns and scale them to unit variance first");
  add_objective_options(command, options.file.objective);
  options.file.objective.intercept = lab::Intercept::none;
  command.add_option("--threads", options.file.read.threads, "Number of threads [all cores]")
      .check(thread_count());
}

}  // namespace

void add_lab_compare(const Command& lab) {
  auto options = std::make_shared<Options>();
  const Command command = lab.add_subcommand(
      "compare", "Solvers, modes and rules on the same problems at the same budget; not private");
  lab::CompareOptions& compare = options->compare;
  command
      .add_option("PROBLEM", options->problems,
                  "log1, log2, square, california, madelon_l1, madelon_l2, dorothea, mtp, or a "
                  "data file")
      .required();
  command
      .add_option("--solver", compare.solvers,
                  core::listed(fit::kPrintedSolvers) + ", with commas between them [gcd]")
      .delimiter(',')
      .check(one_of(fit::kPrintedSolvers));
  command
      .add_option("--mode", options->mode,
                  "certified, paper, both, untuned (certified, all choices automatic and nothing "
                  "read from the data), all [both]")
      .check(one_of({"certified", "paper", "both", "untuned", "all"}));
  command
      .add_option("--rule", compare.rules,
                  "gcd: " + core::listed(problem::kRuleNames) + ", with commas [gs_s]")
      .delimiter(',')
      .check(one_of(problem::kRuleNames));
  add_grid_options(command, *options);
  command.add_option("--instances", options->instances, "Of a generated problem [10]")
      .check(whole_number(1));
  command.add_option("--runs", compare.tuning.runs, "On each instance, in the search [5]")
      .check(whole_number(1));
  command.add_option("--fresh", compare.tuning.fresh, "Of each winner on each instance [20]")
      .check(whole_number(1));
  command.add_option("--epsilon", compare.tuning.epsilon, "[1]").check(positive_number());
  command.add_option("--delta", compare.tuning.delta, "[1/n^2]");
  command.add_option("--share", compare.tuning.share,
                     "gcd: of selections in certified mode [auto]");
  add_problem_options(command, *options);
  command.add_flag("--json", options->file.json, "Print JSON instead of a table");
  command.footer(
      "Each row searches its grid of the paper (clips, steps, passes, translated into the "
      "product's\n"
      "clip), many settings simulated at once; its winner runs again on fresh seeds with the\n"
      "product's own fits. sgd takes all records in a step where it is certified and one where "
      "it is\n"
      "as published. M_j are taken from the data, as in the paper. Files have no intercept.\n"
      "\n"
      "Examples:\n"
      "  southwell lab compare square log2\n"
      "  southwell lab compare square mtp --solver gcd,cd,sgd --mode certified --data "
      "../shared/data\n"
      "  southwell lab compare a9a.libsvm.gz --loss logistic --penalty l2 --alpha 0.001 \\\n"
      "      --solver gcd,sgd --mode certified\n");
  command.callback([options, command] {
    refuse_strangers(command, *options);
    run(*options);
  });
}

}  // namespace southwell::cli
