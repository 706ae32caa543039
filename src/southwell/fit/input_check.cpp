#include "southwell/fit/input_check.hpp"

#include "southwell/core/error.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/core/quoted.hpp"
#include "southwell/privacy/budget.hpp"

namespace southwell::fit {
namespace {

std::string refusal(std::string_view name, const std::string& given, std::string_view accepted) {
  return std::string(name) + ": given " + given + ", accepted is " + std::string(accepted);
}

}  // namespace

void refuse(std::string_view name, const std::string& given, std::string_view accepted) {
  throw InvalidArgument(refusal(name, given, accepted));
}

void refuse_as_foreign(std::string_view name, const std::string& given,
                       const std::string& valid_with, const std::string& because) {
  throw InvalidArgument(std::string(name) + ": given " + given + ", which is only valid with " +
                        valid_with + (because.empty() ? "" : " (" + because + ")"));
}

void refuse_leak(std::string_view name, const std::string& given, std::string_view accepted) {
  throw PrivacyLeak(refusal(name, given, accepted));
}

double required(std::string_view name, const std::optional<double>& given,
                std::string_view accepted) {
  if (!given) refuse(name, "nothing", accepted);
  return *given;
}

double checked_scale(std::string_view name, double value) {
  if (!(value >= kSmallestScale && value <= kLargestScale)) {
    refuse(name, core::rounded_text(value), "a number > 0, from 1e-100 to 1e100");
  }
  return value;
}

std::string word(std::string_view name, const std::optional<std::string>& given,
                 core::Words accepted) {
  const std::string chosen = given.value_or(std::string(accepted.front()));
  if (core::index_of(accepted, chosen)) return chosen;
  throw InvalidArgument(std::string(name) + ": given " + core::quoted(chosen) + ", accepted are " +
                        core::listed(accepted));
}

}  // namespace southwell::fit
