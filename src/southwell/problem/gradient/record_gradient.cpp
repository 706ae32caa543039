#include "southwell/problem/gradient/record_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "southwell/core/fault.hpp"

namespace southwell::problem {
namespace {

/// Less entries than that are done sooner alone than by waiting for a thread.
constexpr std::size_t kGrain = 100'000;
/// Entries of the records that are looked at together: they stay in the nearest cache between
/// margin and sum.
constexpr std::size_t kTogether = 2048;

/// floor(sqrt(bound^2 - squares)), 0 where the record was shrunk. The difference is below 2^41, and
/// the root of a whole number that is no square is further from the next whole number than a double
/// is rounded.
std::int64_t room_beside(Uint128 squares, std::uint64_t bound) {
  if (fault(Fault::room_forgets_the_weight)) bound = L2Shrink::kWhole;
  const std::uint64_t whole = bound * bound;
  if (squares >= whole) return 0;
  std::uint64_t left = whole - static_cast<std::uint64_t>(squares);
  if (fault(Fault::room_counts_the_whole_bound)) left = whole;
  return static_cast<std::int64_t>(std::sqrt(static_cast<double>(left)));
}

}  // namespace

template <class Design>
RecordGradient<Design>::RecordGradient(const GradientParts<Design>& parts, bool room,
                                       core::ThreadPool& pool)
    : target_(parts.target, parts.classes),
      loss_(parts.loss),
      coordinates_(parts.coordinates),
      weights_(parts.weights),
      factors_(parts.factors),
      pool_(pool),
      rows_(parts.design, pool),
      shards_(shards_of(parts.target.size(), parts.shards)),
      mean_entries_(parts.design.stored_entries() / std::max<std::size_t>(1, target_.records()) +
                    1),
      per_clip_(parts.coordinates.size()),
      room_(room),
      sums_(Sums(parts.coordinates.size() + (room ? 1 : 0))),
      doubles_(std::vector<double>(parts.coordinates.size())) {
  benches_.resize(static_cast<std::size_t>(pool.threads()));
  partial_.resize(benches_.size() - 1);
}

template <class Design>
void RecordGradient<Design>::set_clips(std::span<const double> clips, double slope_limit) {
  constexpr auto kBound = static_cast<double>(ProductClip::kBound);
  for (std::size_t c = 0; c < per_clip_.size(); ++c) per_clip_[c] = kBound / clips[c];
  per_slope_ = slope_limit > 0.0 ? kBound / slope_limit : 0.0;
}

template <class Design>
void RecordGradient<Design>::refresh(std::span<const double> coef) {
  Sums& sums = sums_.rewrite(RecordPass());
  std::fill(sums.begin(), sums.end(), 0);
  for (const data::Range& shard : shards_) {
    add_rows(coef, shard.size(), [&](std::size_t k) { return shard.first + k; }, sums);
  }
}

template <class Design>
void RecordGradient<Design>::add_records(std::span<const double> coef,
                                         const std::vector<std::size_t>& records) {
  Sums& sums = sums_.rewrite(RecordPass());
  std::fill(sums.begin(), sums.end(), 0);
  add_rows(coef, records.size(), [&](std::size_t k) { return records[k]; }, sums);
}

template <class Design>
template <class Row>
void RecordGradient<Design>::add_rows(std::span<const double> coef, std::size_t count,
                                      const Row& row, Sums& sums) {
  const std::size_t work = count * mean_entries_ * coordinates_.heads();
  const std::size_t parts = std::clamp<std::size_t>(work / kGrain, 1, benches_.size());
  pool_.run(parts, [&](std::size_t part) {
    Sums& own = part == 0 ? sums : partial_[part - 1];
    if (part > 0) own.assign(sums.size(), 0);
    add_range(coef, {count * part / parts, count * (part + 1) / parts}, row, benches_[part], own);
  });
  for (std::size_t part = 1; part < parts; ++part) {
    for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += partial_[part - 1][c];
  }
}

template <class Design>
template <class Row>
void RecordGradient<Design>::add_range(std::span<const double> coef, data::Range range,
                                       const Row& row, Bench& bench, Sums& sums) const {
  const std::size_t heads = coordinates_.heads();
  const std::size_t width = coordinates_.width();
  const bool intercept = coordinates_.intercept() == Intercept::free;
  const std::size_t together = std::clamp<std::size_t>(kTogether / mean_entries_, 1, 256);
  bench.margins.resize(together * heads);
  bench.targets.resize(together * heads);
  bench.slopes.resize(together * heads);
  for (std::size_t first = range.first; first < range.last; first += together) {
    const std::size_t count = std::min(together, range.last - first);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = row(first + k);
      for (std::size_t head = 0; head < heads; ++head) {
        const double* const w = coef.data() + head * width;
        const double constant = intercept ? w[width - 1] : 0.0;
        bench.margins[k * heads + head] = factors_.limited(i, rows_.dot(i, w)) + constant;
        bench.targets[k * heads + head] = target_.of(head, i);
      }
    }
    const std::span<double> slopes = std::span(bench.slopes).first(count * heads);
    derivatives(loss_, bench.margins, bench.targets, slopes);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = row(first + k);
      const std::span<double> own = slopes.subspan(k * heads, heads);
      if (!weights_.are_all_one()) {
        for (double& slope : own) slope *= weights_.weights()[i];
      }
      add_record(i, own, bench, sums);
    }
  }
}

