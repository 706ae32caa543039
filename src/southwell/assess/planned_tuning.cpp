#include "southwell/assess/planned_tuning.hpp"

#include <nlohmann/json.hpp>

#include "southwell/assess/tuning_plan.hpp"
#include "southwell/core/json_parse.hpp"
#include "southwell/fit/input_check.hpp"

namespace southwell::assess {

PlannedTuning planned_tuning(const fit::FitSpec& spec, const fit::DataShape& shape,
                             std::size_t settings) {
  TuningSpec all;
  for (std::size_t k = 0; k < settings; ++k) {
    all.settings.push_back(spec);
    all.names.push_back(std::to_string(k));
  }
  all.epsilon = fit::required("epsilon", spec.epsilon, "a positive finite number");
  all.delta = fit::required("delta", spec.delta, "a number above 0 and below 1");
  all.test_share = spec.test_share;
  const TuningPlan plan(all, shape);
  return {.settings = settings,
          .by_runs = plan.runs().has_value(),
          .epsilon_of_each = plan.epsilon_of_each(),
          .expectation = plan.expectation()};
}

std::string with_planned_tuning(const std::string& table, const PlannedTuning& planned) {
  nlohmann::json out = nlohmann::json::parse(table);
  out["tuning"] = {{"settings", planned.settings},
                   {"way", planned.by_runs ? "runs" : "all"},
                   {"epsilon_of_each_fit", planned.epsilon_of_each},
                   {"expectation", planned.expectation}};
  return core::dumped(out, 1) + "\n";
}

}  // namespace southwell::assess
