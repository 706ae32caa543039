// read_peak FILE [TARGET]: prints the design's bytes and the process's peak resident bytes.

#include <sys/resource.h>

#include <cstdio>

#include "southwell/data/read.hpp"

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  southwell::data::ReadOptions options;
  if (argc > 2) options.target = argv[2];
  const auto dataset = southwell::data::read(argv[1], options);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("%zu %zu\n", dataset.records() * dataset.features() * sizeof(double),
              static_cast<std::size_t>(usage.ru_maxrss) * 1024);
  return 0;
}
