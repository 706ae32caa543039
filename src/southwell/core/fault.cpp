#include "southwell/core/fault.hpp"

#ifdef SOUTHWELL_INSTRUMENTED
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace southwell {

Fault active_fault() {
  const char* given = std::getenv("SOUTHWELL_FAULT");
  if (given == nullptr || *given == '\0') return Fault::none;
#define SOUTHWELL_NAME(name) \
  if (std::string_view(given) == #name) return Fault::name;
  SOUTHWELL_FAULTS(SOUTHWELL_NAME)
#undef SOUTHWELL_NAME
  std::fprintf(stderr, "SOUTHWELL_FAULT: no fault is named '%s'\n", given);
  std::_Exit(70);
}

}  // namespace southwell
#endif
