#include "southwell/problem/penalties/any_penalty.hpp"

#include <cmath>
#include <string>
#include <type_traits>

#include "southwell/core/error.hpp"
#include "southwell/core/quoted.hpp"
#include "southwell/problem/gradient/sum.hpp"

namespace southwell::problem {
namespace {

/// l1, l2 or elastic_net, with the ends that it has.
template <class P>
AnyPenalty within(const P& penalty, const PenaltySpec& spec) {
  const Box box(spec.lower, spec.upper);
  if (std::isinf(spec.lower) && std::isinf(spec.upper)) return penalty;
  return Bounded(kinked_part(penalty).l1, penalty.curvature(), box);
}

}  // namespace

AnyPenalty make_penalty(const PenaltySpec& spec) {
  if (spec.name == None::kName) return None{};
  if (spec.name == L1::kName) return within(L1(spec.alpha), spec);
  if (spec.name == L2::kName) return within(L2(spec.alpha), spec);
  if (spec.name == ElasticNet::kName) {
    if (spec.l1_ratio == 1.0) return within(L1(spec.alpha), spec);
    if (spec.l1_ratio == 0.0) return within(L2(spec.alpha), spec);
    return within(ElasticNet(spec.alpha, spec.l1_ratio), spec);
  }
  if (spec.name == Box::kName) return Box(spec.lower, spec.upper);
  throw InvalidArgument("penalty: given " + core::quoted(spec.name) + ", accepted are " +
                        core::listed(kPenaltyNames));
}

std::string_view name_of(const AnyPenalty& penalty) {
  return std::visit([](const auto& p) { return std::string_view(p.kName); }, penalty);
}

double curvature(const AnyPenalty& penalty) {
  return std::visit([](const auto& p) { return p.curvature(); }, penalty);
}

KinkedPart kinked_part(const AnyPenalty& penalty) {
  return std::visit(
      [](const auto& p) {
        const auto kinked = p.kinked();
        using Kinked = std::remove_cvref_t<decltype(kinked)>;
        KinkedPart part;
        if constexpr (std::is_same_v<Kinked, L1>) part.l1 = kinked.alpha();
        if constexpr (std::is_same_v<Kinked, Box>) part.box = {kinked.lower(), kinked.upper()};
        if constexpr (std::is_same_v<Kinked, BoundedL1>) {
          part = {kinked.threshold(), {kinked.box().lower(), kinked.box().upper()}};
        }
        return part;
      },
      penalty);
}

double value(const AnyPenalty& penalty, std::span<const double> coef) {
  return std::visit(
      [&](const auto& p) {
        return sum(coef.size(), [&](std::size_t j) { return p.value(coef[j]); });
      },
      penalty);
}

}  // namespace southwell::problem
