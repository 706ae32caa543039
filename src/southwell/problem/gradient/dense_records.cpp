#include "southwell/problem/gradient/dense_records.hpp"

#include <algorithm>

#include "southwell/core/fault.hpp"
#include "southwell/problem/gradient/lane_sum.hpp"

namespace southwell::problem {
namespace {

/// Of the entries of a block: it stays in the second cache while it is used, with the next one.
constexpr std::size_t kBlockBytes = std::size_t{3} << 17;
constexpr std::size_t kMostRecords = 512;
constexpr std::size_t kCacheLine = 64;

/// So many records that lines of the cache are read whole.
template <class T>
std::size_t records_of_block(std::size_t features) {
  const std::size_t fit = kBlockBytes / (sizeof(T) * std::max<std::size_t>(1, features));
  const std::size_t line = kCacheLine / sizeof(T);
  return std::clamp(fit / line * line, line, kMostRecords);
}

}  // namespace

template <class T>
DenseRecords<T>::Bench::Bench(std::size_t records, std::size_t heads)
    : sums(records * LaneSum::kLanes),
      dots(records),
      margins(records * heads),
      targets(records * heads),
      slopes(records * heads),
      by_head(records * heads),
      of_features(records * heads),
      bounds(records),
      weight_bounds(records),
      clip(records) {}

template <class T>
DenseRecords<T>::DenseRecords(const data::DenseDesign<T>& design, const RecordLaw& law)
    : law_(law),
      columns_(design),
      most_(records_of_block<T>(design.features())),
      ones_(most_, 1.0) {}

template <class T>
void DenseRecords<T>::add(const double* coef, const RecordNumbers& records, Bench& bench,
                          std::span<std::int64_t> sums) const {
  columns_.for_each_block(records, most_, bench.gathered,
                          [&](const RecordBlock<T>& block, const RecordNumbers& numbers) {
                            add_block(coef, block, numbers, bench, sums);
                          });
}

template <class T>
void DenseRecords<T>::add_block(const double* coef, const RecordBlock<T>& block,
                                const RecordNumbers& records, Bench& bench,
                                std::span<std::int64_t> sums) const {
  const std::size_t heads = law_.heads();
  find_slopes(coef, block, records, bench);
  const std::size_t together = fault(Fault::clip_is_of_each_head) ? 1 : heads;
  for (std::size_t head = 0; head < heads; head += together) {
    add_heads(block, {head, head + together}, bench, sums);
  }
  if (law_.has_room()) sums.back() += room(records, bench);
}

template <class T>
std::int64_t DenseRecords<T>::room(const RecordNumbers& records, const Bench& bench) const {
  const bool is_faulty =
      fault(Fault::room_forgets_the_weight) || fault(Fault::room_counts_the_whole_bound);
  if (bench.clip.is_plain() && !is_faulty) {
    return bench.clip.room(std::span(bench.weight_bounds).first(records.size()));
  }
  std::int64_t room = 0;
  for (std::size_t k = 0; k < records.size(); ++k) {
    room += law_.room(records[k], bench.clip.squares(k));
  }
  return room;
}

template <class T>
void DenseRecords<T>::find_slopes(const double* coef, const RecordBlock<T>& block,
                                  const RecordNumbers& records, Bench& bench) const {
  const std::size_t heads = law_.heads();
  const std::size_t width = law_.width();
  const RecordFactors& factors = law_.factors();
  for (std::size_t head = 0; head < heads; ++head) {
    const double* const w = coef + head * width;
    LaneSum::dots(block, w, bench.sums.data(), bench.dots.data());
    const double intercept = law_.has_intercept() ? w[width - 1] : 0.0;
    for (std::size_t k = 0; k < records.size(); ++k) {
      bench.margins[k * heads + head] = factors.limited(records[k], bench.dots[k]) + intercept;
    }
  }
  const std::size_t count = records.size() * heads;
  const std::span<double> slopes = std::span(bench.slopes).first(count);
  law_.find_slopes(records, std::span(bench.margins).first(count),
                   std::span(bench.targets).first(count), slopes);
  law_.find_bounds(records, slopes, std::span(bench.bounds).first(records.size()),
                   std::span(bench.weight_bounds).first(records.size()));
  // What fills the block up has slope 0.
  for (std::size_t head = 0; head < heads; ++head) {
    double* const own = bench.by_head.data() + head * block.records;
    for (std::size_t k = 0; k < records.size(); ++k) own[k] = slopes[k * heads + head];
    std::fill(own + records.size(), own + block.records, 0.0);
    if (factors.are_all_one()) continue;
    double* const limited = bench.of_features.data() + head * block.records;
    for (std::size_t k = 0; k < records.size(); ++k) limited[k] = factors.of(records[k]) * own[k];
    std::fill(limited + records.size(), limited + block.records, 0.0);
  }
}

template <class T>
void DenseRecords<T>::add_heads(const RecordBlock<T>& block, data::Range heads, Bench& bench,
                                std::span<std::int64_t> sums) const {
  const std::size_t width = law_.width();
  const double* const ones = ones_.data();
  const RecordBlock<double> intercepts{&ones, 1, 0, block.records};
  const double* const per_clip = law_.per_clip();
  const bool clips_intercept = law_.has_intercept() && !fault(Fault::intercept_is_outside_the_clip);
  bench.clip.shrink(block.records, std::span(bench.bounds).first(block.records),
                    [&](const auto& use) {
                      for (std::size_t head = heads.first; head < heads.last; ++head) {
                        const std::size_t own = head * block.records;
                        use(block, feature_slopes(bench) + own, per_clip);
                        if (!clips_intercept) continue;
                        use(intercepts, bench.by_head.data() + own, per_clip + width - 1);
                      }
                    });
  for (std::size_t head = heads.first; head < heads.last; ++head) {
    const std::size_t own = head * block.records;
    std::int64_t* const out = sums.data() + head * width;
    bench.clip.add(block, feature_slopes(bench) + own, per_clip, out);
    if (clips_intercept) {
      bench.clip.add(intercepts, bench.by_head.data() + own, per_clip + width - 1, out + width - 1);
    } else if (law_.has_intercept()) {
      for (std::size_t k = 0; k < block.records; ++k) {
        out[width - 1] += grid_entry(1.0, bench.by_head[own + k], per_clip[width - 1]);
      }
    }
  }
}

template class DenseRecords<double>;
template class DenseRecords<float>;

}  // namespace southwell::problem
