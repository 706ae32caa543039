#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "data/reading.hpp"
#include "southwell/core/error.hpp"
#include "southwell/data/table/read_table.hpp"

// What the tests of raw tables share.
namespace southwell::data {

inline TableEncoding encoding_of(const std::string& schema) {
  return {std::make_shared<const Schema>(Schema::parse(schema, "schema")), "schema"};
}

/// A schema of these fields, with what else stands beside them.
inline std::string schema_of(const std::string& fields, const std::string& beside = "") {
  return R"({"fields": [)" + fields + "]" + (beside.empty() ? "" : ", " + beside) + "}";
}

inline Dataset table_from(std::string_view text, const TableEncoding& encoding,
                          const TableOptions& options = {}, const Chunking& chunking = {}) {
  MemorySource source(text);
  return read_table(source, "table.csv", encoding, options, chunking);
}

/// What f is refused with: "DataError ..."; empty where it is not.
template <class F>
std::string refusal_of(F&& f) {
  try {
    static_cast<void>(f());
  } catch (const DataError& error) {
    return std::string("DataError ") + error.what();
  } catch (const InvalidArgument& error) {
    return std::string("InvalidArgument ") + error.what();
  }
  return {};
}

/// The features of record i.
inline std::vector<double> record_of(const Dataset& data, std::size_t i) {
  std::vector<double> out(data.features());
  std::visit(
      [&](const auto& design) {
        design.for_each_in_record(i, [&](std::size_t j, double x) { out[j] = x; });
      },
      data.design);
  return out;
}

inline constexpr const char* kPerson = R"(
  {"name": "patient", "type": "string", "southwell": {"role": "unit"}},
  {"name": "age", "type": "integer", "constraints": {"minimum": 0, "maximum": 100}},
  {"name": "region", "type": "string", "constraints": {"enum": ["north", "south"]}},
  {"name": "smoker", "type": "boolean", "southwell": {"missing": "middle"}},
  {"name": "visit_id", "type": "string", "southwell": {"role": "ignore"}},
  {"name": "cost", "type": "number", "constraints": {"minimum": 0, "maximum": 1000},
   "southwell": {"role": "target"}})";

}  // namespace southwell::data
