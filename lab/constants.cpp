#include "lab/constants.hpp"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "southwell/core/error.hpp"

namespace southwell::lab {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostFeaturesForEigenvalues = 2000;

template <class Objective>
class Calculator {
 public:
  Calculator(const Objective& objective, core::ThreadPool& pool)
      : objective_(objective), pool_(pool) {
    out_.optimum = solvers::reference(objective, {}, pool);
    require_reached(out_.optimum);
    out_.smoothness = objective.smoothness(pool);
    l2_ = problem::curvature(objective.penalty());
    const auto [least, most] = std::minmax_element(out_.smoothness.begin(), out_.smoothness.end());
    m_min_ = *least;
    m_max_ = *most;
  }

  Constants run() {
    // Along one coordinate the curvature bound is attained at margin 0, but for huber only if no
    // record is in its linear part.
    out_.smoothness_worth = std::holds_alternative<problem::Huber>(objective_.loss())
                                ? Worth::upper_bound
                                : Worth::exact;
    add("m_min", "M_min", m_min_, out_.smoothness_worth, "smallest beta mean x_j^2 + l2");
    add("m_max", "M_max", m_max_, out_.smoothness_worth, "largest beta mean x_j^2 + l2");
    lipschitz();
    const double mu = strong_convexity();
    const auto p = static_cast<double>(objective_.features());
    add("mu_m1", "mu_{M,1}", mu / p, Worth::lower_bound, "mu_{M,2} / p, from its lower bound");
    norms();
    radius(mu);
    for (const std::size_t tau : {0u, 1u, 2u, 5u, 10u, 20u, 50u, 100u}) {
      if (tau >= objective_.features()) break;
      out_.quasi_sparsity.push_back({tau, quasi_sparsity_alpha(coef(), tau)});
    }
    return std::move(out_);
  }

 private:
  const std::vector<double>& coef() const { return out_.optimum.at.coef; }

  void add(const char* name, const char* symbol, double value, Worth worth, const char* how) {
    out_.scalars.push_back({name, symbol, value, worth, how});
  }

  /// L_j = sup |ell'| max_i |x_ij|. Where the loss has no such bound, that of the records of any w
  /// with f(w) <= f(0): ell is beta-smooth and >= 0, so ell'^2 <= 2 beta ell <= 2 beta n f(0).
  void lipschitz() {
    const std::vector<double> zeros(objective_.records(), 0.0);
    const double on_level_set =
        std::sqrt(2.0 * problem::curvature_bound(objective_.loss()) *
                  static_cast<double>(objective_.records()) * objective_.loss_value(zeros));
    const double bound = problem::derivative_bound(objective_.loss());
    const bool finite = std::isfinite(bound);
    out_.lipschitz_worth = finite ? Worth::exact : Worth::upper_bound;
    out_.lipschitz.resize(objective_.features());
    for (std::size_t j = 0; j < objective_.features(); ++j) {
      double largest = 0.0;
      objective_.visit_column(j, [&](const auto& column) {
        column.for_each([&](std::size_t, double x) { largest = std::max(largest, std::fabs(x)); });
      });
      out_.lipschitz[j] = largest * (finite ? bound : on_level_set);
    }
    const auto [least, most] = std::minmax_element(out_.lipschitz.begin(), out_.lipschitz.end());
    const char* how =
        finite ? "sup |ell'| max |x_j|" : "max |x_j| sqrt(2 beta n f(0)), where f <= f(0)";
    add("l_min", "L_min", *least, out_.lipschitz_worth, how);
    add("l_max", "L_max", *most, out_.lipschitz_worth, how);
  }

  /// The smallest eigenvalue of M^-1/2 H M^-1/2, H the Hessian of f at w*; returns a lower bound of
  /// mu_{M,2} that holds everywhere.
  double strong_convexity() {
    const double everywhere = m_max_ > 0.0 ? l2_ / m_max_ : 0.0;
    const bool quadratic = std::holds_alternative<problem::Squared>(objective_.loss());
    const std::size_t p = objective_.features();
    if (m_min_ > 0.0 && l2_ == 0.0 && p > objective_.records()) {
      add("mu_m2", "mu_{M,2}", 0.0, Worth::exact, "fewer records than features, no l2 term");
      return 0.0;
    }
    if (!(m_min_ > 0.0)) {
      add("mu_m2", "mu_{M,2}", 0.0, Worth::exact, "a feature is constantly 0");
      return 0.0;
    }
    double at_optimum = 0.0;
    if (p <= kMostFeaturesForEigenvalues) at_optimum = smallest_eigenvalue();
    if (p <= kMostFeaturesForEigenvalues && quadratic) {
      add("mu_m2", "mu_{M,2}", at_optimum, Worth::exact,
          "smallest eigenvalue of M^-1/2 H M^-1/2, H constant");
      return at_optimum;
    }
    add("mu_m2", "mu_{M,2}", everywhere, Worth::lower_bound, "l2 strength / M_max");
    if (p <= kMostFeaturesForEigenvalues) {
      add("mu_m2_at_optimum", "mu_{M,2}", at_optimum, Worth::upper_bound,
          "smallest eigenvalue of M^-1/2 H M^-1/2 at w*");
    }
    return everywhere;
  }

