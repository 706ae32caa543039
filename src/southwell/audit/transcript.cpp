#include "southwell/audit/transcript.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "southwell/audit/known_attack.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/model/backing.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/privacy/accounting/parts.hpp"

namespace southwell::audit {
namespace {

using model::MechanismUse;
using model::PublicInput;
using model::Statement;

Finding compared(std::string subject, std::string unit, double claimed, double found) {
  return {.subject = std::move(subject),
          .verdict = Verdict::passes,
          .unit = std::move(unit),
          .claimed = claimed,
          .found = found,
          .power = std::nullopt,
          .words = ""};
}

/// The accountants of this program on the statement's list.
Finding recomposed(const Statement& statement) {
  const privacy::Spent spent = statement.spent();
  Finding finding =
      compared("cost, composed again", "epsilon", statement.epsilon_spent, spent.epsilon);
  if (!(spent.epsilon <= statement.epsilon_spent * (1.0 + 1e-9)))
    finding.verdict = Verdict::flagged;
  finding.words = "by " + std::string(privacy::name_of(spent.accountant)) + ", at delta " +
                  core::rounded_text(statement.delta);
  return finding;
}

/// What two fixed inputs of every mechanism give away, computed apart from the accountants.
Finding attacked(const Statement& statement) {
  double most = 0.0;
  for (const privacy::Composition& met : statement.met_by_one_unit()) {
    most = std::max(most, known_attack(met, statement.delta));
  }
  Finding finding = compared("cost, by a known attack", "epsilon", statement.epsilon_spent, most);
  finding.words = "the claim may not be below it; computed apart from the accountants";
  if (!(most <= statement.epsilon_spent * (1.0 + kAttackError))) {
    finding.verdict = Verdict::flagged;
    finding.words = "two inputs of every mechanism give away more than the statement charges";
  }
  return finding;
}

Finding sensitivities(const Statement& statement) {
  const auto relation = statement.relation == "replace_one" ? privacy::Relation::replace_one
                                                            : privacy::Relation::add_or_remove_one;
  const auto falls_short = [&](const MechanismUse& use) {
    return use.cost.shift < model::least_shift(use, relation);
  };
  const auto& uses = statement.mechanisms;
  const auto few = std::count_if(uses.begin(), uses.end(), falls_short);
  Finding finding = compared("sensitivities", "below the least", 0.0, static_cast<double>(few));
  if (few > 0) finding.verdict = Verdict::flagged;
  finding.words =
      std::to_string(uses.size()) + " kinds of releases and choices under " + statement.relation;
  return finding;
}

std::uint64_t uses_of(const Statement& statement, std::string_view step) {
  std::uint64_t count = 0;
  for (const MechanismUse& use : statement.mechanisms) {
    if (use.step == step && statement.follows(use)) count += use.count;
  }
  return count;
}

bool is_word(const PublicInput& input, std::string_view name, std::string_view word) {
  const std::string* text = std::get_if<std::string>(&input.value);
  return Statement::is_named(input, name) && text != nullptr && *text == word;
}

bool has_input(const Statement& statement, std::string_view name) {
  const auto& inputs = statement.public_inputs;
  return std::any_of(inputs.begin(), inputs.end(),
                     [&](const PublicInput& input) { return Statement::is_named(input, name); });
}

/// Choices of greedy descent, releases of the others, are as many as it says to have iterated.
Finding iterations(const Statement& statement) {
  const std::string step = statement.solver == "gcd" ? "select" : "release";
  const auto claimed = static_cast<double>(statement.iterations);
  const auto found = static_cast<double>(uses_of(statement, step));
  Finding finding = compared("iterations that are charged", "uses", claimed, found);
  finding.words = "uses of '" + step + "' of the solver " + statement.solver;
  // Those of a model to start from come on top.
  const bool has_more = has_input(statement, "start");
  if (has_more ? found < claimed : found != claimed) finding.verdict = Verdict::flagged;
  return finding;
}

/// No more was spent than was asked for, unless a model to start from had its own.
std::optional<Finding> budget(const Statement& statement) {
  for (const PublicInput& input : statement.public_inputs) {
    const double* asked = std::get_if<double>(&input.value);
    if (input.name != "epsilon" || asked == nullptr || has_input(statement, "start")) continue;
    Finding finding = compared("budget", "epsilon", *asked, statement.epsilon_spent);
    finding.words = "asked, and spent";
    if (!(statement.epsilon_spent <= *asked)) finding.verdict = Verdict::flagged;
    return finding;
  }
  return std::nullopt;
}

/// Steps that the model says it went through, and that have to be among the mechanisms.
Finding found_by_mechanisms(const model::LinearModel& model) {
  const Statement& statement = model.privacy;
  std::string missing;
  double ran = 0.0;
  double charged = 0.0;
  const auto expect = [&](std::string_view step) {
    ran += 1.0;
    if (uses_of(statement, step) > 0) {
      charged += 1.0;
    } else {
      missing += (missing.empty() ? "" : ", ") + std::string(step);
    }
  };
  for (const PublicInput& input : statement.public_inputs) {
    for (const std::string_view name : {"target_scale", "record_norm", "feature_scale"}) {
      const bool is_found =
          Statement::is_named(input, name) && input.source == model::Source::mechanism;
      if (is_found) expect(name);
    }
    const bool chose =
        Statement::is_named(input, "select_iterate") && input.source == model::Source::mechanism;
    if (chose) expect("choose");
    if (is_word(input, "calibrate_probabilities", "on")) expect("calibrate");
  }
  if (!model.attachments.evaluation.empty()) expect("histogram");
  Finding finding = compared("inputs that mechanisms found", "charged", ran, charged);
  finding.words = "scales, norms, choices and figures that the model says it has from its records";
  if (!missing.empty()) {
    finding.verdict = Verdict::flagged;
    finding.words = "not among the mechanisms: " + missing;
  }
  return finding;
}

Finding randomness(const Statement& statement) {
  const bool is_fixed = statement.randomness == model::kFixedRandomness;
  return {.subject = "randomness",
          .verdict = is_fixed ? Verdict::flagged : Verdict::passes,
          .words = statement.randomness};
}

}  // namespace

std::vector<Finding> audit_transcript(const model::LinearModel& model) {
  const Statement& statement = model.privacy;
  if (!statement.is_private) {
    return {{.subject = "statement",
             .verdict = Verdict::not_run,
             .words = "guarantee: " + statement.guarantee + "; there is no promise to audit"}};
  }
  std::vector<Finding> findings = {recomposed(statement), attacked(statement),
                                   sensitivities(statement)};
  if (const auto asked = budget(statement)) findings.push_back(*asked);
  if (statement.solver.empty()) return findings;  // figures of a model
  // Of a pipeline the last step's iterations stand beside the mechanisms of all.
  const bool is_whole = std::none_of(
      statement.public_inputs.begin(), statement.public_inputs.end(),
      [](const PublicInput& input) { return input.name.find('.') != std::string::npos; });
  if (is_whole) findings.push_back(iterations(statement));
  findings.push_back(found_by_mechanisms(model));
  findings.push_back(randomness(statement));
  return findings;
}

}  // namespace southwell::audit
