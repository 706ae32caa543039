#include "southwell/data/table/typed_column.hpp"

#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "southwell/data/table/civil_time.hpp"
#include "southwell/data/table/decimal_cell.hpp"

namespace southwell::data {
namespace {

// As in text: the first moment of the year 1, and that of the year 10000.
constexpr std::int64_t kFirstMoment = -719'162 * kDay;
constexpr std::int64_t kPastLastMoment = 2'932'897 * kDay;

bool bit(const std::uint8_t* bits, std::size_t i) { return (bits[i / 8] >> (i % 8) & 1) != 0; }

double half_number(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const int fraction = bits & 1023;
  double size = 0.0;
  if (exponent == 31) {
    size = fraction == 0 ? std::numeric_limits<double>::infinity()
                         : std::numeric_limits<double>::quiet_NaN();
  } else {
    size = exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  }
  return (bits & 0x8000) != 0 ? -size : size;
}

std::int64_t floor_divided(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0 ? 1 : 0); }

}  // namespace

bool TypedColumn::is_floating() const {
  if (levels_) return levels_->is_floating();
  return type_.store == CellStore::f64 || type_.store == CellStore::f32 ||
         type_.store == CellStore::f16;
}

bool TypedColumn::is_valid(std::size_t i) const {
  return (memory_.validity == nullptr || bit(memory_.validity, memory_.first + i)) &&
         (memory_.records_validity == nullptr ||
          bit(memory_.records_validity, memory_.records_first + i));
}

template <class T>
T TypedColumn::at(std::size_t i) const {
  T value;
  std::memcpy(&value, static_cast<const char*>(memory_.values) + (memory_.first + i) * sizeof(T),
              sizeof(T));
  return value;
}

template <class AddOne>
void TypedColumn::each(std::size_t first, std::size_t count, const CellReader& reader,
                       DecodedColumn& out, AddOne add) const {
  for (std::size_t i = first; i < first + count; ++i) {
    if (is_valid(i)) {
      add(i);
    } else {
      reader.add_missing(out);
    }
  }
}

std::int64_t TypedColumn::place(std::size_t i) const {
  switch (type_.store) {
    case CellStore::i8:
      return at<std::int8_t>(i);
    case CellStore::i16:
      return at<std::int16_t>(i);
    case CellStore::i32:
      return at<std::int32_t>(i);
    case CellStore::i64:
      return at<std::int64_t>(i);
    case CellStore::u8:
      return at<std::uint8_t>(i);
    case CellStore::u16:
      return at<std::uint16_t>(i);
    case CellStore::u32:
      return at<std::uint32_t>(i);
    case CellStore::u64:
      return static_cast<std::int64_t>(at<std::uint64_t>(i));  // too large: none
    default:
      return -1;
  }
}

void TypedColumn::read_levels(std::size_t first, std::size_t count, const CellReader& reader,
                              DecodedColumn& out) const {
  each(first, count, reader, out, [&](std::size_t i) {
    const std::int64_t k = place(i);
    if (k < 0 || static_cast<std::uint64_t>(k) >= levels_->size()) return reader.add_missing(out);
    levels_->read(static_cast<std::size_t>(k), 1, reader, out);
  });
}

/// The end of the last cell is where the bytes end: nobody else says it.
template <class Offset>
std::optional<std::string_view> TypedColumn::text_between(std::size_t i) const {
  const auto begin = at<Offset>(i);
  const auto end = at<Offset>(i + 1);
  if (begin == end) return std::string_view();
  const bool within = begin >= 0 && begin < end && end <= at<Offset>(memory_.size);
  if (!within || memory_.bytes == nullptr) return std::nullopt;
  return std::string_view(static_cast<const char*>(memory_.bytes) + begin,
                          static_cast<std::size_t>(end - begin));
}

/// A view: its length, then its bytes if they are few, else four of them, a buffer and a place.
std::optional<std::string_view> TypedColumn::text_viewed(std::size_t i) const {
  constexpr std::size_t kView = 16;
  constexpr std::int64_t kMostInside = 12;
  const auto* const view = static_cast<const char*>(memory_.values) + (memory_.first + i) * kView;
  const auto part = [view](std::size_t at) -> std::int64_t {
    std::int32_t value = 0;
    std::memcpy(&value, view + at, sizeof(value));
    return value;
  };
  const std::int64_t length = part(0);
  if (length < 0) return std::nullopt;
  if (length <= kMostInside) return std::string_view(view + 4, static_cast<std::size_t>(length));
  const std::int64_t place = part(12);
  if (part(8) < 0 || place < 0 || memory_.buffer_sizes == nullptr) return std::nullopt;
  const auto number = static_cast<std::size_t>(part(8));
  if (number >= memory_.buffers || memory_.more_bytes[number] == nullptr) return std::nullopt;
  std::int64_t size = 0;
  std::memcpy(&size, static_cast<const char*>(memory_.buffer_sizes) + number * sizeof(size),
              sizeof(size));
  if (place + length > size) return std::nullopt;
  return std::string_view(static_cast<const char*>(memory_.more_bytes[number]) + place,
                          static_cast<std::size_t>(length));
}

