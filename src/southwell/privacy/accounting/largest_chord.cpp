#include "southwell/privacy/accounting/largest_chord.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "southwell/privacy/accounting/largest_chord.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cmath>

#ifndef SOUTHWELL_PRIVACY_CHORD_STEP_CELLS
#define SOUTHWELL_PRIVACY_CHORD_STEP_CELLS
namespace southwell::privacy {

/// What the chords from within each cell need, at the knot on its left.
struct ChordCells {
  const double* slope;
  const double* rise;
  const double* fall;
  const double* limit;
  const double* cost;
};

/// Where between the ends of its chords a knot is, and what that makes of them.
struct ChordPlace {
  double left, right, root, shrink;
};

}  // namespace southwell::privacy
#endif

HWY_BEFORE_NAMESPACE();
namespace southwell::privacy::HWY_NAMESPACE {

// Plain loops without branches, compiled once per instruction set and vectorised by the compiler.
// IEEE operations only, never fused: the same bits on every instruction set.

/// alpha = (near - far + (drop of near - drop of far) a) b
void slopes(const double* near, const double* far, std::ptrdiff_t size, double a, double b,
            double* alpha) {
  for (std::ptrdiff_t k = 0; k < size; ++k) {
    const double drops = (near[k] - near[k + 1]) - (far[k] - far[k + 1]);
    alpha[k] = (near[k] - far[k] + drops * a) * b;
  }
}

/// gamma = (e drop of near - drop of far) a b
void costs(const double* near, const double* far, std::ptrdiff_t size, double e, double a, double b,
           double* gamma) {
  for (std::ptrdiff_t k = 0; k < size; ++k) {
    gamma[k] = (e * (near[k] - near[k + 1]) - (far[k] - far[k + 1])) * a * b;
  }
}

/// The root, and `below` of what is below 0.
void roots(const double* from, std::ptrdiff_t size, double below, double* out) {
  for (std::ptrdiff_t k = 0; k < size; ++k) {
    const double value = from[k];
    const double root = std::sqrt(value < 0.0 ? 0.0 : value);
    out[k] = value < 0.0 ? below : root;
  }
}

void scale(const double* from, std::ptrdiff_t size, double factor, double* out) {
  for (std::ptrdiff_t k = 0; k < size; ++k) out[k] = from[k] * factor;
}

void raise_chords(const double* from, const double* to, const ChordCells& cells,
                  const ChordPlace& place, std::ptrdiff_t knots, double* best) {
  const auto [slope, rise, fall, limit, cost] = cells;
  const auto [left, right, root, shrink] = place;
  for (std::ptrdiff_t i = 0; i < knots; ++i) {
    const double z = root * rise[i];
    const double least = fall[i];
    const double most = limit[i];
    const double inside = (z - least) * (z - least);
    const double end = shrink * slope[i] - cost[i];
    const double at_end = end < 0.0 ? 0.0 : end;
    const double reached = z < most ? inside : at_end;
    const double gain = z <= least ? 0.0 : reached;
    const double chord = from[i] * left + to[i] * right + gain;
    const double before = best[i];
    best[i] = before < chord ? chord : before;
  }
}

}  // namespace southwell::privacy::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>

#include "southwell/core/fault.hpp"
#include "southwell/core/round_up.hpp"

namespace southwell::privacy {
HWY_EXPORT(slopes);
HWY_EXPORT(costs);
HWY_EXPORT(roots);
HWY_EXPORT(scale);
HWY_EXPORT(raise_chords);

LargestChord::LargestChord(double step, std::ptrdiff_t cells) : cells_(cells) {
  using core::Enclosure;
  const Enclosure h(step);
  const Enclosure range = h * static_cast<double>(cells);
  for (std::ptrdiff_t j = 0; j <= cells; ++j) {
    const Enclosure at = h * static_cast<double>(j);
    const Enclosure rest = h * static_cast<double>(cells - j);
    left_.push_back(j == cells ? 0.0 : (expm1(rest) * exp(at) / expm1(range)).high);
    right_.push_back(j == 0 ? 0.0 : (expm1(at) / expm1(range)).high);
    root_.push_back(std::sqrt(exp(at).high));
  }
  growth_ = core::exp(step);
  grown_ = core::expm1(step);
  shrunk_ = -core::expm1(-step);
  far_ = core::exp(range.high);
  per_cell_ = 1.0 / grown_;
  per_range_ = 1.0 / core::expm1(range.high);
  pad_ = 0x1p-44 * far_ * (1.0 + far_) * growth_ * per_range_;
}

void LargestChord::raise(const std::vector<double>& old, std::vector<double>& out) {
  const auto knots = static_cast<std::ptrdiff_t>(out.size());
  const std::ptrdiff_t size = knots + cells_;
  for (auto* each : {&slope_, &rise_, &fall_, &limit_, &cost_}) {
    each->resize(static_cast<std::size_t>(size));
  }
  const double* near = old.data();
  const double* far = near + cells_;
  // Inside a cell the chord exceeds that from its left end by alpha (1 - 1/x) - gamma (x - 1) at
  // u = x e^(k step); alpha y / u at the left end is (root rise)^2, gamma is fall^2.
  HWY_DYNAMIC_DISPATCH(slopes)(near, far, size, per_cell_, per_range_, slope_.data());
  HWY_DYNAMIC_DISPATCH(costs)(near, far, size, far_, per_cell_, per_range_, cost_.data());
  HWY_DYNAMIC_DISPATCH(roots)(slope_.data(), size, 0.0, rise_.data());
  // Below 0 by rounding alone: then the right end is the best.
  HWY_DYNAMIC_DISPATCH(roots)(cost_.data(), size, -1.0, fall_.data());
  HWY_DYNAMIC_DISPATCH(scale)(fall_.data(), size, growth_, limit_.data());
  HWY_DYNAMIC_DISPATCH(scale)(cost_.data(), size, grown_, cost_.data());
  if (fault(Fault::chord_ends_at_knots)) std::fill(rise_.begin(), rise_.end(), 0.0);
  for (std::ptrdiff_t j = 1; j <= cells_; ++j) {
    // The chord from u = y e^(-j step): knot i + cells - j of old.
    const std::ptrdiff_t shift = cells_ - j;
    const auto at = static_cast<std::size_t>(j);
    const ChordCells cells{slope_.data() + shift, rise_.data() + shift, fall_.data() + shift,
                           limit_.data() + shift, cost_.data() + shift};
    const ChordPlace place{left_[at] + pad_, right_[at], root_[at],
                           root_[at] * root_[at] * shrunk_};
    HWY_DYNAMIC_DISPATCH(raise_chords)
    (near + shift, far + shift, cells, place, knots, out.data());
  }
}

}  // namespace southwell::privacy
#endif
