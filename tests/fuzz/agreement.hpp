#pragma once

#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/data/read_source.hpp"

// What is read must not depend on how it is cut up, by how many threads or in which pieces it
// comes.
namespace southwell::data {

/// What a reader made of some bytes: numbers bit by bit, or an error.
struct Outcome {
  std::string error;
  std::vector<std::uint64_t> numbers;
  std::vector<std::string> names;
  bool operator==(const Outcome&) const = default;
};

inline void put(Outcome& out, const SparseDesign& design) {
  for (const auto& lists : {design.by_feature(), design.by_record()}) {
    for (const auto offset : lists->offsets)
      out.numbers.push_back(static_cast<std::uint64_t>(offset));
    for (const auto index : lists->indices)
      out.numbers.push_back(static_cast<std::uint64_t>(index));
    for (const double x : lists->values) out.numbers.push_back(std::bit_cast<std::uint64_t>(x));
  }
}

template <class T>
void put(Outcome& out, const DenseDesign<T>& design) {
  if (design.records() == 0) return;  // a header alone may claim two thousand million columns
  const auto block = design.block({0, design.features()});
  for (std::size_t j = 0; j < design.features(); ++j) {
    block.column(j).for_each(
        [&](std::size_t, double x) { out.numbers.push_back(std::bit_cast<std::uint64_t>(x)); });
  }
}

template <class Read>
Outcome outcome(const Read& read) {
  Outcome out;
  try {
    const Dataset data = read();
    out.numbers = {data.records(), data.features(), data.design.index(), data.target.size()};
    std::visit([&](const auto& design) { put(out, design); }, data.design);
    for (const double y : data.target) out.numbers.push_back(std::bit_cast<std::uint64_t>(y));
    out.names = data.feature_names;
    out.names.insert(out.names.end(), data.ids.begin(), data.ids.end());
  } catch (const DataError& error) {
    out.error = error.what();
  } catch (const InvalidArgument& error) {
    out.error = error.what();
  }
  return out;
}

/// Reads `bytes` whole in one thread, then cut up in two: stops the fuzzer if they differ.
template <class Read>
void expect_agreement(const Read& read, std::string_view bytes, ReadOptions options) {
  // A limit on lines that inputs of the fuzzer's length can reach.
  Chunking chunking{.chunk_bytes = 4096, .line_limit = 256};
  options.threads = 1;
  const Outcome whole = outcome([&] {
    MemorySource source(bytes);
    return read(source, options, chunking);
  });
  chunking.chunk_bytes = 1 + bytes.size() % 13;
  options.threads = bytes.size() % 32 == 0 ? 2 : 1;
  const Outcome cut_up = outcome([&] {
    MemorySource source(bytes, 1 + bytes.size() % 5);
    return read(source, options, chunking);
  });
  if (whole != cut_up) {
    std::fprintf(stderr, "whole:  %s\ncut up: %s\n", whole.error.c_str(), cut_up.error.c_str());
    std::abort();
  }
}

}  // namespace southwell::data
