#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "data/reading.hpp"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SOUTHWELL_UNDER_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SOUTHWELL_UNDER_SANITIZER 1
#endif
#endif
#ifndef SOUTHWELL_UNDER_SANITIZER  // their own memory hides ours

namespace southwell::data {
namespace {

/// `first`, then `again` over and over until `size` bytes were given: a large file that takes up no
/// room.
class EndlessSource : public ByteSource {
 public:
  EndlessSource(std::string first, std::string again, std::size_t size)
      : now_(std::move(first)), again_(std::move(again)), left_(size) {}
  std::size_t read(std::span<char> out) override {
    if (at_ == now_.size()) {
      now_ = again_;
      at_ = 0;
    }
    const std::size_t count = std::min({out.size(), now_.size() - at_, left_});
    std::memcpy(out.data(), now_.data() + at_, count);
    at_ += count;
    left_ -= count;
    return count;
  }

 private:
  std::string now_;
  std::string again_;
  std::size_t left_;
  std::size_t at_ = 0;
};

/// What `body` adds to the resident memory at its peak, in MB.
template <class Body>
double peak_of(const Body& body) {
  reset_peak_memory();
  const double before = peak_memory_mb();
  body();
  return peak_memory_mb() - before;
}

constexpr std::size_t kMb = std::size_t{1} << 20;

TEST(ReadMemory, ALineWithoutEndCostsNoMoreThanTheLimit) {
  for (const char* fill : {"x", "1,", "\"", " "}) {
    std::string again;
    while (again.size() < 65536) again += fill;
    for (const SourceReader read : {SourceReader(&read_csv), SourceReader(&read_libsvm)}) {
      EndlessSource source("1 1:1\n", again, 1024 * kMb);
      const double peak = peak_of([&] {
        const std::string got =
            outcome([&] { return read(source, "file", {.threads = 2}, {.line_limit = 16 * kMb}); });
        EXPECT_TRUE(got.starts_with("DataError file:")) << got;
      });
      EXPECT_LT(peak, 24.0) << fill;
    }
  }
}

TEST(ReadMemory, AGzipBombOfOneLineCostsNoMoreThanTheLimit) {
  const std::string packed = gzipped("a,b\n" + std::string(100 * kMb, '1'));
  const double peak = peak_of([&] {
    const auto source = unpacked(std::make_unique<MemorySource>(packed), "file");
    EXPECT_EQ(
        outcome([&] { return read_csv(*source, "file", {}, {.line_limit = 8 * kMb}); }),
        "DataError file:2: the line is longer than 8388608 bytes; accepted are shorter lines");
  });
  EXPECT_LT(peak, 16.0);
}

TEST(ReadMemory, AManyColumnedFirstLineDoesNotMakeShortLinesExpensive) {
  const double peak = peak_of([&] {
    EndlessSource source(std::string(kMb, ',') + "\n", "\n\n\n\n\n\n\n1\n", 4 * kMb);
    EXPECT_NE(outcome([&] { return read_csv(source, "file", {}); }).find("blank"),
              std::string::npos);
  });
  EXPECT_LT(peak, 128.0);  // two chunks of text, one record of a million numbers
}

TEST(ReadMemory, AHeaderIsNotBelieved) {
  for (const char* order : {"False", "True"}) {
    for (const char* shape : {"(1000000000000, 1)", "(1000000, 1000000)", "(2, 2000000000)"}) {
      std::string text =
          std::string("{'descr': '<f8', 'fortran_order': ") + order + ", 'shape': " + shape + ", }";
      text += std::string(118 - text.size(), ' ');
      const std::string start = std::string("\x93NUMPY\1\0\x76\0", 10) + text;
      const double peak = peak_of([&] {
        EndlessSource source(start, std::string(65536, '\1'), 16 * kMb);
        const std::string got = outcome([&] { return read_npy(source, "file", {}); });
        EXPECT_NE(got.find("the file is shorter"), std::string::npos) << got;
      });
      EXPECT_LT(peak, 64.0) << order << shape;
    }
  }
}

TEST(ReadMemory, APeakOfAQuarterAboveTheDesignIsEnough) {
  for (const std::size_t columns : {1u, 8u, 500u, 40000u}) {
    std::string line;
    for (std::size_t j = 0; j < columns; ++j) line += (j ? ",0.1234567890123" : "0.1234567890123");
    line += '\n';
    std::string again = line;
    while (again.size() < 65536) again += line;
    const std::size_t size = 160 * kMb / again.size() * again.size();
    for (const int threads : {1, 2}) {
      double design = 0.0;
      const double peak = peak_of([&] {
        EndlessSource source(again, again, size);
        const Dataset data = read_csv(source, "file", {.target = "0", .threads = threads});
        design = static_cast<double>(data.records() * (data.features() + 1) * sizeof(double)) /
                 static_cast<double>(kMb);
      });
      EXPECT_LT(peak, 1.25 * design) << columns << " columns, design " << design;
    }
  }
}

}  // namespace
}  // namespace southwell::data
#endif
