#include "lab/coefficients.hpp"

#include <charconv>
#include <fstream>
#include <unordered_map>

#include <nlohmann/json.hpp>

#include "southwell/core/error.hpp"
#include "southwell/data/read.hpp"

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

double number(const std::filesystem::path& file, std::size_t line, const std::string& text) {
  double value = 0.0;
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || at != end) {
    refuse(file, "line " + std::to_string(line) + ": accepted is a number after the comma");
  }
  return value;
}

Coefficients read_csv(const std::filesystem::path& file, const std::vector<std::string>& names,
                      std::size_t features) {
  std::unordered_map<std::string, std::size_t> place;
  for (std::size_t j = 0; j < features; ++j) {
    place.emplace(names.empty() ? data::default_feature_name(j) : names[j], j);
  }
  Coefficients at{std::vector<double>(features, 0.0), 0.0};
  std::ifstream in = open(file);
  std::string text;
  for (std::size_t line = 1; std::getline(in, text); ++line) {
    if (!text.empty() && text.back() == '\r') text.pop_back();
    if (line == 1) {
      if (text != "feature,coef") refuse(file, "line 1: accepted is the header feature,coef");
      continue;
    }
    if (text.empty()) continue;
    const auto comma = text.rfind(',');
    if (comma == std::string::npos) {
      refuse(file, "line " + std::to_string(line) + ": accepted is feature,coef");
    }
    const std::string name = text.substr(0, comma);
    const double value = number(file, line, text.substr(comma + 1));
    if (name == "(intercept)") {
      at.intercept = value;
    } else if (const auto found = place.find(name); found != place.end()) {
      at.coef[found->second] = value;
    } else {
      refuse(file, "line " + std::to_string(line) + ": the data have no feature '" + name + "'");
    }
  }
  return at;
}

Coefficients read_npy(const std::filesystem::path& file, std::size_t features) {
  const data::Dataset dataset = data::read_npy(file);
  Coefficients at{std::vector<double>(features, 0.0), 0.0};
  const bool row = dataset.records() == 1 && dataset.features() == features;
  const bool column = dataset.records() == features && dataset.features() == 1;
  if (!row && !column) {
    refuse(file,
           "accepted is one number for each of the " + std::to_string(features) + " features");
  }
  std::visit(
      [&](const auto& design) {
        const auto block = design.block({0, design.features()});
        for (std::size_t j = 0; j < design.features(); ++j) {
          block.column(j).for_each([&](std::size_t i, double x) { at.coef[row ? j : i] = x; });
        }
      },
      dataset.design);
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
  const std::string extension = file.extension().string();
  if (extension == ".csv") return {read_csv(file, feature_names, features), std::nullopt};
  if (extension == ".npy") return {read_npy(file, features), std::nullopt};
  if (extension != ".json") {
    throw DataError(file.string() + ": accepted are .csv (feature,coef), .npy and .json");
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
