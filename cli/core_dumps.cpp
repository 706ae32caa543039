#include "core_dumps.hpp"

#include <sys/prctl.h>

namespace southwell::cli {

NoCoreDumps::NoCoreDumps() : dumpable_(prctl(PR_GET_DUMPABLE)) {
  if (getrlimit(RLIMIT_CORE, &limit_) == 0) {
    const rlimit none{0, limit_.rlim_max};
    setrlimit(RLIMIT_CORE, &none);
  }
  // A dump that is piped to a program has no limit.
  prctl(PR_SET_DUMPABLE, 0);
}

NoCoreDumps::~NoCoreDumps() {
  if (dumpable_ == 1) prctl(PR_SET_DUMPABLE, 1);
  setrlimit(RLIMIT_CORE, &limit_);
}

}  // namespace southwell::cli
