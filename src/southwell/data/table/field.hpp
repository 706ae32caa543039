#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace southwell::data {

// What a schema says of one column of a raw table. All of it is public: no record decides it.

enum class FieldType { number, integer, boolean, string, date, datetime };
enum class Role { feature, target, unit, ignored };
/// What becomes of a column's cells.
enum class FieldKind {
  number,  ///< one number
  levels,  ///< one of a declared list
  time,    ///< a date or a moment: a number, parts of the calendar, or both
  hashed,  ///< words of a text, hashed
  text,    ///< an id, or nothing at all
};
/// Applied to a number before it is centred: log(x - minimum + 1), or sqrt(x - minimum).
enum class Transform { none, log, sqrt };
enum class DatePart { month, weekday, hour };
enum class WhenMissing {
  indicator,  ///< a feature of its own says so
  middle,     ///< the cell counts as the public middle
};

/// How the text of a cell is written.
struct CellFormat {
  std::vector<std::string> missing_values{""};
  char decimal = '.';
  std::string group;  ///< between groups of digits; empty: nothing
  std::vector<std::string> true_values{"true", "True", "TRUE", "1"};
  std::vector<std::string> false_values{"false", "False", "FALSE", "0"};
  std::string time;  ///< of dates, as in strptime; empty: ISO 8601
};

/// From `low` to `high`, low < high; of dates in days, of moments in seconds, from 1970 on.
struct Bounds {
  double low = 0.0;
  double high = 0.0;
};
/// Stands in for bounds: a typical value, and how far others are from it.
struct Typical {
  double center = 0.0;
  double scale = 1.0;
};

struct Field {
  std::string name;
  FieldType type = FieldType::string;
  Role role = Role::feature;
  FieldKind kind = FieldKind::text;
  CellFormat format{};
  std::optional<Bounds> bounds{};    ///< of numbers and times, or
  std::optional<Typical> typical{};  ///< of numbers
  Transform transform = Transform::none;
  std::vector<std::string> levels{};  ///< in order; of booleans false, true
  std::vector<std::pair<std::string, std::string>> aliases{};  ///< other words for levels
  bool ordered = false;                                        ///< levels become one feature
  std::vector<DatePart> parts{};
  std::size_t hashed_features = 0;
  WhenMissing missing = WhenMissing::indicator;
  std::size_t hinges = 0;
  std::size_t bins = 0;
  std::vector<double> class_weights{};  ///< of a target's levels; empty: all the same
};

}  // namespace southwell::data
