#include "southwell/problem/gradient/record_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "southwell/core/fault.hpp"
#include "southwell/problem/losses/softmax.hpp"

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

/// For a fault alone.
Uint128 squares_of(const std::int32_t* grid, std::size_t size) {
  Uint128 squares = 0;
  for (std::size_t k = 0; k < size; ++k) {
    squares += static_cast<std::uint64_t>(std::int64_t{grid[k]} * grid[k]);
  }
  return squares;
}

}  // namespace

template <class Design>
RecordGradient<Design>::RecordGradient(const GradientParts<Design>& parts, bool room,
                                       core::ThreadPool& pool)
    : target_(parts.target, parts.classes),
      loss_(parts.loss),
      is_softmax_(parts.multiclass == Multiclass::softmax && parts.coordinates.heads() > 1),
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
const double* RecordGradient<Design>::arranged(std::span<const double> coef) {
  if (!joins_heads()) return coef.data();
  const std::size_t width = coordinates_.width();
  joined_coef_.resize(coef.size());
  for (std::size_t c = 0; c < coef.size(); ++c) {
    joined_coef_[c % width * coordinates_.heads() + c / width] = coef[c];
  }
  return joined_coef_.data();
}

template <class Design>
void RecordGradient<Design>::rearrange(Sums& sums) {
  if (!joins_heads()) return;
  const std::size_t width = coordinates_.width();
  joined_sums_ = sums;
  for (std::size_t c = 0; c < coordinates_.size(); ++c) {
    sums[c] = joined_sums_[c % width * coordinates_.heads() + c / width];
  }
}

template <class Design>
void RecordGradient<Design>::refresh(std::span<const double> coef) {
  Sums& sums = sums_.rewrite(RecordPass());
  std::fill(sums.begin(), sums.end(), 0);
  const double* const from = arranged(coef);
  for (const data::Range& shard : shards_) {
    add_rows(from, shard.size(), [&](std::size_t k) { return shard.first + k; }, sums);
  }
  rearrange(sums);
}

template <class Design>
void RecordGradient<Design>::add_records(std::span<const double> coef,
                                         const std::vector<std::size_t>& records) {
  Sums& sums = sums_.rewrite(RecordPass());
  std::fill(sums.begin(), sums.end(), 0);
  add_rows(arranged(coef), records.size(), [&](std::size_t k) { return records[k]; }, sums);
  rearrange(sums);
}

template <class Design>
template <class Row>
void RecordGradient<Design>::add_rows(const double* coef, std::size_t count, const Row& row,
                                      Sums& sums) {
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
void RecordGradient<Design>::add_range(const double* coef, data::Range range, const Row& row,
                                       Bench& bench, Sums& sums) const {
  const std::size_t heads = coordinates_.heads();
  const std::size_t together = std::clamp<std::size_t>(kTogether / mean_entries_, 1, 256);
  bench.margins.resize(together * heads);
  bench.targets.resize(together * heads);
  bench.slopes.resize(together * heads);
  for (std::size_t first = range.first; first < range.last; first += together) {
    const std::size_t count = std::min(together, range.last - first);
    for (std::size_t k = 0; k < count; ++k) {
      find_margins(coef, row(first + k), bench, std::span(bench.margins).subspan(k * heads, heads));
    }
    find_slopes(first, count, row, bench);
    const std::span<double> slopes = std::span(bench.slopes).first(count * heads);
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t i = row(first + k);
      const std::span<double> own = slopes.subspan(k * heads, heads);
      if (!weights_.are_all_one()) {
        for (double& slope : own) slope *= weights_.weights()[i];
      }
      joins_heads() ? add_heads(i, own, bench, sums) : add_record(i, own, bench, sums);
    }
  }
}

template <class Design>
void RecordGradient<Design>::find_margins(const double* coef, std::size_t i, Bench& bench,
                                          std::span<double> out) const {
  const std::size_t width = coordinates_.width();
  const std::size_t heads = out.size();
  const bool intercept = coordinates_.intercept() == Intercept::free;
  if constexpr (kCanJoinHeads) {
    if (joins_heads()) {
      bench.lanes.resize(heads * LaneSum::kLanes);
      rows_.dots(i, coef, bench.lanes, out);
      const double* const constants = coef + (width - 1) * heads;
      for (std::size_t head = 0; head < heads; ++head) {
        out[head] = factors_.limited(i, out[head]) + (intercept ? constants[head] : 0.0);
      }
      return;
    }
  }
  for (std::size_t head = 0; head < heads; ++head) {
    const double* const w = coef + head * width;
    out[head] = factors_.limited(i, rows_.dot(i, w)) + (intercept ? w[width - 1] : 0.0);
  }
}