template <class Design>
void RecordGradient<Design>::add_record(std::size_t i, std::span<const double> slopes, Bench& bench,
                                        Sums& sums) const {
  const std::size_t width = coordinates_.width();
  const std::size_t entries = rows_.entries(i);
  const bool intercept = coordinates_.intercept() == Intercept::free;
  const std::size_t stride = entries + (intercept ? 1 : 0);
  bench.grid.resize(std::max(bench.grid.size(), stride * slopes.size()));
  const double factor = factors_.of(i);
  Uint128 squares = 0;
  for (std::size_t head = 0; head < slopes.size(); ++head) {
    std::int32_t* const grid = bench.grid.data() + head * stride;
    squares += rows_.to_grid(i, factor * slopes[head], per_clip_.data(), grid);
    if (!intercept) continue;
    const std::int64_t entry = grid[entries] = grid_entry(1.0, slopes[head], per_clip_[width - 1]);
    squares += static_cast<std::uint64_t>(entry * entry);
  }
  const L2Shrink shrink(squares, bound_of(i, slopes));
  for (std::size_t head = 0; head < slopes.size(); ++head) {
    const std::int32_t* const grid = bench.grid.data() + head * stride;
    std::int64_t* const own = sums.data() + head * width;
    rows_.add(i, shrink, grid, own);
    if (intercept) own[width - 1] += shrink.of(grid[entries]);
  }
  if (room_) sums.back() += room_beside(squares, weights_.bound(i));
}

template <class Design>
std::uint64_t RecordGradient<Design>::bound_of(std::size_t i,
                                               std::span<const double> slopes) const {
  const std::uint64_t bound = weights_.bound(i);
  if (per_slope_ == 0.0) return bound;
  double largest = 0.0;  // of the numbers among them
  for (const double slope : slopes) largest = std::max(largest, std::fabs(slope));
  const double limit = largest * per_slope_;
  if (fault(Fault::slope_limit_may_pass_the_bound) && limit < 0x1p62) {
    return static_cast<std::uint64_t>(limit);
  }
  return limit < static_cast<double>(bound) ? static_cast<std::uint64_t>(limit) : bound;
}

template <class Design>
const Sensitive<std::vector<double>>& RecordGradient<Design>::in_doubles(
    std::span<const double> clips, double whole) {
  const Sums& sums = sums_.rewrite(RecordPass());
  std::vector<double>& out = doubles_.rewrite(RecordPass());
  for (std::size_t c = 0; c < out.size(); ++c) {
    out[c] = static_cast<double>(sums[c]) * clips[c] / whole;
  }
  return doubles_;
}

template class RecordGradient<data::DenseDesign<double>>;
template class RecordGradient<data::DenseDesign<float>>;
template class RecordGradient<data::SparseDesign>;

}  // namespace southwell::problem
