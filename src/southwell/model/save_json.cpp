#include <cmath>
#include <optional>
#include <type_traits>
#include <variant>

#include "southwell/core/error.hpp"
#include "southwell/core/version.hpp"
#include "southwell/data/file_writer.hpp"
#include "southwell/model/json_format.hpp"

namespace southwell::model {
namespace {

using nlohmann::json;

json json_of(const PublicInput::Value& value) {
  return std::visit(
      [](const auto& v) -> json {
        using V = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<V, double>) {
          if (std::isfinite(v)) return v;
          return std::isnan(v) ? "nan" : v > 0.0 ? "inf" : "-inf";  // an input is kept as a word
        } else if constexpr (std::is_same_v<V, std::vector<double>>) {
          json list = json::array();
          for (const double x : v) list.push_back(or_null(x));
          return list;
        } else {
          return v;
        }
      },
      value);
}

json json_of(const Statement& statement) {
  json mechanisms = json::array();
  for (const MechanismUse& use : statement.mechanisms) {
    json entry{
        {"step", use.step},        {"mechanism", use.name},   {"kind", name_of(use.cost.kind)},
        {"shift", use.cost.shift}, {"scale", use.cost.scale}, {"count", use.count}};
    if (use.cost.sampled != 0) entry["sampled"] = use.cost.sampled;
    mechanisms.push_back(std::move(entry));
  }
  json inputs = json::object();
  for (const PublicInput& input : statement.public_inputs) {
    inputs[input.name] = {{"value", json_of(input.value)}, {"source", name_of(input.source)}};
  }
  return {{"guarantee", statement.guarantee},
          {"private", statement.is_private},
          {"epsilon", or_null(statement.epsilon)},
          {"delta", or_null(statement.delta)},
          {"epsilon_spent", or_null(statement.epsilon_spent)},
          {"accountant", statement.accountant},
          {"relation", statement.relation},
          {"unit", statement.unit},
          {"records", or_null(statement.records)},
          {"mode", statement.mode},
          {"solver", statement.solver},
          {"rule", statement.rule},
          {"iterations", statement.iterations},
          {"mechanisms", std::move(mechanisms)},
          {"public_inputs", std::move(inputs)},
          {"randomness", statement.randomness},
          {"ledger", statement.ledger},
          {"covers", statement.covers},
          {"not_covered", statement.not_covered}};
}

void put_objective(json& out, const problem::ObjectiveSpec& objective) {
  const auto put = [&out](const char* key, const std::optional<double>& value) {
    if (value) out[key] = or_null(*value);  // an end of a box may be infinite
  };
  out["loss"] = objective.loss;
  out["penalty"] = objective.penalty;
  put("alpha", objective.alpha);
  put("l1_ratio", objective.l1_ratio);
  put("lower", objective.lower);
  put("upper", objective.upper);
  put("huber_width", objective.huber_width);
  out["has_intercept"] = objective.intercept == problem::Intercept::free;
}

json json_of(const LinearModel& model) {
  json out{{"format", kFormat},
           {"version", kFormatVersion},
           {"southwell_version", kVersion},
           {"private", model.privacy.is_private},
           {"features", model.features},
           {"feature_names", model.feature_names},
           {"classes", model.classes},
           {"coef", json::array()},
           {"intercept", json::array()},
           {"intercept_noise_sd", json::array()},
           {"path", json::array()},
           {"privacy", json_of(model.privacy)}};
  // Absent where the numbers say it all.
  if (!model.class_names.empty()) out["class_names"] = model.class_names;
  put_objective(out, model.objective);
  for (const Head& head : model.heads) {
    json list = json::array();
    for (const Coefficient& c : head.coef) {
      list.push_back({{"index", c.index}, {"value", c.value}, {"noise_sd", c.noise_sd}});
    }
    out["coef"].push_back(std::move(list));
    out["intercept"].push_back(head.intercept);
    out["intercept_noise_sd"].push_back(head.intercept_noise_sd);
  }
  for (const ModelStep& step : model.path) {
    out["path"].push_back({{"head", step.head},
                           {"index", step.index},
                           {"gradient", step.gradient},
                           {"value", step.value}});
  }
  return out;
}

/// A line per key: whoever looks into the file finds the parts.
std::string model_text(const LinearModel& model, const std::string& name) {
  check(model, name);
  json content = json_of(model);
  content["checksum"] = checksum(content);
  std::string text;
  for (const auto& [key, value] : content.items()) {
    text += (text.empty() ? "{\n" : ",\n") + dumped(key, -1) + ": " + dumped(value, -1);
  }
  return text + "\n}\n";
}

}  // namespace

std::string to_json(const Statement& statement) { return dumped(json_of(statement), 1) + "\n"; }

std::string to_json(const LinearModel& model) { return model_text(model, "model"); }

void save(const LinearModel& model, const std::filesystem::path& file) {
  const std::string text = model_text(model, file.string());
  data::FileWriter writer(file);
  writer.write(text);
  writer.commit();
}

}  // namespace southwell::model
