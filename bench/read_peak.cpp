// read_peak FILE [TARGET | --schema SCHEMA]: prints the design's bytes and the process's peak
// resident bytes.

#include <cstdio>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "southwell/data/read.hpp"
#include "southwell/data/table/read_table.hpp"

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

using namespace southwell::data;

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const bool has_schema = argc > 3 && std::string_view(argv[2]) == "--schema";
  const auto read_all = [&] {
    if (has_schema) {
      auto schema = std::make_shared<const Schema>(Schema::from_file(argv[3]));
      return read_table(argv[1], TableEncoding(std::move(schema), argv[3]));
    }
    ReadOptions options;
    if (argc > 2) options.target = argv[2];
    return read(argv[1], options);
  };
  const Dataset dataset = read_all();
  std::printf("%zu %zu\n", dataset.records() * dataset.features() * sizeof(double),
              peak_resident_bytes());
  return 0;
}
