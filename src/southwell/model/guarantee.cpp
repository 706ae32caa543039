#include "southwell/model/guarantee.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "southwell/core/error.hpp"
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
      "what was chosen by looking at the data: clip, scales, iterations, penalty, features",
  };
  statement.randomness = "operating system entropy, ChaCha20";
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
    // A start that was private too brings its cost along, above what this fit was asked to keep.
    // It is printed with six digits then, so it is taken a little larger than that rounds.
    const std::string epsilon = statement.epsilon_spent > statement.epsilon
                                    ? privacy::text_of(statement.epsilon_spent * (1.0 + 1e-5))
                                    : exact_text(statement.epsilon);
    statement.guarantee = "(" + epsilon + ", " + exact_text(statement.delta) + ")-DP";
    return;
  }
  statement.guarantee = "none (";
  for (std::size_t k = 0; k < reasons_against.size(); ++k) {
    statement.guarantee += (k == 0 ? "" : ", ") + reasons_against[k];
  }
  statement.guarantee += ")";
}

}  // namespace southwell::model
