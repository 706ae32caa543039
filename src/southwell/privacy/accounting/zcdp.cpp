#include "southwell/privacy/accounting/zcdp.hpp"

#include <boost/math/tools/minima.hpp>
#include <cmath>
#include <limits>

#include "southwell/privacy/accounting/basic.hpp"
#include "southwell/privacy/budget.hpp"

namespace southwell::privacy {

double zcdp_rho(const Cost& cost) {
  const double ratio = static_cast<double>(cost.shift) / static_cast<double>(cost.scale);
  switch (cost.kind) {
    case Cost::Kind::bounded_range: {
      const double range = pure_epsilon(cost).high;
      return range * range / 8.0;
    }
    case Cost::Kind::discrete_laplace: {
      // The divergence at order 1, eps + (e^-eps - 1) x / sinh(x) with x = 1 / scale. Where that
      // difference would lose its digits, eps^2 / 2 is the same to 1e-4.
      const double x = 1.0 / static_cast<double>(cost.scale);
      return ratio < 1e-4 ? ratio * ratio / 2.0 : ratio + std::expm1(-ratio) * (x / std::sinh(x));
    }
    case Cost::Kind::pure:
    case Cost::Kind::discrete_gaussian:
      return ratio * ratio / 2.0;
    case Cost::Kind::sampled_gaussian_add_or_remove:
    case Cost::Kind::sampled_gaussian_replace:
      break;
  }
  return std::numeric_limits<double>::infinity();
}

double zcdp_epsilon(const Composition& composition, double delta) {
  check_delta(delta);
  if (composition.events().empty()) return 0.0;
  double rho = 0.0;
  for (const auto& [cost, count] : composition.events()) {
    rho += static_cast<double>(count) * zcdp_rho(cost);
  }
  if (delta == 0.0 || std::isinf(rho)) return std::numeric_limits<double>::infinity();
  const auto epsilon = [&](double log_omega) {
    const double omega = std::exp(log_omega);
    const double alpha = 1.0 + omega;
    return rho * alpha - std::log1p(1.0 / omega) - (std::log(delta) + std::log(alpha)) / omega;
  };
  const double least = boost::math::tools::brent_find_minima(epsilon, -20.0, 40.0, 40).second;
  return least > 0.0 ? least : 0.0;
}

}  // namespace southwell::privacy
