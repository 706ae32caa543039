#pragma once

#include <sys/resource.h>

namespace southwell::cli {

/// While this is there a crash of the program leaves no copy of its memory behind: it holds
/// records.
class NoCoreDumps {
 public:
  NoCoreDumps();
  ~NoCoreDumps();
  NoCoreDumps(const NoCoreDumps&) = delete;
  NoCoreDumps& operator=(const NoCoreDumps&) = delete;

 private:
  int dumpable_;
  rlimit limit_{};
};

}  // namespace southwell::cli
