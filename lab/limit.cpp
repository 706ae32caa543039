#include "lab/limit.hpp"

#include <numeric>
#include <utility>
#include <variant>
#include <vector>

#include "southwell/problem/gradient/record_factors.hpp"
#include "southwell/problem/support.hpp"

namespace southwell::lab {
namespace {

data::AnyDesign shortened(const data::SparseDesign& design, const problem::RecordFactors& factors) {
  data::Compressed entries = *design.by_feature();
  for (std::size_t e = 0; e < entries.values.size(); ++e) {
    entries.values[e] =
        factors.limited(static_cast<std::size_t>(entries.indices[e]), entries.values[e]);
  }
  return data::SparseDesign::from_features(std::move(entries), design.records());
}

template <class T>
data::AnyDesign shortened(const data::DenseDesign<T>& design,
                          const problem::RecordFactors& factors) {
  std::vector<std::size_t> all(design.features());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return problem::columns_of(design, all, factors);
}

}  // namespace

data::AnyDesign limited(const data::AnyDesign& any, const problem::RecordLimit& limit,
                        core::ThreadPool& pool) {
  if (!limit.is_set()) return any;
  return std::visit(
      [&](const auto& design) {
        return shortened(design, problem::RecordFactors(design, limit, pool));
      },
      any);
}

}  // namespace southwell::lab
