#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "commands.hpp"
#include "data_options.hpp"
#include "json_output.hpp"
#include "progress_bar.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/core/version.hpp"
#include "southwell/data/table/table_check.hpp"
#include "validators.hpp"

namespace southwell::cli {
namespace {

struct Options {
  std::string schema;
  std::string data;
  data::ReadOptions read;
  bool json = false;
};

data::TableCheck checked(const Options& options, const data::TableEncoding& table) {
  ProgressBar reading("reading");
  return data::check_table(options.data, table,
                           {.delimiter = options.read.delimiter,
                            .encoding = options.read.encoding,
                            .threads = options.read.threads,
                            .progress = std::ref(reading)});
}

std::string name_with(const data::Schema& schema, const std::optional<std::size_t>& field) {
  return field ? schema.fields()[*field].name : "";
}

void print_what_it_makes(const data::TableEncoding& table) {
  constexpr std::size_t kMost = 40;
  const data::Schema& schema = table.schema();
  const auto role = [&](const char* name, const std::optional<std::size_t>& field) {
    fmt::print("  {:12} {}\n", name,
               field ? core::printable(schema.fields()[*field].name) : "none");
  };
  fmt::print("complete: {} fields become {} features\n\n", schema.fields().size(),
             table.features());
  role("target", schema.target());
  role("unit", schema.unit());
  fmt::print("  {:12} {}\n", "kept", table.is_sparse() ? "sparse" : "dense");
  fmt::print("  {:12} {:.4g}\n", "record norm", table.record_norm());
  fmt::print("\n  {:32} {:>12}\n", "feature", "typical size");
  const std::vector<double> scales = table.feature_scales();
  for (std::size_t j = 0; j < table.features() && j < kMost; ++j) {
    fmt::print("  {:32} {:12.4g}\n", core::printable(table.feature_name(j)), scales[j]);
  }
  if (table.features() > kMost) {
    fmt::print("  ... {} more (--json has all)\n", table.features() - kMost);
  }
}

void print_check(const data::TableEncoding& table, const data::TableCheck& found) {
  fmt::print("\n  {:24} {:>10} {:>14} {:>12} {:>16}\n", "column", "missing", "out of bounds",
             "undeclared", "not of the type");
  const auto& fields = table.schema().fields();
  for (std::size_t f = 0; f < fields.size(); ++f) {
    const data::ColumnCheck& column = found.fields[f];
    if (fields[f].role == data::Role::ignored) continue;
    fmt::print("  {:24} {:10} {:14} {:12} {:16}\n", core::printable(fields[f].name), column.missing,
               column.out_of_bounds, column.undeclared, column.not_of_type);
  }
  fmt::print("\n  {} records, {} of them short, {} too long\n", found.records, found.short_records,
             found.long_records);
  fmt::print(
      "\nnot private: these are exact counts of the records, for whoever owns them. A schema that\n"
      "follows from them is no longer public\n");
}

nlohmann::json to_json(const data::TableEncoding& table) {
  const data::Schema& schema = table.schema();
  return {{"southwell_version", kVersion},
          {"features", table.features()},
          {"feature_names", table.feature_names()},
          {"feature_scales", table.feature_scales()},
          {"record_norm", table.record_norm()},
          {"sparse", table.is_sparse()},
          {"target", name_with(schema, schema.target())},
          {"unit", name_with(schema, schema.unit())}};
}

nlohmann::json to_json(const data::TableEncoding& table, const data::TableCheck& found) {
  nlohmann::json out{{"records", found.records},
                     {"short_records", found.short_records},
                     {"long_records", found.long_records}};
  const auto& fields = table.schema().fields();
  for (std::size_t f = 0; f < fields.size(); ++f) {
    if (fields[f].role == data::Role::ignored) continue;
    const data::ColumnCheck& column = found.fields[f];
    out["columns"][fields[f].name] = {{"missing", column.missing},
                                      {"out_of_bounds", column.out_of_bounds},
                                      {"undeclared", column.undeclared},
                                      {"not_of_type", column.not_of_type}};
  }
  return out;
}

void run(const Options& options) {
  if (!options.data.empty()) check_is_table("DATA", options.data);
  const auto table = table_in("SCHEMA", options.schema);
  std::optional<data::TableCheck> found;
  if (!options.data.empty()) found = checked(options, *table);
  if (!options.json) {
    print_what_it_makes(*table);
    if (found) print_check(*table, *found);
    return;
  }
  nlohmann::json out = to_json(*table);
  out["private"] = !found;
  if (found) out["data"] = to_json(*table, *found);
  print_json(out);
}

}  // namespace

void add_schema_check(const Command& schema) {
  auto options = std::make_shared<Options>();
  const Command command =
      schema.add_subcommand("check", "Whether a schema is complete, and what it makes of a table");
  command.add_option("SCHEMA", options->schema, "The schema file").required();
  command.add_option("DATA", options->data,
                     "A table to count cells of that do not fit; the counts are not private");
  add_text_options(command, options->read);
  command.add_option("--threads", options->read.threads, "Number of threads [all cores]")
      .check(thread_count());
  command.add_flag("--json", options->json, "Print JSON instead of a table");
  command.footer(
      "Without DATA nothing is read but the schema, and all that is printed is public. With DATA, "
      "for\n"
      "the eyes of whoever owns the records: per column how many cells are missing, out of bounds\n"
      "(they count as the bound), undeclared (no level) and not of the type (missing).\n\n"
      "Examples:\n"
      "  southwell schema check insurance.json\n"
      "  southwell schema check insurance.json insurance.csv\n");
  command.callback([options] { run(*options); });
}

}  // namespace southwell::cli
