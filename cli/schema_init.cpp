#include <memory>
#include <string>

#include "commands.hpp"
#include "data_options.hpp"
#include "outputs.hpp"
#include "southwell/data/table/schema_skeleton.hpp"

namespace southwell::cli {
namespace {

struct Options {
  std::string data;
  data::ReadOptions read;
  std::string out;
};

void run(const Options& options) {
  const Output to{"--out", options.out};
  check_outputs({to}, {options.data});
  check_is_table("DATA", options.data);
  const auto writer = open_output(to);
  const auto source = data::open_text(options.data, options.read.encoding);
  write_output(writer.get(), data::schema_skeleton(*source, data::text_name(options.data),
                                                   options.read.delimiter));
}

}  // namespace

void add_schema_init(const Command& schema) {
  auto options = std::make_shared<Options>();
  const Command command = schema.add_subcommand(
      "init", "A schema to fill in, with the names of a table's columns; reads no record");
  command.add_option("DATA", options->data, "The table: .csv, also .gz; - for standard input")
      .required();
  add_text_options(command, options->read);
  command.add_option("--out", options->out, "The schema file to write [standard output]");
  command.footer(
      "Names come from the first line; no record is looked at, so nothing of them is in the "
      "schema.\n"
      "Types, bounds and levels are for you to say, from what is known without the records. The\n"
      "schema is refused until all that is marked FILL IN has been.\n\n"
      "Examples:\n"
      "  southwell schema init insurance.csv --out insurance.json\n"
      "  southwell schema init export.csv --delimiter ';' --encoding latin-1\n");
  command.callback([options] { run(*options); });
}

}  // namespace southwell::cli
