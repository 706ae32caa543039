#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "southwell/core/error.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/data/byte_source.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/model/json_format.hpp"

namespace southwell::model {
namespace {

using nlohmann::json;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// A part of the file: what it holds, and how to call it in a message.
class Part {
 public:
  Part(const json& content, std::string file, std::string place = "")
      : content_(content), file_(std::move(file)), place_(std::move(place)) {}

  [[noreturn]] void refuse(const std::string& found, const std::string& accepted) const {
    throw DataError(file_ + ": " + (place_.empty() ? "" : place_ + ": ") + found +
                    "; accepted is " + accepted);
  }

  const json& content() const { return content_; }
  bool is_null() const { return content_.is_null(); }
  std::optional<Part> find(const char* key) const {
    if (!content_.is_object()) refuse(found(), "an object in braces");
    const auto at = content_.find(key);
    if (at == content_.end()) return std::nullopt;
    return Part(*at, file_, place_.empty() ? key : place_ + "." + key);
  }
  Part at(const char* key) const {
    const std::optional<Part> part = find(key);
    if (!part) {
      refuse("the key '" + std::string(key) + "' is missing",
             "a whole southwell model of version " + std::to_string(kFormatVersion));
    }
    return *part;
  }
  template <class F>
  void for_each(F&& f) const {
    if (!content_.is_array()) refuse(found(), "a list");
    for (std::size_t k = 0; k < content_.size(); ++k) {
      f(Part(content_[k], file_, place_ + "[" + std::to_string(k) + "]"));
    }
  }
  /// f(key, part) for the members of an object.
  template <class F>
  void for_each_member(F&& f) const {
    if (!content_.is_object()) refuse(found(), "an object in braces");
    for (const auto& [key, value] : content_.items()) {
      f(key, Part(value, file_, place_ + "." + core::printable(key)));
    }
  }

  double number() const {
    if (!content_.is_number()) refuse(found(), "a number");
    return content_.get<double>();
  }
  double number_or(double if_null) const { return is_null() ? if_null : number(); }
  std::uint64_t whole() const {
    if (!content_.is_number_unsigned()) refuse(found(), "a whole number from 0");
    return content_.get<std::uint64_t>();
  }
  std::size_t size() const { return static_cast<std::size_t>(whole()); }
  bool flag() const {
    if (!content_.is_boolean()) refuse(found(), "true or false");
    return content_.get<bool>();
  }
  std::string text() const {
    if (!content_.is_string()) refuse(found(), "text in quotes");
    return content_.get<std::string>();
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> out;
    for_each([&](const Part& part) { out.push_back(part.text()); });
    return out;
  }
  std::vector<double> numbers(double if_null) const {
    std::vector<double> out;
    for_each([&](const Part& part) { out.push_back(part.number_or(if_null)); });
    return out;
  }
  std::vector<double> numbers() const {
    std::vector<double> out;
    for_each([&](const Part& part) { out.push_back(part.number()); });
    return out;
  }
  /// One of the values that `name_of` names.
  template <class E, std::size_t N>
  E choice(const std::array<E, N>& values) const {
    const std::string given = text();
    std::string accepted;
    for (const E value : values) {
      if (name_of(value) == given) return value;
      accepted += (accepted.empty() ? "" : ", ") + std::string(name_of(value));
    }
    refuse(found(), "one of " + accepted);
  }

 private:
  std::string found() const {
    constexpr std::size_t kFew = 40;
    if (content_.is_structured()) return content_.is_array() ? "a list" : "an object";
    const std::string shown = core::printable(dumped(content_, -1));
    return "given is " + (shown.size() > kFew ? shown.substr(0, kFew) + "..." : shown);
  }

