#include "southwell/model/json_mechanism.hpp"

#include <array>
#include <optional>

namespace southwell::model {

nlohmann::json json_of(const MechanismUse& use) {
  nlohmann::json entry{
      {"step", use.step},        {"mechanism", use.name},   {"kind", name_of(use.cost.kind)},
      {"shift", use.cost.shift}, {"scale", use.cost.scale}, {"count", use.count}};
  if (use.cost.sampled != 0) entry["sampled"] = use.cost.sampled;
  if (!use.part.empty()) entry["part"] = use.part;
  if (!use.plan.empty()) entry["plan"] = use.plan;
  if (!use.run.empty()) entry["run"] = use.run;
  return entry;
}

MechanismUse mechanism_in(const core::JsonPart& part) {
  using Kind = privacy::Cost::Kind;
  constexpr std::array kKinds{Kind::pure,
                              Kind::bounded_range,
                              Kind::discrete_laplace,
                              Kind::discrete_gaussian,
                              Kind::sampled_gaussian_add_or_remove,
                              Kind::sampled_gaussian_replace};
  const std::optional<core::JsonPart> sampled = part.find("sampled");
  const std::optional<core::JsonPart> records = part.find("part");
  const std::optional<core::JsonPart> plan = part.find("plan");
  const std::optional<core::JsonPart> run = part.find("run");
  return {.step = part.at("step").text(),
          .name = part.at("mechanism").text(),
          .cost = {.kind = part.at("kind").choice(kKinds, [](Kind kind) { return name_of(kind); }),
                   .shift = part.at("shift").whole(),
                   .scale = part.at("scale").whole(),
                   .sampled = sampled ? sampled->whole() : 0},
          .count = part.at("count").whole(),
          .part = records ? records->text() : "",
          .run = run ? run->text() : "",
          .plan = plan ? plan->text() : ""};
}

}  // namespace southwell::model
