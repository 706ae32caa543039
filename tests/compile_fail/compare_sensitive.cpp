// Two sensitive values cannot be compared: the outcome would be a fact about records.
// expect: no match for|invalid operands

#include "southwell/core/sensitive.hpp"

int leak(const southwell::Sensitive<int>& a, const southwell::Sensitive<int>& b) {
#ifdef BROKEN
  return a < b ? 1 : 0;
#else
  (void)a;
  (void)b;
  return 0;
#endif
}
