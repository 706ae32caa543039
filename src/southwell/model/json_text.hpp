#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

namespace southwell::model {

/// Takes text that is handed out in parts.
using TextSink = std::function<void(std::string_view)>;

/// How numbers are written: as model files have them, or in the canonical form that a checksum is
/// of: keys sorted, no blanks, the shortest digits that read back to the same number; what Python's
/// json.dumps gives with sort_keys, separators "," and ":" and ensure_ascii off.
enum class Digits { file, canonical };

/// JSON text, handed on in parts: a long list is never in memory as a whole.
class JsonText {
 public:
  JsonText(Digits digits, TextSink sink) : digits_(digits), sink_(std::move(sink)) {}

  /// As it is.
  void add(std::string_view text);
  void add_value(const nlohmann::json& value);
  void add_number(double value);
  /// f(k) adds item k.
  template <class F>
  void add_list(std::size_t size, F&& f) {
    add("[");
    for (std::size_t k = 0; k < size; ++k) {
      if (k > 0) add(",");
      f(k);
    }
    add("]");
  }
  /// Hands on what is left, and returns the length of all of it.
  std::size_t finish();

 private:
  void hand_on();

  Digits digits_;
  TextSink sink_;
  std::string buffer_;
  std::size_t handed_on_ = 0;
};

/// SHA-256, in hexadecimal, of what `write` hands to the sink it is given.
std::string sha256(const std::function<void(const TextSink&)>& write);

}  // namespace southwell::model
