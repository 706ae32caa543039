#pragma once

namespace southwell {

// __extension__: -Wpedantic knows only the types of ISO C++.
__extension__ typedef __int128 Int128;
__extension__ typedef unsigned __int128 Uint128;

}  // namespace southwell
