#include "southwell/problem/gradient/record_gradient.hpp"

#include <algorithm>

namespace southwell::problem {
namespace {

/// Less entries than that are done sooner alone than by waiting for a thread.
constexpr std::size_t kGrain = 100'000;

}  // namespace

template <class Design>
RecordGradient<Design>::RecordGradient(const GradientParts<Design>& parts, bool room,
                                       core::ThreadPool& pool)
    : law_(parts, room),
      records_(parts.design, law_),
      pool_(pool),
      shards_(shards_of(parts.target.size(), parts.shards)),
      sums_(Sums(parts.coordinates.size() + (room ? 1 : 0))),
      doubles_(std::vector<double>(parts.coordinates.size())) {
  for (int thread = 0; thread < pool.threads(); ++thread) benches_.push_back(records_.bench());
  partial_.resize(benches_.size() - 1);
}

template <class Design>
void RecordGradient<Design>::refresh(std::span<const double> coef) {
  Sums& sums = sums_.rewrite(RecordPass());
  std::fill(sums.begin(), sums.end(), 0);
  const double* const from = records_.arranged(coef);
  for (const data::Range& shard : shards_) add(from, RecordNumbers(shard), sums);
  records_.rearrange(sums);
}

template <class Design>
void RecordGradient<Design>::add_list(std::span<const double> coef,
                                      const std::vector<std::size_t>& records) {
  records_.expect_lists(pool_);
  Sums& sums = sums_.rewrite(RecordPass());
  std::fill(sums.begin(), sums.end(), 0);
  add(records_.arranged(coef), RecordNumbers(records), sums);
  records_.rearrange(sums);
}

template <class Design>
void RecordGradient<Design>::add(const double* coef, const RecordNumbers& records, Sums& sums) {
  const std::size_t work = records.size() * records_.entries() * law_.heads();
  const std::size_t parts = std::clamp<std::size_t>(work / kGrain, 1, benches_.size());
  const auto begin_of = [&](std::size_t part) {  // in whole blocks, but for the end
    const std::size_t at = records.size() * part / parts;
    return part < parts ? at / kBlockWidth * kBlockWidth : at;
  };
  pool_.run(parts, [&](std::size_t part) {
    Sums& own = part == 0 ? sums : partial_[part - 1];
    if (part > 0) own.assign(sums.size(), 0);
    records_.add(coef, records.part(begin_of(part), begin_of(part + 1)), benches_[part], own);
  });
  for (std::size_t part = 1; part < parts; ++part) {
    for (std::size_t c = 0; c < sums.size(); ++c) sums[c] += partial_[part - 1][c];
  }
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
