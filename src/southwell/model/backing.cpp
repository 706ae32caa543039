#include "southwell/model/backing.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <variant>

#include <nlohmann/json.hpp>

#include "southwell/core/error.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/problem/gradient/contribution.hpp"
#include "southwell/problem/gradient/moment_sums.hpp"
#include "southwell/problem/magnitude_scores.hpp"

namespace southwell::model {
namespace {

using Kind = privacy::Cost::Kind;

[[noreturn]] void refuse(const std::string& where, const std::string& found,
                         const std::string& accepted) {
  throw InvalidArgument(where + ": " + found + "; accepted is " + accepted);
}

std::string words(double records) { return core::number_text(records); }

void check_shifts(const Statement& statement) {
  const auto relation = statement.relation == "replace_one" ? privacy::Relation::replace_one
                                                            : privacy::Relation::add_or_remove_one;
  for (const MechanismUse& use : statement.mechanisms) {
    const std::uint64_t least = least_shift(use, relation);
    if (use.cost.shift < least) {
      refuse("mechanisms",
             "'" + core::printable(use.step) + "' with the shift " + std::to_string(use.cost.shift),
             "at least " + std::to_string(least) + " under " + statement.relation);
    }
  }
}

/// What stands before the name of a part, with its dot: nothing for the fit's own split.
std::string split_of(const std::string& part) { return part.substr(0, part.rfind('.') + 1); }

/// Of a model to start from nobody knows here of how many records it was.
bool is_of_start(const std::string& split) { return split.starts_with("start"); }

/// The sizes of all splits: those of a fit's own one are all of its records.
void check_sizes(const Statement& statement) {
  std::map<std::string, double> of_split;
  for (const RecordsPart& part : statement.parts) {
    const auto is_this = [&](const RecordsPart& other) { return other.name == part.name; };
    if (std::count_if(statement.parts.begin(), statement.parts.end(), is_this) > 1) {
      refuse("parts", "'" + core::printable(part.name) + "' occurs twice", "every part once");
    }
    if (part.records != std::floor(part.records)) {
      refuse("parts", words(part.records) + " records", "a whole number");
    }
    of_split[split_of(part.name)] += part.records;
  }
  const bool replaces = statement.relation == "replace_one";
  for (const auto& [split, records] : of_split) {
    if (is_of_start(split)) continue;
    if (replaces ? records != statement.records : !(records <= statement.records)) {
      refuse("parts", words(records) + " records together",
             (replaces ? "" : "at most ") + words(statement.records) + ", all that there are");
    }
  }
}

/// Every part of this name has the share of the records that the public input says, rounded.
void check_shares(const Statement& statement, const std::string& name, const std::string& input) {
  const auto share_of = [&](const std::string& split) -> const double* {
    for (const PublicInput& each : statement.public_inputs) {
      if (each.name == split + input) return std::get_if<double>(&each.value);
    }
    return nullptr;
  };
  std::size_t shares = 0;
  for (const RecordsPart& part : statement.parts) {
    const std::string split = split_of(part.name);
    if (!is_part(part.name, name) || is_of_start(split)) continue;
    const double* const share = share_of(split);
    // Rounded, perhaps twice, but neither to no record nor to all of them.
    if (share == nullptr || !(std::fabs(part.records - *share * statement.records) <= 1.5)) {
      refuse("parts",
             words(part.records) + " records in '" + core::printable(part.name) + "'" +
                 (share == nullptr ? "" : " for a " + input + " of " + words(*share)),
             "that share of " + words(statement.records));
    }
    ++shares;
  }
  const auto is_share = [&](const PublicInput& each) { return Statement::is_named(each, input); };
  const auto inputs =
      std::count_if(statement.public_inputs.begin(), statement.public_inputs.end(), is_share);
  if (static_cast<std::size_t>(inputs) != shares) {
    refuse("public_inputs", "a " + input + " without its part", "one for each part '" + name + "'");
  }
}

/// On the part for tests there are figures, on that for the choice a choice among settings, and on
/// no other.
void check_uses_of_parts(const Statement& statement) {
  for (const MechanismUse& use : statement.mechanisms) {
    const bool counts = use.step == "histogram";
    const bool assesses = counts || use.step == "moments";
    const bool chooses = use.step == "choose";
    const bool is_test = is_part(use.part, kTestPart);
    const bool is_choice = is_part(use.part, kChoicePart);
    if (counts && !is_test) {
      refuse("mechanisms", "a histogram of '" + core::printable(use.part) + "'",
             "figures of the part for tests");
    }
    if ((is_test && !assesses) || (is_choice && !chooses)) {
      refuse("mechanisms",
             "'" + core::printable(use.step) + "' on '" + core::printable(use.part) + "'",
             "figures or a choice there, and a fit on the other part");
    }
  }
}

/// What decides between plans is a norm that a mechanism found, in all of them.
void check_plans(const Statement& statement) {
  for (const MechanismUse& use : statement.mechanisms) {
    if (use.plan.empty()) continue;
    const std::string decision = split_of(use.plan);
    const bool is_decided = std::any_of(
        statement.mechanisms.begin(), statement.mechanisms.end(), [&](const MechanismUse& other) {
          return other.step == "record_norm" && other.plan.empty() &&
                 (decision.empty() || split_of(other.part) == decision || other.part.empty());
        });
    if (!is_decided) {
      refuse("mechanisms", "a plan '" + core::printable(use.plan) + "' that nothing decides for",
             "plans beside a record_norm that is in all of them");
    }
  }
}

void check_attached_parts(const LinearModel& model) {
  const std::string& text = model.attachments.parts;
  if (text.empty()) return;
  const nlohmann::json attached = nlohmann::json::parse(text);
  const std::vector<RecordsPart>& stated = model.privacy.parts;
  const auto is_same = [](const RecordsPart& part, const nlohmann::json& shown) {
    return shown.contains("name") && shown["name"] == part.name && shown.contains("records") &&
           shown["records"] == part.records;
  };
  if (!std::equal(stated.begin(), stated.end(), attached.begin(), attached.end(), is_same)) {
    refuse("parts", "other ones beside the statement than in it", "the same");
  }
}

/// Figures are shown under the model's promise: the releases that they come from are in it.
void check_figures(const LinearModel& model) {
  if (model.attachments.evaluation.empty()) return;
  const auto ran = [&](std::string_view step) {
    const std::vector<MechanismUse>& uses = model.privacy.mechanisms;
    return std::any_of(uses.begin(), uses.end(), [&](const MechanismUse& use) {
      return use.step == step && use.part == kTestPart && use.cost.kind == Kind::discrete_gaussian;
    });
  };
  const bool is_regression = model.classes.empty();
  if (!ran("histogram") || (is_regression && !ran("moments"))) {
    refuse("mechanisms", "not those that an evaluation comes from",
           std::string(is_regression ? "a histogram and moments" : "a histogram") +
               " on the part 'test'");
  }
}

}  // namespace

std::uint64_t least_shift(const MechanismUse& use, privacy::Relation relation) {
  constexpr auto kBound = static_cast<std::uint64_t>(problem::ProductClip::kBound);
  const std::uint64_t sum = privacy::sum_sensitivity(relation, kBound);
  // K, and ceil(sqrt(2) K) where a unit is replaced: of a histogram as of a matrix of moments.
  const std::uint64_t entries = relation == privacy::Relation::replace_one
                                    ? problem::kReplacedMoments
                                    : problem::kAddedMoments;
  const bool is_gaussian = use.cost.kind == Kind::discrete_gaussian;
  const bool of_others = use.step.starts_with(kOfOtherSettings);
  std::string_view step = use.step;
  if (of_others) step.remove_prefix(std::string_view(kOfOtherSettings).size());
  if (step == "select") return 2 * sum;  // a selection is charged twice its sensitivity
  // Charged twice as a selection, once as a score with Gaussian noise.
  if (step == "choose") return is_gaussian ? kBound : 2 * kBound;
  if (step == "center" || step == "calibrate") return sum;
  if (step == "histogram") return entries;
  // Of figures four sums, of a fit a matrix.
  if (step == "moments") return is_part(use.part, kTestPart) ? sum : entries;
  if (step == "target_scale" || step == "record_norm" || step == "feature_scale") {
    return is_gaussian ? problem::kReachSensitivity : 2 * problem::kMagnitudeSensitivity;
  }
  if (step != "release") return 1;
  const bool samples = use.cost.kind == Kind::sampled_gaussian_replace ||
                       use.cost.kind == Kind::sampled_gaussian_add_or_remove;
  if (samples) return kBound;
  // Rounds release a matrix of moments once each, under the name of their releases. What several
  // settings released alike is counted together.
  return is_gaussian && (use.count == 1 || of_others) ? entries : sum;
}

void check_backing(const LinearModel& model) {
  const Statement& statement = model.privacy;
  if (!statement.is_private) return;
  check_shifts(statement);
  check_sizes(statement);
  check_shares(statement, kTestPart, "test_share");
  check_shares(statement, kChoicePart, "choice_share");
  check_uses_of_parts(statement);
  check_plans(statement);
  check_attached_parts(model);
  check_figures(model);
}

}  // namespace southwell::model
