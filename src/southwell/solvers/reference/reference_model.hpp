#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/problem/penalties/none.hpp"
#include "southwell/problem/rule.hpp"
#include "southwell/solvers/reference/reference_columns.hpp"
#include "southwell/solvers/reference/reference_gram.hpp"

namespace southwell::solvers {

/// The penalty by coordinate: its l2 part, its kinked part, and nothing on the intercept.
/// Coefficients are in the unit of their column: w here is the model's coefficient times the scale.
template <problem::KinkedPenalty P>
struct CoordinatePenalty {
  P kinked;
  double l2 = 0.0;
  const std::vector<Shape>& shapes;  ///< that of the intercept is last

  template <class F>
  auto on(std::size_t j, F&& f) const {
    return j + 1 == shapes.size() ? f(problem::None{}) : f(kinked);
  }
  double curvature(std::size_t j) const {
    return j + 1 == shapes.size() ? 0.0 : l2 / (shapes[j].scale * shapes[j].scale);
  }
  double prox(std::size_t j, double w, double step) const {
    const double s = shapes[j].scale;
    return on(j, [&](const auto& p) { return s * p.prox(w / s, step / (s * s)); });
  }
  double value(std::size_t j, double w) const {
    return on(j, [&](const auto& p) { return p.value(w / shapes[j].scale); }) +
           0.5 * curvature(j) * w * w;
  }
  problem::Interval piece(std::size_t j, double w) const {
    const double s = shapes[j].scale;
    const problem::Interval raw = on(j, [&](const auto& p) { return p.piece(w / s); });
    return {s * raw.lo, s * raw.hi};
  }
  problem::Interval subdifferential(std::size_t j, double w) const {
    const double s = shapes[j].scale;
    const problem::Interval raw = on(j, [&](const auto& p) { return p.subdifferential(w / s); });
    return {raw.lo / s, raw.hi / s};
  }
  bool is_free(std::size_t j, double w) const {
    const problem::Interval at = piece(j, w);
    return at.lo < at.hi;
  }
  /// `gradient` is that of the smooth part, l2 included.
  double violation(std::size_t j, double w, double gradient) const {
    return std::max(0.0, problem::signed_distance(gradient, subdifferential(j, w)));
  }
};

/// A quadratic in the moves of the working set's coordinates (numbered by their place in it).
template <class M>
concept QuadraticModel =
    requires(M& model, std::size_t k, double by, std::span<const std::size_t> places,
             std::span<const double> slopes, std::span<double> moves) {
      { model.curvature(k) } -> std::same_as<double>;
      { model.gradient(k) } -> std::same_as<double>;  // at the moves made so far
      { model.move(k, by) } -> std::same_as<void>;
      // moves of `places` alone that take their slopes to 0
      { model.solve(places, slopes, moves) } -> std::same_as<void>;
      { model.work() } -> std::same_as<double>;  // multiplications so far, roughly
    };
static_assert(QuadraticModel<GramModel>);

/// The same quadratic without its matrix, for working sets whose matrix would cost more than the
/// passes over the columns it saves.
template <data::Design D>
class ColumnModel {
 public:
  /// sum over records of weight_i (x_i'move)^2 / (2n) + gradient'move + l2 terms.
  ColumnModel(const Columns<D>& columns, std::span<const std::size_t> list,
              std::span<const double> weights, std::span<const double> gradient,
              std::span<const double> l2, core::ThreadPool& pool)
      : columns_(columns),
        list_(list),
        weights_(weights),
        l2_(l2),
        pool_(pool),
        gradient_(gradient.begin(), gradient.end()),
        curvature_(list.size()),
        moved_(list.size(), 0.0),
        weighted_margins_(weights.size(), 0.0) {
    const auto n = static_cast<double>(weights.size());
    pool.run_ranges(list.size(), 16, [&](std::size_t first, std::size_t last) {
      for (std::size_t k = first; k < last; ++k) {
        double sum = 0.0;
        columns.visit(list[k], [&](const auto& column) {
          column.for_each([&](std::size_t i, double x) { sum += weights[i] * x * x; });
        });
        curvature_[k] = sum / n + l2[k];
      }
    });
  }

  double curvature(std::size_t k) const { return curvature_[k]; }
  double gradient(std::size_t k) {
    work_ += static_cast<double>(weights_.size());
    const double rest = columns_.visit(
        list_[k], [&](const auto& column) { return column.dot(weighted_margins_.data()); });
    return gradient_[k] + rest / static_cast<double>(weights_.size()) + l2_[k] * moved_[k];
  }
  void move(std::size_t k, double by) {
    moved_[k] += by;
    work_ += static_cast<double>(weights_.size());
    columns_.visit(list_[k], [&](const auto& column) {
      column.for_each(
          [&](std::size_t i, double x) { weighted_margins_[i] += by * weights_[i] * x; });
    });
  }
  /// Conjugate gradients, preconditioned by the diagonal, until the slopes have fallen a
  /// hundredfold.
  void solve(std::span<const std::size_t> places, std::span<const double> slopes,
             std::span<double> moves);
  double work() const { return work_; }
  /// Whether some `solve` ran out of iterations.
  bool struggled() const { return struggled_; }

 private:
  static constexpr int kIterations = 100;

