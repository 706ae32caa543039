#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "southwell/core/words.hpp"

namespace southwell::cli {

/// What an option accepts.
struct Check {
  /// What is wrong with the text: what was given and what is accepted; empty where nothing is.
  std::function<std::string(std::string& text)> fault;
  std::string name{};     ///< in the help, after the kind of value
  bool rewrites = false;  ///< the text is another afterwards
};

/// The whole of `text` as a finite or infinite number, nan, or nothing. Not rounded to 0 or to
/// infinity: what no number of double precision comes near is none.
std::optional<double> parsed_number(const std::string& text);
/// The whole of `text` as a whole number in decimal, or nothing.
std::optional<std::uint64_t> parsed_whole(const std::string& text);

/// Accepts whole numbers from `least` to `most`, in decimal, and says so; nothing is rounded or
/// wrapped. It rewrites the text, because the parser would read 010 as octal.
Check whole_number(std::uint64_t least, std::uint64_t most = UINT64_MAX);
/// More threads than any machine of today has are a slip.
Check thread_count();
/// Accepts finite numbers above 0.
Check positive_number();
/// Accepts numbers from `least` to `most`.
Check number(double least, double most);
/// Accepts every number.
Check any_number();
/// Accepts these words.
Check one_of(std::initializer_list<std::string_view> words);
Check one_of(core::Words words);

/// "given 'x', accepted is Y"
std::string refusal(const std::string& given, const std::string& accepted);
/// Throws this, naming the flag: for what reads an option's value by itself.
[[noreturn]] void refuse(const std::string& flag, const std::string& given,
                         const std::string& accepted);

/// The text without the blanks around it.
std::string without_blanks(const std::string& text);

/// The words of a list with commas between them, without blanks around them. An empty one is
/// refused, naming the flag.
std::vector<std::string> words_of(const std::string& flag, const std::string& list,
                                  const std::string& accepted);

}  // namespace southwell::cli
