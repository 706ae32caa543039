// A new mechanism in the room cannot read anything until it is on the list in core/sensitive.hpp.
// expect: private

#include "southwell/core/sensitive.hpp"

namespace southwell::privacy {
class NewMechanism {
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
