#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "southwell/core/words.hpp"

namespace southwell::fit {

// How a fit refuses a public input: by its name, what was given and what is accepted.

inline constexpr double kSmallestScale = 1e-100;  ///< so that no product of scales overflows
inline constexpr double kLargestScale = 1e100;

[[noreturn]] void refuse(std::string_view name, const std::string& given,
                         std::string_view accepted);

/// The same for what does not apply to the rest: `given` is only valid with something else.
/// `because` says why this fit is none of that, if it is not obvious.
[[noreturn]] void refuse_as_foreign(std::string_view name, const std::string& given,
                                    const std::string& valid_with, const std::string& because = {});

/// The same for what would have to be read from records: a PrivacyLeak.
[[noreturn]] void refuse_leak(std::string_view name, const std::string& given,
                              std::string_view accepted);

/// What a loss that classifies asks for where no classes are given. All shells say it.
inline constexpr const char* kClassesAccepted =
    "the labels in order, the first negative, such as classes=[0, 1] (command line: --classes "
    "0,1): reading them from the target would be a leak (or allow_leaks, without a guarantee)";

/// What was given, if something was: for an input without a default.
double required(std::string_view name, const std::optional<double>& given,
                std::string_view accepted);

/// `value` if it is a number > 0 within the limits above.
double checked_scale(std::string_view name, double value);

/// The word that was given, or the first of those accepted.
std::string word(std::string_view name, const std::optional<std::string>& given,
                 core::Words accepted);

}  // namespace southwell::fit
