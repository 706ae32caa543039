#include "southwell/data/table/json_levels.hpp"

#include <algorithm>
#include <cmath>
#include <map>
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

/// Which words stand for what. The text and the number of a word must stand for one thing, whatever
/// a cell comes as: 1 and "1.0" are the same cell.
class Meanings {
 public:
  explicit Meanings(const CellFormat& format) {
    for (const std::string& word : format.missing_values) find_or_add(word, "one of missingValues");
  }

  void add(const JsonPart& where, const std::string& word, const std::string& meaning) {
    const std::string before = find_or_add(word, meaning);
    if (before == meaning) return;
    where.refuse("given " + core::quoted(word) + ", which is also " + before,
                 "a word in one of the two");
  }

 private:
  /// What it stood for before, or does now.
  std::string find_or_add(const std::string& word, const std::string& meaning) {
    std::string by_text = texts_.emplace(word, meaning).first->second;
    double number = 0.0;
    if (by_text != meaning || !parse_number(word, number) || std::isnan(number)) return by_text;
    return numbers_.emplace(number, meaning).first->second;
  }

  std::map<std::string, std::string> texts_;
  std::map<double, std::string> numbers_;
};

std::string level_called(const std::string& level) { return "the level " + core::quoted(level); }

void check_levels(const JsonPart& list, const std::vector<std::string>& levels,
                  const Field& field) {
  const bool is_number = field.type == FieldType::number || field.type == FieldType::integer;
  if (field.type == FieldType::date || field.type == FieldType::datetime) {
    list.refuse("given a list", "minimum and maximum for a date");
  }
  if (levels.empty()) list.refuse("given an empty list", "at least one level");
  std::set<std::string> texts;
  std::set<double> numbers;
  Meanings meanings(field.format);
  for (const std::string& level : levels) {
    double number = 0.0;
    const bool numeric = parse_number(level, number) && std::isfinite(number);
    const std::string given = "given " + core::quoted(level);
    if (is_number && !numeric) list.refuse(given + " for a number", "numbers alone");
    if (!is_name(level)) list.refuse(given, "text without control characters, not empty");
    if (!texts.insert(level).second || (numeric && !numbers.insert(number).second)) {
      list.refuse(given + " twice", "every level once (1, 1.0 and \"1\" are one level)");
    }
    meanings.add(list, level, level_called(level));
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

void read_truth_words(const JsonPart& part, CellFormat& format) {
  Meanings meanings(format);
  const auto read = [&](const char* key, std::vector<std::string>& words) {
    const auto given = part.find(key);
    if (given) words = given->texts();
    if (words.empty()) given->refuse("given an empty list", "at least one word");
    for (std::string& word : words) {
      word = std::string(trimmed(word));
      meanings.add(given.value_or(part), word, std::string("one of ") + key);
    }
  };
  read("trueValues", format.true_values);
  read("falseValues", format.false_values);
}

std::vector<std::pair<std::string, std::string>> parse_aliases(const JsonPart& aliases,
                                                               const Field& field) {
  std::vector<std::pair<std::string, std::string>> out;
  Meanings meanings(field.format);
  for (const std::string& level : field.levels) meanings.add(aliases, level, level_called(level));
  aliases.for_each_member([&](const std::string& alias, const JsonPart& part) {
    const std::string level = level_text(part);
    const std::string other(trimmed(alias));
    if (!holds(field.levels, level)) {
      part.refuse("given " + core::quoted(level), "one of the levels");
    }
    if (holds(field.levels, other)) {
      part.refuse("given " + core::quoted(other), "a word that is no level itself");
    }
    meanings.add(part, other, level_called(level));
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
