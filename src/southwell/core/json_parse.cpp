#include "southwell/core/json_parse.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/core/printable.hpp"

namespace southwell::core {
namespace {

using nlohmann::json;

/// Builds the tree, and refuses nesting that is too deep and keys that occur twice. The library's
/// own builder takes the last of two equal keys, and where it is watched, quadratic time. Text is
/// moved and not copied: a packed list is a string of a hundred megabytes.
class Builder : public nlohmann::json_sax<json> {
 public:
  Builder(const std::string& text, const std::string& name, const std::string& accepted,
          std::size_t deepest)
      : text_(text), name_(name), accepted_(accepted), deepest_(deepest) {}

  json take() { return std::move(root_); }

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return enter(json::object()); }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t) override { return enter(json::array()); }
  bool end_array() override { return leave(); }
  bool key(string_t& key) override {
    if (open_.back()->contains(key)) {
      throw DataError(name_ + ": the key '" + printable(key) +
                      "' occurs twice in one object; accepted is every key once");
    }
    key_ = std::move(key);
    return true;
  }
  bool parse_error(std::size_t at, const std::string&, const json::exception& error) override {
    if (dynamic_cast<const json::parse_error*>(&error) == nullptr) {
      throw DataError(name_ + ": holds a number too large for a double; accepted is " + accepted_);
    }
    const auto end = static_cast<std::ptrdiff_t>(std::min(text_.size(), at));
    const auto line = 1 + std::count(text_.begin(), text_.begin() + end, '\n');
    throw DataError(name_ + ":" + std::to_string(line) + ": not JSON, or cut off; accepted is " +
                    accepted_);
  }

 private:
  json& added(json&& value) {
    if (open_.empty()) return root_ = std::move(value);
    json& around = *open_.back();
    if (around.is_object()) return around[key_] = std::move(value);
    around.push_back(std::move(value));
    return around.back();
  }
  template <class T>
  bool put(T&& value) {
    added(json(std::forward<T>(value)));
    return true;
  }
  bool enter(json&& empty) {
    if (open_.size() == deepest_) {
      throw DataError(name_ + ": nested more than " + std::to_string(deepest_) +
                      " deep; accepted is " + accepted_);
    }
    open_.push_back(&added(std::move(empty)));
    return true;
  }
  bool leave() {
    open_.pop_back();
    return true;
  }

  const std::string& text_;
  const std::string& name_;
  const std::string& accepted_;
  std::size_t deepest_;
  json root_;
  std::vector<json*> open_;  ///< what is around the present place; grows only at its end
  std::string key_;
};

}  // namespace

json parsed(const std::string& text, const std::string& name, const std::string& accepted,
            std::size_t deepest) {
  Builder builder(text, name, accepted, deepest);
  json::sax_parse(text, &builder);
  return builder.take();
}

std::string dumped(const json& content, int indent) {
  return content.dump(indent, ' ', false, json::error_handler_t::replace);
}

}  // namespace southwell::core
