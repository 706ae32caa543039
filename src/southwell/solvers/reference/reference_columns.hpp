#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/problem/objective.hpp"

namespace southwell::solvers {

/// The intercept's column.
class OnesColumn {
 public:
  explicit OnesColumn(std::size_t size) : size_(size) {}
  std::size_t size() const { return size_; }
  double dot(const double* in) const {
    double sum = 0.0;
    for (std::size_t i = 0; i < size_; ++i) sum += in[i];
    return sum;
  }
  double squares() const { return static_cast<double>(size_); }
  void add_to(double* out, double a) const {
    for (std::size_t i = 0; i < size_; ++i) out[i] += a;
  }
  template <class F>
  void for_each(F&& f) const {
    for (std::size_t i = 0; i < size_; ++i) f(i, 1.0);
  }

 private:
  std::size_t size_;
};
static_assert(data::Column<OnesColumn>);

/// (x - center) / scale. The scale is a power of two, so that dividing by it rounds nothing.
struct Shape {
  double center = 0.0;
  double scale = 1.0;
};

/// A column in its own unit. Where it is centered, the entries that are not stored count too.
template <data::Column C>
class ShapedColumn {
 public:
  ShapedColumn(const C& raw, const Shape& shape, std::size_t records)
      : raw_(raw), center_(shape.center), inverse_(1.0 / shape.scale), records_(records) {}

  std::size_t size() const { return center_ == 0.0 ? raw_.size() : records_; }
  double dot(const double* in) const {
    if (center_ == 0.0) return inverse_ * raw_.dot(in);
    std::array<double, 4> sums{};  // side by side: one sum would wait for itself
    for_each([&](std::size_t i, double x) { sums[i % 4] += x * in[i]; });
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
  }
  double squares() const {
    if (center_ == 0.0) return inverse_ * inverse_ * raw_.squares();
    double sum = 0.0;
    for_each([&](std::size_t, double x) { sum += x * x; });
    return sum;
  }
  void add_to(double* out, double a) const {
    if (center_ == 0.0) return raw_.add_to(out, a * inverse_);
    for_each([&](std::size_t i, double x) { out[i] += a * x; });
  }
  template <class F>
  void for_each(F&& f) const {
    if (center_ == 0.0) {
      raw_.for_each([&](std::size_t i, double x) { f(i, x * inverse_); });
      return;
    }
    std::size_t next = 0;
    raw_.for_each([&](std::size_t i, double x) {
      for (; next < i; ++next) f(next, -center_ * inverse_);
      f(i, (x - center_) * inverse_);
      next = i + 1;
    });
    for (; next < records_; ++next) f(next, -center_ * inverse_);
  }

 private:
  const C& raw_;
  double center_;
  double inverse_;
  std::size_t records_;
};
static_assert(data::Column<ShapedColumn<OnesColumn>>);

/// The features 0 .. p - 1 and, as number p, the intercept: all coordinates of a problem alike, in
/// units in which a column's root mean square is about 1, whatever the data are measured in.
template <data::Design D>
class Columns {
 public:
  /// `slopes` are those at the start; their gradient is found on the way, as each column passes.
  Columns(const problem::Objective<D>& objective, std::vector<double> slopes,
          core::ThreadPool& pool)
      : objective_(&objective), shapes_(objective.features() + 1) {
    start_.slopes = std::move(slopes);
    start_.gradient.resize(objective.features());
    const auto n = static_cast<double>(records());
    const std::vector<double> ones(has_intercept() ? records() : 0, 1.0);
    pool.run_ranges(objective.features(), grain(), [&](std::size_t first, std::size_t last) {
      for (std::size_t j = first; j < last; ++j) {
        shapes_[j] =
            objective.visit_column(j, [&](const auto& column) { return shape(column, ones); });
        start_.gradient[j] =
            visit(j, [&](const auto& column) { return column.dot(start_.slopes.data()); }) / n;
      }
    });
  }

  /// Slopes by record, and the gradient they make by feature.
  struct Start {
    std::vector<double> slopes;
    std::vector<double> gradient;
  };
  const Start& start() const { return start_; }

  std::size_t records() const { return objective_->records(); }
  bool has_intercept() const { return objective_->intercept() == problem::Intercept::free; }
  const std::vector<Shape>& shapes() const { return shapes_; }

  template <class F>
  decltype(auto) visit(std::size_t j, F&& f) const {
    if (j == objective_->features()) return f(OnesColumn(records()));
    return objective_->visit_column(
        j, [&](const auto& column) { return f(ShapedColumn(column, shapes_[j], records())); });
  }

  /// out_k = x_{list_k}'in / n.
  void dots(std::span<const std::size_t> list, std::span<const double> in, std::span<double> out,
            core::ThreadPool& pool) const {
    const auto n = static_cast<double>(records());
    pool.run_ranges(list.size(), grain(), [&](std::size_t first, std::size_t last) {
      for (std::size_t k = first; k < last; ++k) {
        out[k] = visit(list[k], [&](const auto& column) { return column.dot(in.data()); }) / n;
      }
    });
  }

  /// out = sum_k factors_k x_{list_k}. The parts are the same for any number of threads, so that
  /// the rounding is too.
  void combine(std::span<const std::size_t> list, std::span<const double> factors,
               std::span<double> out, core::ThreadPool& pool) const {
    const std::size_t parts = std::clamp<std::size_t>(list.size() / grain(), 1, 8);
    std::vector<double> partial((parts - 1) * records(), 0.0);
    std::fill(out.begin(), out.end(), 0.0);
    pool.run(parts, [&](std::size_t part) {
      double* to = part == 0 ? out.data() : partial.data() + (part - 1) * records();
      const std::size_t last = list.size() * (part + 1) / parts;
      for (std::size_t k = list.size() * part / parts; k < last; ++k) {
        if (factors[k] == 0.0) continue;
        visit(list[k], [&](const auto& column) { column.add_to(to, factors[k]); });
      }
    });
    for (std::size_t part = 1; part < parts; ++part) {
      const double* from = partial.data() + (part - 1) * records();
      for (std::size_t i = 0; i < out.size(); ++i) out[i] += from[i];
    }
  }

 private:
  /// With an intercept a column may be centered: the intercept makes up for it. It is where its
  /// mean exceeds its standard deviation; more than half of its entries are stored then (the mean's
  /// square is at most that share of the mean square), so that counting all costs little.
  /// `ones` is as long as the column; it is used with an intercept alone.
  template <data::Column C>
  Shape shape(const C& column, const std::vector<double>& ones) const {
    const auto n = static_cast<double>(records());
    double square = column.squares() / n;
    Shape out;
    const double mean = has_intercept() ? column.dot(ones.data()) / n : 0.0;
    if (2.0 * mean * mean > square) {
      const ShapedColumn near(column, {mean, 1.0}, records());
      out.center = mean + near.dot(ones.data()) / n;  // exact where the column is constant
      square = ShapedColumn(column, {out.center, 1.0}, records()).squares() / n;
    }
    if (square > 0.0 && std::isfinite(square)) {
      out.scale = std::exp2(std::round(0.5 * std::log2(square)));
    }
    return out;
  }

  /// Columns to a part: about 300 000 stored entries.
  std::size_t grain() const {
    return 1 + objective_->features() * 300'000 / (objective_->design().stored_entries() + 1);
  }

  const problem::Objective<D>* objective_;
  std::vector<Shape> shapes_;  // that of the intercept is last
  Start start_;
};

}  // namespace southwell::solvers
