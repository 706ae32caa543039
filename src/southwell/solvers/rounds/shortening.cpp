#include "southwell/solvers/rounds/shortening.hpp"

#include <algorithm>
#include <cstddef>

namespace southwell::solvers {

double KeptWay::part() const {
  if (noise <= 0.0) return 1.0;
  double length = 0.0;
  for (const double each : way) length += each * each;
  if (!(length > noise)) return 0.0;
  return std::min(1.0, (1.0 - noise / length) / std::max(arrived, 1e-9));
}

KeptWay kept_way(const Way& of) {
  KeptWay out{.arrived = of.arrived};
  double counted = 0.0;
  for (std::size_t c = 0; c < of.from.size(); ++c) {
    out.way.push_back((of.to[c] - of.from[c]) * of.units[c]);
    if (of.units[c] != 0.0) counted += 1.0;
  }
  const double left_on = of.shortening == Shortening::of_chosen ? 0.0 : 2.0;
  if (counted > left_on) out.noise = of.squared_noise * (counted - left_on) / counted;
  return out;
}

}  // namespace southwell::solvers
