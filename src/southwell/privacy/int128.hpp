#pragma once

#include "southwell/core/int128.hpp"

namespace southwell::privacy {

using core::Int128;
using core::Uint128;

}  // namespace southwell::privacy
