#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/data/npy_header.hpp"
#include "southwell/data/read_source.hpp"
#include "southwell/data/row_blocks.hpp"

namespace southwell::data {
namespace {

struct Half {
  std::uint16_t bits;
};

double to_double(Half half) {
  const int exponent = half.bits >> 10 & 31;
  const int fraction = half.bits & 1023;
  double size = std::ldexp(exponent == 0 ? fraction : 1024 + fraction, std::max(exponent, 1) - 25);
  if (exponent == 31) {
    size = fraction == 0 ? std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  }
  return half.bits >> 15 != 0 ? -size : size;
}
double to_double(bool value) { return value ? 1.0 : 0.0; }
template <class Raw>
double to_double(Raw value) {
  return static_cast<double>(value);
}

template <class Raw>
double load(const char* bytes, bool swapped) {
  char copy[sizeof(Raw)];
  std::memcpy(copy, bytes, sizeof(Raw));
  if (swapped) std::reverse(copy, copy + sizeof(Raw));
  if constexpr (std::is_same_v<Raw, bool>) {
    return to_double(copy[0] != 0);
  } else {
    Raw value;
    std::memcpy(&value, copy, sizeof(Raw));
    return to_double(value);
  }
}

/// Calls f(load) with the function that reads one number of this type.
template <class F>
void with_load(const NpyHeader& header, F&& f) {
  const auto call = [&]<class Raw>(Raw) {
    if (header.swapped) {
      f([](const char* bytes) { return load<Raw>(bytes, true); });
    } else {
      f([](const char* bytes) { return load<Raw>(bytes, false); });
    }
  };
  switch (header.kind << 4 | static_cast<int>(header.item_bytes)) {
    case 'f' << 4 | 2:
      return call(Half{});
    case 'f' << 4 | 4:
      return call(float{});
    case 'f' << 4 | 8:
      return call(double{});
    case 'i' << 4 | 1:
      return call(std::int8_t{});
    case 'i' << 4 | 2:
      return call(std::int16_t{});
    case 'i' << 4 | 4:
      return call(std::int32_t{});
    case 'i' << 4 | 8:
      return call(std::int64_t{});
    case 'u' << 4 | 1:
      return call(std::uint8_t{});
    case 'u' << 4 | 2:
      return call(std::uint16_t{});
    case 'u' << 4 | 4:
      return call(std::uint32_t{});
    case 'u' << 4 | 8:
      return call(std::uint64_t{});
    default:
      return call(bool{});
  }
}

/// A two-dimensional table in a file, one of whose columns may be the target.
struct NpyTable {
  ByteSource& source;
  const std::string& name;
  NpyHeader header;
  std::size_t records;
  std::size_t columns;
  std::optional<std::size_t> target;

  std::size_t features() const { return columns - (target ? 1 : 0); }
  std::size_t record_bytes() const { return columns * header.item_bytes; }

