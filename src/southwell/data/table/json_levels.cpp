#include "southwell/data/table/json_levels.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "southwell/core/number_text.hpp"
#include "southwell/core/quoted.hpp"
#include "southwell/data/parse_number.hpp"
#include "southwell/data/table/json_field.hpp"

namespace southwell::data {
namespace {

using core::JsonPart;

/// A level as people write it: 1 and "1" are the same.
std::string level_text(const JsonPart& part) {
  const nlohmann::json& content = part.content();
  if (content.is_string()) return std::string(trimmed(part.text()));
  if (content.is_boolean()) return content.get<bool>() ? "true" : "false";
  if (content.is_number()) return core::number_text(part.number());
  part.refuse("given is no word", "text in quotes or a number");
}

std::vector<std::string> level_texts(const JsonPart& list) {
  std::vector<std::string> levels;
  list.for_each([&](const JsonPart& level) {
    levels.push_back(level_text(level.content().is_object() ? level.at("value") : level));
  });
  return levels;
}

bool holds(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void check_levels(const JsonPart& list, const std::vector<std::string>& levels,
                  const Field& field) {
  const bool is_number = field.type == FieldType::number || field.type == FieldType::integer;
  if (field.type == FieldType::date || field.type == FieldType::datetime) {
    list.refuse("given a list", "minimum and maximum for a date");
  }
  if (levels.empty()) list.refuse("given an empty list", "at least one level");
  std::set<std::string> texts;
  std::set<double> numbers;
  for (const std::string& level : levels) {
    double number = 0.0;
    const bool numeric = parse_number(level, number) && std::isfinite(number);
    const std::string given = "given " + core::quoted(level);
    if (is_number && !numeric) list.refuse(given + " for a number", "numbers alone");
    if (!is_name(level)) list.refuse(given, "text without control characters, not empty");
    if (!texts.insert(level).second || (numeric && !numbers.insert(number).second)) {
      list.refuse(given + " twice", "every level once (1, 1.0 and \"1\" are one level)");
    }
    if (holds(field.format.missing_values, level)) {
      list.refuse(given + ", which is also one of missingValues", "a word in one of the two");
    }
  }
}

}  // namespace

std::vector<std::string> parse_levels(const JsonPart& part, const Field& field) {
  const auto constraints = part.find("constraints");
  const auto listed = constraints ? constraints->find("enum") : std::nullopt;
  const auto categories = part.find("categories");
  if (field.type == FieldType::boolean) {
    if (listed || categories) {
      (listed ? *listed : *categories).refuse("given a list", "none: a boolean is true or false");
    }
    return {"false", "true"};
  }
  if (!listed && !categories) return {};
  const JsonPart& list = listed ? *listed : *categories;
  std::vector<std::string> levels = level_texts(list);
  if (listed && categories && level_texts(*categories) != levels) {
    categories->refuse("given another list than constraints.enum",
                       "one of them, or the same twice");
  }
  check_levels(list, levels, field);
  return levels;
}

std::vector<std::pair<std::string, std::string>> parse_aliases(const JsonPart& aliases,
                                                               const Field& field) {
  std::vector<std::pair<std::string, std::string>> out;
  aliases.for_each_member([&](const std::string& alias, const JsonPart& part) {
    const std::string level = level_text(part);
    const std::string other(trimmed(alias));
    if (!holds(field.levels, level)) {
      part.refuse("given " + core::quoted(level), "one of the levels");
    }
    if (holds(field.levels, other)) {
      part.refuse("given " + core::quoted(other), "a word that is no level itself");
    }
    out.emplace_back(other, level);
  });
  return out;
}

std::vector<double> parse_class_weights(const JsonPart& weights, const Field& field) {
  if (field.role != Role::target) weights.refuse("given", "this key with the role target alone");
  if (weights.content().is_string()) {
    weights.refuse("given " + core::quoted(weights.text()),
                   "a number for each level; weights that balance the classes would count labels "
                   "in the records");
  }
  std::vector<std::optional<double>> found(field.levels.size());
  weights.for_each_member([&](const std::string& level, const JsonPart& part) {
    const auto at = std::find(field.levels.begin(), field.levels.end(), level);
    if (at == field.levels.end()) part.refuse("given " + core::quoted(level), "one of the levels");
    const double weight = part.number();
    if (!(weight > 0.0 && weight <= 1e100)) {
      part.refuse("given " + core::rounded_text(weight), "a number > 0, at most 1e100");
    }
    found[static_cast<std::size_t>(at - field.levels.begin())] = weight;
  });
  std::vector<double> out;
  for (std::size_t k = 0; k < found.size(); ++k) {
    if (!found[k]) {
      weights.refuse("given nothing for " + core::quoted(field.levels[k]),
                     "a number for each level");
    }
    out.push_back(*found[k]);
  }
  return out;
}

}  // namespace southwell::data
