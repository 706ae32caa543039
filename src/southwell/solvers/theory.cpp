#include "southwell/solvers/theory.hpp"

#include <algorithm>
#include <cmath>

#include "southwell/privacy/accounting/advanced.hpp"

namespace southwell::solvers {
namespace {

bool positive(double number) { return number > 0.0 && std::isfinite(number); }

/// What every bound asks of its problem; empty if all holds.
std::string failed_precondition(const TheoryProblem& problem) {
  if (!(problem.records >= 1.0) || std::isinf(problem.records)) return "records n >= 1, finite";
  if (!(problem.features >= 1.0) || std::isinf(problem.features)) return "features p >= 1, finite";
  if (!positive(problem.epsilon) || problem.epsilon > 1.0) {
    return "0 < epsilon <= 1 (the closed form of the noise)";
  }
  if (!(problem.delta > 0.0) || !(problem.delta < 1.0)) return "0 < delta < 1";
  if (!positive(problem.lipschitz_max)) return "L_max > 0";
  if (!positive(problem.smoothness_min)) return "M_min > 0";
  if (!(problem.smoothness_max >= problem.smoothness_min) || std::isinf(problem.smoothness_max)) {
    return "M_max >= M_min";
  }
  if (!positive(problem.initial_gap)) return "f(w^0) - f* > 0";
  if (!(problem.failure > 0.0) || problem.failure > 1.0) return "0 < zeta <= 1";
  return "";
}

/// Everything but the gap, at T iterations.
UtilityValue noise_at(const TheoryProblem& problem, std::uint64_t iterations) {
  const double query = privacy::paper_closed_form(problem.epsilon, problem.delta, iterations);
  const double scale = 2.0 * problem.lipschitz_max / (problem.records * query);
  // 8 exp(-sqrt(2 M_min beta) / (2 scale)) = zeta / (T p), for every step and coordinate.
  const double log_term =
      std::log(8.0 * static_cast<double>(iterations) * problem.features / problem.failure);
  const double beta = 2.0 * scale * scale / problem.smoothness_min * log_term * log_term;
  return {iterations, scale, beta, 0.0};
}

UtilityBound fails(std::string why) { return {std::nullopt, std::move(why)}; }

/// beta at T is at most T noise_floor log^2(T ...); this is its size without T's logarithm.
double noise_floor(const TheoryProblem& problem) {
  const double log_term = std::log(8.0 * problem.features / problem.failure);
  const double scale = 8.0 * problem.lipschitz_max / (problem.records * problem.epsilon);
  return 2.0 * scale * scale * -std::log(problem.delta) * log_term * log_term /
         problem.smoothness_min;
}

constexpr const char* kTooLittle =
    "n epsilon large enough that at least one iteration is prescribed";

/// floor(T), or nothing below 1.
std::optional<std::uint64_t> whole_iterations(double iterations) {
  if (!(iterations >= 1.0) || iterations > 1e15) return std::nullopt;
  return static_cast<std::uint64_t>(iterations);
}

/// T with (1 - rate)^T gap_0 about noise / rate: what is left of the start equals what one
/// iteration's noise leaves behind.
std::optional<std::uint64_t> geometric_iterations(const TheoryProblem& problem, double rate) {
  return whole_iterations(std::log(rate * problem.initial_gap / noise_floor(problem)) / rate);
}

}  // namespace

UtilityBound convex_bound(const TheoryProblem& problem, double radius, std::uint64_t iterations) {
  if (std::string why = failed_precondition(problem); !why.empty()) return fails(why);
  if (!positive(radius)) return fails("R > 0");
  if (iterations == 0) return fails("T >= 1");
  UtilityValue value = noise_at(problem, iterations);
  const double c = 8.0 * radius * radius;
  if (value.step_noise > c) return fails("beta <= 8 R^2");
  if (problem.initial_gap < 2.0 * std::sqrt(value.step_noise * c)) {
    return fails("f(w^0) - f* >= sqrt(32 R^2 beta)");
  }
  value.gap = key_lemma_bound(c, value.step_noise, iterations);
  return {value, ""};
}

UtilityBound convex_bound(const TheoryProblem& problem, double radius) {
  if (std::string why = failed_precondition(problem); !why.empty()) return fails(why);
  if (!positive(radius)) return fails("R > 0");
  const double cube = std::pow(radius * problem.records * problem.epsilon, 2.0) *
                      problem.smoothness_min /
                      (std::pow(problem.lipschitz_max, 2.0) * -std::log(problem.delta));
  const auto iterations = whole_iterations(0.25 * std::cbrt(cube));
  return iterations ? convex_bound(problem, radius, *iterations) : fails(kTooLittle);
}

UtilityBound strongly_convex_bound(const TheoryProblem& problem, double mu,
                                   std::uint64_t iterations) {
  if (std::string why = failed_precondition(problem); !why.empty()) return fails(why);
  if (!positive(mu) || mu > 1.0) return fails("0 < mu <= 1");
  if (iterations == 0) return fails("T >= 1");
  UtilityValue value = noise_at(problem, iterations);
  const double kept = std::exp(static_cast<double>(iterations) * std::log1p(-mu / 4.0));
  value.gap = kept * problem.initial_gap + value.step_noise * (1.0 - kept) * 4.0 / mu;
  return {value, ""};
}

UtilityBound strongly_convex_bound(const TheoryProblem& problem, double mu) {
  if (std::string why = failed_precondition(problem); !why.empty()) return fails(why);
  if (!positive(mu) || mu > 1.0) return fails("0 < mu <= 1");
  const auto iterations = geometric_iterations(problem, mu / 4.0);
  return iterations ? strongly_convex_bound(problem, mu, *iterations) : fails(kTooLittle);
}

namespace {

std::string failed_precondition(const TheoryProblem& problem, const QuasiSparse& solution) {
  if (std::string why = failed_precondition(problem); !why.empty()) return why;
  if (!positive(solution.mu) || solution.mu > 1.0) return "0 < mu <= 1";
  if (solution.sparsity < 1) return "s >= 1";
  if (static_cast<double>(solution.tau) > problem.features) return "tau <= p";
  if (!(solution.alpha >= 0.0) || std::isinf(solution.alpha)) return "alpha >= 0";
  if (solution.alpha > 0.0 && (!(solution.joint >= 1.0) || std::isinf(solution.joint))) {
    return "f jointly smooth: f(w) - f* <= joint/2 ||w - w*||_M^2 for all w, joint >= 1";
  }
  return "";
}

/// Steps that are counted one by one; beyond them the last, slowest rate holds for all.
constexpr std::uint64_t kCounted = 1'000'000;

}  // namespace

UtilityBound quasi_sparse_bound(const TheoryProblem& problem, const QuasiSparse& solution,
                                std::uint64_t iterations) {
  if (std::string why = failed_precondition(problem, solution); !why.empty()) return fails(why);
  if (iterations == 0) return fails("T >= 1");
  UtilityValue value = noise_at(problem, iterations);
  const auto tau = static_cast<double>(solution.tau);
  // inf over tau-sparse w of f(w) - f* is at most this: where the recursion would settle.
  const double settled = solution.alpha > 0.0
                             ? 0.5 * solution.joint * problem.smoothness_max *
                                   (problem.features - tau) * solution.alpha * solution.alpha
                             : 0.0;
  // xi_{t+1} - settled <= (1 - m_t / 4)(xi_t - settled) + beta, m_t = mu / (min(s, t) + tau)
  double above = std::max(problem.initial_gap - settled, 0.0);
  const std::uint64_t growing = std::min(solution.sparsity, iterations);
  const auto rate = [&](std::uint64_t sparsity) {
    return solution.mu /
           (4.0 * std::clamp(static_cast<double>(sparsity) + tau, 1.0, problem.features));
  };
  const std::uint64_t counted = std::min(growing, kCounted);
  for (std::uint64_t t = 0; t < counted; ++t) {
    above = (1.0 - rate(t)) * above + value.step_noise;
  }
  const double slowest = rate(growing);
  const double kept = std::exp(static_cast<double>(iterations - counted) * std::log1p(-slowest));
  above = kept * above + value.step_noise * (1.0 - kept) / slowest;
  value.gap = settled + above;
  return {value, ""};
}

UtilityBound quasi_sparse_bound(const TheoryProblem& problem, const QuasiSparse& solution) {
  if (std::string why = failed_precondition(problem, solution); !why.empty()) return fails(why);
  const double dimension = std::min(
      static_cast<double>(solution.sparsity) + static_cast<double>(solution.tau), problem.features);
  const auto iterations = geometric_iterations(problem, solution.mu / (4.0 * dimension));
  return iterations ? quasi_sparse_bound(problem, solution, *iterations) : fails(kTooLittle);
}

double laplace_square_tail(int count, double threshold, double scale) {
  return std::ldexp(std::exp(-std::sqrt(threshold) / (2.0 * scale)), count);
}

double descent_bound(const NoisyStep& step) {
  const double drawn =
      step.step_noise * step.step_noise + step.selection_noise * step.selection_noise;
  return -step.largest_score * step.largest_score / 8.0 + drawn / (2.0 * step.smoothness) +
         step.selection_noise_best * step.selection_noise_best / (4.0 * step.smoothness_best);
}

double key_lemma_bound(double c, double beta, std::uint64_t t) {
  return c / static_cast<double>(t) + 2.0 * std::sqrt(beta * c);
}

}  // namespace southwell::solvers