template <class Design>
void RecordGradient<Design>::find_slopes(std::size_t first, std::size_t count, const auto& row,
                                         Bench& bench) const {
  const std::size_t heads = coordinates_.heads();
  const std::span<const double> margins = std::span(bench.margins).first(count * heads);
  const std::span<double> slopes = std::span(bench.slopes).first(count * heads);
  if (is_softmax_) {
    for (std::size_t k = 0; k < count; ++k) {
      softmax_slopes(margins.subspan(k * heads, heads), target_.label(row(first + k)),
                     slopes.subspan(k * heads, heads));
    }
    return;
  }
  for (std::size_t k = 0; k < count; ++k) {
    for (std::size_t head = 0; head < heads; ++head) {
      bench.targets[k * heads + head] = target_.of(head, row(first + k));
    }
  }
  derivatives(loss_, margins, bench.targets, slopes);
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
  const std::uint64_t bound = bound_of(i, slopes);
  Uint128 squares = 0;  // of all heads together
  for (std::size_t head = 0; head < slopes.size(); ++head) {
    std::int32_t* const grid = bench.grid.data() + head * stride;
    squares += rows_.to_grid(i, factor * slopes[head], per_clip_.data(), grid);
    if (!intercept) continue;
    const std::int64_t entry = grid[entries] = grid_entry(1.0, slopes[head], per_clip_[width - 1]);
    if (fault(Fault::intercept_is_outside_the_clip)) continue;
    squares += static_cast<std::uint64_t>(entry * entry);
  }
  const L2Shrink together(squares, bound);
  for (std::size_t head = 0; head < slopes.size(); ++head) {
    const std::int32_t* const grid = bench.grid.data() + head * stride;
    std::int64_t* const own = sums.data() + head * width;
    const L2Shrink shrink =
        fault(Fault::clip_is_of_each_head) ? L2Shrink(squares_of(grid, stride), bound) : together;
    rows_.add(i, shrink, grid, own);
    if (!intercept) continue;
    own[width - 1] +=
        fault(Fault::intercept_is_outside_the_clip) ? grid[entries] : shrink.of(grid[entries]);
  }
  if (room_) sums.back() += room_beside(squares, weights_.bound(i));
}

template <class Design>
void RecordGradient<Design>::add_heads(std::size_t i, std::span<const double> slopes, Bench& bench,
                                       Sums& sums) const {
  if constexpr (kCanJoinHeads) {
    const std::size_t heads = slopes.size();
    const std::size_t entries = rows_.entries(i) * heads;
    bench.grid.resize(std::max(bench.grid.size(), entries + heads));
    bench.copies.resize(heads);
    bench.limited.resize(heads);
    for (std::size_t head = 0; head < heads; ++head) {
      bench.limited[head] = factors_.of(i) * slopes[head];
    }
    std::int32_t* const grid = bench.grid.data();
    Uint128 squares = rows_.to_grid(i, bench.limited, per_clip_.data(), bench.copies, grid);
    const std::size_t last = (coordinates_.width() - 1) * heads;
    const bool intercept = coordinates_.intercept() == Intercept::free;
    if (intercept) {
      std::fill(bench.copies.begin(), bench.copies.end(), per_clip_[coordinates_.width() - 1]);
      const Uint128 more =
          grid_entries(slopes.data(), 1.0, bench.copies.data(), heads, grid + entries);
      if (!fault(Fault::intercept_is_outside_the_clip)) squares += more;
    }
    const L2Shrink shrink(squares, bound_of(i, slopes));
    rows_.add(i, shrink, grid, heads, sums.data());
    if (intercept) shrink.add_to(sums.data() + last, grid + entries, heads);
    if (room_) sums.back() += room_beside(squares, weights_.bound(i));
  }
}

template <class Design>
std::uint64_t RecordGradient<Design>::bound_of(std::size_t i,
                                               std::span<const double> slopes) const {
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
