#include "southwell/assess/figures_text.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "southwell/core/json_part.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/core/version.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::assess {
namespace {

using nlohmann::json;

json number(double value) { return std::isfinite(value) ? json(value) : json(nullptr); }

json json_of(const Figure& figure) {
  return {{"value", number(figure.value)},
          {"low", number(figure.low)},
          {"high", number(figure.high)},
          {"noise_sd", number(figure.noise_sd)},
          {"sampling_sd", number(figure.sampling_sd)}};
}

json roc_json(const RocCurve& roc) {
  if (roc.true_positive_rate.empty()) return nullptr;
  return {{"false_positive_rate", roc.false_positive_rate},
          {"true_positive_rate", roc.true_positive_rate}};
}

json calibration_json(const PrivateFigures& figures) {
  json out = json::array();
  for (const CalibrationPoint& point : figures.calibration) {
    out.push_back({{"from", point.from},
                   {"to", point.to},
                   {"predicted", point.predicted},
                   {"observed", json_of(point.observed)}});
  }
  return out;
}

/// Rows are true classes, columns predicted ones.
json confusion_json(const PrivateFigures& figures) {
  const std::size_t classes = figures.class_names.size();
  json rows = json::array();
  for (std::size_t t = 0; t < classes; ++t) {
    json row = json::array();
    for (std::size_t p = 0; p < classes; ++p) {
      row.push_back(json_of(figures.confusion[t * classes + p]));
    }
    rows.push_back(std::move(row));
  }
  return {{"classes", figures.class_names}, {"shares", std::move(rows)}};
}

json errors_json(const PrivateFigures& figures) {
  json out = json::array();
  for (const ErrorBar& bar : figures.errors) {
    out.push_back({{"from", bar.from}, {"to", number(bar.to)}, {"share", json_of(bar.share)}});
  }
  return out;
}

/// `text` and blanks up to a width.
std::string padded(std::string text, std::size_t width) {
  text.append(text.size() < width ? width - text.size() : 0, ' ');
  return text;
}

std::string short_number(double value) {
  return std::isnan(value) ? "-" : core::rounded_text(value, 4);
}

}  // namespace

std::string to_json(const PrivateFigures& figures) {
  json out{{"southwell_version", kVersion},
           {"private", figures.privacy.is_private},
           {"privacy", json::parse(model::to_json(figures.privacy))}};
  for (const NamedFigure& each : figures.figures) out[each.name] = json_of(each.figure);
  // Which keys there are says nothing but what kind of model it is.
  if (figures.find("auc") != nullptr) out["roc"] = roc_json(figures.roc);
  if (figures.find("brier") != nullptr) out["calibration"] = calibration_json(figures);
  if (!figures.confusion.empty()) out["confusion_matrix"] = confusion_json(figures);
  if (figures.find("mse") != nullptr) out["errors"] = errors_json(figures);
  return out.dump(1) + "\n";
}

std::string to_text(const PrivateFigures& figures) {
  std::string out = "  " + padded("", 18) + padded("value", 12) + padded("95 % interval", 26) +
                    padded("noise sd", 12) + "sampling sd\n";
  for (const auto& [name, figure] : figures.figures) {
    out += "  " + padded(name, 18);
    if (!figure.is_determined()) {
      out += std::string(kNotDetermined) + "\n";
      continue;
    }
    out += padded(short_number(figure.value), 12) +
           padded(short_number(figure.low) + " to " +
                      (std::isnan(figure.high) ? "no end" : short_number(figure.high)),
                  26) +
           padded(short_number(figure.noise_sd), 12) + short_number(figure.sampling_sd) + "\n";
  }
  return out;
}

}  // namespace southwell::assess
