#include "southwell/data/table/decimal_cell.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <system_error>

#include "southwell/data/parse_number.hpp"

namespace southwell::data {
namespace {

constexpr std::size_t kMostBytes = 32;

/// The digits of a number without a sign, the lowest byte first.
std::string digits_of(std::array<unsigned char, kMostBytes> number, std::size_t bytes) {
  std::string reversed;
  while (bytes > 0) {
    std::uint32_t rest = 0;
    for (std::size_t k = bytes; k-- > 0;) {
      rest = rest << 8 | number[k];
      number[k] = static_cast<unsigned char>(rest / 10);
      rest %= 10;
    }
    reversed += static_cast<char>('0' + rest);
    while (bytes > 0 && number[bytes - 1] == 0) --bytes;
  }
  return {reversed.rbegin(), reversed.rend()};
}

}  // namespace

std::string decimal_text(const unsigned char* number, std::size_t bytes, int scale) {
  std::array<unsigned char, kMostBytes> size{};
  std::copy_n(number, bytes, size.begin());
  const bool negative = (number[bytes - 1] & 0x80) != 0;
  if (negative) {
    unsigned carry = 1;
    for (std::size_t k = 0; k < bytes; ++k) {
      carry += static_cast<unsigned char>(~size[k]);
      size[k] = static_cast<unsigned char>(carry);
      carry >>= 8;
    }
  }
  std::string digits = digits_of(size, bytes);
  if (scale < 0 && digits != "0") digits.append(static_cast<std::size_t>(-scale), '0');
  if (scale > 0) {
    const auto behind = static_cast<std::size_t>(scale);
    if (digits.size() <= behind) digits.insert(0, behind + 1 - digits.size(), '0');
    digits.insert(digits.size() - behind, ".");
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
  }
  return (negative && digits != "0" ? "-" : "") + digits;
}

void add_decimal(const unsigned char* number, std::size_t bytes, int scale,
                 const CellReader& reader, DecodedColumn& out) {
  const std::string text = decimal_text(number, bytes, scale);
  std::int64_t whole = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, whole);
  double value = 0.0;
  if (error == std::errc() && end == last) {
    reader.add_whole(whole, out);
  } else if (end == last || !parse_number(text, value)) {
    reader.add_text(text, out);  // too many digits for a whole number
  } else if (reader.reads_ids()) {
    reader.add_missing(out);  // the nearest double is that of others too
  } else {
    reader.add_number(value, out);
  }
}

}  // namespace southwell::data
