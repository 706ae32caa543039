#include "fit_inputs.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "given.hpp"

namespace southwell::bindings {
namespace {

using fit::FitSpec;
using problem::ObjectiveSpec;

void set_feature_scale(FitSpec& spec, const Given& given) {
  if (given.is("from_data")) {
    spec.feature_scale_from_data = true;
  } else if (const auto one = number_in(given.value)) {
    spec.feature_scale = {*one};
  } else {
    spec.feature_scale = numbers(given.or_else(", one for each feature or one for all of them"));
  }
}

void set_target_scale(FitSpec& spec, const Given& given) {
  if (given.is("private")) {
    spec.target_scale_private = true;
  } else {
    spec.target_scale = number(given.or_else(" or 'private'"));
  }
}

void set_target_center(FitSpec& spec, const Given& given) {
  if (given.is("private")) {
    spec.target_center_private = true;
  } else {
    spec.target_center = number(given.or_else(" or 'private'"));
  }
}

/// True or False, or the words on and off.
template <auto kMember>
void set_switch(FitSpec& spec, const Given& given) {
  if (given.is("on") || given.is("off")) {
    spec.*kMember = given.is("on");
  } else {
    spec.*kMember = yes_or_no(given);
  }
}

/// A model, or public coefficients: one list, or one for each class.
void set_start(FitSpec& spec, const Given& given) {
  spec.start_name = "start";
  if (nb::isinstance<model::LinearModel>(given.value)) {
    spec.start = std::make_shared<const model::LinearModel>(
        nb::cast<const model::LinearModel&>(given.value));
    return;
  }
  std::vector<std::vector<double>> rows(1);
  const bool is_text = nb::isinstance<nb::str>(given.value);
  if (is_text || (!nb::try_cast<std::vector<double>>(given.value, rows[0]) &&
                  !nb::try_cast<std::vector<std::vector<double>>>(given.value, rows))) {
    given.refuse("a fitted model, or coefficients");
  }
  if (rows.empty() || rows[0].empty()) given.refuse_value("at least one coefficient");
  model::LinearModel start;
  start.features = rows[0].size();
  for (const std::vector<double>& row : rows) {
    if (row.size() != start.features) given.refuse("as many coefficients for every class");
    model::Head head;
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (row[j] != 0.0) head.coef.push_back({j, row[j], 0.0});
    }
    start.heads.push_back(std::move(head));
  }
  spec.start = std::make_shared<const model::LinearModel>(std::move(start));
}

void set_threads(FitSpec& spec, const Given& given) { spec.threads = threads_in(given); }

// How a member is set: by its type.
void read(std::string& member, const Given& given) { member = text(given); }
void read(std::optional<std::string>& member, const Given& given) { member = text(given); }
void read(std::optional<double>& member, const Given& given) { member = number(given); }
void read(std::optional<std::uint64_t>& member, const Given& given) { member = whole(given); }
void read(std::vector<double>& member, const Given& given) { member = numbers(given); }
void read(std::vector<std::string>& member, const Given& given) { member = texts(given); }
void read(bool& member, const Given& given) { member = yes_or_no(given); }
void read(std::optional<bool>& member, const Given& given) { member = yes_or_no(given); }

using Set = void (*)(FitSpec& spec, const Given& given);
template <auto kMember>
void of_fit(FitSpec& spec, const Given& given) {
  read(spec.*kMember, given);
}
template <auto kMember>
void of_objective(FitSpec& spec, const Given& given) {
  read(spec.objective.*kMember, given);
}

/// What says that an input was not given. Where nothing does, None is a value, which is refused.
enum class Absence { nothing, none, none_or_auto };
struct Input {
  const char* name;
  Set set;
  Absence absence = Absence::none;
};

constexpr Input kInputs[] = {
    {"loss", of_objective<&ObjectiveSpec::loss>, Absence::nothing},
    {"penalty", of_objective<&ObjectiveSpec::penalty>},
    {"alpha", of_objective<&ObjectiveSpec::alpha>},
    {"l1_ratio", of_objective<&ObjectiveSpec::l1_ratio>},
    {"lower", of_objective<&ObjectiveSpec::lower>},
    {"upper", of_objective<&ObjectiveSpec::upper>},
    {"huber_width", of_objective<&ObjectiveSpec::huber_width>},
    {"intercept", of_fit<&FitSpec::intercept>},
    {"epsilon", of_fit<&FitSpec::epsilon>, Absence::nothing},
    {"delta", of_fit<&FitSpec::delta>, Absence::nothing},
    {"relation", of_fit<&FitSpec::relation>},
    {"records", of_fit<&FitSpec::records>},
    {"features", of_fit<&FitSpec::features>},
    {"feature_scale", set_feature_scale},
    {"target_scale", set_target_scale},
    {"classes", of_fit<&FitSpec::classes>},
    {"class_names", of_fit<&FitSpec::class_names>},
    {"solver", of_fit<&FitSpec::solver>},
    {"mode", of_fit<&FitSpec::mode>},
    {"rule", of_fit<&FitSpec::rule>},
    {"iterations", of_fit<&FitSpec::iterations>, Absence::none_or_auto},
    {"clip", of_fit<&FitSpec::clip>, Absence::none_or_auto},
    {"step", of_fit<&FitSpec::step>, Absence::none_or_auto},
    {"share", of_fit<&FitSpec::share>, Absence::none_or_auto},
    {"refine", of_fit<&FitSpec::refine>},
    {"attenuation", set_switch<&FitSpec::attenuation>, Absence::none_or_auto},
    {"clip_tracking", set_switch<&FitSpec::clip_tracking>, Absence::none_or_auto},
    {"margin_correction", set_switch<&FitSpec::margin_correction>, Absence::none_or_auto},
    {"polish", set_switch<&FitSpec::polish>, Absence::none_or_auto},
    {"target_center", set_target_center},
    {"exclude_visited", set_switch<&FitSpec::exclude_visited>, Absence::none_or_auto},
    {"second_moment", set_switch<&FitSpec::second_moment>, Absence::none_or_auto},
    {"prune", set_switch<&FitSpec::prune>, Absence::none_or_auto},
    {"selections_per_gradient", of_fit<&FitSpec::selections_per_gradient>, Absence::none_or_auto},
    {"selection", of_fit<&FitSpec::selection>},
    {"release", of_fit<&FitSpec::release>},
    {"batch_size", of_fit<&FitSpec::batch_size>, Absence::none_or_auto},
    {"sampling", of_fit<&FitSpec::sampling>},
    {"iterate", of_fit<&FitSpec::iterate>},
    {"start", set_start},
    {"threads", set_threads},
    {"seed_for_tests", of_fit<&FitSpec::seed_for_tests>},
    {"allow_leaks", of_fit<&FitSpec::allow_leaks>, Absence::nothing},
};

}  // namespace

fit::FitSpec fit_spec(const nb::dict& inputs) { return fit_spec(inputs, "a fit", {}); }

fit::FitSpec fit_spec(const nb::dict& inputs, const char* of, std::vector<std::string> names) {
  if (names.empty()) names = fit_input_names();
  const Keywords keywords(of, inputs, names);
  FitSpec spec;
  for (const Input& input : kInputs) {
    const std::optional<Given> found = keywords.find(input.name);
    if (!found || (found->value.is_none() && input.absence != Absence::nothing)) continue;
    const bool automatic = input.absence == Absence::none_or_auto;
    if (automatic && found->is("auto")) continue;
    input.set(spec, automatic ? found->or_else(" or 'auto'") : *found);
  }
  return spec;
}

std::vector<std::string> fit_input_names() {
  std::vector<std::string> names;
  for (const Input& input : kInputs) names.emplace_back(input.name);
  return names;
}

}  // namespace southwell::bindings
