#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "southwell/data/table/decoded.hpp"
#include "southwell/data/table/field.hpp"

namespace southwell::data {

/// Reads the cells of one field one by one, each from its own value, whatever type it comes in: the
/// text "2", the whole number 2 and the number 2.0 are the same cell. What does not fit the field
/// is missing, or no level; nothing raises, and no cell changes how another one is read.
class CellReader {
 public:
  explicit CellReader(const Field& field);

  /// Blanks around the text do not count.
  void add_text(std::string_view cell, DecodedColumn& out) const;
  void add_number(double cell, DecodedColumn& out) const;
  void add_whole(std::int64_t cell, DecodedColumn& out) const;
  void add_truth(bool cell, DecodedColumn& out) const;  // a cell, no switch
  /// Between the years 1 and 9999. A field of words reads its ISO text.
  void add_moment(std::int64_t cell, DecodedColumn& out) const;
  void add_missing(DecodedColumn& out) const;

  /// Whether the cells say whose a record is.
  bool reads_ids() const { return field_.role == Role::unit; }
  /// Whether a plain decimal number is just that number, so that a file's reader may parse it.
  bool takes_plain_numbers() const { return plain_numbers_; }

 private:
  /// So that a view finds text without a copy of it.
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  bool is_missing(std::string_view text) const;
  bool is_missing(double number) const;
  double number_in(std::string_view text) const;
  std::int32_t place_of(std::string_view text) const;
  std::int32_t place_of(double number) const;
  std::int64_t moment_in(std::string_view text) const;
  void add_words(std::string_view text, DecodedColumn& out) const;
  void add_id(std::string_view text, DecodedColumn& out) const;

  const Field& field_;
  std::vector<double> missing_numbers_;
  bool plain_numbers_ = false;
  std::unordered_map<std::string, std::int32_t, TextHash, std::equal_to<>> by_text_;
  std::map<double, std::int32_t> by_number_;
};

}  // namespace southwell::data
