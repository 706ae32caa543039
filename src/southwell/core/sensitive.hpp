#pragma once

#include <utility>

namespace southwell {

namespace privacy {
class ExponentialMechanism;
class PermuteAndFlip;
class NoisyMax;
class DiscreteLaplaceRelease;
class DiscreteGaussianRelease;
namespace paper {
class UnsoundNoisyMax;
class UnsoundLaplaceRelease;
}  // namespace paper
}  // namespace privacy

/// Only mechanisms can make one. This friend list is the list of things to audit.
class ReleasePass {
  ReleasePass() {}  // not defaulted: `ReleasePass{}` must not be aggregate initialisation
  friend class privacy::ExponentialMechanism;
  friend class privacy::PermuteAndFlip;
  friend class privacy::NoisyMax;
  friend class privacy::DiscreteLaplaceRelease;
  friend class privacy::DiscreteGaussianRelease;
  // The published mechanisms, for reproduction only: no guarantee.
  friend class privacy::paper::UnsoundNoisyMax;
  friend class privacy::paper::UnsoundLaplaceRelease;
};

/// A value computed from raw records: it can be carried, but only a mechanism can read it.
template <class T>
class Sensitive {
 public:
  explicit Sensitive(T value) : value_(std::move(value)) {}
  const T& reveal(ReleasePass) const { return value_; }

 private:
  T value_;
};

}  // namespace southwell
