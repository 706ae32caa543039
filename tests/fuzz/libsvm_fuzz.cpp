#include "agreement.hpp"

using namespace southwell::data;

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  // The number of features is declared: one index may otherwise ask for millions of columns, which
  // is slow, not wrong.
  expect_agreement(
      [](ByteSource& source, const ReadOptions& with, const Chunking& chunking) {
        return read_libsvm(source, "file", with, chunking);
      },
      {data, size}, {.features = 1 + size % 64});
  return 0;
}
