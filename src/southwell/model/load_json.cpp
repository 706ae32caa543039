#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "southwell/core/error.hpp"
#include "southwell/core/json_parse.hpp"
#include "southwell/core/json_part.hpp"
#include "southwell/data/byte_source.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/model/json_format.hpp"
#include "southwell/model/json_mechanism.hpp"
#include "southwell/model/json_packed.hpp"
#include "southwell/model/model_table.hpp"
#include "southwell/model/statement_json.hpp"

namespace southwell::model {
namespace {

using nlohmann::json;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr auto kNameOf = [](auto value) { return name_of(value); };

PublicInput::Value public_value(const core::JsonPart& part) {
  if (part.content().is_boolean()) return part.flag();
  if (part.content().is_number()) return part.number();
  if (part.content().is_string()) return part.text();
  if (part.content().is_array()) return part.numbers(kNaN);
  if (part.content().is_object()) return packed_numbers(part);
  part.refuse("no value", "true, false, a number, text or a list of numbers");
}

/// A whole number of 32 bits.
std::uint32_t short_whole(const core::JsonPart& part) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t value = part.whole();
  if (value > kMost) part.refuse(std::to_string(value), "a whole number below 2^32");
  return static_cast<std::uint32_t>(value);
}

privacy::RunLaw run_law(const core::JsonPart& part) {
  const std::string law = part.at("law").text();
  try {
    if (law == kPoisson) return privacy::RunLaw::poisson(part.at("mean").number());
    if (law == kNegativeBinomial) {
      return privacy::RunLaw::with_left(short_whole(part.at("half_shape")),
                                        short_whole(part.at("left")));
    }
  } catch (const InvalidArgument& error) {
    part.refuse(error.what(), "a law of the number of runs");
  }
  part.at("law").refuse("another law", std::string(kPoisson) + " or " + kNegativeBinomial);
}

Statement statement_of(const core::JsonPart& part) {
  Statement out;
  out.guarantee = part.at("guarantee").text();
  out.is_private = part.at("private").flag();
  out.fit_alone = out.is_private && out.guarantee.ends_with(kOfTheFitAlone);
  out.epsilon = part.at("epsilon").number_or(kNaN);
  out.delta = part.at("delta").number_or(kNaN);
  out.epsilon_spent = part.at("epsilon_spent").number_or(kNaN);
  out.accountant = part.at("accountant").text();
  out.relation = part.at("relation").text();
  out.unit = part.at("unit").text();
  out.records = part.at("records").number_or(kNaN);
  out.mode = part.at("mode").text();
  out.solver = part.at("solver").text();
  out.rule = part.at("rule").text();
  out.iterations = part.at("iterations").whole();
  part.at("mechanisms").for_each([&](const core::JsonPart& use) {
    out.mechanisms.push_back(mechanism_in(use));
  });
  part.at("public_inputs")
      .for_each_member([&](const std::string& name, const core::JsonPart& input) {
        constexpr std::array kSources{Source::user, Source::standard, Source::data,
                                      Source::mechanism};
        out.public_inputs.push_back({.name = name,
                                     .value = public_value(input.at("value")),
                                     .source = input.at("source").choice(kSources, kNameOf)});
      });
  out.randomness = part.at("randomness").text();
  out.ledger = part.at("ledger").text();
  out.covers = part.at("covers").texts();
  out.not_covered = part.at("not_covered").texts();
  if (const auto found = part.find("found_amiss")) out.found_amiss = found->texts();
  if (const auto runs = part.find("runs")) out.runs = run_law(*runs);
  if (const auto parts = part.find("parts")) {
    parts->for_each([&](const core::JsonPart& each) {
      out.parts.push_back({each.at("name").text(), each.at("records").number()});
    });
  }
  return out;
}

problem::ObjectiveSpec objective_of(const core::JsonPart& part) {
  const auto number = [&](const char* key, double if_null) -> std::optional<double> {
    const std::optional<core::JsonPart> given = part.find(key);
    if (!given) return std::nullopt;
    // Null is an infinite end of a box; elsewhere it is no number.
    return std::isnan(if_null) ? given->number() : given->number_or(if_null);
  };
  return {.loss = part.at("loss").text(),
          .penalty = part.at("penalty").text(),
          .alpha = number("alpha", kNaN),
          .l1_ratio = number("l1_ratio", kNaN),
          .lower = number("lower", -kInfinity),
          .upper = number("upper", kInfinity),
          .huber_width = number("huber_width", kNaN),
          .intercept = part.at("has_intercept").flag() ? problem::Intercept::free
                                                       : problem::Intercept::none};
}

std::vector<Coefficient> coef_of(const core::JsonPart& part, std::size_t features) {
  if (part.content().is_object()) return packed_coef(part, features);
  std::vector<Coefficient> coef;
  part.for_each([&](const core::JsonPart& entry) {
    coef.push_back({.index = entry.at("index").size(),
                    .value = entry.at("value").number(),
                    .noise_sd = entry.at("noise_sd").number_or(kNaN)});
  });
  return coef;
}

std::vector<ModelStep> path_of(const core::JsonPart& part) {
  if (part.content().is_object()) return packed_path(part);
  std::vector<ModelStep> path;
  part.for_each([&](const core::JsonPart& step) {
    path.push_back({.head = step.at("head").size(),
                    .index = step.at("index").size(),
                    .gradient = step.at("gradient").number(),
                    .value = step.at("value").number()});
  });
  return path;
}

std::vector<Head> heads_of(const core::JsonPart& part, std::size_t features) {
  std::vector<Head> heads;
  part.at("coef").for_each([&](const core::JsonPart& list) {
    heads.push_back({.coef = coef_of(list, features), .intercept = 0.0, .intercept_noise_sd = 0.0});
  });
  const auto one_per_head = [&](const char* key, auto&& put) {
    // Null is noise that is not determined; what else is null, `check` refuses.
    const std::vector<double> values = part.at(key).numbers(kNaN);
    if (values.size() != heads.size()) {
      part.at(key).refuse(std::to_string(values.size()) + " numbers",
                          std::to_string(heads.size()) + ", one for each list in coef");
    }
    for (std::size_t h = 0; h < heads.size(); ++h) put(heads[h], values[h]);
  };
  one_per_head("intercept", [](Head& head, double value) { head.intercept = value; });
  one_per_head("intercept_noise_sd",
               [](Head& head, double value) { head.intercept_noise_sd = value; });
  return heads;
}

/// Version 1 always has a path, and no attachments: such keys would be somebody else's.
LinearModel model_of(const core::JsonPart& part, std::uint64_t version) {
  LinearModel model;
  model.objective = objective_of(part);
  model.features = part.at("features").size();
  model.feature_names = part.at("feature_names").texts();
  model.classes = part.at("classes").numbers();
  if (const std::optional<core::JsonPart> multiclass = part.find("multiclass")) {
    if (multiclass->text() != problem::kSoftmax || model.classes.size() < 3 ||
        model.objective.loss != problem::Logistic::kName) {
      multiclass->refuse("a law that these classes do not have",
                         "softmax for more than two classes and the loss logistic, or nothing");
    }
    model.multiclass = problem::Multiclass::softmax;
  }
  if (const std::optional<core::JsonPart> names = part.find("class_names")) {
    model.class_names = names->texts();
    if (model.class_names.empty()) names->refuse("an empty list", "a name for each class");
  }
  model.heads = heads_of(part, model.features);
  if (version == 1 || part.find("path")) model.path = path_of(part.at("path"));
  for (const AttachmentPlace& place : kAttachmentPlaces) {
    const std::optional<core::JsonPart> found = version == 1 ? std::nullopt : part.find(place.name);
    if (found) model.attachments.*place.text = core::dumped(found->content(), -1);
  }
  // Where a schema makes the features it names them.
  if (const auto table = table_of(model, part.file())) model.feature_names = table->feature_names();
  model.privacy = statement_of(part.at("privacy"));
  if (part.at("private").flag() != model.privacy.is_private) {
    part.at("private").refuse("not what privacy.private says", "the same in both places");
  }
  return model;
}

constexpr const char* kAccepted = "a model as southwell fit writes it";
constexpr const char* kAcceptedStatement =
    "a statement as southwell fit --dry-run --json prints it";

LinearModel model_in(const json& content, const std::string& name) {
  const core::JsonPart whole(content, name);
  if (!content.is_object() || !content.contains("format") || content["format"] != kFormat) {
    whole.refuse("JSON, but not a southwell model",
                 "an object with the format '" + std::string(kFormat) + "'");
  }
  const std::uint64_t version = whole.at("version").whole();
  const std::string versions = "1 to " + std::to_string(kFormatVersion);
  if (version > kFormatVersion) {
    whole.refuse("version " + std::to_string(version) + ", made by a later version of southwell",
                 "version " + versions);
  }
  if (version < 1) whole.at("version").refuse("given is 0", versions);
  if (whole.at("checksum").text() != checksum(content)) {
    whole.at("checksum")
        .refuse("it does not fit the rest: the file was changed or damaged",
                "a model as it was written");
  }
  LinearModel model = model_of(whole, version);
  check(model, name);
  return model;
}

}  // namespace

Statement statement_from_json(const std::string& text, const std::string& name) {
  const json content = core::parsed(text, name, kAcceptedStatement);
  Statement statement = statement_of(core::JsonPart(content, name));
  try {
    check_guarantee(statement);
  } catch (const InvalidArgument& error) {
    throw DataError(name + ": " + error.what());
  }
  return statement;
}

LinearModel from_json(const std::string& text, const std::string& name) {
  return model_in(core::parsed(text, name, kAccepted), name);
}

LinearModel load(const std::filesystem::path& file) {
  const std::string name = file.string();
  // The text is gone before there is a model beside it.
  const json content =
      core::parsed(data::read_all(*data::open_source(file), name, kLargestFile), name, kAccepted);
  return model_in(content, name);
}

}  // namespace southwell::model