  const Columns<D>& columns_;
  std::span<const std::size_t> list_;
  std::span<const double> weights_;
  std::span<const double> l2_;
  core::ThreadPool& pool_;
  std::vector<double> gradient_;
  std::vector<double> curvature_;
  std::vector<double> moved_;
  std::vector<double> weighted_margins_;
  bool struggled_ = false;
  double work_ = 0.0;
};

template <data::Design D>
void ColumnModel<D>::solve(std::span<const std::size_t> places, std::span<const double> slopes,
                           std::span<double> moves) {
  const std::size_t size = places.size();
  std::vector<std::size_t> list(size);
  for (std::size_t k = 0; k < size; ++k) list[k] = list_[places[k]];
  std::vector<double> residual(size), preconditioned(size), direction(size, 0.0), image(size);
  std::vector<double> margins(weights_.size());
  const auto inner = [size](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t k = 0; k < size; ++k) sum += a[k] * b[k];
    return sum;
  };
  std::fill(moves.begin(), moves.end(), 0.0);
  for (std::size_t k = 0; k < size; ++k) residual[k] = -slopes[k];
  double before = 0.0;
  double start = 0.0;
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    for (std::size_t k = 0; k < size; ++k) {
      const double h = curvature_[places[k]];
      preconditioned[k] = h > 0.0 ? residual[k] / h : 0.0;
    }
    const double now = inner(residual, preconditioned);
    if (iteration == 0) start = now;
    if (now <= 1e-4 * start || now == 0.0) return;
    const double keep = before > 0.0 ? now / before : 0.0;
    before = now;
    for (std::size_t k = 0; k < size; ++k) direction[k] = preconditioned[k] + keep * direction[k];
    work_ += 2.0 * static_cast<double>(size * weights_.size());
    columns_.combine(list, direction, margins, pool_);
    for (std::size_t i = 0; i < margins.size(); ++i) margins[i] *= weights_[i];
    columns_.dots(list, margins, image, pool_);
    for (std::size_t k = 0; k < size; ++k) image[k] += l2_[places[k]] * direction[k];
    const double bend = inner(direction, image);
    if (!(bend > 0.0)) return;
    for (std::size_t k = 0; k < size; ++k) {
      moves[k] += now / bend * direction[k];
      residual[k] -= now / bend * image[k];
    }
  }
  struggled_ = true;
}

/// Minimises model + penalty over the coefficients of the working set, from `coef` on.
template <QuadraticModel M, problem::KinkedPenalty P>
class ModelMinimiser {
 public:
  ModelMinimiser(M& model, const CoordinatePenalty<P>& penalty, std::span<const std::size_t> list,
                 std::vector<double>& coef)
      : model_(model), penalty_(penalty), list_(list), coef_(coef) {}

  /// Until no coordinate violates optimality by more than `target`. Newton's step finishes what
  /// coordinate descent has sorted into pieces; each alone would be slow or blind to kinks.
  void run(double target) {
    constexpr int kRounds = 200;
    constexpr int kSweeps = 5;
    for (int round = 0; round < kRounds; ++round) {
      if (newton_on_pieces() || violation() <= target) return;
      for (int sweep = 0; sweep < kSweeps; ++sweep) {
        if (!descend()) break;
      }
    }
  }

 private:
  void move_to(std::size_t k, double to) {
    model_.move(k, to - coef_[k]);
    coef_[k] = to;
  }

  /// One sweep of coordinate descent; false if nothing moved.
  bool descend() {
    bool moved = false;
    for (std::size_t k = 0; k < list_.size(); ++k) {
      const double h = model_.curvature(k);
      if (!(h > 0.0)) continue;  // a column of zeros: nothing to gain
      const double to = penalty_.prox(list_[k], coef_[k] - model_.gradient(k) / h, 1.0 / h);
      if (to == coef_[k]) continue;
      move_to(k, to);
      moved = true;
    }
    return moved;
  }

  double violation() {
    double most = 0.0;
    for (std::size_t k = 0; k < list_.size(); ++k) {
      most = std::max(most, penalty_.violation(list_[k], coef_[k], model_.gradient(k)));
    }
    return most;
  }

  /// Newton's step for the coordinates inside a piece, up to the first kink. True if that solved
  /// the whole model: all coordinates were free and none met a kink.
  bool newton_on_pieces() {
    places_.clear();
    slopes_.clear();
    for (std::size_t k = 0; k < list_.size(); ++k) {
      if (!penalty_.is_free(list_[k], coef_[k])) continue;
      places_.push_back(k);
      slopes_.push_back(model_.gradient(k) + penalty_.subdifferential(list_[k], coef_[k]).lo);
    }
    if (places_.empty()) return false;
    moves_.resize(places_.size());
    model_.solve(places_, slopes_, moves_);
    double step = 1.0;
    std::size_t first_kink = places_.size();
    for (std::size_t s = 0; s < places_.size(); ++s) {
      const problem::Interval piece = penalty_.piece(list_[places_[s]], coef_[places_[s]]);
      const double room = (moves_[s] > 0.0 ? piece.hi : piece.lo) - coef_[places_[s]];
      if (std::fabs(moves_[s]) * step > std::fabs(room)) {
        step = room / moves_[s];
        first_kink = s;
      }
    }
    for (std::size_t s = 0; s < places_.size(); ++s) {
      const std::size_t k = places_[s];
      const problem::Interval piece = penalty_.piece(list_[k], coef_[k]);
      if (s == first_kink) {
        move_to(k, moves_[s] > 0.0 ? piece.hi : piece.lo);
      } else {
        move_to(k, std::clamp(coef_[k] + step * moves_[s], piece.lo, piece.hi));
      }
    }
    return step == 1.0 && places_.size() == list_.size();
  }

  M& model_;
  const CoordinatePenalty<P>& penalty_;
  std::span<const std::size_t> list_;
  std::vector<double>& coef_;
  std::vector<std::size_t> places_;
  std::vector<double> slopes_;
  std::vector<double> moves_;
};

}  // namespace southwell::solvers
