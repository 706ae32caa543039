#include "lab/coefficients_json.hpp"

#include <cmath>
#include <limits>

#include "southwell/core/error.hpp"
#include "southwell/core/json_parse.hpp"
#include "southwell/data/read_source.hpp"
#include "southwell/model/input_limits.hpp"
#include "southwell/model/json_format.hpp"
#include "southwell/model/json_packed.hpp"

namespace southwell::lab {
namespace {

using nlohmann::json;

class JsonCoefficients {
 public:
  JsonCoefficients(const std::string& name, const FeaturePlaces& places)
      : name_(name), places_(places) {}

  CoefficientsFile read(const std::string& text) {
    content_ = core::parsed(text, name_, "what lab optimum --json prints, or a model");
    if (!content_.is_object()) refuse("the content", content_, "an object");
    check_features();
    CoefficientsFile out;
    out.at.coef.assign(places_.size(), 0.0);
    out.objective = objective();
    out.standardized = standardized();
    seen_.assign(places_.size(), false);
    const auto [list, key] = entries();
    if (list->is_object()) {
      read_packed(core::JsonPart(*list, name_, key), out.at.coef);
    } else {
      read_list(*list, key, out.at.coef);
    }
    out.at.intercept = intercept();
    out.record_limit = record_limit();
    return out;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw DataError(name_ + ": " + why); }
  [[noreturn]] void refuse(const std::string& where, const json& given,
                           const std::string& accepted) const {
    fail(where + ": given " + data::quoted_field(given.dump()) + ", accepted is " + accepted);
  }

  void read_list(const json& list, const std::string& key, std::vector<double>& coef) {
    for (std::size_t k = 0; k < list.size(); ++k) {
      const std::string where = key + "[" + std::to_string(k) + "]";
      const json& entry = list[k];
      if (!entry.is_object()) refuse(where, entry, "{\"index\": j, \"value\": w}");
      const std::size_t j = place(entry, where);
      take(j, where);
      coef[j] = number(entry, "value", where + ".value");
    }
  }

  /// The coefficients of a wide model.
  void read_packed(const core::JsonPart& part, std::vector<double>& coef) {
    for (const model::Coefficient& c : model::packed_coef(part, places_.size())) {
      if (c.index >= places_.size() || !std::isfinite(c.value)) {
        part.refuse("an index beyond the features, or a value that is not finite",
                    "finite values of features from 0 to " + std::to_string(places_.size() - 1));
      }
      const std::size_t j = place_of(c.index, feature_name(json::object(), c.index), "coef");
      take(j, "coef");
      coef[j] = c.value;
    }
  }

  void take(std::size_t j, const std::string& where) {
    if (seen_[j]) fail(where + ": the feature occurs twice; accepted is each once");
    seen_[j] = true;
  }

  void check_features() const {
    const auto given = content_.find("features");
    if (given == content_.end() || *given == places_.size()) return;
    refuse("features", *given, "as many as the data have, " + std::to_string(places_.size()));
  }

  /// The list of coefficients and its key: `support` of an optimum, the single head of a model.
  std::pair<const json*, std::string> entries() const {
    const std::string key = content_.contains("coef") ? "coef" : "support";
    const auto found = content_.find(key);
    if (found == content_.end()) {
      fail("has neither support nor coef; accepted is what lab optimum --json prints, or a model");
    }
    if (!found->is_array()) refuse(key, *found, "a list of {\"index\": j, \"value\": w}");
    const bool heads = !found->empty() && (found->front().is_array() || is_packed(found->front()));
    if (!heads) return {&*found, key};
    if (found->size() == 1) return {&found->front(), key + "[0]"};
    fail(key + ": given " + std::to_string(found->size()) + " heads, accepted is one");
  }

  static bool is_packed(const json& head) { return head.is_object() && head.contains("count"); }

  std::size_t place(const json& entry, const std::string& where) const {
    const auto index = entry.find("index");
    if (index == entry.end() || !index->is_number_unsigned() ||
        index->get<std::uint64_t>() >= places_.size()) {
      refuse(where + ".index", index == entry.end() ? json(nullptr) : *index,
             "a whole number from 0 to " + std::to_string(places_.size() - 1));
    }
    const auto j = index->get<std::size_t>();
    return place_of(j, feature_name(entry, j), where);
  }

