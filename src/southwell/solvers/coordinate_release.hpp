#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "southwell/privacy/mechanisms/discrete_release.hpp"
#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::solvers {

/// The releases of a certified fit, one coordinate each. All their noise is drawn here, before the
/// first gradient: the time of a draw is correlated with its size.
class CertifiedRelease {
 public:
  using Mechanism = std::variant<privacy::DiscreteLaplaceRelease, privacy::DiscreteGaussianRelease>;

  CertifiedRelease(Mechanism mechanism, std::uint64_t iterations, privacy::RandomBits& bits);

  template <class Problem>
  double measure(Problem& problem, std::size_t c) {
    const std::int64_t released = std::visit(
        [&](const auto& mechanism) {
          return mechanism.release(problem.gradient_sum(c), std::move(noise_[used_]));
        },
        mechanism_);
    ++used_;
    return problem.gradient_of(c, released);
  }

 private:
  Mechanism mechanism_;
  std::vector<privacy::Noise> noise_;
  std::size_t used_ = 0;
};

}  // namespace southwell::solvers
