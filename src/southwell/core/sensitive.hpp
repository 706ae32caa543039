#pragma once

#include <type_traits>
#include <utility>

namespace southwell {

namespace problem {
template <class Design>
class ClippedGradient;
template <class Design>
class RecordGradient;
}  // namespace problem

namespace privacy {
class ExponentialMechanism;
class PermuteAndFlip;
class NoisyMax;
struct LaplaceLaw;
struct GaussianLaw;
template <class Law>
class DiscreteRelease;
namespace paper {
class UnsoundNoisyMax;
class UnsoundLaplaceRelease;
class UnsoundGaussianRelease;
}  // namespace paper
}  // namespace privacy

/// Only mechanisms can make one. This friend list is the list of things to audit.
class ReleasePass {
 public:
  ReleasePass(const ReleasePass&) = delete;
  ReleasePass& operator=(const ReleasePass&) = delete;
  ~ReleasePass() {}  // not defaulted: std::bit_cast must not make one

 private:
  ReleasePass() {}  // not defaulted: `ReleasePass{}` must not be aggregate initialisation
  friend class privacy::ExponentialMechanism;
  friend class privacy::PermuteAndFlip;
  friend class privacy::NoisyMax;
  friend class privacy::DiscreteRelease<privacy::LaplaceLaw>;
  friend class privacy::DiscreteRelease<privacy::GaussianLaw>;
  // The published mechanisms, for reproduction only: no guarantee.
  friend class privacy::paper::UnsoundNoisyMax;
  friend class privacy::paper::UnsoundLaplaceRelease;
  friend class privacy::paper::UnsoundGaussianRelease;
};

/// Only what computes from records can make one: it writes a Sensitive in place, so that a fit
/// allocates nothing per iteration. This friend list is to be audited too.
class RecordPass {
 public:
  RecordPass(const RecordPass&) = delete;
  RecordPass& operator=(const RecordPass&) = delete;
  ~RecordPass() {}

 private:
  RecordPass() {}
  template <class Design>
  friend class problem::ClippedGradient;
  template <class Design>
  friend class problem::RecordGradient;
};

/// A value computed from raw records: it can be carried, but only a mechanism can read it. This
/// stops mistakes at compile time; it cannot stop an author who sets out to go round the language.
template <class T>
class Sensitive {
 public:
  explicit Sensitive(T value) : value_(std::move(value)) {}
  Sensitive(const Sensitive&) = default;
  Sensitive(Sensitive&&) = default;
  Sensitive& operator=(const Sensitive&) = default;
  Sensitive& operator=(Sensitive&&) = default;
  ~Sensitive() {}  // not defaulted: std::bit_cast must not read it

  const T& reveal(const ReleasePass&) const { return value_; }
  T& rewrite(const RecordPass&) { return value_; }

 private:
  T value_;
};

static_assert(!std::is_trivially_copyable_v<ReleasePass>);
static_assert(!std::is_trivially_copyable_v<RecordPass>);
static_assert(!std::is_trivially_copyable_v<Sensitive<long>>);

}  // namespace southwell
