#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/solvers/reference/reference_columns.hpp"

namespace southwell::solvers {

/// X'HX / n of some columns, H diagonal: row by row, full.
class Gram {
 public:
  /// For `list`. With `keep`, entries of columns already held are taken over: right as long as the
  /// weights are the same.
  enum class Held { keep, forget };
  template <data::Design D>
  void compute(const Columns<D>& columns, std::span<const std::size_t> list,
               std::span<const double> weights, Held held, core::ThreadPool& pool) {
    Gram old;
    if (held == Held::keep) std::swap(old, *this);
    list_.assign(list.begin(), list.end());
    values_.resize(list.size() * list.size());
    const std::vector<std::size_t> places = old.places_of(list);
    const auto n = static_cast<double>(weights.size());
    std::vector<std::size_t> entries(list.size());
    for (std::size_t k = 0; k < list.size(); ++k) {
      entries[k] = columns.visit(list[k], [](const auto& column) { return column.size(); });
    }
    // Of two columns the longer one is spread out and the shorter one gone through.
    std::vector<std::size_t> order(list.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return entries[a] != entries[b] ? entries[a] < entries[b] : a < b;
    });
    const auto compute_row = [&](std::size_t task) {
      const std::size_t longest = list.size() - 1 - task;  // the rows with most entries first
      const std::size_t k = order[longest];
      std::vector<double> weighted;
      for (std::size_t shorter = 0; shorter <= longest; ++shorter) {
        const std::size_t l = order[shorter];
        double entry = 0.0;
        if (places[k] < old.size() && places[l] < old.size()) {
          entry = old.row(places[k])[places[l]];
        } else {
          if (weighted.empty()) {
            weighted.assign(weights.size(), 0.0);
            columns.visit(list[k], [&](const auto& column) {
              column.for_each([&](std::size_t i, double x) { weighted[i] = weights[i] * x; });
            });
          }
          entry = columns.visit(list[l], [&](const auto& column) {
            return column.dot(weighted.data());
          }) / n;
        }
        values_[k * list.size() + l] = entry;
        values_[l * list.size() + k] = entry;
      }
    };
    const std::size_t total = std::accumulate(entries.begin(), entries.end(), std::size_t{0});
    if (total * list.size() > 2'000'000) {
      pool.run(list.size(), compute_row);
    } else {  // not worth waking a thread for
      for (std::size_t task = 0; task < list.size(); ++task) compute_row(task);
    }
  }

  std::size_t size() const { return list_.size(); }
  const double* row(std::size_t k) const { return values_.data() + k * list_.size(); }

 private:
  /// Where each of `list` is held, size() if it is not.
  std::vector<std::size_t> places_of(std::span<const std::size_t> list) const;

  std::vector<std::size_t> list_;
  std::vector<double> values_;
};

/// The quadratic gradient'move + move'(gram + diag(l2))move / 2, by its matrix.
class GramModel {
 public:
  GramModel(const Gram& gram, std::span<const double> gradient, std::span<const double> l2)
      : gram_(gram), l2_(l2), gradient_(gradient.begin(), gradient.end()) {}

  double curvature(std::size_t k) const { return gram_.row(k)[k] + l2_[k]; }
  double gradient(std::size_t k) const { return gradient_[k]; }
  void move(std::size_t k, double by) {
    const double* row = gram_.row(k);
    for (std::size_t l = 0; l < gradient_.size(); ++l) gradient_[l] += by * row[l];
    gradient_[k] += by * l2_[k];
    work_ += static_cast<double>(gradient_.size());
  }
  /// By Cholesky, with a ridge that makes it succeed for dependent columns; repeated steps undo it.
  void solve(std::span<const std::size_t> places, std::span<const double> slopes,
             std::span<double> moves);
  double work() const { return work_; }

 private:
  const Gram& gram_;
  std::span<const double> l2_;
  std::vector<double> gradient_;
  double work_ = 0.0;
};

}  // namespace southwell::solvers
