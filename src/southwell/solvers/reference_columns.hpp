#pragma once

#include <algorithm>
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

/// The features 0 .. p - 1 and, as number p, the intercept: all coordinates of a problem alike.
template <data::Design D>
class Columns {
 public:
  explicit Columns(const problem::Objective<D>& objective) : objective_(&objective) {}

  std::size_t records() const { return objective_->records(); }

  template <class F>
  decltype(auto) visit(std::size_t j, F&& f) const {
    if (j == objective_->features()) return f(OnesColumn(records()));
    return objective_->visit_column(j, f);
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
  /// Columns to a part: about 50 000 stored entries.
  std::size_t grain() const {
    return 1 + objective_->features() * 50'000 / (objective_->design().stored_entries() + 1);
  }

  const problem::Objective<D>* objective_;
};

}  // namespace southwell::solvers
