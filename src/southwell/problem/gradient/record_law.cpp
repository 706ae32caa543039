#include "southwell/problem/gradient/record_law.hpp"

#include <algorithm>
#include <cmath>

#include "southwell/core/fault.hpp"
#include "southwell/problem/gradient/contribution.hpp"
#include "southwell/problem/gradient/l2_clip.hpp"
#include "southwell/problem/losses/softmax.hpp"

namespace southwell::problem {

void RecordLaw::set_clips(std::span<const double> clips, double slope_limit) {
  constexpr auto kBound = static_cast<double>(ProductClip::kBound);
  for (std::size_t c = 0; c < per_clip_.size(); ++c) per_clip_[c] = kBound / clips[c];
  per_slope_ = slope_limit > 0.0 ? kBound / slope_limit : 0.0;
}

void RecordLaw::find_slopes(const RecordNumbers& records, std::span<const double> margins,
                            std::span<double> targets, std::span<double> slopes) const {
  const std::size_t heads = this->heads();
  if (is_softmax_) {
    for (std::size_t k = 0; k < records.size(); ++k) {
      softmax_slopes(margins.subspan(k * heads, heads), target_.label(records[k]),
                     slopes.subspan(k * heads, heads));
    }
  } else {
    if (heads == 1 && records.are_neighbours()) {
      target_.write(0, records[0], targets);
    } else {
      for (std::size_t k = 0; k < targets.size(); ++k) {
        targets[k] = target_.of(k % heads, records[k / heads]);
      }
    }
    derivatives(loss_, margins, targets, slopes);
  }
  if (weights_.are_all_one()) return;
  for (std::size_t k = 0; k < slopes.size(); ++k) {
    slopes[k] *= weights_.weights()[records[k / heads]];
  }
}

std::uint64_t RecordLaw::bound(std::size_t i, std::span<const double> slopes) const {
  const std::uint64_t bound = weights_.bound(i);
  if (per_slope_ == 0.0) return bound;
  double largest = 0.0;  // of the numbers among them
  double squares = 0.0;
  for (const double slope : slopes) {
    largest = std::max(largest, std::fabs(slope));
    squares += slope * slope;
  }
  const double limit = (is_softmax_ ? std::sqrt(squares) : largest) * per_slope_;
  if (fault(Fault::slope_limit_may_pass_the_bound) && limit < 0x1p62) {
    return static_cast<std::uint64_t>(limit);
  }
  return limit < static_cast<double>(bound) ? static_cast<std::uint64_t>(limit) : bound;
}

void RecordLaw::find_bounds(const RecordNumbers& records, std::span<const double> slopes,
                            std::span<double> bounds, std::span<double> of_weights) const {
  if (weights_.are_all_one()) {
    std::fill(of_weights.begin(), of_weights.end(), static_cast<double>(ProductClip::kBound));
  } else {
    for (std::size_t k = 0; k < records.size(); ++k) {
      of_weights[k] = weights_.bounds()[records[k]];
    }
  }
  if (per_slope_ == 0.0) {
    std::copy(of_weights.begin(), of_weights.end(), bounds.begin());
    return;
  }
  for (std::size_t k = 0; k < records.size(); ++k) {
    bounds[k] = static_cast<double>(bound(records[k], slopes.subspan(k * heads(), heads())));
  }
}

std::int64_t RecordLaw::room(std::size_t i, Uint128 squares) const {
  std::uint64_t bound = weights_.bound(i);
  if (fault(Fault::room_forgets_the_weight)) bound = L2Shrink::kWhole;
  const std::uint64_t whole = bound * bound;
  if (squares >= whole) return 0;
  std::uint64_t left = whole - static_cast<std::uint64_t>(squares);
  if (fault(Fault::room_counts_the_whole_bound)) left = whole;
  // Below 2^41, and the root of a whole number that is no square is further from the next whole
  // number than a double is rounded.
  return static_cast<std::int64_t>(std::sqrt(static_cast<double>(left)));
}

}  // namespace southwell::problem
