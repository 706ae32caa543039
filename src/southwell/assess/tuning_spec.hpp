#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "southwell/fit/fit_spec.hpp"

namespace southwell::assess {

/// The two ways to choose among settings: all of them are fitted and their costs add up, or a
/// secret number of runs fit settings drawn at random, and the best of them is kept.
enum class Way { all, runs };
inline constexpr std::array<std::string_view, 3> kWayNames{"auto", "all", "runs"};

/// The public inputs of tuning.
struct TuningSpec {
  /// One fit in several settings. Their budgets and test shares are not used: what follows is.
  std::vector<fit::FitSpec> settings;
  std::vector<std::string> names;  ///< what each setting is called, such as "alpha=0.1"
  double epsilon = 0.0;            ///< of all of it together
  double delta = 0.0;
  double choice_share = 0.2;           ///< of the units, which the models are compared on
  std::optional<double> test_share{};  ///< of the units, for private figures of what is chosen
  std::string way = "auto";            ///< one of kWayNames: the one that leaves a fit more epsilon

  /// Whether the typical size of the target is found by a mechanism, once for all settings.
  bool finds_target_scale() const;
};

/// What the model without features is called, which is always a candidate.
inline constexpr const char* kNoFeatures = "no features";

/// Throws InvalidArgument, naming the input, for settings that are not one fit in several settings.
void check(const TuningSpec& spec);

}  // namespace southwell::assess