  double smallest_eigenvalue() {
    const std::size_t p = objective_.features();
    const auto n = static_cast<double>(objective_.records());
    std::vector<double> weights(objective_.records());
    problem::curvatures(objective_.loss(), objective_.margins(out_.optimum.at), objective_.target(),
                        weights);
    Eigen::MatrixXd matrix(p, p);
    pool_.run(p, [&](std::size_t task) {
      const std::size_t k = p - 1 - task;
      std::vector<double> weighted(weights.size(), 0.0);
      objective_.visit_column(k, [&](const auto& column) {
        column.for_each([&](std::size_t i, double x) { weighted[i] = weights[i] * x; });
      });
      for (std::size_t l = 0; l <= k; ++l) {
        const double entry = objective_.visit_column(l, [&](const auto& column) {
          return column.dot(weighted.data());
        }) / n + (k == l ? l2_ : 0.0);
        matrix(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(l)) =
            entry / std::sqrt(out_.smoothness[k] * out_.smoothness[l]);
      }
    });
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix, Eigen::EigenvaluesOnly);
    return std::max(0.0, solver.eigenvalues()(0));
  }

  void norms() {
    std::vector<double> slopes(objective_.records());
    std::vector<double> gradient(objective_.features());
    const std::vector<double> zeros(objective_.records(), 0.0);
    problem::derivatives(objective_.loss(), zeros, objective_.target(), slopes);
    objective_.slopes_to_gradient(slopes, gradient, pool_);
    double one = 0.0;
    double two = 0.0;
    double dual = 0.0;
    for (std::size_t j = 0; j < coef().size(); ++j) {
      const double root = std::sqrt(out_.smoothness[j]);
      one += root * std::fabs(coef()[j]);
      two += out_.smoothness[j] * coef()[j] * coef()[j];
      if (root > 0.0) dual = std::max(dual, std::fabs(gradient[j]) / root);
    }
    norm_one_ = one;
    add("norm_m1", "||w*||_{M,1}", one, Worth::exact, "at w*");
    add("norm_m2", "||w*||_{M,2}", std::sqrt(two), Worth::exact, "at w*");
    add("gradient_norm", "||grad f(0)||_{M^-1,inf}", dual, Worth::exact, "at 0");
  }

  /// R_{M,1} = max ||w - w*||_{M,1} over w with F(w) <= F(0), from below by w = 0 and from above by
  /// what the penalty or the strong convexity leaves room for. Where a box excludes 0, the level
  /// set is the box.
  void radius(double mu) {
    const double at_zero = out_.optimum.objective_at_zero;
    double most = kInfinity;
    const char* how = "nothing bounds the level set";
    const auto use = [&](double bound, const char* reason) {
      if (bound < most) {
        most = bound;
        how = reason;
      }
    };
    const double p = static_cast<double>(objective_.features());
    if (mu > 0.0 && std::isfinite(at_zero)) {
      // strong convexity of F at its minimum: F(w) - F* >= mu/2 ||w - w*||_{M,2}^2
      use(std::sqrt(2.0 * p * (at_zero - out_.optimum.objective) / mu),
          "sqrt(2 p (F(0) - F*) / mu_{M,2})");
    }
    const double alpha = std::visit(
        [](const auto& penalty) {
          const auto kinked = penalty.kinked();
          return std::min(kinked.subdifferential(1.0).lo, -kinked.subdifferential(-1.0).hi);
        },
        objective_.penalty());
    if (std::isfinite(alpha) && alpha > 0.0) {
      use(std::sqrt(m_max_) * at_zero / alpha + norm_one_,
          "sqrt(M_max) F(0) / alpha + ||w*||_{M,1}");
    }
    const problem::Interval box = problem::kinked_part(objective_.penalty()).box;
    if (std::isfinite(box.hi - box.lo)) {
      double sum = 0.0;
      for (const double m : out_.smoothness) sum += std::sqrt(m) * (box.hi - box.lo);
      use(sum, "the box");
    }
    if (std::isfinite(at_zero)) {  // else 0 is no point of the level set
      add("r_m1_lower", "R_{M,1}", norm_one_, Worth::lower_bound, "w = 0");
    }
    add("r_m1", "R_{M,1}", most, Worth::upper_bound, how);
  }

  const Objective& objective_;
  core::ThreadPool& pool_;
  Constants out_;
  double l2_ = 0.0;
  double m_min_ = 0.0;
  double m_max_ = 0.0;
  double norm_one_ = 0.0;
};

}  // namespace

double quasi_sparsity_alpha(const std::vector<double>& coef, std::size_t tau) {
  if (tau >= coef.size()) return 0.0;
  std::vector<double> sizes(coef.size());
  std::transform(coef.begin(), coef.end(), sizes.begin(), [](double w) { return std::fabs(w); });
  // With alpha = the (tau + 1)-th largest, at most tau are strictly greater.
  const auto place = sizes.begin() + static_cast<std::ptrdiff_t>(tau);
  std::nth_element(sizes.begin(), place, sizes.end(), std::greater<>());
  return *place;
}

Constants constants(const data::Dataset& dataset, const ObjectiveSpec& spec,
                    core::ThreadPool& pool) {
  if (spec.intercept == Intercept::free) {
    throw InvalidArgument(
        "intercept: on, but the theorems' constants are for problems without; "
        "accepted is --no-intercept");
  }
  return visit_objective(dataset, spec,
                         [&](const auto& objective) { return Calculator(objective, pool).run(); });
}

}  // namespace southwell::lab
