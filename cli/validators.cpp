#include "validators.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/core.h>

namespace southwell::cli {
namespace {

template <class Number>
std::optional<Number> parsed(const char* first, const char* last) {
  Number value{};
  const auto [end, error] = std::from_chars(first, last, value);
  if (error != std::errc() || end != last) return std::nullopt;
  return value;
}

/// Accepts numbers that `holds` is true of.
template <class Holds>
Check numbers(const std::string& accepted, const char* name, Holds holds) {
  return {[accepted, holds](std::string& text) -> std::string {
            const auto value = parsed_number(text);
            return value && holds(*value) ? "" : refusal(text, accepted);
          },
          name};
}

}  // namespace

std::string without_blanks(const std::string& text) {
  constexpr const char* kBlanks = " \t\n\v\f\r";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::optional<double> parsed_number(const std::string& text) {
  // from_chars knows no plus, and would take "+-1" once it is gone.
  const bool plus = text.size() > 1 && text[0] == '+' && text[1] != '-';
  return parsed<double>(text.data() + (plus ? 1 : 0), text.data() + text.size());
}

std::optional<std::uint64_t> parsed_whole(const std::string& text) {
  return parsed<std::uint64_t>(text.data(), text.data() + text.size());
}

std::string refusal(const std::string& given, const std::string& accepted) {
  return "given '" + given + "', accepted is " + accepted;
}

Check whole_number(std::uint64_t least, std::uint64_t most) {
  return {[least, most](std::string& text) -> std::string {
            const auto value = parsed_whole(text);
            if (value && *value >= least && *value <= most) {
              text = std::to_string(*value);
              return {};
            }
            return refusal(text, fmt::format("a whole number from {} to {}", least, most));
          },
          "WHOLE", true};
}

Check thread_count() { return whole_number(1, 4096); }

Check positive_number() {
  return numbers("a number > 0", "POSITIVE",
                 [](double value) { return value > 0.0 && std::isfinite(value); });
}

Check number(double least, double most) {
  return numbers(fmt::format("a number from {} to {}", least, most), "",
                 [least, most](double value) { return value >= least && value <= most; });
}

Check any_number() {
  return numbers("a number", "", [](double) { return true; });
}

Check one_of(std::initializer_list<std::string_view> words) {
  return one_of(core::Words(words.begin(), words.size()));
}

Check one_of(core::Words words) {
  const std::vector<std::string> accepted(words.begin(), words.end());
  const std::string list = core::listed(words);
  std::string set;
  for (const std::string& word : accepted) set += (set.empty() ? "" : ",") + word;
  return {[accepted, list](std::string& text) -> std::string {
            const bool known = std::find(accepted.begin(), accepted.end(), text) != accepted.end();
            return known ? "" : "given '" + text + "', accepted are " + list;
          },
          "{" + set + "}"};
}

std::vector<std::string> words_of(const std::string& flag, const std::string& list,
                                  const std::string& accepted) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t comma = std::min(list.find(',', at), list.size());
    words.push_back(without_blanks(list.substr(at, comma - at)));
    if (words.back().empty()) refuse(flag, list, accepted);
    at = comma + 1;
  }
  return words;
}

}  // namespace southwell::cli
