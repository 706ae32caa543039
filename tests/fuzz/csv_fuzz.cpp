#include "agreement.hpp"

using namespace southwell::data;

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  if (size == 0) return 0;
  // The first byte chooses the options.
  ReadOptions options;
  if (data[0] & 1) options.target = std::to_string(data[0] >> 1 & 3);
  if (data[0] & 8) options.storage = Storage::f32;
  if (!(data[0] & 16)) options.id = "1";
  if (!(data[0] & 32)) options.only = {"a", "c"};
  if (!(data[0] & 64)) options.missing = {"?", "-9", "N/A", "a\"b"};
  expect_agreement(
      [](ByteSource& source, const ReadOptions& with, const Chunking& chunking) {
        return read_csv(source, "file", with, chunking);
      },
      {data + 1, size - 1}, options);
  return 0;
}
