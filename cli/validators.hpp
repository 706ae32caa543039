#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace southwell::cli {

// What options accept; each says what was given and what is accepted.

/// The whole of `text` as a finite or infinite number, nan, or nothing. Not rounded to 0 or to
/// infinity: what no number of double precision comes near is none.
std::optional<double> parsed_number(const std::string& text);
/// The whole of `text` as a whole number in decimal, or nothing.
std::optional<std::uint64_t> parsed_whole(const std::string& text);

/// Accepts whole numbers from `least` to `most`, in decimal, and says so; nothing is rounded or
/// wrapped. For `transform`: it rewrites the text, because CLI11 would read 010 as octal.
CLI::Validator whole_number(std::uint64_t least, std::uint64_t most = UINT64_MAX);
/// More threads than any machine of today has are a slip.
CLI::Validator thread_count();
/// Accepts finite numbers above 0.
CLI::Validator positive_number();
/// Accepts numbers from `least` to `most`.
CLI::Validator number(double least, double most);
/// Accepts every number.
CLI::Validator any_number();
/// Accepts these words.
CLI::Validator one_of(std::initializer_list<std::string> words);

/// "given 'x', accepted is Y"
std::string refusal(const std::string& given, const std::string& accepted);

/// The words of a list with commas between them, without blanks around them. Throws
/// CLI::ValidationError, naming the flag, where one is empty.
std::vector<std::string> words_of(const std::string& flag, const std::string& list,
                                  const std::string& accepted);

}  // namespace southwell::cli
