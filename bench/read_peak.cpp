// read_peak FILE [TARGET]: prints the design's bytes and the process's peak resident bytes.

#include <cstdio>
#include <fstream>
#include <string>

#include "southwell/data/read.hpp"

namespace {

/// VmHWM, in bytes. (getrusage would also count what the parent held before exec.)
std::size_t peak_resident_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::size_t kilobytes = 0;
    if (word == "VmHWM:" && status >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  southwell::data::ReadOptions options;
  if (argc > 2) options.target = argv[2];
  const auto dataset = southwell::data::read(argv[1], options);
  std::printf("%zu %zu\n", dataset.records() * dataset.features() * sizeof(double),
              peak_resident_bytes());
  return 0;
}
