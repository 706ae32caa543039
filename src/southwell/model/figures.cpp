#include "southwell/model/figures.hpp"

#include <algorithm>
#include <limits>

#include "southwell/core/json_parse.hpp"
#include "southwell/core/json_part.hpp"

namespace southwell::model {
namespace {

using core::JsonPart;

Figure figure_in(const JsonPart& part) {
  const auto number = [&](const char* key) { return part.at(key).number_or(Figure::kNone); };
  const Figure out{.value = number("value"),
                   .low = number("low"),
                   .high = number("high"),
                   .noise_sd = number("noise_sd"),
                   .sampling_sd = number("sampling_sd")};
  // What is null compares as false.
  if (out.low > out.high) part.refuse("low above high", "an interval");
  if (out.noise_sd < 0.0 || out.sampling_sd < 0.0) {
    part.refuse("a standard deviation below 0", "numbers from 0, or null");
  }
  return out;
}

RocCurve roc_in(const JsonPart& part) {
  if (part.is_null()) return {};
  RocCurve roc{.false_positive_rate = part.at("false_positive_rate").numbers(),
               .true_positive_rate = part.at("true_positive_rate").numbers()};
  if (roc.false_positive_rate.size() != roc.true_positive_rate.size()) {
    part.refuse("two lists of different lengths", "two of one length");
  }
  return roc;
}

/// "from" and "to" of what is between them.
void check_order(const JsonPart& part, double from, double to) {
  if (!(from <= to)) part.refuse("from above to", "from at most to");
}

CalibrationPoint calibration_in(const JsonPart& part) {
  const CalibrationPoint out{.from = part.at("from").number(),
                             .to = part.at("to").number(),
                             .predicted = part.at("predicted").number(),
                             .observed = figure_in(part.at("observed"))};
  check_order(part, out.from, out.to);
  return out;
}

ErrorBar error_bar_in(const JsonPart& part) {
  const ErrorBar out{.from = part.at("from").number(),
                     .to = part.at("to").number_or(std::numeric_limits<double>::infinity()),
                     .share = figure_in(part.at("share"))};
  check_order(part, out.from, out.to);
  return out;
}

std::vector<Figure> confusion_in(const JsonPart& part, std::size_t classes) {
  std::vector<Figure> shares;
  part.at("shares").for_each([&](const JsonPart& row) {
    row.for_each([&](const JsonPart& share) { shares.push_back(figure_in(share)); });
    if (row.content().size() != classes) row.refuse("another length", "one share for each class");
  });
  if (shares.size() != classes * classes) {
    part.refuse(std::to_string(shares.size()) + " shares", "one for each pair of classes");
  }
  return shares;
}

PrivateFigures figures_in(const JsonPart& whole, std::size_t classes) {
  PrivateFigures out;
  whole.for_each_member([&](const std::string& key, const JsonPart& part) {
    if (key == "roc") {
      out.roc = roc_in(part);
    } else if (key == "calibration") {
      part.for_each([&](const JsonPart& each) { out.calibration.push_back(calibration_in(each)); });
    } else if (key == "errors") {
      part.for_each([&](const JsonPart& each) { out.errors.push_back(error_bar_in(each)); });
    } else if (key == "confusion_matrix") {
      out.confusion = confusion_in(part, classes);
    } else {
      out.figures.push_back({key, figure_in(part)});
    }
  });
  return out;
}

}  // namespace

const Figure* PrivateFigures::find(const std::string& name) const {
  const auto found = std::find_if(figures.begin(), figures.end(),
                                  [&](const NamedFigure& each) { return each.name == name; });
  return found == figures.end() ? nullptr : &found->figure;
}

std::optional<PrivateFigures> figures_of(const LinearModel& model, const std::string& name) {
  const std::string& text = model.attachments.evaluation;
  if (text.empty()) return std::nullopt;
  const nlohmann::json content = core::parsed(text, name + ": evaluation", "figures of a model");
  PrivateFigures figures = figures_in(JsonPart(content, name, "evaluation"), model.classes.size());
  if (!figures.confusion.empty()) {
    for (std::size_t k = 0; k < model.classes.size(); ++k) {
      figures.class_names.push_back(class_name(model, k));
    }
  }
  figures.privacy = model.privacy;
  return figures;
}

}  // namespace southwell::model
