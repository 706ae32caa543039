#include "southwell/data/dense_design.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "southwell/core/error.hpp"
#include "southwell/data/large_vector.hpp"

namespace southwell::data {

template <std::floating_point T>
DenseDesign<T>::DenseDesign(std::shared_ptr<const T[]> values, std::size_t records,
                            std::size_t features, std::size_t stride)
    : values_(std::move(values)), records_(records), features_(features), stride_(stride) {
  if (stride_ < records_) {
    throw InvalidArgument("stride: given " + std::to_string(stride) +
                          ", accepted is at least the number of records, " +
                          std::to_string(records));
  }
  Starts starts(features_);
  for (std::size_t j = 0; j < features_; ++j) starts[j] = values_.get() + j * stride_;
  starts_ = std::make_shared<const Starts>(std::move(starts));
}

template <std::floating_point T>
DenseDesign<T> DenseDesign<T>::of_columns(std::span<const std::size_t> columns) const {
  DenseDesign chosen = *this;
  chosen.features_ = columns.size();
  Starts starts;
  starts.reserve(columns.size());
  for (const std::size_t j : columns) starts.push_back((*starts_)[j]);
  chosen.starts_ = std::make_shared<const Starts>(std::move(starts));
  return chosen;
}

template <std::floating_point T>
DenseDesign<T> DenseDesign<T>::from_row_major(const T* rows, std::size_t records,
                                              std::size_t features, std::size_t row_stride,
                                              core::ThreadPool& pool) {
  auto storage = shared_table<T>(records * features);
  T* columns = storage.get();
  // Tiles of 64 x 64: the lines read and the lines written stay in the first cache together.
  constexpr std::size_t kTile = 64;
  pool.run_ranges((features + kTile - 1) / kTile, 1, [&](std::size_t first, std::size_t last) {
    for (std::size_t i0 = 0; i0 < records; i0 += kTile) {
      const std::size_t i1 = std::min(i0 + kTile, records);
      for (std::size_t tile = first; tile < last; ++tile) {
        const std::size_t j1 = std::min((tile + 1) * kTile, features);
        for (std::size_t j = tile * kTile; j < j1; ++j) {
          for (std::size_t i = i0; i < i1; ++i) columns[j * records + i] = rows[i * row_stride + j];
        }
      }
    }
  });
  return DenseDesign(std::move(storage), records, features);
}

template class DenseDesign<float>;
template class DenseDesign<double>;

}  // namespace southwell::data
