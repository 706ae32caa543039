#include "southwell/fit/inputs.hpp"

#include <stdexcept>

#include "southwell/core/error.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/core/overloaded.hpp"
#include "southwell/core/quoted.hpp"
#include "southwell/fit/input_check.hpp"

namespace southwell::fit {
namespace {

using problem::ObjectiveSpec;

void check_number(const Input& input, double number, const std::string& given) {
  switch (input.range) {
    case Range::any:
      return;
    case Range::scale:
      checked_scale(input.name, number);
      return;
    case Range::share:
      if (number > 0.0 && number < 1.0) return;
      refuse(input.name, given, "a number between 0 and 1");
    case Range::from_one:
      if (number >= 1.0) return;
      refuse(input.name, given, "a whole number >= 1");
    case Range::to_ten_million:
      if (number >= 1.0 && number <= 1e7) return;
      refuse(input.name, given, "a whole number from 1 to 10000000");
  }
}

}  // namespace

const Input& input_named(std::string_view name) {
  for (const Input& input : inputs()) {
    if (input.name == name) return input;
  }
  throw std::logic_error("no input is called " + std::string(name));
}

std::string_view title_of(Group group) {
  switch (group) {
    case Group::problem:
      return "The problem";
    case Group::budget:
      return "The budget";
    case Group::data:
      return "What is declared of the data";
    case Group::algorithm:
      return "The algorithm";
    case Group::refinement:
      return "Refinements of the algorithm (on where they apply)";
    case Group::testing:
      break;
  }
  return "For tests, without a guarantee";
}

bool Input::is_automatic() const {
  return standard == "auto" &&
         !std::holds_alternative<std::optional<std::string> FitSpec::*>(member);
}

bool is_given(const Input& input, const FitSpec& spec) {
  return std::visit(
      core::Overloaded{
          [&](std::string ObjectiveSpec::* m) {
            return !at(spec, m).empty() && at(spec, m) != input.standard;
          },
          [&](bool FitSpec::* m) { return spec.*m; },
          [&](int FitSpec::* m) { return spec.*m != 0; },
          [&](const NumberOrPrivate& m) { return spec.*m.number || spec.*m.by_mechanism; },
          [&](const NumbersOrData& m) { return !(spec.*m.numbers).empty() || spec.*m.from_data; },
          [&](const ClassWeights& m) { return !(spec.*m.numbers).empty(); },
          [&](StartModel) { return spec.start != nullptr; },
          [&]<class T>(std::vector<T> FitSpec::* m) { return !(spec.*m).empty(); },
          [&](auto m) { return at(spec, m).has_value(); },
      },
      input.member);
}

std::string given_text(const Input& input, const FitSpec& spec) {
  return std::visit(
      core::Overloaded{
          [&](std::string ObjectiveSpec::* m) { return core::quoted(at(spec, m)); },
          [&](std::optional<std::string> FitSpec::* m) {
            return "'" + (spec.*m).value_or("") + "'";
          },
          [&](std::optional<bool> FitSpec::* m) {
            return std::string((spec.*m).value_or(false) ? "on" : "off");
          },
          [&](bool FitSpec::* m) { return std::string(spec.*m ? "on" : "off"); },
          [&](int FitSpec::* m) { return std::to_string(spec.*m); },
          [&](const NumberOrPrivate& m) {
            return spec.*m.number ? core::rounded_text(*(spec.*m.number)) : std::string("private");
          },
          [&](const NumbersOrData& m) {
            return spec.*m.from_data ? std::string("from_data")
                                     : std::to_string((spec.*m.numbers).size()) + " numbers";
          },
          [&](const ClassWeights& m) {
            return std::to_string((spec.*m.numbers).size()) + " numbers";
          },
          [&](StartModel) { return spec.start_name.empty() ? "a model" : spec.start_name; },
          [&]<class T>(std::vector<T> FitSpec::*) { return std::string("some"); },
          [&](std::optional<std::uint64_t> FitSpec::* m) {
            return std::to_string((spec.*m).value_or(0));
          },
          [&](auto m) { return core::number_text(at(spec, m).value_or(0.0)); },
      },
      input.member);
}

std::string word_of(const Input& input, const FitSpec& spec) {
  const auto& given = spec.*std::get<std::optional<std::string> FitSpec::*>(input.member);
  return word(input.name, given, input.words);
}

void check_values(const FitSpec& spec) {
  for (const Input& input : inputs()) {
    if (!is_given(input, spec)) continue;
    const std::string given = given_text(input, spec);
    std::visit(
        core::Overloaded{
            [&](std::optional<std::string> FitSpec::*) {
              if (!input.words.empty()) static_cast<void>(word_of(input, spec));
            },
            [&](std::optional<double> FitSpec::* m) { check_number(input, *(spec.*m), given); },
            [&](std::optional<std::uint64_t> FitSpec::* m) {
              check_number(input, static_cast<double>(*(spec.*m)), given);
            },
            [](auto) {},
        },
        input.member);
  }
}

}  // namespace southwell::fit
