#include "southwell/problem/gradient/moment_sums.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "southwell/core/fault.hpp"
#include "southwell/problem/gradient/block_clip.hpp"
#include "southwell/problem/support.hpp"

namespace southwell::problem {
namespace {

/// Records that are multiplied together. Products are at most 2^20 in size, so 2^10 of them fit 32
/// bits.
constexpr std::size_t kTogether = 1024;
constexpr std::size_t kGrain = 16 * kTogether;  ///< records to a part

/// The largest whole number whose square is at most B_i.
double norm_bound(const RecordWeights& weights, std::size_t i) {
  const std::uint64_t bound = weights.bound(i);
  auto root = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(bound)));  // below 2^21
  if (fault(Fault::moments_forget_the_weight)) root = kMomentNorm;
  return static_cast<double>(fault(Fault::moment_bound_is_one_more) ? root + 1 : root);
}

template <class Design>
class MomentSums {
 public:
  MomentSums(const GradientParts<Design>& parts, std::span<const std::size_t> chosen, double norm)
      : parts_(parts), chosen_(chosen), ones_(kTogether, 1.0) {
    for (std::size_t c = 0; c < dims(); ++c) {
      factors_.push_back(static_cast<double>(kMomentNorm) / (norm * parts.coordinates.unit(c)));
    }
  }
  std::size_t dims() const { return parts_.coordinates.width(); }

  /// Adds the upper triangle over the records of a range.
  void add(data::Range records, std::span<std::int64_t> sums) const {
    Bench bench(dims());
    for (std::size_t first = records.first; first < records.last; first += kTogether) {
      const data::Range block{first, std::min(first + kTogether, records.last)};
      write_columns(parts_.design, chosen_, parts_.factors, block, bench.columns.data(), kTogether);
      clip(block, bench);
      add_products(block.size(), bench, sums);
    }
  }

 private:
  /// Of the records looked at: columns and entries feature after feature.
  struct Bench {
    explicit Bench(std::size_t dims)
        : clip(kTogether),
          columns(dims * kTogether),
          sizes(kTogether),
          bounds(kTogether),
          shares(kTogether),
          entries(dims * kTogether) {
      for (std::size_t c = 0; c < dims; ++c) starts.push_back(columns.data() + c * kTogether);
    }

    BlockClip clip;
    std::vector<double> columns, sizes, bounds;
    std::vector<const double*> starts;
    std::vector<std::int32_t> shares;
    std::vector<std::int16_t> entries;
  };

  void clip(data::Range records, Bench& bench) const {
    const std::size_t features = chosen_.size();
    const RecordWeights& weights = parts_.weights;
    std::fill(bench.sizes.begin(), bench.sizes.end(), 0.0);  // of what fills up the block
    for (std::size_t k = 0; k < records.size(); ++k) {
      const std::size_t i = records.first + k;
      bench.sizes[k] = weights.are_all_one() ? 1.0 : std::sqrt(weights.weights()[i]);
      bench.bounds[k] = norm_bound(weights, i);
    }
    if (dims() > features) bench.starts[features] = ones_.data();
    const std::size_t size = (records.size() + kBlockWidth - 1) / kBlockWidth * kBlockWidth;
    const RecordBlock<double> all{bench.starts.data(), dims(), 0, size};
    bench.clip.shrink(size, bench.bounds,
                      [&](const auto& use) { use(all, bench.sizes.data(), factors_.data()); });
    for (std::size_t c = 0; c < dims(); ++c) {
      const RecordBlock<double> alone{bench.starts.data() + c, 1, 0, size};
      bench.clip.write(alone, bench.sizes.data(), factors_[c], bench.shares.data());
      for (std::size_t k = 0; k < size; ++k) {
        bench.entries[c * kTogether + k] = static_cast<std::int16_t>(bench.shares[k]);
      }
    }
  }
  void add_products(std::size_t count, const Bench& bench, std::span<std::int64_t> sums) const {
    const std::int16_t* const entries = bench.entries.data();
    for (std::size_t a = 0; a < dims(); ++a) {
      for (std::size_t b = a; b < dims(); ++b) {
        sums[a * dims() + b] += product(entries + a * kTogether, entries + b * kTogether, count);
      }
    }
  }
  static std::int32_t product(const std::int16_t* a, const std::int16_t* b, std::size_t count) {
    std::int32_t sum = 0;
    for (std::size_t k = 0; k < count; ++k) sum += std::int32_t{a[k]} * std::int32_t{b[k]};
    return sum;
  }

  const GradientParts<Design>& parts_;
  std::span<const std::size_t> chosen_;
  std::vector<double> ones_;  ///< what an intercept's column holds
  std::vector<double> factors_;
};

}  // namespace

template <class Design>
Sensitive<std::vector<std::int64_t>> moment_sums(const GradientParts<Design>& parts,
                                                 std::span<const std::size_t> chosen, double norm,
                                                 core::ThreadPool& pool) {
  const MomentSums<Design> of(parts, chosen, norm);
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

template Sensitive<std::vector<std::int64_t>> moment_sums(
    const GradientParts<data::DenseDesign<double>>&, std::span<const std::size_t>, double,
    core::ThreadPool&);
template Sensitive<std::vector<std::int64_t>> moment_sums(
    const GradientParts<data::DenseDesign<float>>&, std::span<const std::size_t>, double,
    core::ThreadPool&);
template Sensitive<std::vector<std::int64_t>> moment_sums(const GradientParts<data::SparseDesign>&,
                                                          std::span<const std::size_t>, double,
                                                          core::ThreadPool&);

}  // namespace southwell::problem
