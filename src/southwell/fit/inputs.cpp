#include "southwell/fit/inputs.hpp"

#include <algorithm>
#include <stdexcept>

#include "southwell/core/error.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/core/quoted.hpp"
#include "southwell/fit/any_algorithm.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/privacy/budget.hpp"
#include "southwell/problem/grid_score.hpp"
#include "southwell/problem/penalties/any_penalty.hpp"

namespace southwell::fit {
namespace {

using problem::ObjectiveSpec;

constexpr std::array<std::string_view, 3> kRefineWords{"auto", "on", "off"};
constexpr std::array<std::string_view, 1> kSamplings{"poisson"};
constexpr std::array<std::string_view, 2> kIterates{"average", "last"};

constexpr Owners kGreedy = owned_by<Gcd, GcdRounds>();
constexpr Owners kPrinted = printed_algorithms();
constexpr Owners kRefined = refined_algorithms();

const Input kInputs[] = {
    // The problem.
    {.name = "loss",
     .member = &ObjectiveSpec::loss,
     .group = Group::problem,
     .standard = "required",
     .help = "What a record's error costs.",
     .words = problem::kLossNames},
    {.name = "penalty",
     .member = &ObjectiveSpec::penalty,
     .group = Group::problem,
     .standard = "none",
     .help = "What coefficients cost.",
     .words = problem::kPenaltyNames},
    {.name = "alpha",
     .member = &ObjectiveSpec::alpha,
     .group = Group::problem,
     .standard = "required by l1, l2, elastic_net",
     .help = "Strength of l1, l2, elastic_net."},
    {.name = "l1_ratio",
     .member = &ObjectiveSpec::l1_ratio,
     .group = Group::problem,
     .standard = "required by elastic_net",
     .help = "Share of l1 in elastic_net, 0 to 1."},
    {.name = "lower",
     .member = &ObjectiveSpec::lower,
     .group = Group::problem,
     .standard = "-inf",
     .help = "No coefficient is below this; the intercept may be. Not with the penalty none."},
    {.name = "upper",
     .member = &ObjectiveSpec::upper,
     .group = Group::problem,
     .standard = "inf",
     .help = "No coefficient is above this; the intercept may be. Not with the penalty none."},
    {.name = "huber_width",
     .member = &ObjectiveSpec::huber_width,
     .group = Group::problem,
     .standard = "required by huber",
     .help = "Where huber turns linear."},
    {.name = "intercept",
     .member = &FitSpec::intercept,
     .group = Group::problem,
     .standard = "on",
     .help = "Whether there is a constant, which no penalty touches."},
    // The budget.
    {.name = "epsilon",
     .member = &FitSpec::epsilon,
     .group = Group::budget,
     .standard = "required",
     .help = "The budget's epsilon: a promise is for somebody to choose."},
    {.name = "delta",
     .member = &FitSpec::delta,
     .group = Group::budget,
     .standard = "required",
     .help = "The budget's delta, far below 1 / records; 0 means pure differential privacy."},
    {.name = "relation",
     .member = &FitSpec::relation,
     .group = Group::budget,
     .standard = "replace_one",
     .help = "Which data sets must look alike.",
     .words = privacy::kRelationNames},
    {.name = "records",
     .member = &FitSpec::records,
     .group = Group::budget,
     .standard = "those of the data",
     .help = "The public number of records to divide by, under add_or_remove_one.",
     .range = Range::from_one},
    // What is declared of the data.
    {.name = "features",
     .member = &FitSpec::features,
     .group = Group::data,
     .standard = "those of the data; required of sparse data",
     .help = "The number of features of sparse data, declared.",
     .range = Range::from_one},
    {.name = "feature_scale",
     .member = NumbersOrData{&FitSpec::feature_scale, &FitSpec::feature_scale_from_data},
     .group = Group::data,
     .standard = "1",
     .help = "Typical size of the features: one number, or one for each."},
    {.name = "target_scale",
     .member = NumberOrPrivate{&FitSpec::target_scale, &FitSpec::target_scale_private},
     .group = Group::data,
     .standard = "1",
     .help = "Typical size of a regression's target; private: found by a mechanism, at a part of "
             "the budget."},
    {.name = "target_center",
     .member = NumberOrPrivate{&FitSpec::target_center, &FitSpec::target_center_private},
     .group = Group::data,
     .standard = "private in a refined fit, else 0",
     .help = "Where the intercept of a regression starts; private: found by releases."},
    {.name = "classes",
     .member = &FitSpec::classes,
     .group = Group::data,
     .standard = "-1, 1",
     .help = "The labels in order, the first negative; others count as the first."},
    {.name = "class_names",
     .member = &FitSpec::class_names,
     .group = Group::data,
     .standard = "none",
     .help = "What the classes are called where they have no numbers."},
    // The algorithm.
    {.name = "solver",
     .member = &FitSpec::solver,
     .group = Group::algorithm,
     .standard = "gcd",
     .help = "Greedy coordinate descent, random coordinates, or gradient descent; auto chooses "
             "between the first and the last by a public rule."},
    {.name = "mode",
     .member = &FitSpec::mode,
     .group = Group::algorithm,
     .standard = "certified",
     .help = "paper is the published algorithm, without a guarantee.",
     .words = kModeNames},
    {.name = "iterations",
     .member = &FitSpec::iterations,
     .group = Group::algorithm,
     .standard = "auto",
     .help = "So many exactly.",
     .range = Range::to_ten_million},
    {.name = "start",
     .member = StartModel{},
     .group = Group::algorithm,
     .standard = "zero",
     .help = "Where to begin: a fitted model, whose cost is added, or public coefficients.",
     .owners = kPrinted},
    {.name = "threads",
     .member = &FitSpec::threads,
     .group = Group::algorithm,
     .standard = "all cores",
     .help = "Number of threads; it changes no bit of the model."},
    {.name = "rule",
     .member = &FitSpec::rule,
     .group = Group::algorithm,
     .standard = "gs_s",
     .help = "How gcd scores coordinates.",
     .words = problem::kRuleNames,
     .owners = kGreedy},
    {.name = "clip",
     .member = &FitSpec::clip,
     .group = Group::algorithm,
     .standard = "auto",
     .help = "The largest share of a record in a gradient (sgd: of all of it).",
     .range = Range::scale,
     .owners = kPrinted},
    {.name = "step",
     .member = &FitSpec::step,
     .group = Group::algorithm,
     .standard = "auto",
     .help = "Step length, in units of 1 / M_j (sgd: absolute).",
     .range = Range::scale,
     .owners = kPrinted},
    {.name = "share",
     .member = &FitSpec::share,
     .group = Group::algorithm,
     .standard = "auto",
     .help = "The part of the budget that gcd's selections get.",
     .range = Range::share,
     .owners = kGreedy,
     .certified_only = true},
    {.name = "selection",
     .member = &FitSpec::selection,
     .group = Group::algorithm,
     .standard = "exponential",
     .help = "The mechanism by which gcd as printed selects.",
     .words = privacy::kSelectionNames,
     .owners = owned_by<Gcd>(),
     .certified_only = true},
    {.name = "release",
     .member = &FitSpec::release,
     .group = Group::algorithm,
     .standard = "what has less noise for gcd, gaussian for cd",
     .help = "The noise of a released gradient, of gcd as printed and of cd.",
     .words = privacy::kReleaseNames,
     .owners = owned_by<Gcd, Cd>(),
     .certified_only = true},
    {.name = "batch_size",
     .member = &FitSpec::batch_size,
     .group = Group::algorithm,
     .standard = "auto",
     .help = "Expected number of records in a step of sgd; auto takes all: gradient descent.",
     .range = Range::from_one,
     .owners = owned_by<Sgd>(),
     .certified_only = true},
    {.name = "sampling",
     .member = &FitSpec::sampling,
     .group = Group::algorithm,
     .standard = "poisson",
     .help = "How sgd draws its batches.",
     .words = kSamplings,
     .owners = owned_by<Sgd>(),
     .certified_only = true},
    {.name = "iterate",
     .member = &FitSpec::iterate,
     .group = Group::algorithm,
     .standard = "average, in paper mode last",
     .help = "What sgd returns: the average of the last half of its steps, or the last.",
     .words = kIterates,
     .owners = owned_by<Sgd>()},
    // Refinements.
    {.name = "refine",
     .member = &FitSpec::refine,
     .group = Group::refinement,
     .standard = "auto",
     .help = "Refinements of gcd and sgd; off is the algorithm as printed. auto is on unless "
             "something is given that only the algorithm as printed has.",
     .words = kRefineWords},
    {.name = "attenuation",
     .member = &FitSpec::attenuation,
     .group = Group::refinement,
     .standard = "auto",
     .help = "Correct for what clipping takes from a gradient.",
     .owners = kRefined},
    {.name = "clip_tracking",
     .member = &FitSpec::clip_tracking,
     .group = Group::refinement,
     .standard = "auto",
     .help = "Let the clip follow the size of the residuals (squared loss).",
     .owners = kRefined,
     .loss = {problem::slopes_are_residuals, "the loss squared",
              "residuals of others do not tell their scale"}},
    {.name = "margin_correction",
     .member = &FitSpec::margin_correction,
     .group = Group::refinement,
     .standard = "auto",
     .help = "Correct for what large margins do to gradients (logistic loss); auto is on without "
             "an l1 part in the penalty.",
     .owners = kRefined,
     .loss = {problem::has_margin_law, "the loss logistic", "the law of margins is its own"}},
    {.name = "polish",
     .member = &FitSpec::polish,
     .group = Group::refinement,
     .standard = "auto",
     .help = "Give most of the descents' budget to the last one.",
     .owners = owned_by<GcdRounds>()},
    {.name = "exclude_visited",
     .member = &FitSpec::exclude_visited,
     .group = Group::refinement,
     .standard = "auto",
     .help = "Choose no feature twice.",
     .owners = owned_by<GcdRounds>()},
    {.name = "second_moment",
     .member = &FitSpec::second_moment,
     .group = Group::refinement,
     .standard = "auto",
     .help = "Release how large the chosen features are, for clips and steps that fit features "
             "which are rare or smaller than declared.",
     .owners = owned_by<GcdRounds>()},
    {.name = "prune",
     .member = &FitSpec::prune,
     .group = Group::refinement,
     .standard = "auto",
     .help = "Set coefficients within twice their stated noise to 0; classifiers with an l1 part "
             "in the penalty then descend once more on the others. auto is on with such a part.",
     .owners = owned_by<GcdRounds>()},
    {.name = "selections_per_gradient",
     .member = &FitSpec::selections_per_gradient,
     .group = Group::refinement,
     .standard = "auto",
     .help = "How many features are chosen from one gradient.",
     .range = Range::from_one,
     .owners = owned_by<GcdRounds>()},
    // For tests.
    {.name = "seed_for_tests",
     .member = &FitSpec::seed_for_tests,
     .group = Group::testing,
     .standard = "none",
     .help = "Noise that can be foreseen: turns the guarantee off."},
    {.name = "allow_leaks",
     .member = &FitSpec::allow_leaks,
     .group = Group::testing,
     .standard = "off",
     .help = "Accept what is read from the records: turns the guarantee off."},
};

template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

void check_number(const Input& input, double number) {
  switch (input.range) {
    case Range::any:
      return;
    case Range::scale:
      checked_scale(input.name, number);
      return;
    case Range::share:
      if (number > 0.0 && number < 1.0) return;
      refuse(input.name, core::rounded_text(number), "a number between 0 and 1");
    case Range::from_one:
      if (number >= 1.0) return;
      refuse(input.name, core::number_text(number), "a whole number >= 1");
    case Range::to_ten_million:
      if (number >= 1.0 && number <= 1e7) return;
      refuse(input.name, core::number_text(number), "a whole number from 1 to 10000000");
  }
}

}  // namespace

std::span<const Input> inputs() { return kInputs; }

const Input& input_named(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kInputs), std::end(kInputs),
                                         [&](const Input& each) { return each.name == name; });
  if (found == std::end(kInputs)) throw std::logic_error("no input is called " + std::string(name));
  return *found;
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
      Overloaded{
          [&](std::string ObjectiveSpec::* m) {
            return !at(spec, m).empty() && at(spec, m) != input.standard;
          },
          [&](bool FitSpec::* m) { return spec.*m; },
          [&](int FitSpec::* m) { return spec.*m != 0; },
          [&](const NumberOrPrivate& m) { return spec.*m.number || spec.*m.by_mechanism; },
          [&](const NumbersOrData& m) { return !(spec.*m.numbers).empty() || spec.*m.from_data; },
          [&](StartModel) { return spec.start != nullptr; },
          [&]<class T>(std::vector<T> FitSpec::* m) { return !(spec.*m).empty(); },
          [&](auto m) { return at(spec, m).has_value(); },
      },
      input.member);
}

std::string given_text(const Input& input, const FitSpec& spec) {
  return std::visit(
      Overloaded{
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
          [&](StartModel) { return spec.start_name.empty() ? "a model" : spec.start_name; },
          [&]<class T>(std::vector<T> FitSpec::*) { return std::string("some"); },
          [&](auto m) { return core::number_text(static_cast<double>(at(spec, m).value_or(0))); },
      },
      input.member);
}

std::string word_of(const Input& input, const FitSpec& spec) {
  const auto& given = spec.*std::get<std::optional<std::string> FitSpec::*>(input.member);
  return word(input.name, given, input.words);
}

void check_values(const FitSpec& spec) {
  for (const Input& input : kInputs) {
    if (!is_given(input, spec)) continue;
    std::visit(Overloaded{
                   [&](std::optional<std::string> FitSpec::*) {
                     if (!input.words.empty()) static_cast<void>(word_of(input, spec));
                   },
                   [&](std::optional<double> FitSpec::* m) { check_number(input, *(spec.*m)); },
                   [&](std::optional<std::uint64_t> FitSpec::* m) {
                     check_number(input, static_cast<double>(*(spec.*m)));
                   },
                   [](auto) {},
               },
               input.member);
  }
}

}  // namespace southwell::fit
