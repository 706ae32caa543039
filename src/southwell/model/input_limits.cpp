#include "southwell/model/input_limits.hpp"

#include <nlohmann/json.hpp>

#include "southwell/core/json_part.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/model/json_packed.hpp"

namespace southwell::model {

std::string input_limits_text(const problem::RecordLimit& limit) {
  if (!limit.is_set()) return "";
  nlohmann::json out = {{"record_norm", limit.norm}};
  if (limit.units.size() > kReadable) {
    out["feature_scale"] = packed(limit.units);
  } else if (limit.units.size() > 1) {
    out["feature_scale"] = limit.units;
  } else if (limit.units[0] != 1.0) {
    out["feature_scale"] = limit.units[0];
  }
  return out.dump();
}

problem::RecordLimit record_limit(const LinearModel& model) {
  if (model.attachments.input_limits.empty()) return {};
  const nlohmann::json content = nlohmann::json::parse(model.attachments.input_limits);
  return record_limit(core::JsonPart(content, "model", "input_limits"));
}

problem::RecordLimit record_limit(const core::JsonPart& input_limits) {
  problem::RecordLimit limit;
  if (const auto feature = input_limits.find("feature")) {
    feature->refuse("a limit on single features", "record_norm alone, in this version");
  }
  if (const auto norm = input_limits.find("record_norm")) limit.norm = norm->number();
  if (const auto units = input_limits.find("feature_scale")) limit.units = feature_numbers(*units);
  return limit;
}

std::vector<std::string> limit_sentences(const LinearModel& model) {
  const problem::RecordLimit limit = record_limit(model);
  if (!limit.is_set()) return {};
  const bool plain = limit.units.size() == 1 && limit.units[0] == 1.0;
  return {"Predictions are linear for records of norm " + core::rounded_text(limit.norm) +
              " or less" + (plain ? "" : ", in units of the declared scales") + ".",
          "A longer record is shortened to it first, in the fit and in predictions."};
}

std::string limit_text(const LinearModel& model) {
  std::string out;
  for (const std::string& each : limit_sentences(model)) out += (out.empty() ? "" : " ") + each;
  return out;
}

}  // namespace southwell::model
