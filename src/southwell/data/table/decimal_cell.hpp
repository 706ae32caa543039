#pragma once

#include <cstddef>
#include <string>

#include "southwell/data/table/cell_reader.hpp"

namespace southwell::data {

/// The digits of a whole number of so many bytes (the lowest first, in two's complement) with a
/// point before the last `scale` of them; without zeros at the end of a fraction. A scale below 0
/// appends zeros.
std::string decimal_text(const unsigned char* number, std::size_t bytes, int scale);

/// Adds it by its value: a whole number, or else a number.
void add_decimal(const unsigned char* number, std::size_t bytes, int scale,
                 const CellReader& reader, DecodedColumn& out);

}  // namespace southwell::data
