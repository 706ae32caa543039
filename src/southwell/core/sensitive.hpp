#pragma once

#include <utility>

namespace southwell {

namespace privacy {
class ExponentialMechanism;
class DiscreteLaplaceRelease;
}  // namespace privacy

/// Only mechanisms can make one. This friend list is the list of things to audit.
class ReleasePass {
  ReleasePass() {}  // not defaulted: `ReleasePass{}` must not be aggregate initialisation
  friend class privacy::ExponentialMechanism;
  friend class privacy::DiscreteLaplaceRelease;
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
