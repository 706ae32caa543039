// Nobody but what computes from records can write a sensitive value in place, and so see it.
// expect: private

#include "southwell/core/sensitive.hpp"

int leak(southwell::Sensitive<int>& secret) {
#ifdef BROKEN
  return secret.rewrite({});
#else
  (void)secret;
  return 0;
#endif
}
