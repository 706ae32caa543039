#include "southwell/fit/iterate_choice.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "southwell/core/fault.hpp"
#include "southwell/core/json_parse.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/fit/gcd_rounds.hpp"
#include "southwell/privacy/mechanisms/exponential_mechanism.hpp"
#include "southwell/privacy/mechanisms/scale.hpp"
#include "southwell/problem/line_losses.hpp"

namespace southwell::fit {
namespace {

constexpr auto kSensitivity = static_cast<std::uint64_t>(problem::ProductClip::kBound);

constexpr double kLeastPart = 0.05;  ///< the root of the part of the budget that is always spared

/// When a choice pays, and how sharp it is; public numbers alone.
struct ChoiceRule {
  double least_signal;  ///< n mu from which on it is worth its cost
  double sharpness;     ///< a mean loss of the cap is this many of the mechanism's scale
  double head_start;    ///< of the last iterate
  bool adds_evidence = false;
};

ChoiceRule rule_for(const Draft& draft) {
  if (problem::classifies(draft.loss)) {
    return {.least_signal = 150.0,
            .sharpness = 120.0,
            .head_start = 0.0,
            .adds_evidence = draft.statement.solver == GcdRounds::kSolver};
  }
  return {.least_signal = 400.0, .sharpness = 60.0, .head_start = 3.0};
}

/// What coefficients say for themselves: by how much their mean square, in units of the noise that
/// rules assume, is above the 1 that noise alone would make it. A function of what was released.
double evidence(const Solved& solved) {
  constexpr double kMost = 5.0;  // a choice that is certain would protect nobody
  double squares = 0.0;
  double moved = 0.0;
  for (std::size_t c = 0; c < solved.coef.size(); ++c) {
    const double noise = solved.assumed_noise_sd[c];
    if (solved.coef[c] == solved.null_coef[c] || !(noise > 0.0)) continue;
    squares += std::pow((solved.coef[c] - solved.null_coef[c]) / noise, 2);
    moved += 1.0;
  }
  return squares > moved ? std::min(squares / moved - 1.0, kMost) : 0.0;
}

}  // namespace

std::optional<IterateChoice> IterateChoice::planned(Draft& draft, const PublicFacts& of) {
  const ChoiceRule rule = rule_for(draft);
  const double signal = of.records * gaussian_equivalent(of.budget);
  if (!draft.note_switch("select_iterate", draft.spec.select_iterate,
                         signal >= rule.least_signal && !of.calibrates)) {
    return std::nullopt;
  }
  constexpr std::uint64_t kShift = 2 * kSensitivity;
  const double sharpness = std::max(rule.sharpness, kLeastPart * signal);
  const double range = std::min(2.0 * sharpness / of.records, of.budget.epsilon / 4.0);
  const privacy::Cost cost{
      privacy::Cost::Kind::bounded_range, kShift,
      privacy::scale_for(kShift, range, privacy::ExponentialMechanism::kMaxScale)};
  if (!fault(Fault::choice_is_not_charged)) {
    draft.beside.add(cost);
    draft.statement.mechanisms.push_back({"choose", "exponential_mechanism", cost, 1});
  }
  return IterateChoice(cost, rule.head_start, rule.adds_evidence);
}

namespace {

/// The noise of a share of the way from the null model, whose own noise may well be in both ends:
/// at most this.
void scale_noise(Solved& solved, double share) {
  const auto kept = [&](std::size_t c, double sd) {
    const double null = solved.null_noise_sd.empty() ? 0.0 : solved.null_noise_sd[c];
    // Either may be no number, and then says nothing of the other.
    return share == 0.0 ? null : share == 1.0 ? sd : std::lerp(null, sd, share);
  };
  const std::size_t size = solved.covariance.empty() ? 0 : solved.noisy.size();
  std::vector<double> factors;
  for (std::size_t k = 0; k < size; ++k) {
    const double sd = std::sqrt(solved.covariance[k * size + k]);
    const double after = kept(solved.noisy[k], sd);
    factors.push_back(sd > 0.0 && std::isfinite(after) ? after / sd : share);
  }
  for (std::size_t k = 0; k < solved.covariance.size(); ++k) {
    solved.covariance[k] *= factors[k / size] * factors[k % size];
  }
  for (std::size_t c = 0; c < solved.coef.size(); ++c) {
    solved.noise_sd[c] = kept(c, solved.noise_sd[c]);
  }
}

}  // namespace

double IterateChoice::apply(Solved& solved, const Work& work) const {
  std::vector<std::int64_t> head_start(kShares.size());
  const double first = head_start_ + (adds_evidence_ ? evidence(solved) : 0.0);
  head_start[0] = static_cast<std::int64_t>(first * static_cast<double>(cost_.scale));
  const problem::LineOfModels line{
      .from = solved.null_coef, .to = solved.coef, .shares = kShares, .head_start = head_start};
  const bool is_softmax = work.multiclass == problem::Multiclass::softmax;
  const auto classes = static_cast<double>(std::max<std::size_t>(2, work.coordinates.heads()));
  const double cap =
      problem::typical_cap(work.loss, solved.slope_scale) * (is_softmax ? std::log2(classes) : 1.0);
  const std::uint64_t scale = fault(Fault::choice_without_noise) ? 1 : cost_.scale;
  const privacy::ExponentialMechanism mechanism(cost_.shift / 2, scale);
  const auto bits = work.bits.stream(privacy::Purpose::iterate, 0);
  const std::size_t chosen = std::visit(
      [&](const auto& design) {
        const auto scores =
            problem::line_scores(gradient_parts(design, work), line, cap, work.pool);
        return mechanism.release(scores, *bits);
      },
      work.dataset.design);
  const double share = kShares[chosen];
  for (std::size_t c = 0; c < solved.coef.size(); ++c) {
    solved.coef[c] = std::lerp(solved.null_coef[c], solved.coef[c], share);
  }
  scale_noise(solved, share);
  end_path(solved);
  return share;
}

std::string kept_text(double share) {
  if (share == 1.0) return "the last iterate";
  if (share == 0.0) return "the model without features";
  return core::number_text(share) + " of the last iterate";
}

std::string choice_json(double share) {
  return core::dumped({{"candidates", IterateChoice::kShares}, {"kept", share}}, -1);
}

}  // namespace southwell::fit
