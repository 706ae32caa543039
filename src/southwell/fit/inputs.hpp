#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "southwell/core/words.hpp"
#include "southwell/fit/draft.hpp"
#include "southwell/fit/fit_spec.hpp"
#include "southwell/problem/losses/any_loss.hpp"

namespace southwell::fit {

// Every public input of a fit is one row of a table (input_rows.cpp). The flags of the command line
// and their help, the keywords of Python and their types, what is refused because it belongs to
// another algorithm, who chose what in the statement, and the table of inputs in the docs come from
// the rows. docs/add_an_input.md adds one.

/// A number, or the word private: a mechanism finds it.
struct NumberOrPrivate {
  std::optional<double> FitSpec::* number;
  bool FitSpec::* by_mechanism;
};
/// Numbers, one for all features or one each, or the word from_data: a leak.
struct NumbersOrData {
  std::vector<double> FitSpec::* numbers;
  bool FitSpec::* from_data;
};
/// Numbers, one for each class. The word balanced, which would count the labels, is refused
/// everywhere with this reason.
struct ClassWeights {
  std::vector<double> FitSpec::* numbers;
  static constexpr std::string_view kRefused = "balanced";
  static constexpr std::string_view kAccepted =
      "a number for each class: balanced would count the labels of the records, which is a release "
      "of its own";
};
/// A model, or coefficients.
struct StartModel {};

/// Where an input is in a FitSpec. Its type is also how it is written.
using Member =
    std::variant<std::string problem::ObjectiveSpec::*,
                 std::optional<double> problem::ObjectiveSpec::*, std::optional<double> FitSpec::*,
                 std::optional<std::uint64_t> FitSpec::*, std::optional<bool> FitSpec::*,
                 std::optional<std::string> FitSpec::*, std::vector<double> FitSpec::*,
                 std::vector<std::string> FitSpec::*, bool FitSpec::*, int FitSpec::*,
                 NumberOrPrivate, NumbersOrData, ClassWeights, StartModel>;

/// The member itself, wherever it is.
template <class Spec, class T>
auto& at(Spec& spec, T FitSpec::* member) {
  return spec.*member;
}
template <class Spec, class T>
auto& at(Spec& spec, T problem::ObjectiveSpec::* member) {
  return spec.objective.*member;
}

/// Which numbers are accepted.
enum class Range {
  any,       ///< what else there is to say of it is said where it is used
  scale,     ///< from 1e-100 to 1e100
  share,     ///< between 0 and 1
  from_one,  ///< whole numbers
  to_ten_million,
};

/// What inputs stand together under in help and docs, those first that every user needs.
enum class Group { problem, budget, data, algorithm, refinement, testing };
std::string_view title_of(Group group);

/// The algorithms that have an input, by their place in AnyAlgorithm.
using Owners = std::uint32_t;
inline constexpr Owners kEveryAlgorithm = ~Owners{0};

/// What a loss must have for an input to apply.
struct LossCondition {
  bool (*holds)(const problem::AnyLoss& loss) = nullptr;  ///< absent: every loss
  std::string_view valid_with{};
  std::string_view because{};
};

struct Input {
  std::string_view name;
  Member member;
  Group group;
  std::string_view standard;  ///< what it is where it is not given, in words
  std::string_view help;      ///< what it is, in a sentence
  core::Words words{};        ///< those accepted, the first being the default
  Range range = Range::any;
  Owners owners = kEveryAlgorithm;
  bool certified_only = false;  ///< the paper has no choice here
  LossCondition loss{};

  bool is_required() const { return standard == "required"; }
  /// Whether the word auto stands for its absence.
  bool is_automatic() const;
};

std::span<const Input> inputs();
/// Throws std::logic_error where there is no such row.
const Input& input_named(std::string_view name);

bool is_given(const Input& input, const FitSpec& spec);
/// What was given, for a message.
std::string given_text(const Input& input, const FitSpec& spec);
/// The word that was given, or the first of the row. Throws InvalidArgument for another one.
std::string word_of(const Input& input, const FitSpec& spec);

/// Throws InvalidArgument for a number out of its row's range and for a word that is none of its
/// row's.
void check_values(const FitSpec& spec);

}  // namespace southwell::fit
