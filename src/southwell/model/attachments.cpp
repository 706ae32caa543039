#include "southwell/model/attachments.hpp"

#include <cmath>
#include <string_view>

#include "southwell/core/json_parse.hpp"
#include "southwell/core/json_part.hpp"
#include "southwell/model/coef_covariance.hpp"
#include "southwell/model/json_packed.hpp"
#include "southwell/model/model_table.hpp"

namespace southwell::model {
namespace {

void check_limit(const core::JsonPart& part, double limit) {
  if (!(limit > 0.0 && std::isfinite(limit)))
    part.refuse("a limit that is none", "a number above 0");
}

/// One number for all features, or one for each.
void check_limits(const core::JsonPart& part, std::size_t features) {
  const std::vector<double> limits = feature_numbers(part);
  if (!part.content().is_number() && limits.size() != features) {
    part.refuse(
        std::to_string(limits.size()) + " numbers for " + std::to_string(features) + " features",
        "one for all, or one for each");
  }
  for (const double limit : limits) check_limit(part, limit);
}

void check_object(const core::JsonPart& part) {
  if (!part.content().is_object()) part.refuse("no object in braces", "an object in braces");
}

void check_shape(const core::JsonPart& part, std::string_view place, std::size_t features) {
  if (place == "parts") return part.for_each(check_object);
  check_object(part);
  if (place == "coef_covariance") covariance_in(part, features);
  if (place != "input_limits") return;
  if (const auto norm = part.find("record_norm")) check_limit(*norm, norm->number());
  for (const char* const key : {"feature", "feature_scale"}) {
    if (const auto limits = part.find(key)) check_limits(*limits, features);
  }
}

}  // namespace

void check_attachments(const Attachments& attachments, std::size_t features,
                       const std::string& name) {
  for (const AttachmentPlace& place : kAttachmentPlaces) {
    const std::string& text = attachments.*place.text;
    if (text.empty()) continue;
    const nlohmann::json content = core::parsed(
        text, name + ": " + place.name, "JSON that a model file can hold", core::kDeepest - 1);
    check_shape(core::JsonPart(content, name, place.name), place.name, features);
    if (std::string_view(place.name) == "schema") table_of(text, features, name);
  }
}

}  // namespace southwell::model
