#include "southwell/data/table/cell_column.hpp"

#include "southwell/core/overloaded.hpp"

namespace southwell::data {

void MixedColumn::read(std::size_t first, std::size_t count, const CellReader& reader,
                       DecodedColumn& out) const {
  for (std::size_t i = first; i < first + count; ++i) {
    std::visit(core::Overloaded{
                   [&](std::monostate) { reader.add_missing(out); },
                   [&](double cell) { reader.add_number(cell, out); },
                   [&](std::int64_t cell) { reader.add_whole(cell, out); },
                   [&](bool cell) { reader.add_truth(cell, out); },
                   [&](const std::string& cell) { reader.add_text(cell, out); },
                   [&](Moment cell) { reader.add_moment(cell.value, out); },
               },
               cells_[i]);
  }
}

}  // namespace southwell::data
