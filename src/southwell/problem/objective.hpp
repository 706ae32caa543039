#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/core/parallel.hpp"
#include "southwell/data/dense_design.hpp"
#include "southwell/data/design.hpp"
#include "southwell/data/sparse_design.hpp"
#include "southwell/problem/losses/any_loss.hpp"
#include "southwell/problem/penalties/any_penalty.hpp"

namespace southwell::problem {

enum class Intercept { none, free };

/// A linear model: margins x'coef + intercept.
struct Coefficients {
  std::vector<double> coef;
  double intercept = 0.0;
};

/// beta mean_i x_ij^2 + l2 of every feature, read from the records.
template <data::Design D>
std::vector<double> column_smoothness(const D& design, double beta, double l2,
                                      core::ThreadPool& pool) {
  const auto n = static_cast<double>(design.records());
  std::vector<double> out(design.features());
  pool.run_ranges(out.size(), 16, [&](std::size_t first, std::size_t last) {
    const auto block = design.block({first, last});
    for (std::size_t j = first; j < last; ++j) {
      double squares = 0.0;
      block.column(j - first).for_each([&](std::size_t, double x) { squares += x * x; });
      out[j] = beta * squares / n + l2;
    }
  });
  return out;
}

/// mean_i loss(x_i'w + b, y_i) + sum_j penalty(w_j) on raw records: what the lab minimises and
/// evaluates. Reading it is not private. The design and the target must outlive it.
template <data::Design D>
class Objective {
 public:
  Objective(const D& design, std::span<const double> target, AnyLoss loss, AnyPenalty penalty,
            Intercept intercept)
      : design_(&design), target_(target), loss_(loss), penalty_(penalty), intercept_(intercept) {
    if (design.features() == 0) throw DataError("data: no features; at least one is needed");
    if (design.records() == 0) throw DataError("data: no records; at least one is needed");
    if (target.size() != design.records()) {
      throw DataError("target: " + std::to_string(target.size()) + " values for " +
                      std::to_string(design.records()) + " records; one for each is needed");
    }
    check_target(loss_, target);
  }

  const D& design() const { return *design_; }
  std::span<const double> target() const { return target_; }
  const AnyLoss& loss() const { return loss_; }
  const AnyPenalty& penalty() const { return penalty_; }
  Intercept intercept() const { return intercept_; }
  std::size_t records() const { return design_->records(); }
  std::size_t features() const { return design_->features(); }

  std::vector<double> margins(const Coefficients& at) const {
    std::vector<double> out(records(), at.intercept);
    for (std::size_t j = 0; j < features(); ++j) {
      if (at.coef[j] == 0.0) continue;
      visit_column(j, [&](const auto& column) { column.add_to(out.data(), at.coef[j]); });
    }
    return out;
  }

  double loss_value(std::span<const double> margins) const {
    return mean_value(loss_, margins, target_);
  }
  double penalty_value(const Coefficients& at) const { return value(penalty_, at.coef); }

  /// out_j = sum_i x_ij slopes_i / n for every feature.
  void slopes_to_gradient(std::span<const double> slopes, std::span<double> out,
                          core::ThreadPool& pool) const {
    const auto n = static_cast<double>(records());
    // Half a million entries to a part: where a busy machine makes a thread wait for its turn, less
    // work than that is done sooner alone.
    const std::size_t grain = 1 + features() * 500'000 / (design_->stored_entries() + features());
    pool.run_ranges(features(), grain, [&](std::size_t first, std::size_t last) {
      const auto block = design_->block({first, last});
      for (std::size_t j = first; j < last; ++j) {
        out[j] = block.column(j - first).dot(slopes.data()) / n;
      }
    });
  }

  /// M_j of the paper, from the data.
  std::vector<double> smoothness(core::ThreadPool& pool) const {
    return column_smoothness(*design_, curvature_bound(loss_), curvature(penalty_), pool);
  }

  /// f(column j), while its block is held.
  template <class F>
  decltype(auto) visit_column(std::size_t j, F&& f) const {
    const auto block = design_->block({j, j + 1});
    return f(block.column(0));
  }

 private:
  const D* design_;
  std::span<const double> target_;
  AnyLoss loss_;
  AnyPenalty penalty_;
  Intercept intercept_;
};

}  // namespace southwell::problem
