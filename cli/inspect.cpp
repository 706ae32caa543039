#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "coefficient_table.hpp"
#include "commands.hpp"
#include "json_output.hpp"
#include "outputs.hpp"
#include "southwell/assess/figures_json.hpp"
#include "southwell/assess/figures_text.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/core/version.hpp"
#include "southwell/data/file_writer.hpp"
#include "southwell/model/input_limits.hpp"
#include "southwell/model/linear_model.hpp"
#include "southwell/model/model_table.hpp"
#include "southwell/model/statement_html.hpp"
#include "southwell/model/user_terms.hpp"

namespace southwell::cli {
namespace {

struct Options {
  std::string model;
  bool path = false;
  bool json = false;
  std::string html;
};

nlohmann::json path_json(const model::LinearModel& model) {
  nlohmann::json path = nlohmann::json::array();
  for (const model::ModelStep& step : model.path) {
    path.push_back({{"head", step.head},
                    {"index", step.index},
                    {"feature", feature_name(model, step.index)},
                    {"gradient", step.gradient},
                    {"value", step.value}});
  }
  return path;
}

/// Adds the same numbers in the units of the raw table.
void add_natural(const model::Head& head, const data::TableEncoding& table,
                 const std::optional<model::CoefCovariance>& covariance, nlohmann::json& coef,
                 nlohmann::json& out) {
  const model::NaturalHead natural = model::in_user_terms(head, table, covariance);
  for (std::size_t k = 0; k < natural.coef.size(); ++k) {
    const model::NaturalCoefficient& c = natural.coef[k];
    if (c.per.empty()) continue;
    coef[k]["table_units"] = {{"value", c.value}, {"noise_sd", c.noise_sd}, {"per", c.per}};
  }
  out["table_units_intercept"].push_back(natural.intercept);
  out["table_units_intercept_noise_sd"].push_back(natural.intercept_noise_sd);
}

/// The statement's own keys, then what the model holds.
nlohmann::json to_json(const model::LinearModel& model, bool with_path) {
  nlohmann::json out = nlohmann::json::parse(model::to_json(model.privacy));
  out["southwell_version"] = kVersion;
  out["loss"] = model.objective.loss;
  out["penalty"] = model.objective.penalty;
  out["features"] = model.features;
  out["classes"] = model.classes;
  if (!model.class_names.empty()) out["class_names"] = model.class_names;
  out["coef"] = nlohmann::json::array();
  out["intercept"] = nlohmann::json::array();
  out["intercept_noise_sd"] = nlohmann::json::array();
  const auto table = model::table_of(model);
  const auto covariance = model::covariance_of(model);
  for (const model::Head& head : model.heads) {
    nlohmann::json list = nlohmann::json::array();
    for (const model::Coefficient& c : head.coef) {
      list.push_back({{"index", c.index},
                      {"feature", feature_name(model, c.index)},
                      {"value", c.value},
                      {"noise_sd", c.noise_sd},
                      {"sign_is_determined", c.has_sign()}});
    }
    if (table) add_natural(head, *table, covariance, list, out);
    out["coef"].push_back(std::move(list));
    out["intercept"].push_back(head.intercept);
    out["intercept_noise_sd"].push_back(head.intercept_noise_sd);
  }
  for (const model::AttachmentPlace& place : model::kAttachmentPlaces) {
    const std::string& text = model.attachments.*place.text;
    // Below a key of their own: the statement has a unit too.
    if (!text.empty()) out["attachments"][place.name] = nlohmann::json::parse(text);
  }
  if (with_path) out["path"] = path_json(model);
  return out;
}

void print_path(const model::LinearModel& model) {
  if (model.path.empty()) {
    const bool all = model.privacy.solver == "sgd";
    fmt::print("\nno path: {}\n",
               all ? "sgd moves every coefficient in every step" : "the model was kept without");
    return;
  }
  const bool several = model.heads.size() > 1;
  fmt::print("\n  {:>5}  {}{:24} {:>16} {:>16}\n", "step", several ? "     class  " : "", "feature",
             "gradient", "coefficient");
  for (std::size_t t = 0; t < model.path.size(); ++t) {
    const model::ModelStep& step = model.path[t];
    fmt::print(
        "  {:5}  {}{:24} {:16.8g} {:16.8g}\n", t + 1,
        several ? fmt::format("{:>10}  ", core::printable(class_name(model, step.head))) : "",
        core::printable(feature_name(model, step.index)), step.gradient, step.value);
  }
}

void print_attachments(const model::Attachments& attachments) {
  std::string names;
  for (const model::AttachmentPlace& place : model::kAttachmentPlaces) {
    const bool is_said = place.text == &model::Attachments::input_limits ||  // in a sentence
                         place.text == &model::Attachments::coef_covariance ||
                         place.text == &model::Attachments::evaluation ||  // in a table
                         place.text == &model::Attachments::parts;
    if (is_said || (attachments.*place.text).empty()) continue;
    names += (names.empty() ? "" : ", ") + std::string(place.name);
  }
  if (!names.empty()) fmt::print("\nThe model also carries: {} (--json has all of it)\n", names);
}

void run(const Options& options) {
  const Output html{"--html", options.html};
  check_outputs({html}, {options.model});
  const std::unique_ptr<data::FileWriter> writer = open_output(html);
  const model::LinearModel model = model::load(options.model);
  if (writer) {
    writer->write(assess::model_html(model, model::HtmlForm::page));
    writer->commit();
    return;
  }
  if (options.json) {
    print_json(to_json(model, options.path));
    return;
  }
  fmt::print("{}", model::to_text(model.privacy));
  if (const auto figures = assess::figures_of(model, options.model)) {
    fmt::print("\nFigures on records that were held out\n\n{}", assess::to_text(*figures));
  }
  print_coefficients(model);
  const std::vector<std::string> limits = model::limit_sentences(model);
  if (!limits.empty()) fmt::print("\n");
  for (const std::string& sentence : limits) fmt::print("{}\n", sentence);
  if (options.path) print_path(model);
  print_attachments(model.attachments);
}

}  // namespace

void add_inspect(const Command& parent) {
  auto options = std::make_shared<Options>();
  const Command command =
      parent.add_subcommand("inspect", "A model's statement and its coefficients with their noise");
  command.add_option("MODEL", options->model, "The model file that fit wrote").required();
  command.add_flag(
      "--path", options->path,
      "Also the path of the fit: every released gradient, or, refined, where each round ended, the "
      "last as pruned");
  command.add_flag("--json", options->json, "Print JSON instead of text");
  command
      .add_option("--html", options->html,
                  "Write the statement as a page for a browser, with all it needs")
      .excludes("--json")
      .excludes("--path");
  command.footer(
      "Examples:\n"
      "  southwell inspect model.json\n"
      "  southwell inspect model.json --path --json\n"
      "  southwell inspect model.json --html statement.html\n");
  command.callback([options] { run(*options); });
}

}  // namespace southwell::cli
