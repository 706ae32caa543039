#include <memory>
#include <string>

#include <fmt/core.h>

#include "commands.hpp"
#include "lab/theory_study.hpp"
#include "lab_options.hpp"
#include "outputs.hpp"
#include "progress_bar.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/fit/any_algorithm.hpp"
#include "southwell/fit/draft.hpp"
#include "validators.hpp"

namespace southwell::cli {
namespace {

struct Options {
  lab::TheoryStudyOptions study;
  std::string out;
  bool quick = false;
  int threads = 0;
};

void print_errors(const lab::TheoryStudy& study, const lab::TheoryStudyOptions& options) {
  fmt::print("  {:10} {:4} {:>9} {:>10} {:>10} {:>10}\n", "truth", "alg.", "features", "left",
             "least", "most");
  for (const lab::TheorySlope& of : study.slopes) {
    for (const std::size_t features : options.features) {
      std::vector<double> shares;
      for (const lab::TheoryRun& run : study.runs) {
        if (run.truth == of.truth && run.algorithm == of.algorithm && run.features == features) {
          shares.push_back(run.share);
        }
      }
      const auto share = lab::ErrorSummary::of(shares);
      fmt::print("  {:10} {:4} {:9} {:8.3g} % {:8.3g} % {:8.3g} %\n", of.truth, of.algorithm,
                 features, 100.0 * share.mean, 100.0 * share.least, 100.0 * share.most);
    }
    fmt::print(
        "  {:10} {:4} slope of log(left) in log(features): {:.3f}, 95 % interval {:.3f} to "
        "{:.3f}\n",
        of.truth, of.algorithm, of.slope, of.slope - of.half_width, of.slope + of.half_width);
  }
}

void print_bounds(const lab::TheoryStudy& study) {
  for (const lab::TheoryBound& bound : study.bounds) {
    if (bound.error) {
      fmt::print("  {:10} {} features: the {} theorem promises an error of {:.3g}\n", bound.truth,
                 bound.features, bound.theorem, *bound.error);
    } else {
      fmt::print("  {:10} {} features: the {} theorem does not apply: {}\n", bound.truth,
                 bound.features, bound.theorem, bound.failed);
    }
  }
}

void run(const Options& given) {
  check_output_directory({"--out", given.out});
  Options options = given;
  if (options.quick) {
    options.study.features = {100, 1000};
    options.study.seeds = 5;
  }
  core::ThreadPool pool(options.threads);
  lab::TheoryStudy study;
  {
    ProgressBar studying("studying");
    options.study.progress = std::ref(studying);
    study = lab::theory_study(options.study, pool);
  }
  print_errors(study, options.study);
  print_bounds(study);
  fmt::print("\n  left: part of f(0) - f*, over {} instances; {} mode, epsilon {:g}\n",
             options.study.seeds, options.study.mode, options.study.epsilon);
  if (!options.out.empty()) {
    write_theory_study(study, options.study, options.out);
    fmt::print("  written to {}\n", core::printable(options.out));
  }
  print_not_private();
}

}  // namespace

void add_lab_theory(const Command& lab) {
  auto options = std::make_shared<Options>();
  const Command command = lab.add_subcommand(
      "theory", "Error against the number of features, beside the paper's bounds; not private");
  lab::TheoryStudyOptions& study = options->study;
  command.add_option("--features", study.features, "Sizes, with commas [100,1000,10000,100000]")
      .delimiter(',')
      .check(whole_number(10));
  command.add_option("--records", study.records, "[1000]").check(whole_number(10));
  command.add_option("--algorithm", study.algorithms, core::listed(fit::kPrintedSolvers) + " [all]")
      .check(one_of(fit::kPrintedSolvers));
  command.add_option("--mode", study.mode, "certified, paper [paper]; sgd has paper alone here")
      .check(one_of(fit::kModeNames));
  command.add_option("--seeds", study.seeds, "Instances, one run on each [20]")
      .check(whole_number(2));
  command.add_option("--epsilon", study.epsilon, "[8]; delta is 1/n^2").check(positive_number());
  command.add_option("--out", options->out, "Directory for theory.csv, its slopes and bounds");
  command.add_flag("--quick", options->quick, "100 and 1000 features, 5 instances")
      .excludes("--features")
      .excludes("--seeds");
  command.add_option("--threads", options->threads, "Number of threads [all cores]")
      .check(thread_count());
  command.footer(
      "Log-normal truth: the paper's log2; sparse truth: its square; both with 1000 records and\n"
      "more and more features. Each algorithm is tuned at each size on an instance of its own.\n"
      "Every thread holds a table of its own: 1.2 GB each at 100000 features.\n"
      "\n"
      "Examples:\n"
      "  southwell lab theory --out results\n");
  command.callback([options] { run(*options); });
}

}  // namespace southwell::cli
