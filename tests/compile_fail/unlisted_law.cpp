// A release with a law of one's own cannot read anything: the list names the laws.
// expect: private

#include "southwell/privacy/mechanisms/discrete_release.hpp"

namespace southwell::privacy {
struct NoNoise;
template <>
class DiscreteRelease<NoNoise> {
 public:
  long release(const Sensitive<long>& value) const {
#ifdef BROKEN
    return value.reveal(ReleasePass());
#else
    (void)value;
    return 0;
#endif
  }
};
}  // namespace southwell::privacy
