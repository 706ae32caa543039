#include "southwell/assess/bins.hpp"

#include <algorithm>
#include <cmath>
#include <variant>
#include <vector>

#include "southwell/core/exp.hpp"

namespace southwell::assess {
namespace {

/// By our own exp: the same bits on every machine.
double sinh(double x) { return 0.5 * (core::exp(x) - core::exp(-x)); }

/// What the coefficients make of independent features of their declared size, 1 where there is
/// none.
double typical_deviation(const model::LinearModel& model) {
  double scale = 1.0;
  const std::vector<double>* of_feature = nullptr;
  for (const model::PublicInput& input : model.privacy.public_inputs) {
    if (!model::Statement::is_named(input, "feature_scale")) continue;
    if (const double* const one = std::get_if<double>(&input.value)) scale = *one;
    of_feature = std::get_if<std::vector<double>>(&input.value);
  }
  if (of_feature != nullptr && of_feature->size() != model.features) of_feature = nullptr;
  double sum = 0.0;
  for (const model::Coefficient& c : model.heads.at(0).coef) {
    const double size = c.value * (of_feature != nullptr ? (*of_feature)[c.index] : scale);
    sum += size * size;
  }
  return std::isnan(sum) ? 1.0 : std::sqrt(sum);  // a file may say that a scale is no number
}

Bins::Edges margin_edges(const model::LinearModel& model) {
  constexpr double kEnd = MarginBins::kEnd;
  constexpr double kAsinhOfEnd = 0x1.3ef2a467f8864p+1;    // asinh(6)
  constexpr double kAsinhOfReach = 0x1.aaaf64c0ced0dp+1;  // asinh(14)
  constexpr std::size_t kEven = 23;
  constexpr std::size_t kAround = kBins - 1 - kEven;
  Bins::Edges edges{};
  for (std::size_t k = 0; k < kEven; ++k) {
    edges[k] = sinh((static_cast<double>(k) - 11.0) / 12.0 * kAsinhOfEnd);
  }
  // From a 25th of a deviation apart near the intercept to half of one at its ends, 3.5 away.
  const double deviation = std::clamp(typical_deviation(model), 1e-6, 1e6);
  const double middle = model.heads.at(0).intercept;
  for (std::size_t k = 0; k < kAround; ++k) {
    const double place = (static_cast<double>(k) - 19.5) / 19.5 * kAsinhOfReach;
    edges[kEven + k] = std::clamp(middle + 0.25 * deviation * sinh(place), -kEnd, kEnd);
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

Bins::Edges error_edges() {
  constexpr double kLog2 = 0x1.62e42fefa39efp-1;
  Bins::Edges edges{};
  // The last edge is 4 = 2^(12/6), each of the others a sixth of an octave below the next.
  for (std::size_t k = 0; k < edges.size(); ++k) {
    edges[k] = core::exp((static_cast<double>(k) - 50.0) * kLog2 / 6.0);
  }
  return edges;
}

}  // namespace

Bins::Bins(const Edges& edges, double begin, double end) : edges_(edges) {
  const auto lower = [&](std::size_t bin) { return bin == 0 ? begin : edges_[bin - 1]; };
  const auto higher = [&](std::size_t bin) { return bin + 1 == kBins ? end : edges_[bin]; };
  const auto width = [&](std::size_t bin) { return higher(bin) - lower(bin); };
  for (std::size_t b = 0; b < kBins; ++b) {
    const double before = b == 0 ? width(b) : width(b - 1);
    const double after = b + 1 == kBins ? width(b) : width(b + 1);
    const double middle = 0.5 * (lower(b) + higher(b));
    centres_[b] = std::clamp(middle - (after - before) / 12.0, lower(b), higher(b));
  }
}

std::size_t Bins::of(double value) const {
  return static_cast<std::size_t>(std::lower_bound(edges_.begin(), edges_.end(), value) -
                                  edges_.begin());
}

MarginBins::MarginBins(const model::LinearModel& model)
    : Bins(margin_edges(model), -kEnd, kEnd), last_of_first_(of(0.0)) {}

ErrorBins::ErrorBins() : Bins(error_edges(), 0.0, kEnd) {}

}  // namespace southwell::assess
