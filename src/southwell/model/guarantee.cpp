#include "southwell/model/guarantee.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "southwell/core/error.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/privacy/accountant.hpp"
#include "southwell/privacy/budget.hpp"

namespace southwell::model {
namespace {

/// All digits of it: what is promised must not be rounded.
std::string exact_text(double number) {
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), number);
  return {text.data(), end};
}

std::string promise(const Statement& statement) {
  return "(" + exact_text(statement.epsilon) + ", " + exact_text(statement.delta) + ")-DP";
}

}  // namespace

void describe_cover(Statement& statement) {
  statement.covers = {
      "every iterate and the model: all choices and released gradients of the "
      "path, and whatever is computed from them"};
  statement.not_covered = {
      "errors of the file reader, running out of memory, the form of the data (types, shapes)",
      "the time a fit takes",
      "other fits on the same people, here or elsewhere: their costs add up",
      "people with more than one record: g records cost as a group",
      "what was chosen by looking at the data: clip, scales, iterations, penalty, features, start",
  };
  statement.randomness = "operating system entropy, ChaCha20";
}

std::string warning_of_large_delta(const Statement& statement) {
  if (statement.delta * statement.records < 1.0) return "";
  return "delta " + exact_text(statement.delta) +
         " is at least 1/n = " + exact_text(1.0 / statement.records) +
         "; publishing one record whole would keep such a promise";
}

void settle_spent(Statement& statement) {
  const privacy::Spent spent = privacy::spent(statement.composition(), statement.delta);
  if (!std::isfinite(spent.epsilon)) {
    throw CalibrationError("start: the cost of the model to start from has no bound at delta " +
                           privacy::text_of(statement.delta) + "; ask for a positive delta");
  }
  statement.epsilon_spent = spent.epsilon;
  statement.accountant = privacy::name_of(spent.accountant);
}

void settle_guarantee(Statement& statement, const std::vector<std::string>& reasons_against) {
  statement.is_private = reasons_against.empty();
  if (statement.is_private) {
    // A start that was private too brings its cost along, above what this fit was asked to keep:
    // then that is promised, in six digits, taken a little larger than they round.
    if (statement.epsilon_spent > statement.epsilon) {
      statement.epsilon = std::stod(privacy::text_of(statement.epsilon_spent * (1.0 + 1e-5)));
    }
    statement.guarantee = promise(statement);
    return;
  }
  statement.guarantee = "none (";
  for (std::size_t k = 0; k < reasons_against.size(); ++k) {
    statement.guarantee += (k == 0 ? "" : ", ") + reasons_against[k];
  }
  statement.guarantee += ")";
}

void check_guarantee(const Statement& statement) {
  const privacy::Composition composition = statement.composition();
  if (!statement.is_private) return;
  privacy::Budget{statement.epsilon, statement.delta}.check();
  if (composition.events().empty()) {
    throw InvalidArgument("mechanisms: none was used; accepted is what the guarantee rests on");
  }
  const double spent = privacy::spent(composition, statement.delta).epsilon;
  constexpr double kRounding = 1e-9;  // of another version's accountant
  if (!(spent <= statement.epsilon * (1.0 + kRounding)) ||
      !(spent <= statement.epsilon_spent * (1.0 + kRounding))) {
    throw InvalidArgument("mechanisms: they cost epsilon " + exact_text(spent) +
                          "; accepted is at most what is promised and said to be spent");
  }
  if (statement.guarantee != promise(statement)) {
    throw InvalidArgument("guarantee: given '" + core::printable(statement.guarantee) +
                          "'; accepted is what epsilon and delta say, " + promise(statement));
  }
}

}  // namespace southwell::model
