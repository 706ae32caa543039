// A sensitive value can be carried but not read outside a mechanism.
// expect: private

#include "southwell/core/sensitive.hpp"

int carry() {
  const southwell::Sensitive<int> secret(3);
  const southwell::Sensitive<int> carried = secret;
#ifdef BROKEN
  return carried.reveal(southwell::ReleasePass{});
#else
  (void)carried;
  return 0;
#endif
}
