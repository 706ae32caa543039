#include "southwell/audit/count_bounds.hpp"

#include <cmath>
#include <limits>

#include <boost/math/special_functions/beta.hpp>

namespace southwell::audit {

double least_chance(const Count& count, double error) {
  if (count.happened == 0) return 0.0;
  const auto k = static_cast<double>(count.happened);
  return boost::math::ibeta_inv(k, static_cast<double>(count.runs) - k + 1.0, error);
}

double largest_chance(const Count& count, double error) {
  if (count.happened == count.runs) return 1.0;
  const auto k = static_cast<double>(count.happened);
  return boost::math::ibetac_inv(k + 1.0, static_cast<double>(count.runs) - k, error);
}

double epsilon_found(const Count& here, const Count& there, double delta, double error) {
  const double least = least_chance(here, error / 2.0) - delta;
  if (!(least > 0.0)) return -std::numeric_limits<double>::infinity();
  return std::log(least / largest_chance(there, error / 2.0));
}

double range_found(const Count& here, const Count& there, double error) {
  const double least = least_chance(here, error / 2.0);
  const double largest = largest_chance(there, error / 2.0);
  return std::log(least / largest) + std::log((1.0 - largest) / (1.0 - least));
}

}  // namespace southwell::audit
