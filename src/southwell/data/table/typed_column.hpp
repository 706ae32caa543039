#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "southwell/data/table/cell_column.hpp"

namespace southwell::data {

/// How the cells of a column lie in memory.
enum class CellStore {
  nothing,  ///< all are missing
  f64,
  f32,
  f16,
  i64,
  i32,
  i16,
  i8,
  u64,
  u32,
  u16,
  u8,
  truth_bits,
  truth_bytes,
  text32,     ///< text or bytes, by offsets of 32 bits
  text64,     ///< the same by offsets of 64
  text_view,  ///< the same, each cell by a view of 16 bytes
  days,       ///< from 1970 on, 32 bits
  moments,    ///< from 1970 on, 64 bits
  decimal,    ///< a whole number of many bits, and where its point is
};

/// The declared type of a column.
struct CellType {
  CellStore store = CellStore::nothing;
  std::int64_t per_second = 1;  ///< of moments
  int bits = 128;               ///< of decimals: 32, 64, 128 or 256
  int scale = 0;                ///< of decimals: digits behind the point
};

/// Where the cells of a column are. Nothing is copied.
struct CellMemory {
  std::size_t size = 0;
  std::size_t first = 0;                    ///< the place of the first cell, in cells
  const std::uint8_t* validity = nullptr;   ///< one bit a cell, 0 where it is missing; or all valid
  const void* values = nullptr;             ///< numbers, views, or where texts begin and end
  const void* bytes = nullptr;              ///< of texts
  const void* const* more_bytes = nullptr;  ///< of views: the buffers they point into
  std::size_t buffers = 0;                  ///< how many those are
  const void* buffer_sizes = nullptr;       ///< and how large, each a number of 64 bits
  const std::uint8_t* records_validity = nullptr;  ///< the same as validity, of whole records
  std::size_t records_first = 0;
  std::shared_ptr<const void> owner{};  ///< keeps all of this alive
};

/// A column of one type: of Arrow, or of an array. If it has levels, its cells are their places
/// among them, and every cell counts as the level it stands for.
class TypedColumn final : public CellColumn {
 public:
  TypedColumn(CellType type, CellMemory memory, SharedColumn levels = nullptr)
      : type_(type), memory_(std::move(memory)), levels_(std::move(levels)) {}

  std::size_t size() const override { return memory_.size; }
  void read(std::size_t first, std::size_t count, const CellReader& reader,
            DecodedColumn& out) const override;
  bool is_floating() const override;

 private:
  bool is_valid(std::size_t i) const;
  template <class T>
  T at(std::size_t i) const;
  template <class AddOne>
  void each(std::size_t first, std::size_t count, const CellReader& reader, DecodedColumn& out,
            AddOne add) const;
  /// Calls `add(i, whole number)` of the valid cells of a store of whole numbers.
  void read_levels(std::size_t first, std::size_t count, const CellReader& reader,
                   DecodedColumn& out) const;
  std::int64_t place(std::size_t i) const;
  /// Nothing where a cell says that it lies outside of the column's own memory.
  std::optional<std::string_view> text(std::size_t i) const;
  template <class Offset>
  std::optional<std::string_view> text_between(std::size_t i) const;
  std::optional<std::string_view> text_viewed(std::size_t i) const;
  void add_text(std::size_t i, const CellReader& reader, DecodedColumn& out) const;
  void add_moment(std::size_t i, const CellReader& reader, DecodedColumn& out) const;

  CellType type_;
  CellMemory memory_;
  SharedColumn levels_;
};

}  // namespace southwell::data
