#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "southwell/core/printable.hpp"

namespace southwell::core {

/// A part of the file: what it holds, and how to call it in a message.
class JsonPart {
 public:
  JsonPart(const nlohmann::json& content, std::string file, std::string place = "")
      : content_(content), file_(std::move(file)), place_(std::move(place)) {}

  /// Throws DataError: "file: place: found; accepted is ...".
  [[noreturn]] void refuse(const std::string& found, const std::string& accepted) const;

  const nlohmann::json& content() const { return content_; }
  const std::string& file() const { return file_; }
  bool is_null() const { return content_.is_null(); }
  std::optional<JsonPart> find(const char* key) const {
    if (!content_.is_object()) refuse(found(), "an object in braces");
    const auto at = content_.find(key);
    if (at == content_.end()) return std::nullopt;
    return JsonPart(*at, file_, place_.empty() ? key : place_ + "." + key);
  }
  JsonPart at(const char* key) const;
  template <class F>
  void for_each(F&& f) const {
    if (!content_.is_array()) refuse(found(), "a list");
    for (std::size_t k = 0; k < content_.size(); ++k) {
      f(JsonPart(content_[k], file_, place_ + "[" + std::to_string(k) + "]"));
    }
  }
  /// f(key, part) for the members of an object.
  template <class F>
  void for_each_member(F&& f) const {
    if (!content_.is_object()) refuse(found(), "an object in braces");
    for (const auto& [key, value] : content_.items()) {
      f(key, JsonPart(value, file_, place_ + "." + printable(key)));
    }
  }

  double number() const {
    if (!content_.is_number()) refuse(found(), "a number");
    return content_.get<double>();
  }
  double number_or(double if_null) const { return is_null() ? if_null : number(); }
  std::uint64_t whole() const {
    if (!content_.is_number_unsigned()) refuse(found(), "a whole number from 0");
    return content_.get<std::uint64_t>();
  }
  std::size_t size() const { return static_cast<std::size_t>(whole()); }
  bool flag() const {
    if (!content_.is_boolean()) refuse(found(), "true or false");
    return content_.get<bool>();
  }
  const std::string& text() const {
    if (!content_.is_string()) refuse(found(), "text in quotes");
    return content_.get_ref<const std::string&>();
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> out;
    for_each([&](const JsonPart& part) { out.push_back(part.text()); });
    return out;
  }
  std::vector<double> numbers(double if_null) const {
    std::vector<double> out;
    for_each([&](const JsonPart& part) { out.push_back(part.number_or(if_null)); });
    return out;
  }
  std::vector<double> numbers() const {
    std::vector<double> out;
    for_each([&](const JsonPart& part) { out.push_back(part.number()); });
    return out;
  }
  /// One of the values, by the name that `name_of` gives it.
  template <class E, std::size_t N, class NameOf>
  E choice(const std::array<E, N>& values, NameOf&& name_of) const {
    const std::string given = text();
    std::string accepted;
    for (const E value : values) {
      if (name_of(value) == given) return value;
      accepted += (accepted.empty() ? "" : ", ") + std::string(name_of(value));
    }
    refuse(found(), "one of " + accepted);
  }

 private:
  std::string found() const;

  const nlohmann::json& content_;
  std::string file_;
  std::string place_;
};

}  // namespace southwell::core
