#include "southwell/problem/objective_spec.hpp"

#include <limits>
#include <string_view>

#include "southwell/core/error.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/core/quoted.hpp"

namespace southwell::problem {
namespace {

void refuse_unless(bool applies, const std::optional<double>& given, std::string_view name,
                   std::string_view of, const std::string& chosen) {
  if (given && !applies) {
    throw InvalidArgument(std::string(name) + ": given " + core::number_text(*given) +
                          ", which is only valid with " + std::string(of) + " (this fit has " +
                          chosen + ")");
  }
}

double needed(const std::optional<double>& given, std::string_view name, const std::string& chosen,
              const char* accepted) {
  if (given) return *given;
  throw InvalidArgument(std::string(name) + ": needed by " + chosen + ", not given; accepted is " +
                        accepted);
}

}  // namespace

bool has_strength(const ObjectiveSpec& spec) {
  return spec.penalty == ElasticNet::kName || spec.penalty == L1::kName ||
         spec.penalty == L2::kName;
}

AnyLoss loss_of(const ObjectiveSpec& spec) {
  const bool huber = spec.loss == Huber::kName;
  // A word that is no loss is refused before what belongs to another loss.
  if (!huber) static_cast<void>(make_loss(core::shortened(spec.loss), 1.0));
  refuse_unless(huber, spec.huber_width, "huber_width", "the loss huber", spec.loss);
  return make_loss(
      spec.loss,
      huber ? needed(spec.huber_width, "huber_width", spec.loss, "a positive number") : 1.0);
}

AnyPenalty penalty_of(const ObjectiveSpec& spec) {
  const bool box = spec.penalty == Box::kName;
  const bool net = spec.penalty == ElasticNet::kName;
  const bool strength = has_strength(spec);
  const std::string& chosen = spec.penalty;
  if (!box && !strength) static_cast<void>(make_penalty({.name = chosen}));
  refuse_unless(strength, spec.alpha, "alpha", "the penalties l1, l2 and elastic_net", chosen);
  refuse_unless(net, spec.l1_ratio, "l1_ratio", "the penalty elastic_net", chosen);
  const char* const bounded = "the penalties box, l1, l2 and elastic_net";
  refuse_unless(box || strength, spec.lower, "lower", bounded, chosen);
  refuse_unless(box || strength, spec.upper, "upper", bounded, chosen);
  if (box && !spec.lower && !spec.upper) {
    throw InvalidArgument(
        "lower, upper: not given; accepted is at least one of them with the penalty box");
  }
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  return make_penalty(
      {.name = chosen,
       .alpha = strength ? needed(spec.alpha, "alpha", chosen, "a positive number") : 0.0,
       .l1_ratio = net ? needed(spec.l1_ratio, "l1_ratio", chosen, "a number from 0 to 1") : 0.0,
       .lower = spec.lower.value_or(-kInfinity),
       .upper = spec.upper.value_or(kInfinity)});
}

}  // namespace southwell::problem
