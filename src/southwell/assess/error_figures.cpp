#include "southwell/assess/error_figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "southwell/assess/bins.hpp"
#include "southwell/assess/monotone.hpp"
#include "southwell/core/exp.hpp"
#include "southwell/core/log.hpp"
#include "southwell/problem/losses/any_loss.hpp"

namespace southwell::assess {
namespace {

double square(double x) { return x * x; }

/// How far sums of squares reach that are taken in this unit.
double reach_of(double error_scale) { return error_scale * std::sqrt(kPairLimit); }

/// What the histogram says of the sizes of errors, in the target's own units.
class ErrorSizes {
 public:
  ErrorSizes(const NoisyCounts& counts, double target_scale)
      : counts_(counts),
        bins_(counts.size() - 1),
        scale_(target_scale),
        have_error_(counts.size(), 1.0) {
    have_error_.back() = 0.0;
    records_ = counts_.sum(have_error_);
    double sum = 0.0;
    for (std::size_t b = 0; b < bins_.size(); ++b) {
      up_to_.push_back((sum += counts_[b]) / records_);
    }
    up_to_ = monotone(up_to_);
  }

  /// Whether so many have an error at all that their number can be divided by.
  bool is_clear() const { return counts_.is_clear(have_error_); }
  /// Whether more than a few errors lie where the histogram has no end, by more than its noise:
  /// what is made of their squares would be anything.
  bool has_no_end() const {
    constexpr double kFew = 0.02;
    std::vector<double> beyond(counts_.size());
    beyond[bins_.size() - 1] = 1.0 / records_;
    const double noise = std::sqrt(counts_.noise_variance(beyond));
    return counts_.sum(beyond) > kFew + kReach * noise;
  }
  double records() const { return records_; }
  double records_noise() const { return counts_.noise_variance(have_error_); }

  /// The mean of a function of an error's size, where sizes end at `most`.
  template <class Of>
  Figure mean(double most, const Of& of) const {
    return counts_.ratio(weights(most, of), have_error_, {.least = 0.0});
  }

  /// E e^4 / (E e^2)^2, drawn towards 3, the normal's, by as much as its own noise hides that it
  /// may be some 3 away.
  double kurtosis(double most, double mean_square) const {
    constexpr double kNormal = 3.0;
    constexpr double kMost = 100.0;
    std::vector<double> fourth = weights(most, [](double size) { return square(square(size)); });
    for (double& each : fourth) each /= records_ * square(mean_square);
    const double noise = counts_.noise_variance(fourth) / square(kNormal);
    if (!(mean_square > 0.0) || !std::isfinite(noise)) return kNormal;
    return std::clamp((counts_.sum(fourth) + kNormal * noise) / (1.0 + noise), 1.0, kMost);
  }

  /// The size that a part `share` of errors do not pass. Its interval is where the distribution is
  /// within its own error of that part.
  Figure quantile(double share) const {
    const double value = size_at(share);
    if (std::isnan(value)) return {};
    const std::size_t bin = bins_.of(value / scale_);
    std::vector<double> below(counts_.size());
    for (std::size_t b = 0; b < bins_.size(); ++b) {
      below[b] = ((b <= bin ? 1.0 : 0.0) - share) / records_;
    }
    const double noise = std::sqrt(counts_.noise_variance(below));
    const double sampling = std::sqrt(share * (1.0 - share) / records_);
    const double both = kReach * std::hypot(noise, sampling);
    const auto half_width = [&](double sd) {
      return 0.5 * (size_at(share + sd) - size_at(share - sd));
    };
    return {.value = value,
            .low = size_at(share - both),
            .high = size_at(share + both),
            .noise_sd = half_width(noise),
            .sampling_sd = half_width(sampling)};
  }

  /// How much of the mean square lies beyond `most`, by an exponential law through two quantiles:
  /// bins out there hold little but noise. Without a bound where they reach beyond the last edge.
  double square_beyond(double most) const {
    constexpr double kFrom = 0.9;
    constexpr double kTo = 0.97;
    const double begin = size_at(kFrom);
    const double fall = (size_at(kTo) - begin) / core::log((1.0 - kFrom) / (1.0 - kTo));
    if (std::isnan(fall)) return std::numeric_limits<double>::infinity();
    if (fall <= 0.0) return 0.0;
    const double share = (1.0 - kFrom) * core::exp(-std::max(most - begin, 0.0) / fall);
    return 2.0 * share * fall * (std::max(most, begin) + fall);
  }

