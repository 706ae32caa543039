// Scores can be carried to a selection but nobody else can walk through them.
// expect: begin|no viable

#include "southwell/core/sensitive.hpp"
#include "southwell/privacy/mechanisms/selection.hpp"

long largest(const southwell::Sensitive<southwell::privacy::Scores>& scores) {
  long best = 0;
#ifdef BROKEN
  for (const long score : scores) best = score > best ? score : best;
#else
  (void)scores;
#endif
  return best;
}