  [[noreturn]] void refuse_length(const char* what) const {
    throw DataError(name + ": " + what + " its npy header says; accepted are " +
                    std::to_string(records) + " x " + std::to_string(columns) + " numbers of " +
                    std::to_string(header.item_bytes) + " bytes");
  }
  [[noreturn]] void refuse_short() const { refuse_length("the file is shorter than"); }
  [[noreturn]] void refuse_long() const { refuse_length("the file is longer than"); }
};

/// Checks the shape, and the length of the file where it is known, before any memory is asked for.
void check_size(const NpyTable& table) {
  constexpr auto kMostColumns = static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max());
  if (table.columns == 0 || table.columns > kMostColumns) {
    throw DataError(table.name + ": the npy header says " + std::to_string(table.columns) +
                    " columns; accepted are 1 to " + std::to_string(kMostColumns));
  }
  constexpr std::size_t kMostBytes = std::numeric_limits<std::size_t>::max() / 4;
  if (table.records > kMostBytes / sizeof(double) / (table.columns + 1)) {
    throw DataError(table.name + ": the npy header has a shape beyond any memory");
  }
  const std::size_t bytes = table.records * table.record_bytes();
  const auto left = table.source.size_left();
  if (left && *left < bytes) table.refuse_short();
  if (left && *left > bytes) table.refuse_long();
}

/// The table record after record: a block of records per chunk.
template <class T, class Load>
void read_by_record(const NpyTable& table, const Chunking& chunking, core::ThreadPool& pool,
                    const Load& load_item, RowBlocks<T>& blocks) {
  const std::size_t item = table.header.item_bytes;
  const std::size_t row = table.record_bytes();
  const auto parse = [&](const Chunk& chunk) {
    RowBlock<T> block(chunk.size() / row, table.features());
    block.records = block.capacity();
    constexpr std::size_t kTile = 64;  // records whose lines stay in the first cache together
    for (std::size_t first = 0; first < block.records; first += kTile) {
      const std::size_t last = std::min(first + kTile, block.records);
      std::size_t feature = 0;
      for (std::size_t j = 0; j < table.columns; ++j) {
        const char* in = chunk.begin() + j * item;
        if (j == table.target) {
          for (std::size_t i = first; i < last; ++i) block.target()[i] = load_item(in + i * row);
        } else {
          T* const out = block.column(feature++);
          for (std::size_t i = first; i < last; ++i) {
            out[i] = static_cast<T>(load_item(in + i * row));
          }
        }
      }
    }
    return block;
  };
  auto reader = ChunkReader::units(table.source, table.name, chunking, row);
  std::vector<Chunk> batch;
  reader.fill(batch, 1);
  for_each_chunk(reader, std::move(batch), pool, parse, [&](RowBlock<T> block) {
    blocks.add(std::move(block));
    if (blocks.records() > table.records) table.refuse_long();
  });
  if (blocks.records() < table.records) table.refuse_short();
  if (reader.ended_in_unit()) table.refuse_long();
}

/// The table column after column: one block, whose memory is taken up as the numbers arrive.
template <class T, class Load>
void read_by_feature(const NpyTable& table, const Chunking& chunking, core::ThreadPool& pool,
                     const Load& load_item, RowBlocks<T>& blocks) {
  const std::size_t item = table.header.item_bytes;
  const std::size_t total = table.records * table.columns;
  RowBlock<T> block(table.records, table.features());
  block.records = table.records;
  const auto parse = [&](const Chunk& chunk) {
    std::size_t at = chunk.offset() / item;
    const std::size_t end = std::min(total, at + chunk.size() / item);
    for (const char* in = chunk.begin(); at < end;) {
      const std::size_t j = at / table.records;
      const std::size_t first = at % table.records;
      const std::size_t last = std::min(table.records, first + (end - at));
      if (j == table.target) {
        for (std::size_t i = first; i < last; ++i, in += item) block.target()[i] = load_item(in);
      } else {
        T* const out = block.column(j - (table.target && j > *table.target ? 1 : 0));
        for (std::size_t i = first; i < last; ++i, in += item)
          out[i] = static_cast<T>(load_item(in));
      }
      at += last - first;
    }
    return chunk.size() / item;
  };
  auto reader = ChunkReader::units(table.source, table.name, chunking, item);
  std::vector<Chunk> batch;
  reader.fill(batch, 1);
  std::size_t read = 0;
  for_each_chunk(reader, std::move(batch), pool, parse, [&](std::size_t count) {
    read += count;
    if (read > total) table.refuse_long();
  });
  if (read < total) table.refuse_short();
  if (reader.ended_in_unit()) table.refuse_long();
  blocks.add(std::move(block));
}

template <class T>
DenseDesign<T> read_table(const NpyTable& table, const Chunking& chunking, core::ThreadPool& pool,
                          std::vector<double>& target) {
  RowBlocks<T> blocks(table.features());
  try {
    with_load(table.header, [&](const auto& load_item) {
      if (table.header.order == NpyOrder::by_record) {
        read_by_record(table, chunking, pool, load_item, blocks);
      } else {
        read_by_feature(table, chunking, pool, load_item, blocks);
      }
    });
  } catch (const std::bad_alloc&) {
    throw DataError(table.name +
                    ": holds more numbers than there is memory for; accepted are fewer");
  }
  return blocks.take(pool, table.target ? &target : nullptr);
}

NpyTable open_design(ByteSource& source, const std::string& name, const ReadOptions& options,
                     bool target_in_second_file) {
  NpyHeader header = NpyHeader::read(source, name);
  if (header.shape.size() != 2) {
    throw DataError(name + ": the npy header says " + std::to_string(header.shape.size()) +
                    " dimensions; accepted are 2, records by columns");
  }
  NpyTable table{source, name, header, header.shape[0], header.shape[1], std::nullopt};
  check_size(table);
  if (options.target && !target_in_second_file) {
    table.target = column_number(*options.target);
    if (!table.target || *table.target >= table.columns) {
      throw InvalidArgument("target: given " + quoted_field(*options.target) +
                            ", accepted is for " + name + " a column number from 0 to " +
                            std::to_string(table.columns - 1) + " or a second .npy file");
    }
  }
  check_features(name, table.features(), options);
  return table;
}

}  // namespace

Dataset read_npy(ByteSource& source, const std::string& name, const ReadOptions& options,
                 const Chunking& chunking, ByteSource* target_source) {
  check_no_text_columns(name, options);
  core::ThreadPool pool(options.threads);
  const NpyTable table = open_design(source, name, options, target_source != nullptr);
  const bool single = table.header.kind == 'f' && table.header.item_bytes == 4;
  std::vector<double> target;
  const auto design = [&]() -> AnyDesign {
    if (options.storage == Storage::f32 || (options.storage == Storage::as_given && single)) {
      return read_table<float>(table, chunking, pool, target);
    }
    return read_table<double>(table, chunking, pool, target);
  }();
  if (target_source != nullptr) {
    target = read_npy_vector(*target_source, *options.target, table.records, chunking);
  }
  return {design, std::move(target), {}, options.target ? kDefaultTargetName : ""};
}

std::vector<double> read_npy_vector(ByteSource& source, const std::string& name, std::size_t size,
                                    const Chunking& chunking) {
  core::ThreadPool pool(1);
  NpyHeader header = NpyHeader::read(source, name);
  constexpr std::size_t kOne = 1;
  const std::vector<std::size_t>& shape = header.shape;
  const bool one_dimension = shape == std::vector{size} || shape == std::vector{size, kOne} ||
                             shape == std::vector{kOne, size};
  if (!one_dimension) {
    std::string given;
    for (const std::size_t length : shape) {
      given += (given.empty() ? "" : " x ") + std::to_string(length);
    }
    throw DataError(name + ": holds an array of " + given + "; accepted is one dimension of " +
                    std::to_string(size) + " numbers");
  }
  header.order = NpyOrder::by_record;  // the same thing for one column
  const NpyTable table{source, name, header, size, 1, 0};
  check_size(table);
  std::vector<double> values;
  read_table<double>(table, chunking, pool, values);
  return values;
}

}  // namespace southwell::data
