// Nobody can write a listed release's member anew.
// expect: after instantiation

#include "southwell/privacy/mechanisms/discrete_release.hpp"

namespace southwell::privacy {
#ifdef BROKEN
template <>
std::int64_t DiscreteRelease<LaplaceLaw>::release(const Sensitive<std::int64_t>& value,
                                                  Noise&&) const {
  return value.reveal(ReleasePass());
}
#endif
}  // namespace southwell::privacy
