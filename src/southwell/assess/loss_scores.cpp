#include "southwell/assess/loss_scores.hpp"

#include <cstddef>
#include <utility>

#include "southwell/model/predict.hpp"
#include "southwell/problem/gradient/contribution.hpp"
#include "southwell/problem/gradient/record_weights.hpp"
#include "southwell/problem/head_target.hpp"
#include "southwell/problem/line_losses.hpp"
#include "southwell/problem/losses/any_loss.hpp"
#include "southwell/problem/losses/softmax.hpp"

namespace southwell::assess {
namespace {

/// The loss of every record: its own law's, or the mean over the heads.
std::vector<double> losses_of(const model::LinearModel& model, const data::Dataset& records,
                              const problem::HeadTarget& target) {
  const std::vector<double> margins = model::margins(model, records);
  const std::size_t heads = model.heads.size();
  const std::size_t n = target.records();
  std::vector<double> losses(n);
  if (heads > 1 && model.multiclass == problem::Multiclass::softmax) {
    for (std::size_t i = 0; i < n; ++i) {
      losses[i] =
          problem::softmax_value(std::span(margins).subspan(i * heads, heads), target.label(i));
    }
    return losses;
  }
  const problem::AnyLoss loss = problem::loss_of(model.objective);
  std::vector<double> own(n);
  std::vector<double> targets(n);
  std::vector<double> values(n);
  for (std::size_t head = 0; head < heads; ++head) {
    for (std::size_t i = 0; i < n; ++i) own[i] = margins[i * heads + head];
    target.write(head, 0, targets);
    problem::values(loss, own, targets, values);
    for (std::size_t i = 0; i < n; ++i) losses[i] += values[i] / static_cast<double>(heads);
  }
  return losses;
}

}  // namespace

Sensitive<std::vector<std::int64_t>> loss_scores(std::span<const model::LinearModel> candidates,
                                                 const data::Dataset& records, double cap) {
  constexpr auto kBound = static_cast<double>(problem::ProductClip::kBound);
  const problem::HeadTarget target(records.target, candidates.front().classes);
  const problem::RecordWeights weights(records.record_units, {}, target);
  const bool alike = weights.are_all_one();
  std::vector<std::int64_t> scores;
  for (const model::LinearModel& candidate : candidates) {
    const std::vector<double> losses = losses_of(candidate, records, target);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < losses.size(); ++i) {
      sum += problem::clipped_loss(losses[i], cap, alike ? 1.0 : weights.weights()[i],
                                   alike ? kBound : weights.bounds()[i]);
    }
    scores.push_back(-sum);
  }
  return Sensitive(std::move(scores));
}

}  // namespace southwell::assess
