#pragma once

#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "southwell/data/parse_number.hpp"

namespace southwell::data {

/// Text that was declared to stand for a missing number in a CSV file.
class MissingWords {
 public:
  MissingWords() = default;
  explicit MissingWords(const std::vector<std::string>& words) {
    for (const std::string& word : words) {
      std::string quoted;  // as it stands within quotes; without them a quote is broken anyway
      for (const char c : trimmed(word)) quoted.append(c == '"' ? 2 : 1, c);
      double number = 0.0;
      hold_numbers_ = hold_numbers_ || parse_number(quoted, number);
      words_.push_back(std::move(quoted));
    }
  }

  /// Whether a field's text, trimmed, is one of them.
  bool hold(std::string_view text) const {
    return std::find(words_.begin(), words_.end(), text) != words_.end();
  }
  /// Whether a number may be one of them: then being a number does not settle what a field says.
  bool hold_numbers() const { return hold_numbers_; }

  /// What a CSV field may hold: one of these words, or what it may hold without them.
  bool parse(std::string_view text, double& value) const {
    if (!hold(text)) return parse_value(text, value);
    value = std::numeric_limits<double>::quiet_NaN();
    return true;
  }

 private:
  std::vector<std::string> words_;
  bool hold_numbers_ = false;
};

}  // namespace southwell::data
