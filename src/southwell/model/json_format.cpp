#include "southwell/model/json_format.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <initializer_list>
#include <limits>
#include <string_view>
#include <unordered_set>

#include "southwell/core/error.hpp"
#include "southwell/core/json_parse.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/model/backing.hpp"
#include "southwell/model/figures.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/model/json_text.hpp"
#include "southwell/problem/head_target.hpp"

namespace southwell::model {
namespace {

/// Refuses with "name: where: found; accepted is ...".
struct Refusal {
  const std::string& name;

  void unless(bool holds, const std::string& where, const std::string& found,
              const std::string& accepted) const {
    if (!holds) {
      throw DataError(name + ": " + where + ": " + found + "; accepted is " + accepted);
    }
  }
};

bool is_utf8(const std::string& text) {
  try {
    static_cast<void>(nlohmann::json(text).dump());
    return true;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

/// False: all names differ. Eight bytes for each of millions of names, where a set takes eighty.
bool may_repeat(const std::vector<std::string>& names) {
  std::vector<std::size_t> hashes(names.size());
  std::transform(names.begin(), names.end(), hashes.begin(), std::hash<std::string>());
  std::sort(hashes.begin(), hashes.end());
  return std::adjacent_find(hashes.begin(), hashes.end()) != hashes.end();
}

void check_names(const std::vector<std::string>& names, std::size_t wanted, const char* key,
                 const char* of, const Refusal& refuse) {
  refuse.unless(names.empty() || names.size() == wanted, key,
                std::to_string(names.size()) + " names for " + std::to_string(wanted) + " " + of,
                "one for each, or none");
  for (const std::string& name : names) {
    refuse.unless(name.find('\0') == std::string::npos, key, "a name with the character NUL",
                  "names without it");
    refuse.unless(is_utf8(name), key, "a name is not text", "UTF-8");
  }
  if (!may_repeat(names)) return;
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names) {
    refuse.unless(seen.insert(name).second, key, "'" + core::printable(name) + "' occurs twice",
                  "a list of distinct names");
  }
}

void check_classes(const LinearModel& model, const Refusal& refuse) {
  const auto& classes = model.classes;
  refuse.unless(classes.size() != 1, "classes", "one class", "none, or two and more");
  std::unordered_set<double> seen;
  for (const double label : classes) {
    refuse.unless(std::isfinite(label) && seen.insert(label).second, "classes",
                  "a label that is not finite or occurs twice", "a list of distinct numbers");
  }
  const std::size_t heads = problem::HeadTarget::heads(classes.size());
  refuse.unless(model.heads.size() == heads, "coef",
                std::to_string(model.heads.size()) + " heads for " +
                    std::to_string(classes.size()) + " classes",
                std::to_string(heads));
}

void check_head(const LinearModel& model, const Head& head, const Refusal& refuse) {
  // Not a number: not determined.
  const auto is_sd = [](double sd) { return std::isnan(sd) || (std::isfinite(sd) && sd >= 0.0); };
  for (std::size_t k = 0; k < head.coef.size(); ++k) {
    const Coefficient& c = head.coef[k];
    const bool follows = k == 0 || head.coef[k - 1].index < c.index;
    if (c.index < model.features && follows && std::isfinite(c.value) && is_sd(c.noise_sd)) {
      continue;  // without a word made for each of millions
    }
    const std::string where = "coef of index " + std::to_string(c.index);
    refuse.unless(c.index < model.features, where,
                  "the model has " + std::to_string(model.features) + " features",
                  "an index below that");
    refuse.unless(follows, where,
                  "it comes after index " + std::to_string(k == 0 ? 0 : head.coef[k - 1].index),
                  "every index once, in increasing order");
    refuse.unless(std::isfinite(c.value), where, "the value is not finite", "a finite number");
    refuse.unless(is_sd(c.noise_sd), where, "noise_sd is negative or not finite",
                  "a finite number from 0, or null");
  }
  refuse.unless(std::isfinite(head.intercept), "intercept", "not finite", "a finite number");
  refuse.unless(is_sd(head.intercept_noise_sd), "intercept_noise_sd", "negative or not finite",
                "a finite number from 0, or null");
  refuse.unless(model.objective.intercept == problem::Intercept::free || head.intercept == 0.0,
                "intercept", "not 0 in a model without an intercept", "0");
}

void check_path(const LinearModel& model, const Refusal& refuse) {
  const bool has_intercept = model.objective.intercept == problem::Intercept::free;
  const std::size_t indices = model.features + (has_intercept ? 1 : 0);
  for (std::size_t t = 0; t < model.path.size(); ++t) {
    const ModelStep& step = model.path[t];
    if (step.head < model.heads.size() && step.index < indices && std::isfinite(step.gradient) &&
        std::isfinite(step.value)) {
      continue;
    }
    const std::string where = "path, step " + std::to_string(t);
    refuse.unless(step.head < model.heads.size(), where, "head " + std::to_string(step.head),
                  "a number below " + std::to_string(model.heads.size()));
    refuse.unless(step.index < indices, where, "index " + std::to_string(step.index),
                  "a number below " + std::to_string(indices));
    refuse.unless(std::isfinite(step.gradient) && std::isfinite(step.value), where,
                  "a number that is not finite", "a finite gradient and value");
  }
}

/// What a private fit cannot have done.
void check_private(const LinearModel& model, const Refusal& refuse) {
  const Statement& statement = model.privacy;
  refuse.unless(statement.mode == "certified", "privacy, mode", statement.mode, "certified");
  for (const PublicInput& input : statement.public_inputs) {
    const bool leaks =
        Statement::is_named(input, "allow_leaks") && input.value != PublicInput::Value(false);
    refuse.unless(!leaks && !Statement::is_named(input, "seed_for_tests"), "privacy, public_inputs",
                  input.name, "neither a seed nor a leak in a private model");
  }
  refuse.unless(statement.randomness != kFixedRandomness, "privacy, randomness",
                statement.randomness, "that of the operating system in a private model");
  refuse.unless(statement.records > 0.0, "privacy, records", "not a positive number",
                "the public number of records");
  // In rounds the path has a step per round and chosen feature.
  refuse.unless(
      statement.is_refined() || model.path.empty() || model.path.size() == statement.iterations,
      "path", std::to_string(model.path.size()) + " steps",
      std::to_string(statement.iterations) + ", one per iteration, or none");
}

/// An iteration ends with a release, before which there may be a selection; in rounds, where
/// releases go together, it has a selection.
void check_counts(const Statement& statement, const Refusal& refuse) {
  std::vector<MechanismUse> uses;  // of the fit
  for (const MechanismUse& use : statement.mechanisms) {
    const bool is_fit = !is_part(use.part, kTestPart) && !is_part(use.part, kChoicePart);
    const bool is_of_this = use.run.empty() || use.run == kChosenRun;
    if (is_fit && is_of_this && statement.follows(use)) uses.push_back(use);
  }
  const auto is_counted = [&](const MechanismUse& use) {
    return use.count == statement.iterations;
  };
  const auto is_selection = [](const MechanismUse& use) { return use.step == "select"; };
  const auto selection = std::find_if(uses.rbegin(), uses.rend(), is_selection);
  bool counted = uses.empty() || is_counted(uses.back());
  if (statement.is_refined()) {
    const auto is_descent = [&](const MechanismUse& use) {
      return is_counted(use) && use.step == "release";
    };
    counted = selection != uses.rend()
                  ? is_counted(*selection)
                  : uses.empty() || std::any_of(uses.begin(), uses.end(), is_descent);
  } else if (uses.size() > 1 && is_selection(uses[uses.size() - 2])) {
    counted = counted && is_counted(uses[uses.size() - 2]);
  }
  refuse.unless(counted, "privacy, mechanisms", "not as many uses as iterations",
                "one per iteration");
}

void check_statement(const Statement& statement, const Refusal& refuse) {
  const auto one_of = [&](const char* key, const std::string& given,
                          std::initializer_list<std::string_view> words) {
    std::string accepted;
    for (const std::string_view word : words) {
      if (given == word) return;
      accepted += (accepted.empty() ? "" : " or ") + std::string(word);
    }
    refuse.unless(false, std::string("privacy, ") + key, "'" + core::printable(given) + "'",
                  accepted);
  };
  one_of("relation", statement.relation, {"replace_one", "add_or_remove_one"});
  one_of("mode", statement.mode, {"certified", "paper"});
  // Which solvers there are is for the room of fits to know.
  const bool is_word =
      !statement.solver.empty() &&
      statement.solver.find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == std::string::npos;
  refuse.unless(is_word, "privacy, solver", "'" + core::printable(statement.solver) + "'",
                "the name of a solver, in small letters");
  refuse.unless(statement.is_private != statement.guarantee.starts_with("none ("),
                "privacy, guarantee", "'" + core::printable(statement.guarantee) + "'",
                "a guarantee in a private model, none with the reasons in another");
  if (statement.is_private) check_counts(statement, refuse);
  for (const RecordsPart& part : statement.parts) {
    refuse.unless(!part.name.empty() && part.records > 0.0, "privacy, parts",
                  "a part without a name or records", "a name, and a number of records above 0");
  }
  for (const MechanismUse& use : statement.mechanisms) {
    const auto is_its_part = [&](const RecordsPart& part) { return part.name == use.part; };
    refuse.unless(use.part.empty() ||
                      std::any_of(statement.parts.begin(), statement.parts.end(), is_its_part),
                  "privacy, mechanisms", "a part '" + core::printable(use.part) + "'",
                  "one of those in parts, or all records");
    refuse.unless(use.run.empty() || statement.runs, "privacy, mechanisms",
                  "a run '" + core::printable(use.run) + "'",
                  "none without a law of their number in runs");
    const bool replaced = use.cost.kind == privacy::Cost::Kind::sampled_gaussian_replace;
    const bool added = use.cost.kind == privacy::Cost::Kind::sampled_gaussian_add_or_remove;
    const bool samples = replaced || added;
    refuse.unless(!(statement.relation == "replace_one" ? added : replaced), "privacy, mechanisms",
                  "a sampled mechanism of the other relation", "that of " + statement.relation);
    refuse.unless(use.count > 0 && samples == (use.cost.sampled > 0), "privacy, mechanisms",
                  "a mechanism without uses, or whose sample does not fit its kind",
                  "a count from 1, and sampled from 1 where records are sampled");
  }
}

}  // namespace

std::string checksum(const nlohmann::json& content) {
  return sha256([&](const TextSink& sink) {
    JsonText text(Digits::canonical, sink);
    std::string_view before = "{";
    for (const auto& [key, value] : content.items()) {
      if (key == "checksum") continue;
      text.add(before);
      text.add(core::dumped(key, -1) + ":");
      text.add_value(value);
      before = ",";
    }
    text.add("}");
    text.finish();
  });
}

void check_form(const LinearModel& model, const std::string& name) {
  const Refusal refuse{name};
  try {
    problem::loss_of(model.objective);
    problem::penalty_of(model.objective);
  } catch (const InvalidArgument& error) {
    throw DataError(name + ": " + error.what());
  }
  constexpr std::uint64_t kMostFeatures = std::numeric_limits<std::uint32_t>::max();
  refuse.unless(model.features <= kMostFeatures, "features", std::to_string(model.features),
                "at most 2^32 - 1: an index has 32 bits");
  check_names(model.feature_names, model.features, "feature_names", "features", refuse);
  check_names(model.class_names, model.classes.size(), "class_names", "classes", refuse);
  check_classes(model, refuse);
  check_statement(model.privacy, refuse);
  check_attachments(model.attachments, model.features, name);
  static_cast<void>(figures_of(model, name));  // what could not be shown is no part of a model
}

void check(const LinearModel& model, const std::string& name) {
  check_form(model, name);
  const Refusal refuse{name};
  for (const Head& head : model.heads) check_head(model, head, refuse);
  check_path(model, refuse);
  if (model.privacy.is_private) check_private(model, refuse);
  try {
    check_guarantee(model.privacy);
    check_backing(model);
  } catch (const InvalidArgument& error) {
    throw DataError(name + ": privacy: " + error.what());
  }
}

}  // namespace southwell::model
