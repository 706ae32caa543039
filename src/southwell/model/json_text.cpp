#include "southwell/model/json_text.hpp"

#include <sodium.h>
#include <cmath>

#include <algorithm>
#include <array>
#include <charconv>

#include "southwell/core/json_parse.hpp"

namespace southwell::model {
namespace {

/// The shortest digits that read back to the same number, laid out as Python does: 0.0001, 1e-05,
/// 1e+16, 2.0.
std::string canonical(double value) {
  std::array<char, 32> text{};
  const auto [end, error] =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific);
  const std::string_view all(text.data(), static_cast<std::size_t>(end - text.data()));
  const std::size_t e = all.find('e');
  std::string digits;
  for (const char c : all.substr(0, e)) {
    if (c >= '0' && c <= '9') digits += c;
  }
  const std::string sign = all.front() == '-' ? "-" : "";
  const int exponent = std::stoi(std::string(all.substr(e + 1)));
  if (exponent < -4 || exponent >= 16) {
    if (digits.size() > 1) digits.insert(1, ".");
    return sign + digits + std::string(all.substr(e));  // at least two digits of the exponent
  }
  if (exponent < 0) {
    return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  }
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) return sign + digits + std::string(whole - digits.size(), '0') + ".0";
  return sign + digits.insert(whole, ".");
}

constexpr std::size_t kPart = std::size_t{1} << 16;

/// Text that JSON holds as it is, as base64 is.
bool is_plain(const std::string& text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
}

}  // namespace

void JsonText::add(std::string_view text) {
  if (text.size() >= kPart) {  // not copied
    hand_on();
    sink_(text);
    handed_on_ += text.size();
    return;
  }
  buffer_ += text;
  if (buffer_.size() >= kPart) hand_on();
}

void JsonText::add_number(double value) {
  if (!std::isfinite(value)) return add("null");
  add(digits_ == Digits::canonical ? canonical(value) : core::dumped(value, -1));
}

void JsonText::add_value(const nlohmann::json& value) {
  if (value.is_array()) {
    add_list(value.size(), [&](std::size_t k) { add_value(value[k]); });
  } else if (value.is_object()) {
    std::string_view before = "{";
    for (const auto& [key, member] : value.items()) {
      add(before);
      add(core::dumped(key, -1) + ":");
      add_value(member);
      before = ",";
    }
    add(value.empty() ? "{}" : "}");
  } else if (value.is_number_float()) {
    add_number(value.get<double>());
  } else if (value.is_string() && is_plain(value.get_ref<const std::string&>())) {
    add("\"");
    add(value.get_ref<const std::string&>());
    add("\"");
  } else {
    add(core::dumped(value, -1));
  }
}

std::size_t JsonText::finish() {
  hand_on();
  return handed_on_;
}

void JsonText::hand_on() {
  sink_(buffer_);
  handed_on_ += buffer_.size();
  buffer_.clear();
}

std::string sha256(const std::function<void(const TextSink&)>& write) {
  crypto_hash_sha256_state state;
  crypto_hash_sha256_init(&state);
  write([&state](std::string_view text) {
    crypto_hash_sha256_update(&state, reinterpret_cast<const unsigned char*>(text.data()),
                              text.size());
  });
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash{};
  crypto_hash_sha256_final(&state, hash.data());
  std::string hexadecimal;
  for (const unsigned char byte : hash) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    hexadecimal += kDigits[byte >> 4];
    hexadecimal += kDigits[byte & 15];
  }
  return hexadecimal;
}

}  // namespace southwell::model
