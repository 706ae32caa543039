#include "southwell/data/generate.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "commands.hpp"
#include "outputs.hpp"
#include "progress_bar.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/data/file_format.hpp"
#include "southwell/data/file_writer.hpp"
#include "southwell/data/write.hpp"
#include "validators.hpp"

namespace southwell::cli {
namespace {

struct Options {
  std::string problem;
  data::GenerateOptions generate;
  std::string out;
  std::string truth;
  int threads = 0;
};

void write_truth(data::FileWriter& writer, const std::vector<double>& truth) {
  writer.write("feature,coef\n");
  for (std::size_t j = 0; j < truth.size(); ++j) {
    if (truth[j] != 0.0) {
      writer.write(fmt::format("{},{:.17g}\n", data::default_feature_name(j), truth[j]));
    }
  }
}

void run(const Options& options) {
  const data::Synthetic problem = data::synthetic_from_name(options.problem);
  // What can be refused is refused before the work, not after it.
  data::file_format(options.out);
  const Output to{"--out", options.out};
  const Output truth_to{"--truth", options.truth};
  check_outputs({to, truth_to}, {});
  const std::unique_ptr<data::FileWriter> out = open_output(to);
  const std::unique_ptr<data::FileWriter> truth = open_output(truth_to);
  core::ThreadPool pool(options.threads);
  ProgressBar generating("generating");
  data::GenerateOptions generate = options.generate;
  generate.progress = std::ref(generating);
  const data::Generated made = data::generate(problem, generate, pool);
  ProgressBar writing("writing");
  data::write(*out, options.out, made.dataset, pool, std::ref(writing));
  if (truth) write_truth(*truth, made.truth);
  out->commit();
  if (truth) truth->commit();
  fmt::print("{}: {} with {} records, {} features, seed {}\n", core::printable(options.out),
             options.problem, made.dataset.records(), made.dataset.features(),
             options.generate.seed);
}

}  // namespace

void add_generate(const Command& parent) {
  auto options = std::make_shared<Options>();
  const Command command = parent.add_subcommand(
      "generate", "Write one of the paper's synthetic problems: log1, log2 or square");
  command.add_option("PROBLEM", options->problem, "log1, log2 (logistic) or square (regression)")
      .required()
      .check(one_of({"log1", "log2", "square"}));
  command.add_option("--records", options->generate.records, "Number of records [1000]")
      .check(whole_number(1));
  command
      .add_option("--features", options->generate.features,
                  "Number of features [100 for log1 and log2, 1000 for square]")
      .check(whole_number(1));
  command.add_option("--seed", options->generate.seed, "The same seed gives the same bytes")
      .required()
      .check(whole_number(0));
  command
      .add_option("--out", options->out,
                  "File to write: .csv, .libsvm, .svm or .npy, each also with .gz")
      .required();
  command.add_option("--truth", options->truth,
                     "Also write the coefficients that made the target, as CSV feature,coef");
  command.add_option("--threads", options->threads, "Number of threads [all cores]")
      .check(thread_count());
  command.footer(
      "Examples:\n"
      "  southwell generate square --seed 1 --out square.csv\n"
      "  southwell generate log1 --records 5000 --features 200 --seed 7 --out log1.libsvm.gz\n"
      "  southwell generate square --seed 1 --out square.npy --truth truth.csv\n");
  command.callback([options] { run(*options); });
}

}  // namespace southwell::cli
