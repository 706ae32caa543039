#include "southwell/assess/bins.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>
#include <vector>

#include "southwell/core/exp.hpp"
#include "southwell/core/log.hpp"

namespace southwell::assess {
namespace {

/// By our own exp and log: the same bits on every machine.
double asinh(double x) {
  const double size = std::fabs(x);
  return std::copysign(core::log(size + std::sqrt(size * size + 1.0)), x);
}

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

/// How many of all bins lie below a margin, as a share: rises from 0 to 1.
class MarginPlaces {
 public:
  explicit MarginPlaces(const model::LinearModel& model)
      : middle_(model.heads.at(0).intercept),
        unit_(0.25 * std::clamp(typical_deviation(model), 1e-6, 1e6)) {}

  double below(double margin) const {
    return (raw(margin) - raw(-kEnd)) / (raw(kEnd) - raw(-kEnd));
  }

 private:
  static constexpr double kEnd = MarginBins::kEnd;
  static constexpr double kEven = 0.4;  ///< the share of bins that do not depend on the model

  double raw(double margin) const {
    // From a 25th of a deviation apart near the intercept to half of one 3.5 away (of 64 bins).
    constexpr double kAsinhOfReach = 0x1.aaaf64c0ced0dp+1;  // asinh(14)
    const double around = asinh((margin - middle_) / unit_) / kAsinhOfReach;
    return kEven * asinh(margin) / asinh(kEnd) + (1.0 - kEven) * std::clamp(around, -1.0, 1.0);
  }

  double middle_;
  double unit_;
};

std::vector<double> margin_edges(const model::LinearModel& model, std::size_t bins) {
  const MarginPlaces places(model);
  std::vector<double> edges;
  for (std::size_t k = 1; k < bins; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(bins);
    double low = -MarginBins::kEnd;
    double high = MarginBins::kEnd;
    for (int halving = 0; halving < 60; ++halving) {
      const double middle = 0.5 * (low + high);
      (places.below(middle) < share ? low : high) = middle;
    }
    edges.push_back(high);
  }
  *std::min_element(edges.begin(), edges.end(),
                    [](double a, double b) { return std::fabs(a) < std::fabs(b); }) = 0.0;
  return edges;
}

/// The last edge is 4, and all bins together have the octaves of 64 sixths.
std::vector<double> error_edges(std::size_t bins) {
  constexpr double kLog2 = 0x1.62e42fefa39efp-1;
  constexpr double kOctaves = 64.0 / 6.0;
  std::vector<double> edges;
  for (std::size_t k = 1; k < bins; ++k) {
    const double below_last = static_cast<double>(bins - 1 - k);
    edges.push_back(ErrorBins::kEnd *
                    core::exp(-below_last * kOctaves / static_cast<double>(bins) * kLog2));
  }
  return edges;
}

}  // namespace

std::size_t bins_for(double records, double count_sd) {
  const double strength = records / count_sd;
  constexpr double kSome = 2000.0;
  constexpr double kMuch = 12'000.0;
  return strength < kSome ? 16 : strength < kMuch ? 32 : kMostBins;
}

Bins::Bins(std::vector<double> edges, double begin, double end)
    : edges_(std::move(edges)), begin_(begin), end_(end), centres_(edges_.size() + 1) {
  for (std::size_t b = 0; b < size(); ++b) {
    const double before = width(b == 0 ? b : b - 1);
    const double after = width(b + 1 == size() ? b : b + 1);
    const double middle = 0.5 * (lower(b) + higher(b));
    centres_[b] = std::clamp(middle - (after - before) / 12.0, lower(b), higher(b));
  }
}

std::size_t Bins::of(double value) const {
  return static_cast<std::size_t>(std::lower_bound(edges_.begin(), edges_.end(), value) -
                                  edges_.begin());
}

MarginBins::MarginBins(const model::LinearModel& model, std::size_t bins)
    : Bins(margin_edges(model, bins), -kEnd, kEnd), last_of_first_(of(0.0)) {}

ErrorBins::ErrorBins(std::size_t bins) : Bins(error_edges(bins), 0.0, kEnd) {}

}  // namespace southwell::assess