std::optional<std::string_view> TypedColumn::text(std::size_t i) const {
  if (type_.store == CellStore::text32) return text_between<std::int32_t>(i);
  if (type_.store == CellStore::text64) return text_between<std::int64_t>(i);
  return text_viewed(i);
}

void TypedColumn::add_text(std::size_t i, const CellReader& reader, DecodedColumn& out) const {
  const std::optional<std::string_view> cell = text(i);
  cell ? reader.add_text(*cell, out) : reader.add_missing(out);
}

/// What is no date between the years 1 and 9999 is missing, as in text.
void TypedColumn::add_moment(std::size_t i, const CellReader& reader, DecodedColumn& out) const {
  const auto count = at<std::int64_t>(i);
  std::int64_t moment = kNoMoment;
  if (type_.per_second > kSecond) {
    // The smallest number is how arrays of such moments write one that is missing.
    const bool none = count == std::numeric_limits<std::int64_t>::min();
    moment = none ? kNoMoment : floor_divided(count, type_.per_second / kSecond);
  } else {
    const std::int64_t most = kPastLastMoment / kSecond * type_.per_second;  // at most 2^58
    if (count > -most && count < most) moment = count * (kSecond / type_.per_second);
  }
  if (moment < kFirstMoment || moment >= kPastLastMoment) return reader.add_missing(out);
  reader.add_moment(moment, out);
}

void TypedColumn::read(std::size_t first, std::size_t count, const CellReader& reader,
                       DecodedColumn& out) const {
  if (levels_) return read_levels(first, count, reader, out);
  switch (type_.store) {
    case CellStore::nothing:
      for (std::size_t i = 0; i < count; ++i) reader.add_missing(out);
      return;
    case CellStore::f64:
      return each(first, count, reader, out,
                  [&](std::size_t i) { reader.add_number(at<double>(i), out); });
    case CellStore::f32:
      return each(first, count, reader, out,
                  [&](std::size_t i) { reader.add_number(at<float>(i), out); });
    case CellStore::f16:
      return each(first, count, reader, out, [&](std::size_t i) {
        reader.add_number(half_number(at<std::uint16_t>(i)), out);
      });
    case CellStore::u64:
      return each(first, count, reader, out, [&](std::size_t i) {
        const auto whole = at<std::uint64_t>(i);
        if (whole <= std::numeric_limits<std::int64_t>::max()) {
          reader.add_whole(static_cast<std::int64_t>(whole), out);
        } else {
          reader.add_text(std::to_string(whole), out);
        }
      });
    case CellStore::truth_bits:
      return each(first, count, reader, out, [&](std::size_t i) {
        reader.add_truth(bit(static_cast<const std::uint8_t*>(memory_.values), memory_.first + i),
                         out);
      });
    case CellStore::truth_bytes:
      return each(first, count, reader, out,
                  [&](std::size_t i) { reader.add_truth(at<std::uint8_t>(i) != 0, out); });
    case CellStore::text32:
    case CellStore::text64:
    case CellStore::text_view:
      return each(first, count, reader, out, [&](std::size_t i) { add_text(i, reader, out); });
    case CellStore::days:
      return each(first, count, reader, out, [&](std::size_t i) {
        const std::int64_t day = at<std::int32_t>(i);
        const bool known = day >= kFirstMoment / kDay && day < kPastLastMoment / kDay;
        known ? reader.add_moment(day * kDay, out) : reader.add_missing(out);
      });
    case CellStore::moments:
      return each(first, count, reader, out, [&](std::size_t i) { add_moment(i, reader, out); });
    case CellStore::decimal:
      return each(first, count, reader, out, [&](std::size_t i) {
        const auto bytes = static_cast<std::size_t>(type_.bits / 8);
        add_decimal(static_cast<const unsigned char*>(memory_.values) + (memory_.first + i) * bytes,
                    bytes, type_.scale, reader, out);
      });
    default:
      return each(first, count, reader, out,
                  [&](std::size_t i) { reader.add_whole(place(i), out); });
  }
}

}  // namespace southwell::data
