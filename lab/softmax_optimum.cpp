#include "lab/softmax_optimum.hpp"

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numeric>
#include <utility>
#include <variant>

#include "southwell/core/error.hpp"
#include "southwell/problem/head_target.hpp"
#include "southwell/problem/losses/softmax.hpp"

namespace southwell::lab {
namespace {

using Numbers = std::vector<double>;

double dot(const Numbers& a, const Numbers& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Value, gradient and lower bound at one point.
class SoftmaxProblem {
 public:
  SoftmaxProblem(const data::Dataset& dataset, const SoftmaxOptions& options,
                 core::ThreadPool& pool)
      : design_(dataset.design),
        target_(dataset.target, options.classes),
        options_(options),
        pool_(pool),
        features_(dataset.features()),
        slopes_(dataset.records() * options.classes.size()) {}

  std::size_t heads() const { return options_.classes.size(); }
  std::size_t width() const {
    return features_ + (options_.intercept == problem::Intercept::free ? 1u : 0u);
  }
  std::size_t records() const { return target_.records(); }

  double value_at(const Numbers& w, Numbers& gradient) {
    find_margins(w);
    double loss = 0.0;
    for (std::size_t i = 0; i < records(); ++i) {
      const std::span<double> own = of_record(i);
      const Numbers margins(own.begin(), own.end());
      loss += problem::softmax_value(margins, target_.label(i));
      problem::softmax_slopes(margins, target_.label(i), own);
    }
    gradient = mean_gradient();
    double squares = 0.0;
    for (std::size_t c = 0; c < w.size(); ++c) {
      if (c % width() == features_) continue;
      squares += w[c] * w[c];
      gradient[c] += options_.alpha * w[c];
    }
    return loss / static_cast<double>(records()) + 0.5 * options_.alpha * squares;
  }

  /// From the probabilities at the last point, moved so that the intercepts' slopes are 0.
  double lower_bound() {
    const auto n = static_cast<double>(records());
    const double moved = options_.intercept == problem::Intercept::free ? balance() : 0.0;
    if (!(moved < 1.0)) return -std::numeric_limits<double>::infinity();
    double entropy = 0.0;
    for (std::size_t i = 0; i < records(); ++i) {
      const std::span<double> own = of_record(i);
      for (std::size_t h = 0; h < heads(); ++h) {
        const double q = std::max(0.0, own[h] + (target_.label(i) == h ? 1.0 : 0.0));
        if (q > 0.0) entropy -= q * std::log(q);
      }
    }
    const Numbers gradient = mean_gradient();
    double squares = 0.0;
    for (std::size_t c = 0; c < gradient.size(); ++c) {
      if (c % width() != features_) squares += gradient[c] * gradient[c];
    }
    return entropy / n - squares / (2.0 * options_.alpha);
  }

 private:
  std::span<double> of_record(std::size_t i) {
    return std::span(slopes_).subspan(i * heads(), heads());
  }
  void find_margins(const Numbers& w) {
    const std::size_t k = heads();
    for (std::size_t i = 0; i < records(); ++i) {
      for (std::size_t h = 0; h < k; ++h) {
        slopes_[i * k + h] = width() > features_ ? w[h * width() + features_] : 0.0;
      }
    }
    std::visit(
        [&](const auto& design) {
          const auto block = design.block({0, features_});
          for (std::size_t j = 0; j < features_; ++j) {
            block.column(j).for_each([&](std::size_t i, double x) {
              for (std::size_t h = 0; h < k; ++h) slopes_[i * k + h] += x * w[h * width() + j];
            });
          }
        },
        design_);
  }
  Numbers mean_gradient() {
    const std::size_t k = heads();
    const auto n = static_cast<double>(records());
    Numbers out(k * width());
    std::visit(
        [&](const auto& design) {
          pool_.run_ranges(features_, 16, [&](std::size_t first, std::size_t last) {
            const auto block = design.block({first, last});
            for (std::size_t j = first; j < last; ++j) {
              block.column(j - first).for_each([&](std::size_t i, double x) {
                for (std::size_t h = 0; h < k; ++h) out[h * width() + j] += x * slopes_[i * k + h];
              });
            }
          });
        },
        design_);
    if (width() > features_) {
      for (std::size_t i = 0; i < records(); ++i) {
        for (std::size_t h = 0; h < k; ++h) out[h * width() + features_] += slopes_[i * k + h];
      }
    }
    for (double& each : out) each /= n;
    return out;
  }
  /// Mixes the same probabilities into those of every record, so that classes have the shares that
  /// they have: a point of the dual. Returns how much of them.
  double balance() {
    const auto n = static_cast<double>(records());
    Numbers counts(heads());
    Numbers sums(heads());
    for (std::size_t i = 0; i < records(); ++i) {
      counts[target_.label(i)] += 1.0;
      for (std::size_t h = 0; h < heads(); ++h) sums[h] += of_record(i)[h];
    }
    double part = 0.0;
    for (std::size_t h = 0; h < heads(); ++h) {
      sums[h] += counts[h];
      if (sums[h] > counts[h]) part = std::max(part, 1.0 - counts[h] / sums[h]);
    }
    if (part == 0.0 || !(part < 1.0)) return part;
    for (std::size_t h = 0; h < heads(); ++h) {
      const double mixed = std::max(0.0, counts[h] - (1.0 - part) * sums[h]) / (part * n);
      for (std::size_t i = 0; i < records(); ++i) {
        const double label = target_.label(i) == h ? 1.0 : 0.0;
        double& slope = of_record(i)[h];
        slope = (1.0 - part) * (slope + label) + part * mixed - label;
      }
    }
    return part;
  }

  const data::AnyDesign& design_;
  problem::HeadTarget target_;
  const SoftmaxOptions& options_;
  core::ThreadPool& pool_;
  std::size_t features_;
  Numbers slopes_;  ///< margins, then slopes, of record after record
};

/// The last moves and what the gradient did on them.
class Memory {
 public:
  void add(Numbers move, Numbers change) {
    constexpr std::size_t kMost = 12;
    const double curved = dot(move, change);
    if (!(curved > 0.0)) return;
    pairs_.push_back({std::move(move), std::move(change), curved});
    if (pairs_.size() > kMost) pairs_.pop_front();
  }
  /// The direction of a quasi-Newton step.
  Numbers direction(const Numbers& gradient) const {
    Numbers q = gradient;
    Numbers along(pairs_.size());
    for (std::size_t k = pairs_.size(); k-- > 0;) {
      along[k] = dot(pairs_[k].move, q) / pairs_[k].curved;
      for (std::size_t c = 0; c < q.size(); ++c) q[c] -= along[k] * pairs_[k].change[c];
    }
    if (!pairs_.empty()) {
      const Pair& last = pairs_.back();
      const double scale = last.curved / dot(last.change, last.change);
      for (double& each : q) each *= scale;
    }
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
      const double back = dot(pairs_[k].change, q) / pairs_[k].curved;
      for (std::size_t c = 0; c < q.size(); ++c) q[c] += (along[k] - back) * pairs_[k].move[c];
    }
    for (double& each : q) each = -each;
    return q;
  }

 private:
  struct Pair {
    Numbers move, change;
    double curved;
  };
  std::deque<Pair> pairs_;
};

}  // namespace

solvers::Optimum softmax_optimum(const data::Dataset& dataset, const SoftmaxOptions& options,
                                 core::ThreadPool& pool) {
  if (options.classes.size() < 3 || !(options.alpha > 0.0) || dataset.records() == 0) {
    throw InvalidArgument("softmax: accepted are records, at least three classes and an alpha > 0");
  }
  SoftmaxProblem problem(dataset, options, pool);
  solvers::Optimum out;
  out.certificate = "duality gap";
  out.ended = "the bound on its passes was met";
  Numbers w(problem.heads() * problem.width());
  Numbers gradient;
  double value = problem.value_at(w, gradient);
  out.objective_at_zero = value;
  double best_bound = -std::numeric_limits<double>::infinity();
  Memory memory;
  while (out.passes < options.passes) {
    best_bound = std::max(best_bound, problem.lower_bound());
    out.gap = (value - best_bound) / std::max(value, 1e-6 * out.objective_at_zero);
    if (out.gap <= options.gap) break;
    const Numbers direction = memory.direction(gradient);
    const double slope = dot(direction, gradient);
    Numbers next(w.size());
    Numbers next_gradient;
    double next_value = value;
    double step = 1.0;
    do {
      for (std::size_t c = 0; c < w.size(); ++c) next[c] = w[c] + step * direction[c];
      next_value = problem.value_at(next, next_gradient);
      ++out.passes;
      step *= 0.5;
    } while (!(next_value <= value + 2e-4 * step * slope) && step > 1e-12);
    if (!(next_value < value) && step <= 1e-12) {
      out.ended = "the gap fell no further in double precision";
      break;
    }
    Numbers move(w.size());
    Numbers change(w.size());
    for (std::size_t c = 0; c < w.size(); ++c) {
      move[c] = next[c] - w[c];
      change[c] = next_gradient[c] - gradient[c];
    }
    memory.add(std::move(move), std::move(change));
    w = std::move(next);
    gradient = std::move(next_gradient);
    value = next_value;
  }
  out.objective = value;
  out.reached = out.gap <= options.gap;
  if (out.reached) out.ended = "the gap was reached";
  out.at.coef = std::move(w);
  return out;
}

}  // namespace southwell::lab
