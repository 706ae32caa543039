// A class derived from a mechanism does not inherit its pass: friendship ends at the listed class.
// expect: private

#include "southwell/privacy/mechanisms/discrete_release.hpp"

struct Leak : southwell::privacy::DiscreteLaplaceRelease {
  using southwell::privacy::DiscreteLaplaceRelease::DiscreteRelease;
  static long read(const southwell::Sensitive<long>& secret) {
#ifdef BROKEN
    return secret.reveal(southwell::ReleasePass());
#else
    (void)secret;
    return 0;
#endif
  }
};
