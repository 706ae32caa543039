#include "southwell/data/table/schema_import.hpp"

#include <memory>
#include <string>

#include "commands.hpp"
#include "outputs.hpp"
#include "southwell/core/error.hpp"
#include "southwell/data/byte_source.hpp"

namespace southwell::cli {
namespace {

constexpr std::size_t kLargest = std::size_t{64} << 20;

struct Options {
  std::string smartnoise;
  std::string csvw;
  std::string out;
};

void run(const Options& options) {
  const std::string& file = options.csvw.empty() ? options.smartnoise : options.csvw;
  if (file.empty()) {
    throw InvalidArgument("--smartnoise or --csvw is required; accepted is one of them");
  }
  const Output to{"--out", options.out};
  check_outputs({to}, {file});
  const auto writer = open_output(to);
  const std::string text = data::read_all(*data::open_source(file), file, kLargest);
  write_output(writer.get(), options.csvw.empty() ? data::schema_from_smartnoise(text, file)
                                                  : data::schema_from_csvw(text, file));
}

}  // namespace

void add_schema_import(const Command& schema) {
  auto options = std::make_shared<Options>();
  const Command command =
      schema.add_subcommand("import", "A schema from what others wrote about a table");
  command.add_option("--smartnoise", options->smartnoise, "Metadata of SmartNoise SQL, YAML");
  command.add_option("--csvw", options->csvw, "Metadata of CSV on the Web, JSON")
      .excludes("--smartnoise");
  command.add_option("--out", options->out, "The schema file to write [standard output]");
  command.footer(
      "Names, types, bounds and ids are taken over; what the file does not say (levels, the "
      "target)\n"
      "is marked FILL IN, or is for you to add, as in schema init.\n\n"
      "Examples:\n"
      "  southwell schema import --smartnoise PUMS.yaml --out pums.json\n"
      "  southwell schema import --csvw table.csv-metadata.json\n");
  command.callback([options] { run(*options); });
}

}  // namespace southwell::cli
