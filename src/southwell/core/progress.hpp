#pragma once

#include <cstddef>
#include <functional>

namespace southwell::core {

/// Called now and then, by the thread that asked for the work or one that works for it, with the
/// share done (0 to 1). May throw to stop the work, which leaves nothing behind. Empty: nobody
/// looks.
using Progress = std::function<void(double)>;

inline void report(const Progress& progress, std::size_t done, std::size_t all) {
  if (progress) progress(all == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(all));
}

}  // namespace southwell::core
