#include "southwell/data/subset.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace southwell::data {
namespace {

using Numbers = std::span<const std::size_t>;

template <class T>
DenseDesign<T> subset_of(const DenseDesign<T>& design, Numbers records) {
  const std::size_t features = design.features();
  const auto values =
      std::make_shared_for_overwrite<T[]>(std::max<std::size_t>(1, records.size() * features));
  T* out = values.get();
  const DenseBlock<T> block = design.block({0, features});
  for (std::size_t j = 0; j < features; ++j) {
    const T* column = block.column(j).values();
    for (const std::size_t i : records) *out++ = column[i];
  }
  return DenseDesign<T>(values, records.size(), features);
}

SparseDesign subset_of(const SparseDesign& design, Numbers records) {
  constexpr std::int32_t kNone = -1;
  std::vector<std::int32_t> place(design.records(), kNone);
  for (std::size_t k = 0; k < records.size(); ++k) {
    place[records[k]] = static_cast<std::int32_t>(k);
  }
  const Compressed& from = *design.by_feature();
  Compressed to;
  to.offsets.push_back(0);
  for (std::size_t j = 0; j < from.lists(); ++j) {
    SparseColumn(from, j).for_each([&](std::size_t i, double value) {
      if (place[i] == kNone) return;
      to.indices.push_back(place[i]);
      to.values.push_back(value);
    });
    to.offsets.push_back(static_cast<std::int64_t>(to.values.size()));
  }
  return SparseDesign::from_features(std::move(to), records.size());
}

}  // namespace

Dataset subset(const Dataset& dataset, Numbers records) {
  Dataset out{.design = std::visit(
                  [&](const auto& design) -> AnyDesign { return subset_of(design, records); },
                  dataset.design),
              .target = {},
              .feature_names = dataset.feature_names,
              .target_name = dataset.target_name,
              .id_name = dataset.id_name};
  for (const std::size_t i : records) {
    if (!dataset.target.empty()) out.target.push_back(dataset.target[i]);
    if (!dataset.ids.empty()) out.ids.push_back(dataset.ids[i]);
  }
  if (dataset.record_units) out.record_units = dataset.record_units->of_records(records);
  return out;
}

}  // namespace southwell::data
