#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <variant>

#include "southwell/core/error.hpp"
#include "southwell/data/read_source.hpp"
#include "support/scratch.hpp"

// What the tests of the readers share.
namespace southwell::data {

/// A data set in full, bit by bit, as text: equal texts mean equal data sets.
inline std::string image(const Dataset& data) {
  std::string out = std::to_string(data.records()) + " x " + std::to_string(data.features());
  const auto put = [&](double x) { out += ' ' + std::to_string(std::bit_cast<std::uint64_t>(x)); };
  out += " form " + std::to_string(data.design.index());
  std::visit(
      [&](const auto& design) {
        const auto block = design.block({0, design.features()});
        for (std::size_t j = 0; j < design.features(); ++j) {
          out += "\ncolumn";
          block.column(j).for_each([&](std::size_t i, double x) {
            out += ' ' + std::to_string(i) + ':';
            put(x);
          });
        }
        for (std::size_t i = 0; i < design.records(); ++i) {
          out += "\nrecord";
          design.for_each_in_record(i, [&](std::size_t j, double x) {
            out += ' ' + std::to_string(j) + ':';
            put(x);
          });
        }
      },
      data.design);
  out += "\ntarget";
  for (const double y : data.target) put(y);
  for (const std::string& name : data.feature_names) out += "\nname " + name;
  return out;
}

/// The data set read, or the error and its kind.
template <class Read>
std::string outcome(const Read& read) {
  try {
    return image(read());
  } catch (const DataError& error) {
    return std::string("DataError ") + error.what();
  } catch (const InvalidArgument& error) {
    return std::string("InvalidArgument ") + error.what();
  }
}

using SourceReader = Dataset (*)(ByteSource&, const std::string&, const ReadOptions&,
                                 const Chunking&);

/// Reads `bytes` in one piece, then in every other way: cut anywhere, with any number of threads,
/// in pieces as a pipe gives them, packed as one gzip member and as two. All must agree.
inline std::string outcome_in_every_way(SourceReader read, std::string_view bytes,
                                        ReadOptions options = {}) {
  options.threads = 1;
  const auto in_one_piece = [&] {
    MemorySource source(bytes);
    return read(source, "file", options, {});
  };
  const std::string expected = outcome(in_one_piece);
  for (const int threads : {1, 2, 7}) {
    options.threads = threads;
    for (const std::size_t chunk : {1u, 2u, 3u, 5u, 7u, 11u, 16u, 33u, 64u, 1000u}) {
      const Chunking chunking{.chunk_bytes = chunk};
      EXPECT_EQ(expected, outcome([&] {
                  MemorySource source(bytes, chunk % 3 + 1);
                  return read(source, "file", options, chunking);
                }))
          << "threads " << threads << ", chunks of " << chunk;
    }
    const std::size_t half = bytes.size() / 2;
    for (const std::string& packed :
         {gzipped(bytes), gzipped(bytes.substr(0, half)) + gzipped(bytes.substr(half))}) {
      EXPECT_EQ(expected, outcome([&] {
                  const auto source = unpacked(std::make_unique<MemorySource>(packed, 5), "file");
                  return read(*source, "file", options, {.chunk_bytes = 16});
                }))
          << "packed, threads " << threads;
    }
  }
  return expected;
}

/// Reads `bytes` as a regular file, packed, and through a pipe fed in small pieces.
inline void expect_same_from_file_gzip_and_pipe(const std::string& name, std::string_view bytes,
                                                ReadOptions options = {}) {
  const Scratch scratch;
  const auto plain = scratch.file(name, bytes);
  const auto packed = scratch.file(name + ".gz", gzipped(bytes));
  std::string expected;
  for (const int threads : {1, 2, 7}) {
    options.threads = threads;
    const std::string got = image(read(plain, options));
    if (expected.empty()) expected = got;
    EXPECT_EQ(expected, got) << "threads " << threads;
    EXPECT_EQ(expected, image(read(packed, options))) << "packed, threads " << threads;
    for (const std::size_t piece : {1u, 7u, 4096u}) {
      const auto pipe =
          scratch.path(std::to_string(threads * 10000 + static_cast<int>(piece)) + name);
      ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
      std::jthread writer([&] {
        std::ofstream out(pipe, std::ios::binary);
        out.rdbuf()->pubsetbuf(nullptr, 0);
        for (std::size_t at = 0; at < bytes.size(); at += piece) {
          out << bytes.substr(at, piece) << std::flush;
        }
      });
      EXPECT_EQ(expected, image(read(pipe, options))) << "pipe, pieces of " << piece;
    }
  }
}

/// One line of a table of files that must be refused.
struct BadFile {
  const char* what;
  std::string bytes;
  const char* message;  ///< part of it, with the line
};

inline void expect_refused(SourceReader read, const std::vector<BadFile>& table,
                           const ReadOptions& options = {}) {
  for (const BadFile& bad : table) {
    const std::string got = outcome_in_every_way(read, bad.bytes, options);
    EXPECT_TRUE(got.starts_with("DataError file:")) << bad.what << ": " << got;
    EXPECT_NE(got.find(bad.message), std::string::npos) << bad.what << ": " << got;
    EXPECT_NE(got.find("accepted"), std::string::npos) << bad.what << ": " << got;
  }
}

/// Peak resident memory of this process so far, in MB; reset before a measurement.
inline void reset_peak_memory() { std::ofstream("/proc/self/clear_refs") << "5"; }
inline double peak_memory_mb() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    if (word == "VmHWM:") {
      double kilobytes = 0.0;
      status >> kilobytes;
      return kilobytes / 1024.0;
    }
  }
  return 0.0;
}

}  // namespace southwell::data
