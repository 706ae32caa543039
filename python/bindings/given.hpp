#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace southwell::bindings {

namespace nb = nanobind;

/// What was given for an input, by the input's name. What it is not accepted for is refused in the
/// words of every shell, never in those of a C++ signature.
struct Given {
  const char* name;
  nb::handle value;
  const char* otherwise = "";  ///< what is accepted besides, for a message: " or 'auto'"

  /// TypeError: it is of another type.
  [[noreturn]] void refuse(const std::string& accepted) const;
  /// ValueError: it is of that type, but out of its range.
  [[noreturn]] void refuse_value(const std::string& accepted) const;
  bool is(const char* word) const;
  Given or_else(const char* words) const { return {name, value, words}; }
};

std::string text(const Given& given);
bool yes_or_no(const Given& given);
/// Anything that says it is a number; True is none.
std::optional<double> number_in(const nb::handle& value);
double number(const Given& given);
std::uint64_t whole(const Given& given, std::uint64_t least = 0,
                    std::uint64_t most = std::numeric_limits<std::uint64_t>::max());
/// How many threads; 0 means all cores.
int threads_in(const Given& given);
/// At least one.
std::vector<double> numbers(const Given& given);
/// A list that may be empty, and one that may not.
std::vector<std::string> word_list(const Given& given);
std::vector<std::string> texts(const Given& given);

/// The refusal of a keyword that is none, with the one that was meant if one is like it.
[[noreturn]] void refuse_unknown(nb::handle name, const char* of,
                                 const std::vector<std::string>& known);

/// The keywords of a call, each read by its name. Throws TypeError for one that is not known.
class Keywords {
 public:
  Keywords(const char* of, nb::dict given, std::vector<std::string> known);

  /// One that has no default: whatever was given, None too, which is then refused as a value.
  Given required(const char* name, const char* accepted) const;
  /// One that has: what was given, and nothing where nothing was. None is refused as a value.
  std::optional<Given> find(const char* name) const;
  /// The same where None means that nothing was given.
  std::optional<Given> find_or_none(const char* name) const;

 private:
  nb::dict given_;
};

}  // namespace southwell::bindings
