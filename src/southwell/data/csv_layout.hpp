#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "southwell/data/missing_words.hpp"
#include "southwell/data/read.hpp"

namespace southwell::data {

/// One field of a CSV line.
struct CsvField {
  std::string_view text;  ///< without blanks and quotes around it; quotes within still doubled
  const char* end;        ///< the delimiter after it, or the end of the line
  bool broken;            ///< a quote that does not close, or stands within the field
  bool quoted = false;
};

/// The field at `first` of a line that ends at `last` (its line break excluded).
CsvField csv_field(const char* first, const char* last, char delimiter);

/// Whether a line holds nothing but blanks; a tab that is the delimiter is none.
bool is_blank_line(std::string_view line, char delimiter);

/// The line at `first`, without its line break, of text whose last byte is a newline.
std::string_view csv_line(const char* first, const char* last);

/// A field's text with doubled quotes made single.
std::string undoubled(std::string_view text);

/// What the first line of a CSV file says.
struct CsvLayout {
  enum class Use { feature, target, id, passed_over };
  /// Neighbouring columns of one use.
  struct Columns {
    Use use;
    std::size_t first;
    std::size_t last;
    std::size_t feature;  ///< the number of the first one among the features
  };

  /// `line` is the first line of the file called `name`.
  static CsvLayout of(std::string_view line, const std::string& name, const ReadOptions& options);

  std::vector<std::string> feature_names() const;
  std::string target_name() const;  ///< empty if there is no target
  /// Throws what is wrong with a line that cannot be parsed: the first that applies of a NUL byte,
  /// broken quotes, the number of fields, a field that is no number.
  [[noreturn]] void refuse(std::string_view line, const std::string& name,
                           std::size_t number) const;

  std::string id_name() const;  ///< empty if there is no id

  char delimiter = ',';
  std::size_t columns = 0;
  std::size_t features = 0;
  std::vector<std::string> names;  ///< of all columns; empty if the first line is a record
  std::vector<Columns> parts;      ///< all columns, in order
  MissingWords missing;
  std::optional<std::size_t> target;
  std::optional<std::size_t> id;

 private:
  void divide(const ReadOptions& options);
  Use use_of(std::size_t column) const;
};

}  // namespace southwell::data
