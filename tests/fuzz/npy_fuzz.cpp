#include "agreement.hpp"

using namespace southwell::data;

namespace {

/// Hides the size of what it hands out, as a pipe does.
class Pipe : public ByteSource {
 public:
  explicit Pipe(ByteSource& source) : source_(source) {}
  std::size_t read(std::span<char> out) override { return source_.read(out); }

 private:
  ByteSource& source_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  if (size == 0) return 0;
  ReadOptions options;
  if (data[0] & 1) options.target = std::to_string(data[0] >> 1 & 3);
  if (data[0] & 8) options.storage = Storage::f32;
  const bool as_pipe = data[0] & 16;
  expect_agreement(
      [&](ByteSource& source, const ReadOptions& with, const Chunking& chunking) {
        Pipe pipe(source);
        return read_npy(as_pipe ? pipe : source, "file", with, chunking);
      },
      {data + 1, size - 1}, options);
  return 0;
}
