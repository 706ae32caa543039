#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstring>
#include <functional>
#include <span>
#include <string_view>

namespace southwell::model {

// Numbers as one string of JSON: their bytes, little-endian, in base64 with padding. A list of a
// million numbers is then one value for whoever parses the file, and no digit is lost.
static_assert(std::endian::native == std::endian::little);

/// Of so many bytes, in characters.
constexpr std::size_t base64_length(std::size_t bytes) { return (bytes + 2) / 3 * 4; }

/// Hands the text of one block to the sink; only the last block may end in padding, so that others
/// hold a multiple of 3 bytes.
void encode_base64(std::span<const unsigned char> block,
                   const std::function<void(std::string_view)>& sink);
/// Fills `block`. False: the text is no base64 of that many bytes.
bool decode_base64(std::string_view text, std::span<unsigned char> block);

inline constexpr std::size_t kBlock = std::size_t{3} * 1024;  ///< numbers, of whatever size

/// number(k) is what is written in place k.
template <class T, class F>
void encode_numbers(std::size_t count, F&& number,
                    const std::function<void(std::string_view)>& sink) {
  std::array<unsigned char, kBlock * sizeof(T)> bytes{};
  for (std::size_t from = 0; from < count; from += kBlock) {
    const std::size_t size = std::min(kBlock, count - from);
    for (std::size_t k = 0; k < size; ++k) {
      const T value = number(from + k);
      std::memcpy(&bytes[k * sizeof(T)], &value, sizeof(T));
    }
    encode_base64(std::span(bytes).first(size * sizeof(T)), sink);
  }
}

/// put(k, number) for each. False, before anything is put in a place that is not there: the text is
/// no base64 of `count` numbers.
template <class T, class F>
bool decode_numbers(std::string_view text, std::size_t count, F&& put) {
  if (count > text.size() || text.size() != base64_length(count * sizeof(T))) return false;
  std::array<unsigned char, kBlock * sizeof(T)> bytes{};
  constexpr std::size_t kText = base64_length(kBlock * sizeof(T));
  for (std::size_t from = 0; from < count; from += kBlock) {
    const std::size_t size = std::min(kBlock, count - from);
    const std::span<unsigned char> block = std::span(bytes).first(size * sizeof(T));
    if (!decode_base64(text.substr(from / kBlock * kText, kText), block)) return false;
    for (std::size_t k = 0; k < size; ++k) {
      T value;
      std::memcpy(&value, &bytes[k * sizeof(T)], sizeof(T));
      put(from + k, value);
    }
  }
  return true;
}

}  // namespace southwell::model
