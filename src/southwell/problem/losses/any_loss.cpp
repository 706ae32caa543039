#include "southwell/problem/losses/any_loss.hpp"

#include <array>
#include <concepts>
#include <cstddef>
#include <string>

#include "southwell/core/error.hpp"
#include "southwell/problem/gradient/sum.hpp"

namespace southwell::problem {

namespace {

/// A loss without parameters, or with the one that there is.
template <class L>
AnyLoss made(double huber_width) {
  if constexpr (std::default_initializable<L>) {
    return L{};
  } else {
    return L(huber_width);
  }
}

template <class... Each>
AnyLoss loss_at(std::size_t index, double huber_width, const std::variant<Each...>*) {
  constexpr std::array kMake{made<Each>...};
  return kMake[index](huber_width);
}

}  // namespace

AnyLoss make_loss(std::string_view name, double huber_width) {
  if (const auto index = core::index_of(kLossNames, name)) {
    return loss_at(*index, huber_width, static_cast<const AnyLoss*>(nullptr));
  }
  throw InvalidArgument("loss: given '" + std::string(name) + "', accepted are " +
                        core::listed(kLossNames));
}

std::string_view name_of(const AnyLoss& loss) {
  return std::visit([](const auto& l) { return std::string_view(l.kName); }, loss);
}

void check_target(const AnyLoss& loss, std::span<const double> target) {
  std::visit(
      [&](const auto& l) {
        for (const double y : target) {
          if (!l.accepts(y)) {
            throw DataError("target: the loss " + std::string(l.kName) + " accepts " +
                            std::string(l.kTargets) + "; the data hold something else");
          }
        }
      },
      loss);
}

double curvature_bound(const AnyLoss& loss) {
  return std::visit([](const auto& l) { return static_cast<double>(l.kCurvature); }, loss);
}

double derivative_bound(const AnyLoss& loss) {
  return std::visit([](const auto& l) { return l.derivative_bound(); }, loss);
}

bool classifies(const AnyLoss& loss) {
  return std::visit([](const auto& l) { return l.kClassifies; }, loss);
}

SlopeLimits slope_limits(const AnyLoss& loss) {
  return std::visit([](const auto& l) { return SlopeLimits(l.kSlopeLimits); }, loss);
}

double typical_slope(const AnyLoss& loss, double typical_target) {
  return std::visit([&](const auto& l) { return l.typical_slope(typical_target); }, loss);
}

double typical_cap(const AnyLoss& loss, double typical_target) {
  return std::visit([&](const auto& l) { return l.typical_cap(typical_target); }, loss);
}

bool slopes_are_residuals(const AnyLoss& loss) {
  return std::visit([](const auto& l) { return l.kSlopesAreResiduals; }, loss);
}

bool has_margin_law(const AnyLoss& loss) {
  return std::visit([](const auto& l) { return l.kHasMarginLaw; }, loss);
}

double mean_value(const AnyLoss& loss, std::span<const double> margins,
                  std::span<const double> target) {
  return std::visit(
      [&](const auto& l) {
        return sum(target.size(), [&](std::size_t i) { return l.value(margins[i], target[i]); }) /
               static_cast<double>(target.size());
      },
      loss);
}

double mean_conjugate(const AnyLoss& loss, std::span<const double> slopes,
                      std::span<const double> target, double scale) {
  return std::visit(
      [&](const auto& l) {
        return sum(target.size(),
                   [&](std::size_t i) { return l.conjugate(scale * slopes[i], target[i]); }) /
               static_cast<double>(target.size());
      },
      loss);
}

namespace {

/// out_i = of(loss, margin_i, target_i).
template <class Of>
void write_each(const AnyLoss& loss, std::span<const double> margins,
                std::span<const double> target, std::span<double> out, const Of& of) {
  std::visit(
      [&](const auto& l) {
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = of(l, margins[i], target[i]);
      },
      loss);
}

}  // namespace

void values(const AnyLoss& loss, std::span<const double> margins, std::span<const double> target,
            std::span<double> out) {
  write_each(loss, margins, target, out,
             [](const auto& l, double margin, double y) { return l.value(margin, y); });
}

void derivatives(const AnyLoss& loss, std::span<const double> margins,
                 std::span<const double> target, std::span<double> out) {
  write_each(loss, margins, target, out,
             [](const auto& l, double margin, double y) { return l.derivative(margin, y); });
}

void curvatures(const AnyLoss& loss, std::span<const double> margins,
                std::span<const double> target, std::span<double> out) {
  write_each(loss, margins, target, out,
             [](const auto& l, double margin, double y) { return l.curvature(margin, y); });
}

}  // namespace southwell::problem