  const json& content_;
  std::string file_;
  std::string place_;
};

PublicInput::Value public_value(const Part& part) {
  if (part.content().is_boolean()) return part.flag();
  if (part.content().is_number()) return part.number();
  if (part.content().is_string()) return part.text();
  if (part.content().is_array()) return part.numbers(kNaN);
  part.refuse("no value", "true, false, a number, text or a list of numbers");
}

MechanismUse mechanism(const Part& part) {
  using Kind = privacy::Cost::Kind;
  constexpr std::array kKinds{Kind::pure,
                              Kind::bounded_range,
                              Kind::discrete_laplace,
                              Kind::discrete_gaussian,
                              Kind::sampled_gaussian_add_or_remove,
                              Kind::sampled_gaussian_replace};
  const std::optional<Part> sampled = part.find("sampled");
  return {.step = part.at("step").text(),
          .name = part.at("mechanism").text(),
          .cost = {.kind = part.at("kind").choice(kKinds),
                   .shift = part.at("shift").whole(),
                   .scale = part.at("scale").whole(),
                   .sampled = sampled ? sampled->whole() : 0},
          .count = part.at("count").whole()};
}

Statement statement_of(const Part& part) {
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
  part.at("mechanisms").for_each([&](const Part& use) {
    out.mechanisms.push_back(mechanism(use));
  });
  part.at("public_inputs").for_each_member([&](const std::string& name, const Part& input) {
    constexpr std::array kSources{Source::user, Source::standard, Source::data, Source::mechanism};
    out.public_inputs.push_back({.name = name,
                                 .value = public_value(input.at("value")),
                                 .source = input.at("source").choice(kSources)});
  });
  out.randomness = part.at("randomness").text();
  out.ledger = part.at("ledger").text();
  out.covers = part.at("covers").texts();
  out.not_covered = part.at("not_covered").texts();
  return out;
}

problem::ObjectiveSpec objective_of(const Part& part) {
  const auto number = [&](const char* key, double if_null) -> std::optional<double> {
    const std::optional<Part> given = part.find(key);
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

std::vector<Head> heads_of(const Part& part) {
  std::vector<Head> heads;
  part.at("coef").for_each([&](const Part& list) {
    Head head;
    list.for_each([&](const Part& entry) {
      head.coef.push_back({.index = entry.at("index").size(),
                           .value = entry.at("value").number(),
                           .noise_sd = entry.at("noise_sd").number()});
    });
    heads.push_back(std::move(head));
  });
  const auto one_per_head = [&](const char* key, auto&& put) {
    const std::vector<double> values = part.at(key).numbers();
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

LinearModel model_of(const Part& part) {
  LinearModel model;
  model.objective = objective_of(part);
  model.features = part.at("features").size();
  model.feature_names = part.at("feature_names").texts();
  model.classes = part.at("classes").numbers();
  if (const std::optional<Part> names = part.find("class_names")) {
    model.class_names = names->texts();
    if (model.class_names.empty()) names->refuse("an empty list", "a name for each class");
  }
  model.heads = heads_of(part);
  part.at("path").for_each([&](const Part& step) {
    model.path.push_back({.head = step.at("head").size(),
                          .index = step.at("index").size(),
                          .gradient = step.at("gradient").number(),
                          .value = step.at("value").number()});
  });
  model.privacy = statement_of(part.at("privacy"));
  if (part.at("private").flag() != model.privacy.is_private) {
    part.at("private").refuse("not what privacy.private says", "the same in both places");
  }
  return model;
}

}  // namespace

LinearModel from_json(const std::string& text, const std::string& name) {
  const json content = parsed(text, name, "a model as southwell fit writes it");
  const Part whole(content, name);
  if (!content.is_object() || !content.contains("format") || content["format"] != kFormat) {
    whole.refuse("JSON, but not a southwell model",
                 "an object with the format '" + std::string(kFormat) + "'");
  }
  const std::uint64_t version = whole.at("version").whole();
  if (version > kFormatVersion) {
    whole.refuse("version " + std::to_string(version) + ", made by a later version of southwell",
                 "version " + std::to_string(kFormatVersion));
  }
  if (version < 1) whole.at("version").refuse("given is 0", std::to_string(kFormatVersion));
  if (whole.at("checksum").text() != checksum(content)) {
    whole.at("checksum")
        .refuse("it does not fit the rest: the file was changed or damaged",
                "a model as it was written");
  }
  LinearModel model = model_of(whole);
  check(model, name);
  return model;
}

LinearModel load(const std::filesystem::path& file) {
  const auto source = data::open_source(file);
  return from_json(data::read_all(*source, file.string(), kLargestFile), file.string());
}

}  // namespace southwell::model
