#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "southwell/data/byte_source.hpp"

namespace southwell::data {

enum class NpyOrder { by_record, by_feature };  // C, Fortran

/// What the header of a .npy file says: versions 1 to 3, numbers and bool in either byte order.
struct NpyHeader {
  /// Reads the header and leaves `source` at the first number.
  static NpyHeader read(ByteSource& source, const std::string& name);

  char kind = 'f';  ///< f, i, u or b
  std::size_t item_bytes = 8;
  bool swapped = false;  ///< the other byte order than this machine's
  NpyOrder order = NpyOrder::by_record;
  std::vector<std::size_t> shape;
};

}  // namespace southwell::data