  /// By name where both sides have one: the data may be in another order.
  std::size_t place_of(std::size_t j, const json* feature, const std::string& where) const {
    if (feature == nullptr || !places_.named()) return j;
    if (!feature->is_string()) refuse(where + ".feature", *feature, "a name");
    const auto named = places_.of(feature->get<std::string>());
    if (!named) refuse(where + ".feature", *feature, "the name of a feature of the data");
    return *named;
  }

  /// The entry's own, or the file's list of names; null if there is none.
  const json* feature_name(const json& entry, std::size_t j) const {
    if (const auto own = entry.find("feature"); own != entry.end()) return &*own;
    const auto names = content_.find("feature_names");
    if (names == content_.end() || !names->is_array() || j >= names->size()) return nullptr;
    return &(*names)[j];
  }

  double number(const json& from, const std::string& key, const std::string& where) const {
    const auto found = from.find(key);
    if (found == from.end() || !found->is_number()) {
      refuse(where, found == from.end() ? json(nullptr) : *found, "a number");
    }
    return found->get<double>();
  }

  double intercept() const {
    const auto found = content_.find("intercept");
    if (found == content_.end() || found->is_null()) return 0.0;
    if (found->is_array() && found->size() == 1 && found->front().is_number()) {
      return found->front().get<double>();
    }
    return number(content_, "intercept", "intercept");
  }

  problem::RecordLimit record_limit() const {
    const auto found = content_.find("input_limits");
    if (found == content_.end()) return {};
    problem::RecordLimit limit = model::record_limit(core::JsonPart(*found, name_, "input_limits"));
    if (limit.units.size() == 1) return limit;
    if (limit.units.size() != places_.size()) {
      fail("input_limits.feature_scale: accepted is one for all, or one for each of " +
           std::to_string(places_.size()) + " features");
    }
    const std::vector<double> given = limit.units;
    for (std::size_t j = 0; j < given.size(); ++j) {
      limit.units[place_of(j, feature_name(json::object(), j), "input_limits")] = given[j];
    }
    return limit;
  }

  std::optional<bool> standardized() const {
    const auto found = content_.find("standardize");
    if (found == content_.end()) return std::nullopt;
    if (!found->is_boolean()) refuse("standardize", *found, "true or false");
    return found->get<bool>();
  }

  std::optional<double> optional_number(const char* key) const {
    const auto found = content_.find(key);
    if (found == content_.end() || found->is_null()) return std::nullopt;
    return number(content_, key, key);
  }
  /// JSON has no infinity: an end of a box that is none is written null.
  std::optional<double> optional_end(const char* key, double infinity) const {
    const auto found = content_.find(key);
    if (found != content_.end() && found->is_null()) return infinity;
    return optional_number(key);
  }
  std::string text(const char* key) const {
    const auto found = content_.find(key);
    if (found == content_.end() || !found->is_string()) {
      refuse(key, found == content_.end() ? json(nullptr) : *found, "a name");
    }
    return found->get<std::string>();
  }

  std::optional<ObjectiveSpec> objective() const {
    if (!content_.contains("loss") && !content_.contains("penalty")) return std::nullopt;
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    ObjectiveSpec spec;
    spec.loss = text("loss");
    spec.penalty = text("penalty");
    spec.alpha = optional_number("alpha");
    spec.l1_ratio = optional_number("l1_ratio");
    spec.lower = optional_end("lower", -kInfinity);
    spec.upper = optional_end("upper", kInfinity);
    spec.huber_width = optional_number("huber_width");
    try {
      loss_of(spec);
      penalty_of(spec);
    } catch (const InvalidArgument& error) {
      fail(error.what());
    }
    return spec;
  }

  const std::string& name_;
  const FeaturePlaces& places_;
  json content_;
  std::vector<bool> seen_;
};

}  // namespace

CoefficientsFile coefficients_from_json(const std::string& text, const std::string& name,
                                        const FeaturePlaces& places) {
  return JsonCoefficients(name, places).read(text);
}

}  // namespace southwell::lab
