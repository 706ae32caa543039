#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace southwell::core {

// The words that an input accepts stand once, beside the type they name, as an array of these.
using Words = std::span<const std::string_view>;

/// The names of a variant's alternatives, in their order.
template <class Variant>
struct NamesOf;
template <class... Each>
struct NamesOf<std::variant<Each...>> {
  static constexpr std::array<std::string_view, sizeof...(Each)> kNames{Each::kName...};
};

/// Which of the words it is; nothing where it is none of them.
inline std::optional<std::size_t> index_of(Words words, std::string_view word) {
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) return std::nullopt;
  return static_cast<std::size_t>(found - words.begin());
}

/// "a, b, c", or with another word between the last two: "a, b or c".
inline std::string listed(Words words, std::string_view last = ", ") {
  std::string list;
  for (std::size_t k = 0; k < words.size(); ++k) {
    if (k > 0) list += k + 1 == words.size() ? last : ", ";
    list += words[k];
  }
  return list;
}

}  // namespace southwell::core
