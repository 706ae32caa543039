#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "southwell/problem/mapped_records.hpp"

namespace southwell::solvers {

/// The records of a support as a whitening maps them: made once for all that look at them.
class MappedSupport {
 public:
  /// There is another whitening: its memory is given back before the next is made.
  void forget() { kept_.reset(); }

  template <class Design>
  const data::DenseDesign<double>& records(const Design& design,
                                           const problem::RecordFactors& factors,
                                           const problem::RecordMap& map, core::ThreadPool& pool) {
    Of of{{map.features.begin(), map.features.end()}, {}};
    for (std::size_t k = 0; k < of.features.size(); ++k) {
      of.units.push_back(map.coordinates.unit(k));
    }
    if (kept_ && kept_->of == of) return kept_->records;
    kept_.reset();
    kept_.emplace(Kept{std::move(of), problem::mapped_records(design, factors, map, pool)});
    return kept_->records;
  }

 private:
  /// What mapped records depend on beside the whitening; public.
  struct Of {
    std::vector<std::size_t> features;
    std::vector<double> units;
    bool operator==(const Of&) const = default;
  };
  struct Kept {
    Of of;
    data::DenseDesign<double> records;
  };
  std::optional<Kept> kept_;
};

}  // namespace southwell::solvers
