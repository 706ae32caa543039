#include "objective_options.hpp"

#include "southwell/problem/losses/any_loss.hpp"
#include "southwell/problem/penalties/any_penalty.hpp"
#include "validators.hpp"

namespace southwell::cli {

Option add_objective_options(const Command& command, problem::ObjectiveSpec& objective) {
  Option loss = command.add_option("--loss", objective.loss, core::listed(problem::kLossNames))
                    .check(one_of(problem::kLossNames));
  command
      .add_option("--penalty", objective.penalty, core::listed(problem::kPenaltyNames) + " [none]")
      .check(one_of(problem::kPenaltyNames));
  command.add_option("--alpha", objective.alpha, "Strength of l1, l2, elastic_net");
  command.add_option("--l1-ratio", objective.l1_ratio, "Share of l1 in elastic_net, 0 to 1");
  command.add_option("--lower", objective.lower,
                     "No coefficient is below this: box, l1, l2, elastic_net [-inf]");
  command.add_option("--upper", objective.upper,
                     "No coefficient is above this: box, l1, l2, elastic_net [inf]");
  command.add_option("--huber-width", objective.huber_width, "Where huber turns linear");
  return loss;
}

void add_intercept_flags(const Command& command, const std::function<void(bool)>& set) {
  command.add_flag("--intercept", [set] { set(true); }, "An intercept, not penalised [on]");
  command.add_flag(
             "--no-intercept", [set] { set(false); }, "No intercept, as in the paper")
      .excludes("--intercept");
}

}  // namespace southwell::cli