  /// Shares of errors by their size: small ones together, two thirds of an octave each up to about
  /// `most`, and what is larger.
  std::vector<ErrorBar> bars(double most) const {
    constexpr std::size_t kBars = 8;
    const std::size_t together = bins_.size() / kGroups;
    const std::size_t last =
        std::clamp(bins_.of(most / scale_), (kBars + 1) * together, bins_.size() - 1);
    std::vector<ErrorBar> out;
    for (std::size_t first = 0; first < bins_.size();) {
      const std::size_t end = first == 0      ? last - kBars * together
                              : first == last ? bins_.size()
                                              : first + together;
      std::vector<double> own(counts_.size());
      std::fill(own.begin() + static_cast<std::ptrdiff_t>(first),
                own.begin() + static_cast<std::ptrdiff_t>(end), 1.0);
      out.push_back({.from = first == 0 ? 0.0 : scale_ * bins_.upper(first - 1),
                     .to = end == bins_.size() ? std::numeric_limits<double>::infinity()
                                               : scale_ * bins_.upper(end - 1),
                     .share = counts_.ratio(own, have_error_, {0.0, 1.0})});
      first = end;
    }
    return out;
  }

 private:
  template <class Of>
  std::vector<double> weights(double most, const Of& of) const {
    std::vector<double> out(counts_.size());
    for (std::size_t b = 0; b < bins_.size(); ++b) {
      out[b] = of(std::min(scale_ * bins_.centre(b), most));
    }
    return out;
  }

  double begin(std::size_t bin) const { return bin == 0 ? 0.0 : bins_.upper(bin - 1); }
  double width(std::size_t bin) const { return bins_.width(bin); }
  double mass(std::size_t bin) const {
    return up_to_[bin] - (bin == 0 ? 0.0 : std::max(up_to_[bin - 1], 0.0));
  }

  /// Where the distribution reaches `share`; NaN in the last bin, which has no end. Within a bin
  /// the density is a line that leans as the neighbours say.
  double size_at(double share) const {
    if (share <= 0.0) return 0.0;
    std::size_t bin = 0;
    while (bin + 1 < bins_.size() && up_to_[bin] < share) ++bin;
    if (bin + 1 == bins_.size()) return Figure::kNone;
    const double own = mass(bin);
    double part = own > 0.0 ? std::clamp(1.0 - (up_to_[bin] - share) / own, 0.0, 1.0) : 0.5;
    if (own > 0.0 && bin > 0 && bin + 2 < bins_.size()) {
      // F(part) = part + lean (part^2 - part) for a lean of at most 1 in size: solved for part.
      const double rise = mass(bin + 1) / width(bin + 1) - mass(bin - 1) / width(bin - 1);
      const double apart = 0.5 * (width(bin - 1) + width(bin + 1)) + width(bin);
      const double lean = std::clamp(0.5 * rise / apart * square(width(bin)) / own, -1.0, 1.0);
      if (std::fabs(lean) > 1e-9) {
        const double root = std::sqrt(square(1.0 - lean) + 4.0 * lean * part);
        part = (root - (1.0 - lean)) / (2.0 * lean);
      }
    }
    return scale_ * (begin(bin) + std::clamp(part, 0.0, 1.0) * width(bin));
  }

  const NoisyCounts& counts_;
  ErrorBins bins_;
  double scale_;
  std::vector<double> have_error_;  ///< 1 for every bin, 0 for records without an error
  double records_ = 0.0;
  std::vector<double> up_to_;  ///< the share of errors up to the end of each bin
};

/// Figures of the released moments, in the target's own units.
class ErrorMoments {
 public:
  ErrorMoments(const ErrorReleases& released, const ErrorSizes& sizes)
      : records_(sizes.records()), records_noise_(sizes.records_noise()) {
    const double error = released.units.error_scale;
    const double target = target_scale_ = released.units.target_scale;
    const std::array<double, kMoments> units{error, square(error), target, square(target)};
    for (std::size_t k = 0; k < kMoments; ++k) {
      const double unit = units[k] * kMomentLimit / static_cast<double>(kShare);
      sums_[k] = static_cast<double>(released.moments[k]) * unit;
      noise_[k] = square(static_cast<double>(released.moment_scale) * unit);
    }
    kurtosis_ = sizes.kurtosis(ErrorBins::kEnd * error, mean_square());
    beyond_ = sizes.square_beyond(reach_of(error));
  }

  /// `factor` times the mean squared error.
  Figure mean_square(double factor) const {
    const double mse = mean_square();
    return mean(1, (kurtosis_ - 1.0) * square(mse), factor, {.least = 0.0});
  }

  Figure mean_error() const {
    return mean(0, mean_square() - square(sums_[0] / records_), 1.0, {});
  }

