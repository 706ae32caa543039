#include <memory>
#include <string>
#include <string_view>

#include "commands.hpp"
#include "data_options.hpp"
#include "outputs.hpp"
#include "southwell/data/table/dummy_table.hpp"
#include "validators.hpp"

namespace southwell::cli {
namespace {

struct Options {
  std::string schema;
  data::DummyOptions dummy;
  std::string out;
};

void run(const Options& options) {
  const Output to{"--out", options.out};
  check_outputs({to}, {options.schema});
  const auto writer = open_output(to);
  const auto table = table_in("SCHEMA", options.schema);
  data::write_dummy_table(table->schema(), options.dummy,
                          [&](std::string_view lines) { write_piece(writer.get(), lines); });
  if (writer) writer->commit();
}

}  // namespace

void add_schema_dummy(const Command& schema) {
  auto options = std::make_shared<Options>();
  const Command command =
      schema.add_subcommand("dummy", "Made-up records that obey a schema, as CSV");
  command.add_option("SCHEMA", options->schema, "The schema file").required();
  command.add_option("--records", options->dummy.records, "Number of records")
      .required()
      .check(whole_number(1));
  command.add_option("--seed", options->dummy.seed, "The same seed gives the same bytes [0]")
      .check(whole_number(0));
  command.add_option("--out", options->out, "File to write, .csv or .csv.gz [standard output]");
  command.footer(
      "To try a schema, a budget and a program on before any data are at hand: values are "
      "anywhere\n"
      "the schema allows, with now and then a missing cell, and have nothing to do with each "
      "other.\n\n"
      "Examples:\n"
      "  southwell schema dummy insurance.json --records 1000 --out dummy.csv\n"
      "  southwell schema dummy insurance.json --records 1000 --seed 7 | \\\n"
      "      southwell fit - --schema insurance.json --loss squared --epsilon 1 --delta 1e-6 \\\n"
      "      --out dummy_model.json\n");
  command.callback([options] { run(*options); });
}

}  // namespace southwell::cli
