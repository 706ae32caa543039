#include "southwell/problem/gradient/moment_sums.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "southwell/core/fault.hpp"
#include "southwell/problem/gradient/record_rows.hpp"

namespace southwell::problem {
namespace {

/// Records that are multiplied together. Products are at most 2^20 in size, so 2^10 of them fit 32
/// bits.
constexpr std::size_t kTogether = 1024;
constexpr std::size_t kGrain = 16 * kTogether;  ///< records to a part

using Entries = std::vector<std::int16_t>;  ///< of the records looked at, feature after feature

/// The largest whole number whose square is at most B_i.
std::uint64_t norm_bound(const RecordWeights& weights, std::size_t i) {
  const std::uint64_t bound = weights.bound(i);
  auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(bound)));  // below 2^21
  if (fault(Fault::moments_forget_the_weight)) root = kMomentNorm;
  return fault(Fault::moment_bound_is_one_more) ? root + 1 : root;
}

class MomentSums {
 public:
  MomentSums(const GradientParts<data::DenseDesign<double>>& parts, double norm,
             core::ThreadPool& pool)
      : coordinates_(parts.coordinates), weights_(parts.weights), rows_(parts.design, pool) {
    for (std::size_t c = 0; c < dims(); ++c) {
      factors_.push_back(static_cast<double>(kMomentNorm) / (norm * coordinates_.unit(c)));
    }
  }
  std::size_t dims() const { return coordinates_.width(); }

  /// Adds the upper triangle over the records of a range.
  void add(data::Range records, std::span<std::int64_t> sums) const {
    std::vector<std::int32_t> grid(dims());
    Entries entries(dims() * kTogether);
    for (std::size_t first = records.first; first < records.last; first += kTogether) {
      const std::size_t count = std::min(kTogether, records.last - first);
      for (std::size_t k = 0; k < count; ++k) write(first + k, k, grid, entries);
      for (std::size_t a = 0; a < dims(); ++a) {
        for (std::size_t b = a; b < dims(); ++b) {
          sums[a * dims() + b] +=
              product(entries.data() + a * kTogether, entries.data() + b * kTogether, count);
        }
      }
    }
  }

 private:
  void write(std::size_t i, std::size_t k, std::vector<std::int32_t>& grid,
             Entries& entries) const {
    const double size = weights_.are_all_one() ? 1.0 : std::sqrt(weights_.weights()[i]);
    const std::size_t features = coordinates_.features();
    Uint128 squares = rows_.to_grid(i, size, factors_.data(), grid.data());
    if (coordinates_.intercept() == Intercept::free) {
      const std::int64_t one = grid[features] = grid_entry(1.0, size, factors_[features]);
      squares += static_cast<std::uint64_t>(one * one);
    }
    const L2Shrink shrink(squares, norm_bound(weights_, i));
    for (std::size_t c = 0; c < dims(); ++c) {
      entries[c * kTogether + k] = static_cast<std::int16_t>(shrink.of(grid[c]));
    }
  }
  static std::int32_t product(const std::int16_t* a, const std::int16_t* b, std::size_t count) {
    std::int32_t sum = 0;
    for (std::size_t k = 0; k < count; ++k) sum += std::int32_t{a[k]} * std::int32_t{b[k]};
    return sum;
  }

  const Coordinates& coordinates_;
  const RecordWeights& weights_;
  RecordRows<data::DenseDesign<double>> rows_;
  std::vector<double> factors_;
};

}  // namespace

Sensitive<std::vector<std::int64_t>> moment_sums(
    const GradientParts<data::DenseDesign<double>>& parts, double norm, core::ThreadPool& pool) {
  const MomentSums of(parts, norm, pool);
  const std::size_t dims = of.dims();
  const std::size_t records = parts.target.size();
  const std::size_t pieces = (records + kGrain - 1) / kGrain;
  std::vector<std::vector<std::int64_t>> partial(pieces);
  pool.run(pieces, [&](std::size_t piece) {
    partial[piece].resize(dims * dims);
    of.add({piece * kGrain, std::min((piece + 1) * kGrain, records)}, partial[piece]);
  });
  std::vector<std::int64_t> sums(dims * dims);
  for (const std::vector<std::int64_t>& each : partial) {
    for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += each[k];
  }
  for (std::size_t a = 0; a < dims; ++a) {
    for (std::size_t b = 0; b < a; ++b) sums[a * dims + b] = sums[b * dims + a];
  }
  return Sensitive(std::move(sums));
}

}  // namespace southwell::problem