  /// 1 - (sum of squared errors) / (sum of squares around the targets' mean).
  Figure r2() const {
    // Errors that long are cut, and the targets that they are of are not.
    constexpr double kMostCut = 0.05;
    if (beyond_ > kMostCut * mean_square()) return {};
    // Targets that lie beyond that, in the mean, were shortened: their spread is not in the sums.
    constexpr double kFar = 3.0;
    const double target = target_scale_ * target_scale_;
    if (sums_[3] / records_ > kFar * target) return {};
    const double mean = sums_[2] / records_;
    const double spread = sums_[3] - records_ * square(mean);
    const double spread_noise =
        noise_[3] + square(2.0 * mean) * noise_[2] + square(square(mean)) * records_noise_;
    if (!(spread > kClearOfZero * std::sqrt(spread_noise))) return {};
    const double unexplained = sums_[1] / spread;
    const double noise = (noise_[1] + square(unexplained) * spread_noise) / square(spread);
    // Of errors with this fourth moment beside what is explained by a normal law.
    const double explained = std::clamp(1.0 - unexplained, 0.0, 1.0);
    const double of_one = (kurtosis_ + 1.0) * explained + 4.0 * (1.0 - explained);
    const double sampling = square(unexplained) * explained * of_one / records_;
    return figure_of(1.0 - unexplained, noise, sampling, {.most = 1.0});
  }

 private:
  double mean_square() const { return sums_[1] / records_; }

  /// The mean of a moment times `factor`, `variance` being that of one record.
  Figure mean(std::size_t moment, double variance, double factor, Limits limits) const {
    const double value = sums_[moment] / records_;
    const double noise = (noise_[moment] + square(value) * records_noise_) / square(records_);
    return figure_of(factor * value, square(factor) * noise,
                     square(factor) * std::max(variance, 0.0) / records_, limits);
  }

  double records_;
  double records_noise_;
  std::array<double, kMoments> sums_{};
  std::array<double, kMoments> noise_{};  ///< variances
  double kurtosis_ = 3.0;
  double beyond_ = 0.0;  ///< of the mean square, out of reach
  double target_scale_ = 1.0;
};

Figure mean_loss(const model::LinearModel& model, const ErrorSizes& sizes, double most) {
  const problem::AnyLoss loss = problem::loss_of(model.objective);
  return sizes.mean(most, [&](double size) {
    double value = 0.0;
    const double target = 0.0;
    problem::values(loss, {&size, 1}, {&target, 1}, {&value, 1});
    return value;
  });
}

}  // namespace

double error_scale_of(const NoisyCounts& counts, double target_scale, double moment_sd) {
  const ErrorSizes sizes(counts, target_scale);
  if (!sizes.is_clear()) return target_scale;
  const double most = sizes.quantile(0.9).high;
  constexpr double kPart = 0.9;
  constexpr double kLeast = 0x1p-8;  // about where the first bin ends
  if (std::isnan(most)) return target_scale;
  const double least = target_scale * std::clamp(kPart * most / target_scale, kLeast, 1.0);
  // How far off a mean square would be: by its noise, and by what is beyond the reach of sums,
  // which counts for more, as no interval says how large it is.
  const auto error_at = [&](double scale) {
    constexpr double kMore = 3.0;
    const double noise = kMomentLimit * moment_sd * square(scale) / sizes.records();
    return square(noise) + square(kMore * sizes.square_beyond(reach_of(scale)));
  };
  constexpr double kStep = 0x1.1f59ac3c7d6c0p+0;  // a sixth of an octave
  double best = least;
  for (double scale = least; scale <= target_scale; scale *= kStep) {
    if (error_at(scale) < error_at(best)) best = scale;
  }
  return best;
}

void add_error_figures(const model::LinearModel& model, const ErrorReleases& released,
                       PrivateFigures& out) {
  const ErrorSizes sizes(released.counts, released.units.target_scale);
  const bool is_clear = sizes.is_clear();
  const ErrorMoments moments(released, sizes);
  const double most = ErrorBins::kEnd * released.units.error_scale;
  const bool has_means = is_clear && !sizes.has_no_end();
  const auto add = [&](const char* name, const Figure& figure) {
    out.figures.push_back({name, is_clear ? figure : Figure{}});
  };
  const auto add_mean = [&](const char* name, const Figure& figure) {
    add(name, has_means ? figure : Figure{});
  };
  const bool is_squared = model.objective.loss == problem::Squared::kName;
  add_mean("loss_value", is_squared ? moments.mean_square(0.5) : mean_loss(model, sizes, most));
  add_mean("mse", moments.mean_square(1.0));
  add_mean("r2", moments.r2());
  add_mean("mean_error", moments.mean_error());
  add_mean("mae", sizes.mean(most, [](double size) { return size; }));
  add("median_error", sizes.quantile(0.5));
  add("error_quantile_90", sizes.quantile(0.9));
  if (is_clear) out.errors = sizes.bars(most);
}

}  // namespace southwell::assess
