#include "southwell/problem/gradient/margin_gradient.hpp"

#include <algorithm>
#include <cmath>

#include "southwell/core/fault.hpp"
#include "southwell/problem/gradient/feature_margins.hpp"
#include "southwell/problem/gradient/l2_clip.hpp"
#include "southwell/problem/losses/softmax.hpp"

namespace southwell::problem {
namespace {

constexpr std::size_t kGrain = 1 << 14;  ///< records to a part
constexpr auto kBound = static_cast<double>(ProductClip::kBound);

double norm_of(std::span<const double> values) {
  double squares = 0.0;
  for (const double value : values) squares += value * value;
  return std::sqrt(squares);
}

/// Shortens them to that norm; what is no number stays so.
void limit(std::span<double> values, double longest) {
  const double norm = norm_of(values);
  if (!(norm > longest)) return;
  for (double& value : values) value = std::isfinite(norm) ? value * (longest / norm) : 0.0;
}

std::vector<data::Range> pieces_of(std::size_t records) {
  return shards_of(records, (records + kGrain - 1) / kGrain);
}

}  // namespace

template <class Design>
MarginGradient<Design>::MarginGradient(const GradientParts<Design>& parts,
                                       const MarginOptions& options, core::ThreadPool& pool)
    : target_(parts.target, parts.classes),
      loss_(parts.loss),
      weights_(parts.weights),
      pool_(pool),
      heads_(parts.coordinates.heads()),
      has_intercept_(parts.coordinates.intercept() == Intercept::free),
      intercept_size_(options.intercept_size),
      clip_(options.clip),
      margins_(parts.target.size() * heads_),
      sums_(Sums(released_size())) {
  const std::vector<double> squares = squared_norms(parts.design, options.norm_units, pool);
  const std::vector<data::Range> pieces = pieces_of(target_.records());
  pool.run(pieces.size(),
           [&](std::size_t piece) { find_margins(parts, options, squares, pieces[piece]); });
}

template <class Design>
void MarginGradient<Design>::find_margins(const GradientParts<Design>& parts,
                                          const MarginOptions& options,
                                          std::span<const double> squares, data::Range records) {
  const Coordinates& all = parts.coordinates;
  const std::vector<double> by_head = feature_margins(parts, options.coef, records);
  const std::span<double> own =
      std::span(margins_).subspan(records.first * heads_, records.size() * heads_);
  std::vector<double> whole(own.size());
  std::vector<double> slopes(own.size());
  for (std::size_t k = 0; k < records.size(); ++k) {
    for (std::size_t head = 0; head < heads_; ++head) {
      own[k * heads_ + head] = by_head[head * records.size() + k];
      whole[k * heads_ + head] =
          own[k * heads_ + head] +
          (has_intercept_ ? options.coef[head * all.width() + all.features()] : 0.0);
    }
  }
  find_slopes(whole, records, slopes);
  for (std::size_t k = 0; k < records.size(); ++k) {
    const std::span<double> slope = std::span(slopes).subspan(k * heads_, heads_);
    limit(slope, options.slope_limit);
    const double factor = parts.factors.of(records.first + k);
    const double square = factor > 0.0 ? factor * factor * squares[records.first + k] : 0.0;
    const std::span<double> margin = own.subspan(k * heads_, heads_);
    for (std::size_t head = 0; head < heads_; ++head) {
      margin[head] = (margin[head] + options.own_part * square * slope[head]) / options.unit;
    }
    limit(margin, options.longest);
  }
}

template <class Design>
void MarginGradient<Design>::find_slopes(std::span<const double> margins, data::Range records,
                                         std::span<double> out) const {
  if (heads_ == 1) {
    std::vector<double> targets(records.size());
    target_.write(0, records.first, targets);
    return derivatives(loss_, margins, targets, out);
  }
  for (std::size_t k = 0; k < records.size(); ++k) {
    softmax_slopes(margins.subspan(k * heads_, heads_), target_.label(records.first + k),
                   out.subspan(k * heads_, heads_));
  }
}

template <class Design>
void MarginGradient<Design>::refresh_gradient() {
  const std::vector<data::Range> pieces = pieces_of(target_.records());
  std::vector<Sums> partial(pieces.size(), Sums(released_size()));
  pool_.run(pieces.size(), [&](std::size_t piece) { add_range(pieces[piece], partial[piece]); });
  Sums sums(released_size());
  for (const Sums& each : partial) {
    for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += each[c];
  }
  sums_ = Sensitive(std::move(sums));
}

template <class Design>
void MarginGradient<Design>::add_range(data::Range records, std::span<std::int64_t> sums) const {
  const std::span<const double> own =
      std::span(margins_).subspan(records.first * heads_, records.size() * heads_);
  std::vector<double> margins(own.size());
  std::vector<double> slopes(own.size());
  for (std::size_t k = 0; k < own.size(); ++k) {
    margins[k] = point_[0] * own[k] + (has_intercept_ ? point_[1 + k % heads_] : 0.0);
  }
  find_slopes(margins, records, slopes);
  std::vector<std::int32_t> grid(sums.size());
  for (std::size_t k = 0; k < records.size(); ++k) {
    const std::size_t i = records.first + k;
    const double weight = weights_.are_all_one() ? 1.0 : weights_.weights()[i];
    double along = 0.0;
    for (std::size_t head = 0; head < heads_; ++head) {
      along += slopes[k * heads_ + head] * own[k * heads_ + head];
    }
    grid[0] = grid_entry(along, weight, kBound / clip_);
    for (std::size_t c = 1; c < grid.size(); ++c) {
      grid[c] = grid_entry(slopes[k * heads_ + c - 1], weight, intercept_size_ * (kBound / clip_));
    }
    Uint128 squares = 0;
    for (const std::int64_t entry : grid) squares += static_cast<std::uint64_t>(entry * entry);
    if (fault(Fault::factor_is_outside_the_clip)) squares = 0;
    L2Shrink(squares, weights_.bound(i)).add_to(sums.data(), grid.data(), grid.size());
  }
}

template <class Design>
double MarginGradient<Design>::gradient_unit(std::size_t c, double records) const {
  return clip_ / (kBound * records * (c == 0 ? 1.0 : intercept_size_));
}

template class MarginGradient<data::DenseDesign<double>>;
template class MarginGradient<data::DenseDesign<float>>;
template class MarginGradient<data::SparseDesign>;

}  // namespace southwell::problem
