#pragma once

#include <concepts>
#include <cstddef>

namespace southwell::data {

/// A half-open range of columns or of records.
struct Range {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t size() const { return last - first; }
};

/// One column of a block: enough to write an algorithm over coordinates once for all storages.
/// `for_each(f)` calls f(record, value) for every stored entry in increasing record order; entries
/// that are not stored are zero. The sums add up in an order fixed by the storage alone.
template <class C>
concept Column = requires(const C& column, const double* in, double* out) {
  { column.size() } -> std::convertible_to<std::size_t>;  // stored entries
  { column.dot(in) } -> std::same_as<double>;             // sum_i x_i in_i
  { column.squares() } -> std::same_as<double>;           // sum_i x_i^2
  { column.add_to(out, 1.0) } -> std::same_as<void>;      // out_i += a x_i
  column.for_each([](std::size_t, double) {});
};

/// A column of stored numbers can also be read by shards: `for_each(records, f)` is for_each over a
/// range of records.
template <class C>
concept ShardedColumn = Column<C> && requires(const C& column) {
  column.for_each(Range{}, [](std::size_t, double) {});
};

/// Contiguous columns of a design. It is handed out, used and dropped: a design on disk or on
/// another machine may hold a few blocks in memory at a time.
template <class B>
concept ColumnBlock = requires(const B& block, std::size_t k) {
  { block.columns() } -> std::same_as<Range>;  // which columns of the design
  { block.column(k) } -> Column;               // k counts from columns().first
};

/// A table of records (rows) by features (columns), read by blocks of columns.
template <class D>
concept Design = requires(const D& design, Range columns) {
  { design.records() } -> std::convertible_to<std::size_t>;
  { design.features() } -> std::convertible_to<std::size_t>;
  { design.stored_entries() } -> std::convertible_to<std::size_t>;
  { design.block(columns) } -> ColumnBlock;
};

/// Access by record, for the solvers that need it; a concept of its own, because a column store
/// pays for it. `for_each_in_record(i, f)` calls f(feature, value) for the stored entries of record
/// i in increasing feature order.
template <class D>
concept RecordAccess = requires(const D& design, std::size_t i) {
  design.for_each_in_record(i, [](std::size_t, double) {});
};

}  // namespace southwell::data
