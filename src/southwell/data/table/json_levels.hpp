#pragma once

#include <string>
#include <utility>
#include <vector>

#include "southwell/core/json_part.hpp"
#include "southwell/data/table/field.hpp"

namespace southwell::data {

// The parts of a field in a schema that speak of levels. Internal: json_field.cpp uses them.

/// constraints.enum or categories; false and true of a boolean; empty where there are none.
std::vector<std::string> parse_levels(const core::JsonPart& part, const Field& field);

/// trueValues and falseValues of a boolean, whose missing values are known.
void read_truth_words(const core::JsonPart& part, CellFormat& format);

/// Other words for levels of `field`.
std::vector<std::pair<std::string, std::string>> parse_aliases(const core::JsonPart& part,
                                                               const Field& field);

/// A weight for each level of `field`, in their order.
std::vector<double> parse_class_weights(const core::JsonPart& part, const Field& field);

}  // namespace southwell::data
