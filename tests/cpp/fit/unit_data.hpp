#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "fit/small_data.hpp"
#include "southwell/data/units.hpp"

// Tables whose records say whose they are.

namespace southwell::fit {

struct Row {
  std::optional<std::string> id;
  Record record;
};
using Table = std::vector<Row>;

inline data::Dataset dataset_of(const Table& table, std::size_t features, Stored stored) {
  std::vector<Record> records;
  std::vector<std::optional<std::string>> ids;
  for (const Row& row : table) {
    records.push_back(row.record);
    ids.push_back(row.id);
  }
  data::Dataset dataset = dataset_of(records, features, stored);
  dataset.record_units = data::Units::of(ids);
  return dataset;
}

inline FitPlan plan_for(const FitSpec& spec, const Table& table, std::size_t features) {
  return plan_fit(spec, DataShape::of(dataset_of(table, features, Stored::f64)));
}

/// The table with these records as all that unit `id` has, put in here and there.
inline Table with_unit(const Table& table, const std::string& id,
                       const std::vector<Record>& records) {
  Table out;
  for (const Row& row : table) {
    if (row.id != id) out.push_back(row);
  }
  for (std::size_t k = 0; k < records.size(); ++k) {
    const std::size_t at = k * out.size() / records.size() + k % 2;
    out.insert(out.begin() + static_cast<std::ptrdiff_t>(std::min(at, out.size())),
               {id, records[k]});
  }
  return out;
}

/// A fit by any solver, as printed or refined.
inline FitSpec unit_spec(const std::string& solver, const std::string& loss,
                         const std::string& penalty) {
  FitSpec spec = small_spec(loss, penalty);
  const bool refined = solver.starts_with("refined ");
  spec.solver = refined ? solver.substr(8) : solver;
  spec.refine = refined ? "on" : "off";
  if (spec.solver == "cd") spec.refine.reset();
  if (refined) spec.clip.reset();
  if (solver == "refined sgd" && loss == "logistic") spec.calibrate_probabilities = true;
  if (solver == "sgd") spec.step = 0.1;
  return spec;
}
inline const std::vector<std::string> kUnitSolvers{"gcd", "cd", "sgd", "refined gcd",
                                                   "refined sgd"};

}  // namespace southwell::fit
