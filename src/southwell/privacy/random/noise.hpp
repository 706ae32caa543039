#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "southwell/core/int128.hpp"
#include "southwell/core/parallel.hpp"
#include "southwell/privacy/accounting/cost.hpp"
#include "southwell/privacy/random/fork_generation.hpp"
#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::privacy {

namespace internal {
/// noise + value in 128 bits, brought into 64 after the addition. |noise| < 2^126.
std::int64_t saturated_sum(Int128 noise, std::int64_t value);
}  // namespace internal

struct LaplaceLaw;
struct GaussianLaw;
template <class Law>
class DiscreteRelease;

/// Noise drawn for one release, before any record is used: the time of an exact draw is correlated
/// with its size. Nobody can read it, and a release consumes it: the next use of the same object
/// throws std::logic_error. So does its use in a forked child: the parent has the same noise.
class Noise {
 public:
  Noise(Noise&&) = default;
  Noise& operator=(Noise&&) = default;
  std::size_t size() const { return values_.size(); }
  Origin origin() const { return origin_; }

 private:
  friend class DiscreteRelease<LaplaceLaw>;
  friend class DiscreteRelease<GaussianLaw>;
  Noise(Cost cost, Origin origin, std::vector<Int128> values)
      : cost_(cost),
        origin_(origin),
        drawn_in_(ForkGeneration::now()),
        values_(std::move(values)) {}
  /// `size` draws of the law that `cost` names.
  static Noise draw(Cost cost, RandomBits& bits, std::size_t size);
  /// The same in as many parts as there are streams, each from its own.
  static Noise draw(Cost cost, std::span<const std::unique_ptr<RandomBits>> streams,
                    std::size_t size, core::ThreadPool& pool);
  /// output = input + noise in 128 bits, saturated to 64 after the addition; `noise` is empty
  /// afterwards. Allocates nothing: a fit calls it in every iteration.
  static void add(std::string_view mechanism, Cost cost, std::span<const std::int64_t> input,
                  Noise&& noise, std::span<std::int64_t> output);

  Cost cost_;
  Origin origin_;
  ForkGeneration drawn_in_;
  std::vector<Int128> values_;
};

}  // namespace southwell::privacy
