#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "southwell/fit/fit_spec.hpp"
#include "southwell/model/statement.hpp"
#include "southwell/privacy/accounting/calibrate.hpp"
#include "southwell/privacy/accounting/composition.hpp"
#include "southwell/privacy/budget.hpp"
#include "southwell/privacy/relation.hpp"
#include "southwell/problem/losses/any_loss.hpp"
#include "southwell/problem/record_limit.hpp"

namespace southwell::fit {

enum class Mode { certified, paper };
inline constexpr std::array<std::string_view, 2> kModeNames{"certified", "paper"};

/// A plan in the making: what an algorithm reads of it, and where it notes what it decides.
struct Draft {
  const FitSpec& spec;
  const problem::AnyLoss& loss;
  Statement& statement;
  problem::RecordLimit& record_limit;  ///< none, unless the algorithm limits records
  Mode mode = Mode::certified;
  privacy::Budget budget{};
  privacy::Relation relation{};
  std::uint64_t records = 0;      ///< the public divisor
  double record_norm = 1.0;       ///< typical, as declared or by a public rule
  bool by_norm = false;           ///< sgd, where it is refined, descends by it
  privacy::Composition beside{};  ///< what the budget pays for besides the algorithm

  /// The noise of these mechanisms at the whole budget.
  privacy::Calibrated calibrated(const privacy::Schedule& plan) const {
    return privacy::calibrate(plan, budget, beside);
  }
  /// The iterations that calibration counts.
  static std::uint64_t charged(std::uint64_t iterations);

  /// Records enter the model with a norm of at most this, in the fit and in predictions.
  void limit_records(double norm);
  /// Writes down what a public input is: the user's where it was given, else its default. The name
  /// is that of a row in input_rows.cpp.
  void note(std::string_view input, PublicInput::Value value);
  /// The same of whatever else is public.
  void note(std::string_view name, PublicInput::Value value, Source source);
  /// The word that was given for an input, or its first one; noted.
  std::string note_word(std::string_view input);
  /// Notes a switch, which is `automatic` unless it was turned on or off.
  bool note_switch(std::string_view input, const std::optional<bool>& given, bool automatic = true);
};

}  // namespace southwell::fit
