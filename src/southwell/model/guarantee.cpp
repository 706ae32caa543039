#include "southwell/model/guarantee.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "southwell/core/error.hpp"
#include "southwell/core/float_environment.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/model/ledger_words.hpp"
#include "southwell/privacy/accounting/accountant.hpp"
#include "southwell/privacy/budget.hpp"

namespace southwell::model {
namespace {

/// All digits: what is promised must not be rounded.
std::string promise(const Statement& statement) {
  return "(" + core::number_text(statement.epsilon) + ", " + core::number_text(statement.delta) +
         ")-DP" + (statement.fit_alone ? kOfTheFitAlone : "");
}

constexpr const char* kAssumedScales =
    "feature_scale: not declared, so every feature is taken to be centred and about 1 in size; "
    "declare a schema or a feature_scale (1 where that is so), or put a DeclaredScaler or "
    "PooledScaler before the model";

/// Whether a fit was told nothing of how large features are.
bool has_assumed_scales(const Statement& statement) {
  return std::any_of(
      statement.public_inputs.begin(), statement.public_inputs.end(), [](const PublicInput& input) {
        return Statement::is_named(input, "feature_scale") && input.source == Source::standard;
      });
}

}  // namespace

std::string unit_called(const std::string& name) { return "all records with one " + name; }

void describe_cover(Statement& statement) {
  statement.covers = {
      "every iterate and the model: all choices and released gradients of the "
      "path, and whatever is computed from them"};
  statement.not_covered = {
      "errors of the file reader, running out of memory, the form of the data (types, shapes)",
      "the time a fit takes",
      "other fits on the same people, here or elsewhere" + std::string(kAddUp),
      statement.has_units() ? "people whose records are of several units: g units cost as a group"
                            : "people with more than one record: g records cost as a group",
      "what was chosen by looking at the data: clip, scales, iterations, penalty, features, start",
  };
  statement.randomness = "operating system entropy, ChaCha20";
}

std::vector<std::string> warnings_of(const Statement& statement) {
  std::vector<std::string> warnings;
  if (!(statement.delta * statement.records < 1.0)) {
    warnings.push_back("delta " + core::number_text(statement.delta) + " is at least 1/n = " +
                       core::number_text(1.0 / statement.records) + "; publishing " +
                       core::printable(statement.unit) + " whole would keep such a promise");
  }
  if (statement.epsilon > kCommonEpsilon) {
    const std::string epsilon = core::number_text(statement.epsilon);
    const bool promises = statement.epsilon <= kLargestEpsilon;
    warnings.push_back(
        "epsilon " + epsilon + (promises ? " is a weak promise" : " promises nothing") + ": " +
        core::printable(statement.unit) + " can change the odds of any outcome by a factor of e^" +
        epsilon + "; values up to " + core::number_text(kCommonEpsilon) + " are common");
  }
  if (has_assumed_scales(statement)) warnings.emplace_back(kAssumedScales);
  warnings.insert(warnings.end(), statement.found_amiss.begin(), statement.found_amiss.end());
  return warnings;
}

void limit_to_the_fit(Statement& statement) {
  statement.fit_alone = true;
  if (statement.is_private) statement.guarantee = promise(statement);
}

void settle_spent(Statement& statement) {
  const privacy::Spent spent = statement.spent();
  if (!std::isfinite(spent.epsilon)) {
    throw CalibrationError("start: the cost of the model to start from has no bound at delta " +
                           core::rounded_text(statement.delta) + "; ask for a positive delta");
  }
  statement.epsilon_spent = spent.epsilon;
  statement.accountant = privacy::name_of(spent.accountant);
}

void settle_guarantee(Statement& statement, std::vector<std::string> reasons_against) {
  if (reasons_against.empty()) {
    // A start that was private too brings its cost along, above what this fit was asked to keep:
    // then that is promised, in six digits, taken a little larger than they round.
    if (statement.epsilon_spent > statement.epsilon) {
      statement.epsilon = std::stod(core::rounded_text(statement.epsilon_spent * (1.0 + 1e-5)));
    }
    if (statement.epsilon > kLargestEpsilon) {
      reasons_against.push_back("epsilon " + core::number_text(statement.epsilon) +
                                " promises nothing");
    }
  }
  statement.is_private = reasons_against.empty();
  if (statement.is_private) {
    statement.guarantee = promise(statement);
    return;
  }
  statement.guarantee = "none (";
  for (std::size_t k = 0; k < reasons_against.size(); ++k) {
    statement.guarantee += (k == 0 ? "" : ", ") + reasons_against[k];
  }
  statement.guarantee += ")";
}

namespace {

/// Why there is none, as its guarantee says it.
std::string reason_against(const Statement& statement) {
  const std::string& words = statement.guarantee;
  const std::size_t open = words.find('(');
  return open == std::string::npos ? words : words.substr(open + 1, words.size() - open - 2);
}

void add_missing(std::vector<std::string>& list, const std::vector<std::string>& more) {
  for (const std::string& item : more) {
    if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
  }
}

}  // namespace

void add_looks(Statement& to, const Statement& from, std::string whose) {
  const auto renamed = [&](const std::string& part) {
    return part.empty() ? part : whose + "." + part;
  };
  // Parts of two splits must not have one name: they would be taken for the same records. Nor must
  // plans of two decisions: they would be taken to be decided together.
  const auto is_taken = [&](const RecordsPart& part) {
    return std::any_of(to.parts.begin(), to.parts.end(),
                       [&](const RecordsPart& there) { return there.name == renamed(part.name); });
  };
  const auto is_planned = [&](const MechanismUse& use) {
    return !use.plan.empty() &&
           std::any_of(to.mechanisms.begin(), to.mechanisms.end(),
                       [&](const MechanismUse& there) { return there.plan == renamed(use.plan); });
  };
  while (std::any_of(from.parts.begin(), from.parts.end(), is_taken) ||
         std::any_of(from.mechanisms.begin(), from.mechanisms.end(), is_planned)) {
    whose += "'";
  }
  if (from.runs) {
    if (to.runs) {
      throw InvalidArgument("'" + core::printable(whose) +
                            "': given is a second model that is the best of a secret number of "
                            "runs, accepted is one: tune the other by fitting all settings");
    }
    to.runs = from.runs;
  }
  for (MechanismUse use : from.mechanisms) {
    use.part = renamed(use.part);
    use.plan = renamed(use.plan);
    to.mechanisms.push_back(std::move(use));
  }
  for (const RecordsPart& part : from.parts) {
    to.parts.push_back({renamed(part.name), part.records});
  }
}

namespace {

/// Throws for a step that protects others than the last one does.
void check_alike(const std::string& name, const Statement& step, const Statement& last) {
  // First: of another unit the number of records is nobody's to know.
  if (step.unit != last.unit) {
    throw InvalidArgument("steps: given '" + core::printable(name) + "', whose unit is " +
                          core::printable(step.unit) +
                          ", accepted is that of the last step: " + core::printable(last.unit));
  }
  if (step.relation != last.relation || step.records != last.records) {
    throw InvalidArgument("steps: given '" + core::printable(name) + "' under " + step.relation +
                          " with " + core::number_text(step.records) +
                          " records, accepted is what the last step has, " + last.relation +
                          " with " + core::number_text(last.records));
  }
}

}  // namespace

Statement composed(const std::vector<std::pair<std::string, Statement>>& steps,
                   const std::vector<std::string>& not_covered_either) {
  if (steps.empty()) throw InvalidArgument("steps: given none, accepted is at least one");
  const core::StandardFloatEnvironment standard;
  Statement out = steps.back().second;
  out.fit_alone = false;
  out.mechanisms.clear();
  out.parts.clear();
  out.runs.reset();
  out.public_inputs.clear();
  out.covers.clear();
  out.not_covered.clear();
  out.found_amiss.clear();
  bool all_alike = true;
  std::string ledgers;
  std::vector<std::string> reasons_against;
  bool counted = true;
  for (const auto& [name, step] : steps) {
    check_alike(name, step, out);
    if (!step.is_private) add_missing(reasons_against, {reason_against(step)});
    counted = counted && std::isfinite(step.epsilon_spent);
    if (step.randomness == kFixedRandomness) out.randomness = kFixedRandomness;
    all_alike = all_alike && step.ledger == out.ledger;
    ledgers += (ledgers.empty() ? "" : "; ") + name + ": " + step.ledger;
    out.delta = std::max(out.delta, step.delta);
    add_looks(out, step, name);
    for (const PublicInput& input : step.public_inputs) {
      if (input.name == "start") {
        throw InvalidArgument("start: given to '" + core::printable(name) +
                              "', accepted is none in a pipeline: what the steps before that "
                              "model cost is not known here");
      }
      out.public_inputs.push_back({name + "." + input.name, input.value, input.source});
    }
    add_missing(out.covers, step.covers);
    add_missing(out.not_covered, step.not_covered);
    add_missing(out.found_amiss, step.found_amiss);
  }
  if (steps.size() > 1) {
    out.not_covered.push_back(
        "a budget of a later step that was chosen after looking at what an earlier one gave: costs "
        "that were fixed beforehand add up");
  }
  add_missing(out.not_covered, not_covered_either);
  if (!all_alike) out.ledger = ledgers;
  out.epsilon_spent = std::numeric_limits<double>::quiet_NaN();
  if (counted) settle_spent(out);
  settle_guarantee(out, reasons_against);
  return out;
}

void check_guarantee(const Statement& statement) {
  if (!statement.is_private) {
    if (!statement.runs) static_cast<void>(statement.met_by_one_unit());  // whose costs are costs
    return;
  }
  privacy::Budget{statement.epsilon, statement.delta}.check();
  if (statement.epsilon > kLargestEpsilon) {
    throw InvalidArgument("epsilon: given is " + core::number_text(statement.epsilon) +
                          " of a private model; accepted is at most " +
                          core::number_text(kLargestEpsilon) + ": beyond it nothing is promised");
  }
  if (statement.mechanisms.empty()) {
    throw InvalidArgument("mechanisms: none was used; accepted is what the guarantee rests on");
  }
  const double spent = statement.spent().epsilon;
  constexpr double kRounding = 1e-9;  // of another version's accountant
  if (!(spent <= statement.epsilon * (1.0 + kRounding)) ||
      !(spent <= statement.epsilon_spent * (1.0 + kRounding))) {
    throw InvalidArgument("mechanisms: they cost epsilon " + core::number_text(spent) +
                          "; accepted is at most what is promised and said to be spent");
  }
  if (statement.guarantee != promise(statement)) {
    throw InvalidArgument("guarantee: given '" + core::printable(statement.guarantee) +
                          "'; accepted is what epsilon and delta say, " + promise(statement));
  }
}

}  // namespace southwell::model
