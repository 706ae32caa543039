#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "southwell/data/table/cell_reader.hpp"
#include "southwell/data/table/decoded.hpp"

namespace southwell::data {

/// One column of some records, whatever its cells are kept in. They are handed to their field's
/// reader one by one, each by its own value.
class CellColumn {
 public:
  CellColumn() = default;
  virtual ~CellColumn() = default;
  CellColumn(const CellColumn&) = delete;
  CellColumn& operator=(const CellColumn&) = delete;

  virtual std::size_t size() const = 0;
  /// Reads the cells from `first` on. Several threads may read at once.
  virtual void read(std::size_t first, std::size_t count, const CellReader& reader,
                    DecodedColumn& out) const = 0;
  /// Whether the column is declared to hold floating-point numbers, in which ids get lost.
  virtual bool is_floating() const { return false; }
};

using SharedColumn = std::shared_ptr<const CellColumn>;

/// Microseconds from 1970 on, UTC.
struct Moment {
  std::int64_t value;
};
/// A cell of a column without a type of its own; nothing where it is missing.
using Cell = std::variant<std::monostate, double, std::int64_t, bool, std::string, Moment>;

/// A column in which every cell may be something else.
class MixedColumn final : public CellColumn {
 public:
  explicit MixedColumn(std::vector<Cell> cells) : cells_(std::move(cells)) {}

  std::size_t size() const override { return cells_.size(); }
  void read(std::size_t first, std::size_t count, const CellReader& reader,
            DecodedColumn& out) const override;

 private:
  std::vector<Cell> cells_;
};

}  // namespace southwell::data
