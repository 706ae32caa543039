#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace southwell::solvers {

/// The features that were chosen, in their order; public.
class Support {
 public:
  bool has(std::size_t feature) const {
    return std::find(features_.begin(), features_.end(), feature) != features_.end();
  }
  void add(std::size_t feature) {
    if (!has(feature)) features_.push_back(feature);
  }
  static Support of_all(std::size_t features) {
    Support all;
    all.features_.resize(features);
    std::iota(all.features_.begin(), all.features_.end(), std::size_t{0});
    return all;
  }
  std::size_t size() const { return features_.size(); }
  const std::vector<std::size_t>& features() const { return features_; }

 private:
  std::vector<std::size_t> features_;
};

}  // namespace southwell::solvers
