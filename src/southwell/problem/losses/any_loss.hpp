#pragma once

#include <span>
#include <string_view>
#include <variant>

#include "southwell/core/words.hpp"
#include "southwell/problem/losses/huber.hpp"
#include "southwell/problem/losses/logistic.hpp"
#include "southwell/problem/losses/squared.hpp"
#include "southwell/problem/losses/squared_hinge.hpp"

namespace southwell::problem {

/// The loss chosen for a problem. The functions below choose once for all records.
using AnyLoss = std::variant<Squared, Logistic, Huber, SquaredHinge>;
inline constexpr auto kLossNames = core::NamesOf<AnyLoss>::kNames;

/// By its name in the interfaces; `huber_width` is used by huber alone.
AnyLoss make_loss(std::string_view name, double huber_width);
std::string_view name_of(const AnyLoss& loss);

/// Throws DataError unless the loss accepts every target.
void check_target(const AnyLoss& loss, std::span<const double> target);

double curvature_bound(const AnyLoss& loss);
double derivative_bound(const AnyLoss& loss);

// What rules ask of a loss (loss.hpp).
bool classifies(const AnyLoss& loss);
SlopeLimits slope_limits(const AnyLoss& loss);
double typical_slope(const AnyLoss& loss, double typical_target);
double typical_cap(const AnyLoss& loss, double typical_target);
bool slopes_are_residuals(const AnyLoss& loss);
bool has_margin_law(const AnyLoss& loss);

/// Means over records, summed so that the rounding does not grow with their number.
double mean_value(const AnyLoss& loss, std::span<const double> margins,
                  std::span<const double> target);
/// The conjugate is at `scale` times the slopes.
double mean_conjugate(const AnyLoss& loss, std::span<const double> slopes,
                      std::span<const double> target, double scale = 1.0);

/// out_i = ell(margin_i, target_i), and ell' and ell'' likewise.
void values(const AnyLoss& loss, std::span<const double> margins, std::span<const double> target,
            std::span<double> out);
void derivatives(const AnyLoss& loss, std::span<const double> margins,
                 std::span<const double> target, std::span<double> out);
void curvatures(const AnyLoss& loss, std::span<const double> margins,
                std::span<const double> target, std::span<double> out);

}  // namespace southwell::problem
