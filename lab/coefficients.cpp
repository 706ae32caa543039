#include "lab/coefficients.hpp"

#include <fstream>

#include <nlohmann/json.hpp>

#include "southwell/core/error.hpp"
#include "southwell/model/feature_numbers.hpp"

namespace southwell::lab {
namespace {

using nlohmann::json;

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& why) {
  throw DataError(file.string() + ": " + why);
}

std::ifstream open(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) refuse(file, "cannot be read");
  return in;
}

Coefficients read_numbers(const std::filesystem::path& file, const std::vector<std::string>& names,
                          std::size_t features) {
  const model::FeatureNumbers numbers = model::read_feature_numbers(file, "coef", names, features);
  Coefficients at{std::vector<double>(features, 0.0), numbers.intercept.value_or(0.0)};
  for (std::size_t j = 0; j < features; ++j) at.coef[j] = numbers.of_feature[j].value_or(0.0);
  return at;
}

std::optional<double> optional_number(const json& from, const char* key) {
  const auto found = from.find(key);
  if (found == from.end() || found->is_null()) return std::nullopt;
  return found->get<double>();
}

/// The single head of a model, or the one list of `lab optimum`.
const json& entries_of(const json& content) {
  const json& list = content.contains("coef") ? content.at("coef") : content.at("support");
  if (list.is_array() && list.size() == 1 && list[0].is_array()) return list[0];
  if (list.is_array() && list.size() > 1 && list[0].is_array()) {
    throw InvalidArgument("model: has several heads, accepted is a model with one");
  }
  return list;
}

CoefficientsFile from_json(const json& content, std::size_t features) {
  CoefficientsFile out{{std::vector<double>(features, 0.0), 0.0}, std::nullopt};
  for (const json& entry : entries_of(content)) {
    const auto index = entry.at("index").get<std::size_t>();
    if (index >= features) {
      throw DataError("index " + std::to_string(index) + " for " + std::to_string(features) +
                      " features");
    }
    out.at.coef[index] = entry.at("value").get<double>();
  }
  const auto intercept = content.find("intercept");
  if (intercept != content.end() && !intercept->is_null()) {
    const json& value = intercept->is_array() ? intercept->at(0) : *intercept;
    out.at.intercept = value.is_null() ? 0.0 : value.get<double>();
  }
  if (content.contains("loss") && content.contains("penalty")) {
    ObjectiveSpec spec;
    spec.loss = content.at("loss").get<std::string>();
    spec.penalty = content.at("penalty").get<std::string>();
    spec.alpha = optional_number(content, "alpha");
    spec.l1_ratio = optional_number(content, "l1_ratio");
    spec.lower = optional_number(content, "lower");
    spec.upper = optional_number(content, "upper");
    spec.huber_width = optional_number(content, "huber_width");
    out.objective = spec;
  }
  return out;
}

}  // namespace

CoefficientsFile read_coefficients(const std::filesystem::path& file,
                                   const std::vector<std::string>& feature_names,
                                   std::size_t features) {
  if (file.extension() != ".json") {
    return {read_numbers(file, feature_names, features), std::nullopt};
  }
  try {
    return from_json(json::parse(open(file)), features);
  } catch (const json::exception& error) {
    refuse(file, std::string("not a model or the output of lab optimum --json: ") + error.what());
  } catch (const DataError& error) {
    refuse(file, error.what());
  }
}

}  // namespace southwell::lab
