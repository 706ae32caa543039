#include "southwell/problem/gradient/clipped_gradient.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <utility>

#include "southwell/core/fault.hpp"

namespace southwell::problem {
namespace {

/// Half a million entries to a part: less is done sooner alone than by waiting for a thread.
constexpr std::size_t kGrain = 500'000;

template <std::size_t kSize, class T>
std::array<T, kSize> copies(const T& of) {
  return [&]<std::size_t... k>(std::index_sequence<k...>) {
    return std::array<T, kSize>{(static_cast<void>(k), of)...};
  }(std::make_index_sequence<kSize>());
}

/// By how much a fault makes a sum wrong: 0 in the library that users install.
template <class Column>
std::int64_t wrong_by(const Column& column, data::Range records, WeightedSlopes of,
                      const ProductClip& contribution) {
  std::int64_t wrong = 0;
  column.for_each(records, [&](std::size_t i, double x) {
    const std::int64_t share = of.share(contribution, x, i);
    const bool at_bound = static_cast<double>(std::abs(share)) == of.bound(i);
    const std::int64_t sign = share > 0 ? 1 : -1;
    if (fault(Fault::contribution_bound_is_one_more) && at_bound) wrong += sign;
    if (fault(Fault::contribution_bound_is_one_less) && at_bound) wrong -= sign;
    if (fault(Fault::contribution_keeps_nan) && std::isnan(x * of.slopes[i])) {
      wrong += 3 * ProductClip::kBound;
    }
    const bool in_tail = i >= records.last - records.last % 8;
    const bool unclamped = (fault(Fault::contribution_tail_is_not_clamped) && in_tail) ||
                           (fault(Fault::sparse_entries_are_not_clamped) &&
                            std::is_same_v<Column, data::SparseColumn>);
    if (unclamped && at_bound) wrong += share;
  });
  return wrong;
}

std::int64_t sum_of(const data::SparseColumn& column, data::Range records, WeightedSlopes of,
                    const ProductClip& contribution) {
  std::int64_t sum = 0;
  column.for_each(records, [&](std::size_t i, double x) { sum += of.share(contribution, x, i); });
  return sum;
}

template <class T>
std::int64_t sum_of(const data::DenseColumn<T>& column, data::Range records, WeightedSlopes of,
                    const ProductClip& contribution) {
  std::int64_t sum = 0;
  const T* const values = column.values();
  add_clipped({&values, 1, records.first, records.size()}, &contribution, of.from(records.first),
              &sum);
  return sum;
}

}  // namespace

template <class Design>
ClippedGradient<Design>::ClippedGradient(const Parts& parts, std::span<const double> coef,
                                         core::ThreadPool& pool)
    : design_(parts.design),
      target_(parts.target, parts.classes),
      loss_(parts.loss),
      coordinates_(parts.coordinates),
      weights_(parts.weights),
      factors_(parts.factors),
      pool_(pool),
      shards_(shards_of(parts.target.size(), parts.shards)),
      margins_(parts.coordinates.heads() * parts.target.size()),
      slopes_(margins_.size()),
      feature_slopes_(factors_.are_all_one() ? 0 : margins_.size()),
      feature_bounds_(feature_slopes_.size()),
      sums_(Sums(parts.coordinates.size())),
      scores_(Sums(parts.coordinates.size())),
      doubles_(std::vector<double>()) {
  for (std::size_t c = 0; c < coef.size(); ++c) {
    if (coef[c] != 0.0) move(c, coef[c]);
  }
}

template <class Design>
void ClippedGradient<Design>::move(std::size_t c, double change) {
  double* const margins = of_head(margins_, coordinates_.head(c)).data();
  if (coordinates_.is_intercept(c)) {
    for (std::size_t i = 0; i < target_.records(); ++i) margins[i] += change;
    return;
  }
  const std::size_t j = coordinates_.feature(c);
  design_.block({j, j + 1}).column(0).for_each([&](std::size_t i, double x) {
    margins[i] += factors_.limited(i, change * x);
  });
}

template <class Design>
void ClippedGradient<Design>::refresh() {
  for (std::size_t head = 0; head < coordinates_.heads(); ++head) find_all_slopes(head);
  Sums& sums = sums_.rewrite(RecordPass());
  std::fill(sums.begin(), sums.end(), 0);
  for (const data::Range& shard : shards_) add_shard(shard, sums);
}

template <class Design>
void ClippedGradient<Design>::refresh(std::size_t c) {
  const std::size_t head = coordinates_.head(c);
  std::int64_t& sum = sums_.rewrite(RecordPass())[c];
  sum = 0;
  if (coordinates_.is_intercept(c)) {
    find_all_slopes(head);
    for (const data::Range& shard : shards_) sum += intercept_sum(c, shard);
    return;
  }
  const std::size_t j = coordinates_.feature(c);
  const auto block = design_.block({j, j + 1});
  const auto column = block.column(0);
  if (!fault(Fault::coordinate_slopes_are_stale)) find_slopes_in(head, column);
  const ProductClip contribution = feature_contribution(c);
  const WeightedSlopes slopes = feature_slopes_of(head);
  for (const data::Range& shard : shards_) {
    sum +=
        sum_of(column, shard, slopes, contribution) + wrong_by(column, shard, slopes, contribution);
  }
}

template <class Design>
void ClippedGradient<Design>::find_slopes(std::size_t head, std::size_t first, std::size_t last) {
  constexpr std::size_t kChunk = 512;
  const std::span<double> margins = of_head(margins_, head);
  const std::span<double> slopes = of_head(slopes_, head);
  std::array<double, kChunk> target;
  for (std::size_t i = first; i < last; i += kChunk) {
    const std::size_t size = std::min(kChunk, last - i);
    target_.write(head, i, std::span(target).first(size));
    derivatives(loss_, margins.subspan(i, size), std::span(target).first(size),
                slopes.subspan(i, size));
  }
  if (!weights_.are_all_one()) {
    for (std::size_t i = first; i < last; ++i) slopes[i] *= weights_.weights()[i];
  }
  if (factors_.are_all_one()) return;
  // The factor is the feature's: the slope limit is on the slope without it.
  const ProductClip limits(1.0, coordinates_.options().slope_limit);
  const WeightedSlopes whole = slopes_of(head);
  const std::span<double> feature_slopes = of_head(feature_slopes_, head);
  const std::span<double> bounds = of_head(feature_bounds_, head);
  for (std::size_t i = first; i < last; ++i) {
    feature_slopes[i] = factors_.of(i) * slopes[i];
    bounds[i] = limits.most(slopes[i], whole.bound(i));
  }
}

template <class Design>
WeightedSlopes ClippedGradient<Design>::slopes_of(std::size_t head) {
  return {of_head(slopes_, head).data(),
          weights_.are_all_one() ? nullptr : weights_.bounds().data()};
}

template <class Design>
WeightedSlopes ClippedGradient<Design>::feature_slopes_of(std::size_t head) {
  if (factors_.are_all_one()) return slopes_of(head);
  return {of_head(feature_slopes_, head).data(), of_head(feature_bounds_, head).data()};
}

template <class Design>
ProductClip ClippedGradient<Design>::feature_contribution(std::size_t c) const {
  if (factors_.are_all_one()) return coordinates_.contribution(c);
  return ProductClip(coordinates_.clip(c));  // the slope limit is in the bounds
}

template <class Design>
void ClippedGradient<Design>::find_all_slopes(std::size_t head) {
  pool_.run_ranges(target_.records(), kGrain / 16, [&](std::size_t first, std::size_t last) {
    if (fault(Fault::slopes_of_later_parts_are_stale) && first > 0) return;
    find_slopes(head, first, last);
  });
}

template <class Design>
void ClippedGradient<Design>::find_slopes_in(std::size_t head, const auto& column) {
  if constexpr (std::is_same_v<Design, data::SparseDesign>) {
    std::size_t from = 0;  // runs of neighbouring records are looked at together
    std::size_t to = 0;
    for (const std::int32_t index : column.indices()) {
      const auto i = static_cast<std::size_t>(index);
      if (i != to) {
        find_slopes(head, from, to);
        from = i;
      }
      to = i + 1;
    }
    find_slopes(head, from, to);
  } else {
    find_all_slopes(head);
  }
}

template <class Design>
void ClippedGradient<Design>::add_shard(data::Range records, Sums& sums) {
  const std::size_t width = coordinates_.width();
  const std::size_t features = coordinates_.features();
  const std::size_t grain = 1 + features * kGrain / (design_.stored_entries() + features);
  pool_.run_ranges(features, grain, [&](std::size_t first, std::size_t last) {
    add_columns({first, last}, records, sums);
  });
  if (coordinates_.intercept() == Intercept::none) return;
  for (std::size_t head = 0; head < coordinates_.heads(); ++head) {
    const std::size_t c = head * width + features;
    sums[c] += intercept_sum(c, records);
  }
}

template <class Design>
void ClippedGradient<Design>::add_columns(data::Range columns, data::Range records, Sums& sums) {
  const auto block = design_.block(columns);
  if constexpr (!std::is_same_v<Design, data::SparseDesign>) add_dense(block, records, sums);
  for (std::size_t j = columns.first; j < columns.last; ++j) {
    const auto column = block.column(j - columns.first);
    const ProductClip contribution = feature_contribution(j);
    for (std::size_t head = 0; head < coordinates_.heads(); ++head) {
      const WeightedSlopes slopes = feature_slopes_of(head);
      std::int64_t& sum = sums[head * coordinates_.width() + j];
      if constexpr (std::is_same_v<Design, data::SparseDesign>) {
        sum += sum_of(column, records, slopes, contribution);
      }
      sum += wrong_by(column, records, slopes, contribution);
    }
  }
}

template <class Design>
void ClippedGradient<Design>::add_dense(const auto& block, data::Range records, Sums& sums) {
  // Slopes of so many records stay in a cache while columns pass by, and of so many columns their
  // entries from head to head.
  constexpr std::size_t kRecords = 1 << 14;
  constexpr std::size_t kColumns = 16;
  const data::Range columns = block.columns();
  std::array<const typename Design::Value*, kColumns> starts;
  std::array<ProductClip, kColumns> contributions = copies<kColumns>(ProductClip(1.0));
  for (std::size_t i = records.first; i < records.last; i += kRecords) {
    const std::size_t count = std::min(kRecords, records.last - i);
    for (std::size_t j = columns.first; j < columns.last; j += kColumns) {
      const std::size_t together = std::min(kColumns, columns.last - j);
      for (std::size_t k = 0; k < together; ++k) {
        starts[k] = block.column(j - columns.first + k).values();
        contributions[k] = feature_contribution(j + k);
      }
      for (std::size_t head = 0; head < coordinates_.heads(); ++head) {
        add_clipped({starts.data(), together, i, count}, contributions.data(),
                    feature_slopes_of(head).from(i), sums.data() + head * coordinates_.width() + j);
      }
    }
  }
}

template <class Design>
std::int64_t ClippedGradient<Design>::intercept_sum(std::size_t c, data::Range records) {
  const ProductClip contribution = coordinates_.contribution(c);
  const WeightedSlopes slopes = slopes_of(coordinates_.head(c));
  std::int64_t sum = 0;
  for (std::size_t i = records.first; i < records.last; ++i) {
    sum += slopes.share(contribution, 1.0, i);
  }
  return sum;
}

template <class Design>
const Sensitive<std::vector<std::int64_t>>& ClippedGradient<Design>::scores(
    const GridScores& rule, std::span<const double> coef) {
  const Sums& sums = sums_.rewrite(RecordPass());
  Sums& scores = scores_.rewrite(RecordPass());
  scores.resize(rule.size());
  pool_.run_ranges(scores.size(), kGrain / 16, [&](std::size_t first, std::size_t last) {
    if (fault(Fault::scores_of_later_parts_are_stale) && first > 0) return;
    rule.write(sums, coef, first, std::span(scores).subspan(first, last - first));
  });
  return scores_;
}

template <class Design>
Sensitive<std::int64_t> ClippedGradient<Design>::sum(std::size_t c) {
  return Sensitive(sums_.rewrite(RecordPass())[c]);
}

template <class Design>
double ClippedGradient<Design>::in_doubles(const Sums& sums, std::size_t c, double coef) const {
  return static_cast<double>(sums[c]) * coordinates_.gradient_unit(c) + coordinates_.l2(c) * coef;
}

template <class Design>
const Sensitive<std::vector<double>>& ClippedGradient<Design>::in_doubles(
    std::span<const double> coef) {
  const Sums& sums = sums_.rewrite(RecordPass());
  std::vector<double>& out = doubles_.rewrite(RecordPass());
  out.resize(sums.size());
  for (std::size_t c = 0; c < out.size(); ++c) out[c] = in_doubles(sums, c, coef[c]);
  return doubles_;
}

template <class Design>
Sensitive<double> ClippedGradient<Design>::in_doubles(std::size_t c, double coef) {
  return Sensitive(in_doubles(sums_.rewrite(RecordPass()), c, coef));
}

template class ClippedGradient<data::DenseDesign<double>>;
template class ClippedGradient<data::DenseDesign<float>>;
template class ClippedGradient<data::SparseDesign>;

}  // namespace southwell::problem
