#include "southwell/data/table/arrow_columns.hpp"

#include <array>
#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

#include "southwell/core/error.hpp"
#include "southwell/core/quoted.hpp"

namespace southwell::data {
namespace {

struct Format {
  std::string_view text;
  CellStore store;
};
constexpr std::array<Format, 20> kFormats{{
    {"n", CellStore::nothing},    {"b", CellStore::truth_bits}, {"c", CellStore::i8},
    {"C", CellStore::u8},         {"s", CellStore::i16},        {"S", CellStore::u16},
    {"i", CellStore::i32},        {"I", CellStore::u32},        {"l", CellStore::i64},
    {"L", CellStore::u64},        {"e", CellStore::f16},        {"f", CellStore::f32},
    {"g", CellStore::f64},        {"u", CellStore::text32},     {"U", CellStore::text64},
    {"vu", CellStore::text_view}, {"z", CellStore::text32},     {"Z", CellStore::text64},
    {"vz", CellStore::text_view}, {"tdD", CellStore::days},
}};

/// A moment is tss:, tsm:, tsu: or tsn: and a zone, which changes nothing: the number is UTC's.
std::optional<std::int64_t> moments_per_second(std::string_view format) {
  if (format == "tdm") return 1000;
  if (format.size() < 4 || !format.starts_with("ts") || format[3] != ':') return std::nullopt;
  switch (format[2]) {
    case 's':
      return 1;
    case 'm':
      return 1000;
    case 'u':
      return 1'000'000;
    case 'n':
      return 1'000'000'000;
    default:
      return std::nullopt;
  }
}

/// "d:19,10" or "d:19,10,256": digits, scale, bits.
std::optional<CellType> decimal_type(std::string_view format) {
  if (!format.starts_with("d:")) return std::nullopt;
  std::array<int, 3> numbers{0, 0, 128};
  const char* at = format.data() + 2;
  const char* const last = format.data() + format.size();
  std::size_t count = 0;
  while (count < numbers.size()) {
    const auto [end, error] = std::from_chars(at, last, numbers[count]);
    if (error != std::errc()) return std::nullopt;
    ++count;
    at = end;
    if (at == last || *at != ',') break;
    ++at;
  }
  const int bits = numbers[2];
  const bool known = bits == 32 || bits == 64 || bits == 128 || bits == 256;
  constexpr int kMostDigits = 1000;
  const bool near = numbers[1] <= kMostDigits && numbers[1] >= -kMostDigits;
  if (count < 2 || at != last || !known || !near) return std::nullopt;
  return CellType{.store = CellStore::decimal, .bits = bits, .scale = numbers[1]};
}

std::optional<CellType> type_of(std::string_view format) {
  if (const auto per_second = moments_per_second(format)) {
    return CellType{.store = CellStore::moments, .per_second = *per_second};
  }
  for (const Format& each : kFormats) {
    if (each.text == format) return CellType{.store = each.store};
  }
  return decimal_type(format);
}

const void* buffer(const ArrowArray& array, std::int64_t k) {
  return k < array.n_buffers ? array.buffers[k] : nullptr;
}

}  // namespace

ArrowType::ArrowType(const ArrowSchema& schema, const std::string& column) {
  const std::optional<CellType> known = type_of(schema.format);
  if (!known) {
    throw DataError(column + ": of the Arrow type " + core::quoted(schema.format) +
                    ", accepted are numbers, truth values, text, bytes, dates, moments and "
                    "dictionaries of them");
  }
  cells = *known;
  if (schema.dictionary != nullptr) {
    levels = std::make_shared<const ArrowType>(*schema.dictionary, column);
  }
}

bool ArrowType::is_floating() const {
  return levels ? levels->is_floating() : TypedColumn(cells, {}).is_floating();
}

bool is_whole(const ArrowType& type, const ArrowArray& array, std::int64_t cells) {
  if (cells < 0 || array.offset < 0 || array.length < cells) return false;
  if (type.levels && (array.dictionary == nullptr ||
                      !is_whole(*type.levels, *array.dictionary, array.dictionary->length))) {
    return false;
  }
  const CellStore store = type.cells.store;
  if (store == CellStore::nothing || cells == 0) return true;
  const bool is_text = store == CellStore::text32 || store == CellStore::text64;
  return buffer(array, 1) != nullptr && array.n_buffers >= (is_text ? 3 : 2);
}

SharedColumn arrow_column(const ArrowType& type, const ArrowArray& array,
                          std::shared_ptr<const void> owner, const ArrowArray* table) {
  CellMemory memory;
  const std::size_t before = table == nullptr ? 0 : static_cast<std::size_t>(table->offset);
  memory.size = static_cast<std::size_t>(table == nullptr ? array.length : table->length);
  memory.first = before + static_cast<std::size_t>(array.offset);
  memory.records_first = before;
  if (table != nullptr) {
    memory.records_validity = static_cast<const std::uint8_t*>(buffer(*table, 0));
  }
  if (type.cells.store != CellStore::nothing) {
    memory.validity = static_cast<const std::uint8_t*>(buffer(array, 0));
    memory.values = buffer(array, 1);
  }
  memory.bytes = buffer(array, 2);
  if (type.cells.store == CellStore::text_view && array.n_buffers > 3) {  // their sizes come last
    memory.more_bytes = array.buffers + 2;
    memory.buffers = static_cast<std::size_t>(array.n_buffers - 3);
    memory.buffer_sizes = buffer(array, array.n_buffers - 1);
  }
  SharedColumn levels;
  if (type.levels) levels = arrow_column(*type.levels, *array.dictionary, owner);
  memory.owner = std::move(owner);
  return std::make_shared<const TypedColumn>(type.cells, std::move(memory), std::move(levels));
}

}  // namespace southwell::data
