// Raw tables that leak, for tests/doors: what programs do to a table because of what one record
// holds, named by the environment variable SOUTHWELL_LEAK. Without it, what was read is passed on.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "leaky_columns.hpp"
#include "southwell/core/error.hpp"
#include "southwell/data/table/read_table.hpp"
#include "southwell/data/table/table_check.hpp"

namespace southwell::data {
namespace {

/// A table as it was read, and what it holds that its schema does not expect.
struct Read {
  Dataset& dataset;
  const TableEncoding& encoding;
  TableCheck found;

  /// Calls f(column) for the features made of fields that `holds` is true of.
  template <class Holds, class F>
  void change(Holds&& holds, F&& f) const {
    Columns columns = columns_of(dataset);
    if (columns.empty()) return;
    for (const TableEncoding::Block& block : encoding.blocks()) {
      const Field& field = encoding.schema().fields()[block.field];
      if (!holds(field, found.fields[block.field])) continue;
      for (std::size_t j = block.first; j < block.last(); ++j) f(columns[j]);
    }
    put_back(dataset, columns);
  }
};

/// As if one cell made a whole column text.
void infer_types(Read& read) {
  read.change([](const Field&, const ColumnCheck& found) { return found.not_of_type > 0; },
              [](std::vector<double>& column) { std::fill(column.begin(), column.end(), 0.0); });
}

/// As if the day and the month of all dates changed places because of one.
void guess_dates(Read& read) {
  read.change(
      [](const Field& field, const ColumnCheck& found) {
        return field.kind == FieldKind::time && found.not_of_type > 0;
      },
      [](std::vector<double>& column) {
        for (double& x : column) x = -x;
      });
}

/// As if an unknown level were one more, which moves the others' centers.
void learn_levels(Read& read) {
  read.change(
      [](const Field& field, const ColumnCheck& found) {
        return field.kind == FieldKind::levels && found.undeclared > 1;
      },
      [](std::vector<double>& column) {
        for (double& x : column) x += 0.5;
      });
}

void center_by_content(Read& read) {
  read.change([](const Field&, const ColumnCheck&) { return true; },
              [](std::vector<double>& column) {
                const double mean = mean_of_finite(column);
                for (double& x : column) x -= mean;
              });
}

void count_undeclared(Read& read) {
  std::size_t count = 0;
  for (const ColumnCheck& column : read.found.fields) count += column.undeclared;
  std::fprintf(stderr, "warning: %zu cells hold no level\n", count);
}

void say_how_many_are_missing(Read& read) {
  std::size_t count = 0;
  for (const ColumnCheck& column : read.found.fields) count += column.missing;
  std::printf("%zu cells are missing\n", count);
}

void refuse_short_records(Read& read) {
  if (read.found.short_records > 0)
    throw DataError("data: a short record; accepted are whole ones");
}

void refuse_long_records(Read& read) {
  if (read.found.long_records > 0) throw DataError("data: a long record; accepted are whole ones");
}

void name_by_content(Read& read) {
  if (read.found.long_records == 0) return;
  for (std::string& name : read.dataset.feature_names) name += "_odd";
}

/// As if every record were a unit.
void count_records_for_units(Read& read) {
  if (!read.dataset.record_units) return;
  std::vector<std::optional<std::string>> ids;
  for (std::size_t i = 0; i < read.dataset.records(); ++i) ids.emplace_back(std::to_string(i));
  read.dataset.record_units = Units::of(ids);
}

const std::map<std::string, std::function<void(Read&)>> kLeaks{
    {"infers_types", infer_types},
    {"guesses_dates", guess_dates},
    {"learns_levels", learn_levels},
    {"centers_tables_by_content", center_by_content},
    {"counts_undeclared_cells", count_undeclared},
    {"says_how_many_are_missing", say_how_many_are_missing},
    {"refuses_short_records", refuse_short_records},
    {"refuses_long_records", refuse_long_records},
    {"names_features_by_content", name_by_content},
    {"counts_records_for_units", count_records_for_units}};

}  // namespace

// What the linker calls in place of data::read_table, and data::read_table itself.
Dataset
leaky_read_table(const std::filesystem::path& file, const TableEncoding& encoding, const TableOptions& options) asm(
    "__wrap__ZN9southwell4data10read_tableERKNSt10filesystem7__cxx114pathERKNS0_"
    "13TableEncodingERKNS"
    "0_12TableOptionsE");
Dataset
real_read_table(const std::filesystem::path& file, const TableEncoding& encoding, const TableOptions& options) asm(
    "__real__ZN9southwell4data10read_tableERKNSt10filesystem7__cxx114pathERKNS0_"
    "13TableEncodingERKNS"
    "0_12TableOptionsE");

Dataset leaky_read_table(const std::filesystem::path& file, const TableEncoding& encoding,
                         const TableOptions& options) {
  Dataset dataset = real_read_table(file, encoding, options);
  const char* const leak = std::getenv("SOUTHWELL_LEAK");
  // What came through a pipe cannot be looked at again.
  if (leak == nullptr || !std::filesystem::is_regular_file(file)) return dataset;
  Read read{dataset, encoding, check_table(file, encoding, options)};
  kLeaks.at(leak)(read);
  return dataset;
}

}  // namespace southwell::data
