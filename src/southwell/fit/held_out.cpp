#include "southwell/fit/held_out.hpp"

#include <algorithm>
#include <cmath>

#include "southwell/core/number_text.hpp"
#include "southwell/fit/input_check.hpp"

namespace southwell::fit {

std::uint64_t HeldOut::chance() const {
  constexpr double kWhole = 0x1p32;
  return static_cast<std::uint64_t>(std::clamp(std::rint(share * kWhole), 1.0, kWhole - 1.0));
}

HeldOut held_out(double share, std::uint64_t records, privacy::Relation relation) {
  if (records < 2) {
    refuse("test_share", core::number_text(share),
           "none: with fewer than two records there are none to hold out");
  }
  const double wanted = std::rint(share * static_cast<double>(records));
  const auto test = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1, records - 1);
  return {.share = share, .fit = records - test, .test = test, .relation = relation};
}

}  // namespace southwell::fit
