#include "southwell/assess/tuning_spec.hpp"

#include <algorithm>
#include <cstddef>
#include <set>

#include "southwell/core/number_text.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/problem/losses/any_loss.hpp"

namespace southwell::assess {
namespace {

constexpr std::size_t kMostSettings = 1000;

void check_names(const TuningSpec& spec) {
  if (spec.settings.empty() || spec.settings.size() > kMostSettings ||
      spec.names.size() != spec.settings.size()) {
    fit::refuse("settings", std::to_string(spec.settings.size()),
                "1 to " + std::to_string(kMostSettings) + ", each with a name");
  }
  const std::set<std::string> names(spec.names.begin(), spec.names.end());
  if (names.size() != spec.settings.size()) {
    fit::refuse("settings", "the same one twice", "settings that are all different");
  }
  if (names.contains(kNoFeatures)) {
    fit::refuse("settings", kNoFeatures, "another name: that one is always there");
  }
}

void check_shares(const TuningSpec& spec) {
  const auto check_share = [](const char* name, double share) {
    if (!(share > 0.0 && share < 1.0)) {
      fit::refuse(name, core::number_text(share), "a number above 0 and below 1");
    }
  };
  check_share("choice_share", spec.choice_share);
  if (!spec.test_share) return;
  check_share("test_share", *spec.test_share);
  if (!(spec.choice_share + *spec.test_share < 1.0)) {
    fit::refuse(
        "choice_share, test_share",
        core::number_text(spec.choice_share) + " and " + core::number_text(*spec.test_share),
        "shares that leave some records to fit");
  }
}

/// Whether both are one fit: of the same target, classes, records and promise.
bool is_one_fit(const fit::FitSpec& a, const fit::FitSpec& b) {
  return a.objective.loss == b.objective.loss &&
         a.objective.huber_width == b.objective.huber_width && a.classes == b.classes &&
         a.target_scale == b.target_scale && a.target_scale_private == b.target_scale_private &&
         a.relation == b.relation && a.records == b.records && a.unit == b.unit &&
         a.table == b.table && a.features == b.features && a.seed_for_tests == b.seed_for_tests &&
         a.allow_leaks == b.allow_leaks && a.classes_from_data == b.classes_from_data;
}

}  // namespace

bool TuningSpec::finds_target_scale() const {
  const fit::FitSpec& first = settings.front();
  return !first.target_scale && !problem::classifies(problem::loss_of(first.objective));
}

void check(const TuningSpec& spec) {
  check_names(spec);
  check_shares(spec);
  if (std::find(kWayNames.begin(), kWayNames.end(), spec.way) == kWayNames.end()) {
    fit::refuse("way", spec.way, "one of " + core::listed(kWayNames));
  }
  const fit::FitSpec& first = spec.settings.front();
  for (const fit::FitSpec& each : spec.settings) {
    if (each.start) fit::refuse("start", each.start_name, "none where settings are tuned");
    if (each.mode.value_or("certified") != "certified") {
      fit::refuse("mode", *each.mode, "certified where settings are tuned");
    }
    if (spec.finds_target_scale() && each.clip) {
      fit::refuse("target_scale", first.target_scale_private ? "private" : "nothing",
                  "a number beside a clip where settings are tuned: losses of all models are "
                  "compared in one unit");
    }
    if (!is_one_fit(each, first)) {
      fit::refuse("settings", "settings that differ in what is fitted",
                  "one loss, target, relation and unit, and the same classes and target_scale, in "
                  "all of them");
    }
  }
}

}  // namespace southwell::assess
