#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace southwell::data {

// The cells of some records after their column was read by its field: numbers, places and words, no
// longer text. Where they came from does not show.

inline constexpr std::int32_t kNoLevel = -1;       ///< a value that is not declared
inline constexpr std::int32_t kMissingLevel = -2;  ///< a missing cell
inline constexpr std::int64_t kNoMoment = std::numeric_limits<std::int64_t>::min();

/// A word of a hashed text: its feature, and how often it occurs.
struct WordCount {
  std::uint32_t feature;
  std::uint32_t count;
};

/// One column; of the lists below it fills the one that its field's kind asks for.
struct DecodedColumn {
  std::vector<double> numbers{};                    ///< NaN: missing
  std::vector<std::int32_t> places{};               ///< among the levels; of texts, 0 or missing
  std::vector<std::int64_t> moments{};              ///< kNoMoment: missing
  std::vector<WordCount> words{};                   ///< of all records, each record's by feature
  std::vector<std::size_t> word_ends{};             ///< where a record's words end
  std::vector<std::optional<std::string>> texts{};  ///< ids
};

struct DecodedRecords {
  std::size_t records = 0;
  std::vector<DecodedColumn> columns;  ///< one for each field; empty where it is not read
};

}  // namespace southwell::data
