#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "lab/coefficients.hpp"

namespace southwell::lab {

/// Where the data hold a feature of a given name.
class FeaturePlaces {
 public:
  FeaturePlaces(const std::vector<std::string>& names, std::size_t features);

  std::size_t size() const { return features_; }
  bool named() const { return named_; }  ///< by the data themselves, not x1 .. xp
  std::optional<std::size_t> of(const std::string& name) const;

 private:
  std::size_t features_;
  bool named_;
  std::unordered_map<std::string, std::size_t> places_;
};

/// The one place that knows the JSON forms of coefficients: what `lab optimum --json` prints, and a
/// model file by the keys the two have in common.
CoefficientsFile coefficients_from_json(const std::string& text, const std::string& name,
                                        const FeaturePlaces& places);

}  // namespace southwell::lab
