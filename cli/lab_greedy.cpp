#include "lab/greedy.hpp"

#include <algorithm>
#include <memory>

#include <fmt/core.h>

#include "commands.hpp"
#include "lab_options.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/problem/grid_score.hpp"
#include "validators.hpp"

namespace southwell::cli {
namespace {

struct Options : LabOptions {
  lab::GreedyOptions greedy;
};

std::string coordinate_name(const data::Dataset& dataset, std::size_t j) {
  return j == dataset.features() ? "(intercept)" : feature_name(dataset, j);
}

nlohmann::json to_json(const Options& options, const data::Dataset& dataset,
                       const lab::GreedyRun& run, const solvers::Optimum& best) {
  nlohmann::json out = lab_json(options.objective);
  nlohmann::json path = nlohmann::json::array();
  for (const lab::GreedyStep& step : run.steps) {
    path.push_back({{"index", step.feature},
                    {"gradient", step.gradient},
                    {"value", step.value},
                    {"objective", step.objective},
                    {"good", step.good}});
  }
  out.update({{"rule", options.greedy.rule},
              {"iterations", run.steps.size()},
              {"step", options.greedy.step},
              {"objective", run.objective()},
              {"objective_at_zero", number_or_null(run.objective_at_zero)},
              {"optimum", best.objective},
              {"relative_error", (run.objective() - best.objective) / best.objective},
              {"good_steps", run.good_steps()},
              {"bad_steps", run.bad_steps()},
              {"support", support_json(dataset, run.at.coef)},
              {"intercept", run.at.intercept},
              {"path", path},
              {"records", dataset.records()},
              {"features", dataset.features()}});
  return out;
}

void run(const Options& options) {
  core::ThreadPool pool(options.read.threads);
  const data::Dataset dataset = read_lab_data(options, pool);
  const lab::GreedyRun run = lab::greedy(dataset, options.objective, options.greedy, pool);
  const solvers::Optimum best = lab::optimum(dataset, options.objective, 1e-10, pool);
  lab::require_reached(best);
  if (options.json) {
    print_json(to_json(options, dataset, run, best));
    return;
  }
  fmt::print("  {:>5}  {:24} {:>14} {:>14} {:>12}  {}\n", "step", "feature", "coefficient",
             "objective", "rel. error", "good");
  const std::size_t most = 30;
  for (std::size_t t = 0; t < run.steps.size() && t < most; ++t) {
    const lab::GreedyStep& step = run.steps[t];
    fmt::print("  {:5}  {:24} {:14.6g} {:14.8g} {:12.3e}  {}\n", t + 1,
               core::printable(coordinate_name(dataset, step.feature)), step.value, step.objective,
               (step.objective - best.objective) / best.objective, step.good ? "yes" : "no");
  }
  if (run.steps.size() > most)
    fmt::print("  ... {} more (--json has all)\n", run.steps.size() - most);
  fmt::print("\n  {:24} {}\n", "rule", options.greedy.rule);
  fmt::print("  {:24} {} of {} asked\n", "steps", run.steps.size(), options.greedy.iterations);
  fmt::print("  {:24} {} good, {} bad\n", "of these", run.good_steps(), run.bad_steps());
  fmt::print("  {:24} {:.10g}\n", "objective", run.objective());
  fmt::print("  {:24} {:.10g}\n", "optimum", best.objective);
  print_not_private();
}

}  // namespace

void add_lab_greedy(const Command& lab) {
  auto options = std::make_shared<Options>();
  const Command command = lab.add_subcommand(
      "greedy", "Greedy coordinate descent without noise, step by step; not private");
  add_lab_options(command, *options, Purpose::solving);
  command.add_option("--rule", options->greedy.rule, core::listed(problem::kRuleNames) + " [gs_s]")
      .check(one_of(problem::kRuleNames));
  command.add_option("--iterations", options->greedy.iterations, "Steps at most [100]")
      .check(whole_number(1, 1'000'000'000));
  command.add_option("--step", options->greedy.step, "Step length, in units of 1 / M_j [1]")
      .check(positive_number());
  command.footer(
      "gs_s: steepest slope; gs_r: longest step; gs_q: largest decrease of the quadratic bound. "
      "M_j\n"
      "is taken from the data, as in the paper. A step is bad (Karimireddy et al. 2019) if it "
      "takes\n"
      "a coefficient onto or across a kink of the penalty. Not private: no noise is added.\n"
      "\n"
      "Examples:\n"
      "  southwell lab greedy california.csv.gz --standardize --loss squared --penalty l1 \\\n"
      "      --alpha 0.1 --no-intercept --rule gs_q --iterations 20\n"
      "  southwell lab greedy square.csv --loss squared --penalty l1 --alpha 30 --json\n");
  command.callback([options] { run(*options); });
}

}  // namespace southwell::cli
