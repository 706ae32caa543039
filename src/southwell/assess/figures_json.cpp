#include "southwell/assess/figures_json.hpp"

#include <cmath>
#include <utility>

#include "southwell/assess/figures_text.hpp"
#include "southwell/core/json_parse.hpp"
#include "southwell/core/version.hpp"
#include "southwell/model/html_page.hpp"

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
  return {{"shares", std::move(rows)}};
}

json errors_json(const PrivateFigures& figures) {
  json out = json::array();
  for (const ErrorBar& bar : figures.errors) {
    out.push_back({{"from", bar.from}, {"to", number(bar.to)}, {"share", json_of(bar.share)}});
  }
  return out;
}

/// All but the names of classes and the statement.
json figures_json(const PrivateFigures& figures) {
  json out = json::object();
  for (const NamedFigure& each : figures.figures) out[each.name] = json_of(each.figure);
  // Which keys there are says nothing but what kind of model it is.
  if (figures.find("auc") != nullptr) out["roc"] = roc_json(figures.roc);
  if (figures.find("brier") != nullptr) out["calibration"] = calibration_json(figures);
  if (!figures.confusion.empty()) out["confusion_matrix"] = confusion_json(figures);
  if (figures.find("mse") != nullptr) out["errors"] = errors_json(figures);
  return out;
}

}  // namespace

std::string to_json(const PrivateFigures& figures) {
  json out = figures_json(figures);
  if (!figures.confusion.empty()) out["confusion_matrix"]["classes"] = figures.class_names;
  out["southwell_version"] = kVersion;
  out["private"] = figures.privacy.is_private;
  out["privacy"] = json::parse(model::to_json(figures.privacy));
  return out.dump(1) + "\n";
}

std::string evaluation_text(const PrivateFigures& figures) {
  return core::dumped(figures_json(figures), -1);
}

std::string parts_text(const model::Statement& statement) {
  json parts = json::array();
  for (const model::RecordsPart& part : statement.parts) {
    parts.push_back({{"name", part.name}, {"records", part.records}});
  }
  return core::dumped(parts, -1);
}

std::string model_html(const model::LinearModel& model, model::HtmlForm form) {
  const std::optional<PrivateFigures> figures = figures_of(model);
  if (!figures) return model::to_html(model, form);
  return model::to_html(model, form, [&](model::Page& page) {
    page.element("h2", "How well it predicts");
    page.element("p",
                 "Figures of this model on records that it was not fitted on: a secret random "
                 "part of the records was held out for them. The promise above covers them.");
    add_all_figures(page, *figures);
  });
}

}  // namespace southwell::assess
