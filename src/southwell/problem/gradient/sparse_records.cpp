#include "southwell/problem/gradient/sparse_records.hpp"

#include <algorithm>

#include "southwell/core/fault.hpp"
#include "southwell/problem/gradient/lane_sum.hpp"

namespace southwell::problem {
namespace {

/// Entries of the records that are looked at together: they stay in the nearest cache between
/// margin and sum.
constexpr std::size_t kTogether = 2048;

}  // namespace

SparseRecords::SparseRecords(const data::SparseDesign& design, const RecordLaw& law)
    : law_(law),
      lists_(design.by_record()),
      mean_entries_(design.stored_entries() / std::max<std::size_t>(1, design.records()) + 1) {}

const double* SparseRecords::arranged(std::span<const double> coef) {
  if (!joins_heads()) return coef.data();
  joined_coef_.resize(coef.size());
  for (std::size_t c = 0; c < coef.size(); ++c) {
    joined_coef_[c % law_.width() * law_.heads() + c / law_.width()] = coef[c];
  }
  return joined_coef_.data();
}

void SparseRecords::rearrange(std::span<std::int64_t> sums) {
  if (!joins_heads()) return;
  joined_sums_.assign(sums.begin(), sums.end());
  for (std::size_t c = 0; c < law_.width() * law_.heads(); ++c) {
    sums[c] = joined_sums_[c % law_.width() * law_.heads() + c / law_.width()];
  }
}

void SparseRecords::add(const double* coef, const RecordNumbers& records, Bench& bench,
                        std::span<std::int64_t> sums) const {
  const std::size_t heads = law_.heads();
  const std::size_t together = std::clamp<std::size_t>(kTogether / mean_entries_, 1, 256);
  bench.margins.resize(together * heads);
  bench.targets.resize(together * heads);
  bench.slopes.resize(together * heads);
  for (std::size_t first = 0; first < records.size(); first += together) {
    const RecordNumbers part = records.part(first, std::min(first + together, records.size()));
    for (std::size_t k = 0; k < part.size(); ++k) {
      const std::span<double> out = std::span(bench.margins).subspan(k * heads, heads);
      joins_heads() ? find_joined_margins(coef, part[k], bench, out)
                    : find_margins(coef, part[k], bench, out);
    }
    const std::size_t count = part.size() * heads;
    const std::span<double> slopes = std::span(bench.slopes).first(count);
    law_.find_slopes(part, std::span(bench.margins).first(count),
                     std::span(bench.targets).first(count), slopes);
    for (std::size_t k = 0; k < part.size(); ++k) {
      joins_heads() ? add_joined_record(part[k], slopes.subspan(k * heads, heads), bench, sums)
                    : add_record(part[k], slopes[k], bench, sums);
    }
  }
}

void SparseRecords::find_margins(const double* coef, std::size_t i, Bench&,
                                 std::span<double> out) const {
  LaneSum sum;
  row(i).for_each([&](std::size_t j, double x) { sum.add(j, x * coef[j]); });
  out[0] = law_.factors().limited(i, sum.total()) +
           (law_.has_intercept() ? coef[law_.width() - 1] : 0.0);
}

void SparseRecords::find_joined_margins(const double* coef, std::size_t i, Bench& bench,
                                        std::span<double> out) const {
  const std::size_t heads = out.size();
  bench.lanes.assign(heads * LaneSum::kLanes, 0.0);
  row(i).for_each([&](std::size_t j, double x) {
    double* const lane = bench.lanes.data() + j % LaneSum::kLanes * heads;
    const double* const w = coef + j * heads;
    for (std::size_t h = 0; h < heads; ++h) lane[h] += x * w[h];
  });
  const double* const constants = coef + (law_.width() - 1) * heads;
  for (std::size_t h = 0; h < heads; ++h) {
    LaneSum sum;
    for (std::size_t lane = 0; lane < LaneSum::kLanes; ++lane) {
      sum.lanes()[lane] = bench.lanes[lane * heads + h];
    }
    out[h] = law_.factors().limited(i, sum.total()) + (law_.has_intercept() ? constants[h] : 0.0);
  }
}

void SparseRecords::add_record(std::size_t i, double slope, Bench& bench,
                               std::span<std::int64_t> sums) const {
  const data::SparseColumn record = row(i);
  bench.grid.resize(std::max(bench.grid.size(), record.size()));
  const double limited = law_.factors().of(i) * slope;
  const double* const per_clip = law_.per_clip();
  std::int32_t* out = bench.grid.data();
  Uint128 squares = 0;
  record.for_each([&](std::size_t j, double x) {
    const std::int64_t entry = *out++ = grid_entry(x, limited, per_clip[j]);
    squares += static_cast<std::uint64_t>(entry * entry);
  });
  const std::size_t last = law_.width() - 1;
  const std::int32_t constant = law_.has_intercept() ? grid_entry(1.0, slope, per_clip[last]) : 0;
  const bool clips_intercept = !fault(Fault::intercept_is_outside_the_clip);
  if (clips_intercept) squares += static_cast<std::uint64_t>(std::int64_t{constant} * constant);
  const L2Shrink shrink(squares, law_.bound(i, {&slope, 1}));
  const std::int32_t* grid = bench.grid.data();
  for (const std::int32_t j : record.indices()) {
    sums[static_cast<std::size_t>(j)] += shrink.of(*grid++);
  }
  if (law_.has_intercept()) sums[last] += clips_intercept ? shrink.of(constant) : constant;
  if (law_.has_room()) sums.back() += law_.room(i, squares);
}

void SparseRecords::add_joined_record(std::size_t i, std::span<const double> slopes, Bench& bench,
                                      std::span<std::int64_t> sums) const {
  const std::size_t heads = slopes.size();
  const data::SparseColumn record = row(i);
  const std::size_t entries = record.size() * heads;
  bench.grid.resize(std::max(bench.grid.size(), entries + heads));
  bench.copies.resize(heads);
  bench.limited.resize(heads);
  for (std::size_t h = 0; h < heads; ++h) bench.limited[h] = law_.factors().of(i) * slopes[h];
  const double* const per_clip = law_.per_clip();
  std::int32_t* out = bench.grid.data();
  Uint128 squares = 0;
  record.for_each([&](std::size_t j, double x) {
    std::fill(bench.copies.begin(), bench.copies.end(), per_clip[j]);
    squares += grid_entries(bench.limited.data(), x, bench.copies.data(), heads, out);
    out += heads;
  });
  const std::size_t last = law_.width() - 1;
  if (law_.has_intercept()) {
    std::fill(bench.copies.begin(), bench.copies.end(), per_clip[last]);
    const Uint128 more = grid_entries(slopes.data(), 1.0, bench.copies.data(), heads, out);
    if (!fault(Fault::intercept_is_outside_the_clip)) squares += more;
  }
  const L2Shrink shrink(squares, law_.bound(i, slopes));
  const std::int32_t* grid = bench.grid.data();
  for (const std::int32_t j : record.indices()) {
    shrink.add_to(sums.data() + static_cast<std::size_t>(j) * heads, grid, heads);
    grid += heads;
  }
  if (law_.has_intercept()) shrink.add_to(sums.data() + last * heads, grid, heads);
  if (law_.has_room()) sums.back() += law_.room(i, squares);
}

}  // namespace southwell::problem
