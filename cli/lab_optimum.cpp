#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <vector>

#include <fmt/core.h>

#include "commands.hpp"
#include "lab/softmax_optimum.hpp"
#include "lab_options.hpp"
#include "southwell/core/error.hpp"
#include "validators.hpp"

namespace southwell::cli {
namespace {

struct Options : LabOptions {
  double gap = 1e-10;
  int repeat = 1;
  std::vector<double> classes;  ///< of a softmax; else the data's -1 and 1
};

solvers::Optimum optimum_of(const data::Dataset& dataset, const Options& options,
                            core::ThreadPool& pool) {
  if (options.classes.empty()) return lab::optimum(dataset, options.objective, options.gap, pool);
  const lab::ObjectiveSpec& spec = options.objective;
  if (spec.loss != problem::Logistic::kName || spec.penalty != problem::L2::kName || !spec.alpha) {
    throw InvalidArgument(
        "--classes: given with another objective, accepted is --loss logistic --penalty l2 with an "
        "--alpha");
  }
  return lab::softmax_optimum(dataset,
                              {.classes = options.classes,
                               .alpha = *spec.alpha,
                               .intercept = spec.intercept,
                               .gap = options.gap},
                              pool);
}

/// What was found of a softmax: its coefficients are many, and not printed.
void print_softmax(const Options& options, const data::Dataset& dataset,
                   const solvers::Optimum& found, double seconds) {
  if (options.json) {
    nlohmann::json out = lab_json(options.objective);
    out.update({{"multiclass", problem::kSoftmax},
                {"objective", found.objective},
                {"objective_at_zero", found.objective_at_zero},
                {"gap", found.gap},
                {"certificate", found.certificate},
                {"records", dataset.records()},
                {"features", dataset.features()},
                {"seconds", seconds}});
    print_json(out);
    return;
  }
  fmt::print("  {:24} {} x {}\n", "records x features", dataset.records(), dataset.features());
  fmt::print("  {:24} {:.10g}\n", "objective", found.objective);
  fmt::print("  {:24} {:.10g}\n", "objective at zero", found.objective_at_zero);
  fmt::print("  {:24} {:.1e} ({})\n", "relative gap", found.gap, found.certificate);
  fmt::print("  {:24} {:.3g} s\n", "solved in", seconds);
  print_not_private();
}

void run(const Options& options) {
  core::ThreadPool pool(options.read.threads);
  const data::Dataset dataset = read_lab_data(options, pool);
  solvers::Optimum found;
  double seconds = std::numeric_limits<double>::infinity();
  for (int round = 0; round < options.repeat; ++round) {
    const auto start = std::chrono::steady_clock::now();
    found = optimum_of(dataset, options, pool);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    seconds = std::min(seconds, took.count());
  }
  const auto support = static_cast<std::size_t>(
      std::count_if(found.at.coef.begin(), found.at.coef.end(), [](double w) { return w != 0.0; }));
  if (!options.classes.empty()) {
    print_softmax(options, dataset, found, seconds);
  } else if (options.json) {
    nlohmann::json out = lab_json(options.objective);
    out.update({{"standardize", options.standardize},
                {"objective", found.objective},
                {"objective_at_zero", number_or_null(found.objective_at_zero)},
                {"gap", found.gap},
                {"certificate", found.certificate},
                {"support_size", support},
                {"support", support_json(dataset, found.at.coef)},
                {"intercept", found.at.intercept},
                {"records", dataset.records()},
                {"features", dataset.features()},
                {"seconds", seconds}});
    print_json(out);
  } else {
    fmt::print("  {:24} {} x {}\n", "records x features", dataset.records(), dataset.features());
    fmt::print("  {:24} {:.10g}\n", "objective", found.objective);
    fmt::print("  {:24} {:.10g}\n", "objective at zero", found.objective_at_zero);
    fmt::print("  {:24} {:.1e} ({})\n", "relative gap", found.gap, found.certificate);
    fmt::print("  {:24} {}\n", "non-zero coefficients", support);
    fmt::print("  {:24} {:.3g} s\n", "solved in", seconds);
    print_support(dataset, found.at, options.objective.intercept);
    print_not_private();
  }
  if (!found.reached) {
    throw std::runtime_error(
        fmt::format("the gap {:.1e} was not reached ({}); what is printed has {:.1e}", options.gap,
                    found.ended, found.gap));
  }
}

}  // namespace

void add_lab_optimum(const Command& lab) {
  auto options = std::make_shared<Options>();
  const Command command = lab.add_subcommand(
      "optimum", "The exact minimum of an objective, with a bound on its error; not private");
  add_lab_options(command, *options, Purpose::solving);
  command.add_option("--gap", options->gap, "Relative duality gap to reach [1e-10]")
      .check(positive_number());
  command
      .add_option(
          "--classes",
          [&classes = options->classes](const std::string& text) {
            constexpr const char* kAccepted = "three numbers or more with commas between them";
            for (const std::string& word : words_of("--classes", text, kAccepted)) {
              const auto number = parsed_number(word);
              if (!number) refuse("--classes", text, kAccepted);
              classes.push_back(*number);
            }
            if (classes.size() < 3) refuse("--classes", text, kAccepted);
          },
          "More than two classes: the optimum of one softmax, as sgd fits them")
      .kind("LIST");
  command.add_option("--repeat", options->repeat, "Solve so many times, report the fastest [1]")
      .check(whole_number(1, 1'000'000));
  command.footer(
      "The gap is (objective - lower bound) / max(objective, 1e-6 objective of no features). The\n"
      "lower bound is that of Fenchel duality. The certificate says what it holds for: `duality\n"
      "gap`, all coefficients; `duality gap within |coef| <= B / column scale`, those (without a\n"
      "penalty, or with an open box, no finite bound is for all); a column's scale is its root "
      "mean\n"
      "square to a power of two, left out where all are 1. Exit code 1 if the gap is not reached,\n"
      "with the reason; what was found is printed all the same. Not private: no noise is added.\n"
      "\n"
      "Examples:\n"
      "  southwell lab optimum square.csv --loss squared --penalty l1 --alpha 30 --no-intercept\n"
      "  southwell lab optimum california.csv.gz --standardize --loss squared --penalty l1 \\\n"
      "      --alpha 0.1 --no-intercept --json\n"
      "  southwell lab optimum a9a.libsvm.gz --loss logistic --penalty l2 --alpha 0.001\n");
  command.callback([options] { run(*options); });
}

}  // namespace southwell::cli
