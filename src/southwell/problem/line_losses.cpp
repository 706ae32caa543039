#include "southwell/problem/line_losses.hpp"

#include <algorithm>
#include <utility>

#include "southwell/core/fault.hpp"
#include "southwell/problem/gradient/contribution.hpp"
#include "southwell/problem/gradient/feature_margins.hpp"
#include "southwell/problem/head_target.hpp"
#include "southwell/problem/losses/softmax.hpp"

namespace southwell::problem {
namespace {

constexpr std::size_t kGrain = 1 << 14;  ///< records to a part
constexpr auto kBound = static_cast<double>(ProductClip::kBound);

/// Margins of the records of a range, head after head.
template <class Design>
std::vector<double> margins_of(const GradientParts<Design>& parts, std::span<const double> coef,
                               data::Range records) {
  const Coordinates& all = parts.coordinates;
  std::vector<double> margins = feature_margins(parts, coef, records);
  if (all.intercept() == Intercept::none) return margins;
  for (std::size_t k = 0; k < margins.size(); ++k) {
    margins[k] += coef[k / records.size() * all.width() + all.features()];
  }
  return margins;
}

/// The ends as they are: a margin that is no number at one of them says nothing about the other.
double on_line(double from, double to, double share) {
  if (share == 0.0) return from;
  return share == 1.0 ? to : from + share * (to - from);
}

/// The losses of the records of a range at their margins.
class RecordLosses {
 public:
  template <class Design>
  RecordLosses(const GradientParts<Design>& parts, const HeadTarget& target, data::Range records)
      : loss_(parts.loss),
        target_(target),
        records_(records),
        heads_(parts.coordinates.heads()),
        is_softmax_(parts.multiclass == Multiclass::softmax && heads_ > 1),
        targets_(heads_ * records.size()),
        losses_(targets_.size()),
        own_(heads_) {
    for (std::size_t head = 0; head < heads_; ++head) {
      target.write(head, records.first,
                   std::span(targets_).subspan(head * records.size(), records.size()));
    }
  }
  void observe(const std::vector<double>& margins) {
    margins_ = &margins;
    if (!is_softmax_) values(loss_, margins, targets_, losses_);
  }
  /// Of the k-th record of the range: its own law's, or the mean over the heads.
  double of(std::size_t k) {
    double sum = 0.0;
    for (std::size_t head = 0; head < heads_; ++head) {
      const std::size_t at = head * records_.size() + k;
      own_[head] = (*margins_)[at];
      sum += losses_[at];
    }
    return is_softmax_ ? softmax_value(own_, target_.label(records_.first + k))
                       : sum / static_cast<double>(heads_);
  }

 private:
  const AnyLoss& loss_;
  const HeadTarget& target_;
  data::Range records_;
  std::size_t heads_;
  bool is_softmax_;
  std::vector<double> targets_;  ///< head after head, as margins and losses
  std::vector<double> losses_;
  std::vector<double> own_;  ///< margins of one record
  const std::vector<double>* margins_ = nullptr;
};

template <class Design>
void add_losses(const GradientParts<Design>& parts, const LineOfModels& line, double cap,
                const HeadTarget& target, data::Range records, std::span<std::int64_t> sums) {
  const std::vector<double> from = margins_of(parts, line.from, records);
  const std::vector<double> to = margins_of(parts, line.to, records);
  RecordLosses losses(parts, target, records);
  std::vector<double> margins(from.size());
  for (std::size_t m = 0; m < line.shares.size(); ++m) {
    for (std::size_t k = 0; k < margins.size(); ++k) {
      margins[k] = on_line(from[k], to[k], line.shares[m]);
    }
    losses.observe(margins);
    for (std::size_t k = 0; k < records.size(); ++k) {
      const std::size_t i = records.first + k;
      const bool alike = parts.weights.are_all_one();
      sums[m] += clipped_loss(losses.of(k), cap, alike ? 1.0 : parts.weights.weights()[i],
                              alike ? kBound : parts.weights.bounds()[i]);
    }
  }
}

}  // namespace

std::int64_t clipped_loss(double loss, double cap, double weight, double bound) {
  double units = weight * loss * (kBound / cap);
  units = units < bound ? units : bound;  // and for NaN
  units = units > 0.0 ? units : 0.0;
  if (fault(Fault::line_loss_is_not_clipped)) units = 2.0 * bound;
  return static_cast<std::int64_t>(units + ProductClip::kRound - ProductClip::kRound);
}

template <class Design>
Sensitive<std::vector<std::int64_t>> line_scores(const GradientParts<Design>& parts,
                                                 const LineOfModels& line, double cap,
                                                 core::ThreadPool& pool) {
  const HeadTarget target(parts.target, parts.classes);
  const std::size_t pieces = (target.records() + kGrain - 1) / kGrain;
  std::vector<std::int64_t> partial(pieces * line.shares.size());
  pool.run_ranges(pieces, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t piece = first; piece < last; ++piece) {
      const data::Range records{piece * kGrain, std::min((piece + 1) * kGrain, target.records())};
      add_losses(parts, line, cap, target, records,
                 std::span(partial).subspan(piece * line.shares.size(), line.shares.size()));
    }
  });
  std::vector<std::int64_t> scores(line.head_start.begin(), line.head_start.end());
  for (std::size_t k = 0; k < partial.size(); ++k) scores[k % scores.size()] -= partial[k];
  return Sensitive(std::move(scores));
}

template Sensitive<std::vector<std::int64_t>> line_scores(
    const GradientParts<data::DenseDesign<double>>&, const LineOfModels&, double,
    core::ThreadPool&);
template Sensitive<std::vector<std::int64_t>> line_scores(
    const GradientParts<data::DenseDesign<float>>&, const LineOfModels&, double, core::ThreadPool&);
template Sensitive<std::vector<std::int64_t>> line_scores(const GradientParts<data::SparseDesign>&,
                                                          const LineOfModels&, double,
                                                          core::ThreadPool&);

}  // namespace southwell::problem
