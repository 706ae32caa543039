#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <fmt/core.h>

#include "commands.hpp"
#include "lab/standardize.hpp"
#include "lab_options.hpp"
#include "outputs.hpp"
#include "progress_bar.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/data/file_format.hpp"
#include "southwell/data/read.hpp"
#include "southwell/data/write.hpp"

namespace southwell::cli {
namespace {

struct Options {
  std::string data;
  std::string out;
  data::ReadOptions read;
};

void run(const Options& options) {
  data::file_format(options.out);  // before the work, not after it
  const data::ReadOptions read = with_target(options.data, options.read);
  const Output to{"--out", options.out};
  check_outputs({to}, files_of(options.data, read));
  const std::unique_ptr<data::FileWriter> out = open_output(to);
  data::Dataset dataset = read_data(options.data, read);
  core::ThreadPool pool(options.read.threads);
  dataset.design = lab::standardized(dataset.design, pool);
  ProgressBar writing("writing");
  data::write(*out, options.out, dataset, pool, std::ref(writing));
  out->commit();
  fmt::print(
      "{}: {} records, {} features, columns centered and of unit variance\n"
      "not private: the means and scales were computed from the records\n",
      core::printable(options.out), dataset.records(), dataset.features());
}

}  // namespace

void add_lab_standardize(const Command& lab) {
  auto options = std::make_shared<Options>();
  const Command command = lab.add_subcommand(
      "standardize", "Center the columns and scale them to unit variance; the target is untouched");
  add_data_options(command, options->data, options->read);
  command.add_option("--out", options->out, "File to write, of any of these kinds").required();
  command.footer(
      "The paper's preprocessing. Not private: means and scales are facts about the records.\n\n"
      "Examples:\n"
      "  southwell lab standardize california.csv.gz --target target --out california_std.csv\n"
      "  southwell lab standardize a9a.libsvm.gz --features 123 --out a9a_std.npy\n");
  command.callback([options] { run(*options); });
}

}  // namespace southwell::cli
