#include "southwell/model/statement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <set>
#include <stdexcept>

#include "southwell/core/error.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/model/statement_words.hpp"
#include "southwell/privacy/budget.hpp"

namespace southwell::model {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kIndent = 16;

/// What a terminal shows: code points, not bytes.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0u) != 0x80u;
  }));
}

std::string padded(std::string text, std::size_t to) {
  const std::size_t has = width(text);
  text.append(has < to ? to - has : 0, ' ');
  return text + ' ';
}

/// The front of `text` that fits, in whole words where there is a blank to break at.
std::string_view fitting(std::string_view text, std::size_t most) {
  std::size_t bytes = 0;
  std::size_t shown = 0;
  std::size_t blank = 0;
  for (; bytes < text.size(); ++bytes) {
    const bool starts = (static_cast<unsigned char>(text[bytes]) & 0xc0u) != 0x80u;
    if (starts && shown++ == most) break;
    if (text[bytes] == ' ') blank = bytes;
  }
  if (bytes == text.size() || text[bytes] == ' ') return text.substr(0, bytes);
  return text.substr(0, blank > 0 ? blank : bytes);
}

class Lines {
 public:
  /// A label and text after it, wrapped.
  void add(std::string_view label, const std::string& text) {
    add_wrapped(padded(std::string(label), kIndent - 1), core::printable(text));
  }
  /// `front` as it is, then text that is wrapped below where it started.
  void add_wrapped(std::string front, std::string_view text) {
    const std::size_t indent = width(front);
    while (true) {
      const std::string_view part = fitting(text, kColumns - indent);
      out_ += front;
      out_ += part;
      while (!out_.empty() && out_.back() == ' ') out_.pop_back();
      out_ += '\n';
      text.remove_prefix(part.size());
      while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
      if (text.empty()) return;
      front.assign(indent, ' ');
    }
  }
  void add_list(std::string_view label, const std::vector<std::string>& items) {
    for (std::size_t k = 0; k < items.size(); ++k) add(k == 0 ? label : "", items[k]);
  }
  std::string take() && { return std::move(out_); }

 private:
  std::string out_;
};

void add_mechanisms(Lines& lines, const std::vector<MechanismUse>& mechanisms) {
  std::vector<std::array<std::string, 5>> rows{{"step", "mechanism", "shift", "scale", "times"}};
  for (const MechanismUse& use : mechanisms) {
    rows.push_back({core::printable(step_text(use)), core::printable(use.name),
                    std::to_string(use.cost.shift), std::to_string(use.cost.scale),
                    std::to_string(use.count)});
  }
  std::array<std::size_t, 5> widths{};
  for (const auto& row : rows) {
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], width(row[k]));
  }
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string row;
    for (std::size_t k = 0; k < widths.size(); ++k) {
      // Names stand to the left, whole numbers to the right.
      if (k >= 2) row.append(widths[k] - width(rows[r][k]), ' ');
      row += k >= 2 ? rows[r][k] + ' ' : padded(rows[r][k], widths[k]);
    }
    row += r == 0 ? "one use costs" : cost_text(mechanisms[r - 1].cost);
    lines.add_wrapped(padded(r == 0 ? "mechanisms" : "", kIndent - 1), row);
  }
}

void add_public_inputs(Lines& lines, const std::vector<PublicInput>& inputs) {
  constexpr std::size_t kSource = 9;
  std::size_t names = 0;
  for (const PublicInput& input : inputs) names = std::max(names, width(input.name));
  names = std::min<std::size_t>(names, 60);
  for (std::size_t k = 0; k < inputs.size(); ++k) {
    std::string front =
        padded(k == 0 ? "public inputs" : "", kIndent - 1) +
        padded(std::string(fitting(core::printable(inputs[k].name), names)), names) + ' ' +
        padded(std::string(name_of(inputs[k].source)), kSource) + ' ';
    lines.add_wrapped(std::move(front), input_text(inputs[k].value));
  }
}

}  // namespace

std::string_view name_of(Source source) {
  switch (source) {
    case Source::user:
      return "user";
    case Source::standard:
      return "default";
    case Source::data:
      return "data";
    case Source::mechanism:
      return "mechanism";
  }
  throw std::logic_error("statement: a source without a name");
}

std::string_view name_of(privacy::Cost::Kind kind) {
  using Kind = privacy::Cost::Kind;
  switch (kind) {
    case Kind::pure:
      return "pure";
    case Kind::bounded_range:
      return "bounded_range";
    case Kind::discrete_laplace:
      return "discrete_laplace";
    case Kind::discrete_gaussian:
      return "discrete_gaussian";
    case Kind::sampled_gaussian_add_or_remove:
      return "sampled_gaussian_add_or_remove";
    case Kind::sampled_gaussian_replace:
      return "sampled_gaussian_replace";
  }
  throw std::logic_error("statement: a kind of cost without a name");
}

bool Statement::is_named(const PublicInput& input, std::string_view name) {
  return input.name == name || input.name.ends_with("." + std::string(name));
}

bool Statement::is_refined() const {
  return std::any_of(public_inputs.begin(), public_inputs.end(), [](const PublicInput& input) {
    return is_named(input, "refine") && input.value == PublicInput::Value(std::string("on"));
  });
}

bool is_part(std::string_view part, std::string_view name) {
  return part == name || part.ends_with("." + std::string(name));
}

bool Statement::follows(const MechanismUse& use) const {
  return use.plan.empty() || is_part(use.plan, solver);
}

namespace {

std::vector<privacy::PartedUse> parted(const std::vector<MechanismUse>& mechanisms) {
  std::vector<privacy::PartedUse> uses;
  for (const MechanismUse& use : mechanisms) {
    uses.push_back({use.cost, use.count, use.part, use.plan});
  }
  return uses;
}

/// What one unit can meet of these uses, in one order of the ways to stand in parts whichever uses
/// are wanted.
template <class IsWanted>
std::vector<privacy::Composition> met_of(const std::vector<MechanismUse>& mechanisms,
                                         const IsWanted& is_wanted) {
  std::vector<privacy::PartedUse> uses;
  for (const MechanismUse& use : mechanisms) {
    uses.push_back({use.cost, is_wanted(use) ? use.count : 0, use.part});
  }
  return privacy::met_by_one_unit(uses);
}

/// For every way to stand in parts (repeated_runs.md, *Parts*): runs of which nothing meets the
/// unit cost nothing.
privacy::Spent spent_in_runs(const Statement& statement) {
  const std::vector<MechanismUse>& uses = statement.mechanisms;
  std::set<std::string> kinds;  // of runs
  for (const MechanismUse& use : uses) {
    if (!use.run.empty() && use.run != kEveryRun) kinds.insert(use.run);
  }
  if (kinds.empty()) kinds.insert(kEveryRun);
  const auto once = met_of(uses, [](const MechanismUse& use) { return use.run.empty(); });
  std::vector<std::vector<privacy::Composition>> in_run(once.size());
  for (const std::string& kind : kinds) {
    const auto met = met_of(
        uses, [&](const MechanismUse& use) { return use.run == kind || use.run == kEveryRun; });
    for (std::size_t way = 0; way < met.size(); ++way) in_run[way].push_back(met[way]);
  }
  privacy::Spent most{0.0, statement.delta, privacy::Accountant::rdp, 0.0};
  for (std::size_t way = 0; way < once.size(); ++way) {
    const bool meets_none = std::all_of(in_run[way].begin(), in_run[way].end(),
                                        [](const auto& run) { return run.events().empty(); });
    const privacy::Spent of_way =
        meets_none ? privacy::spent(once[way], statement.delta)
                   : privacy::Spent{privacy::repeated_epsilon(in_run[way], *statement.runs,
                                                              statement.delta, once[way]),
                                    statement.delta, privacy::Accountant::rdp, 0.0};
    if (of_way.epsilon > most.epsilon) most = of_way;
  }
  return most;
}

}  // namespace

std::vector<privacy::Composition> Statement::met_by_one_unit() const {
  if (runs) {
    throw InvalidArgument(
        "mechanisms: those of a model that is the best of a secret number of runs, accepted is a "
        "list whose costs add up");
  }
  return privacy::met_by_one_unit(parted(mechanisms));
}

privacy::Spent Statement::spent() const {
  return runs ? spent_in_runs(*this) : privacy::spent(parted(mechanisms), delta);
}

privacy::Composition Statement::composition() const {
  privacy::Composition composition;
  for (const MechanismUse& use : mechanisms) composition.add(use.cost, use.count);
  return composition;
}

std::string to_text(const Statement& statement) {
  Lines lines;
  lines.add("guarantee", statement.guarantee);
  lines.add("spent", spent_text(statement));
  lines.add("neighbours", statement.relation + "; the unit is " + statement.unit);
  lines.add("records", divisor_text(statement));
  if (!statement.parts.empty()) lines.add("parts", parts_text(statement));
  if (statement.runs) lines.add("runs", runs_text(*statement.runs));
  if (!statement.solver.empty()) lines.add("fit", fit_text(statement));
  if (const std::string plans = plans_text(statement); !plans.empty()) lines.add("plans", plans);
  if (!statement.mechanisms.empty()) add_mechanisms(lines, statement.mechanisms);
  add_public_inputs(lines, statement.public_inputs);
  lines.add("randomness", statement.randomness);
  lines.add("ledger", statement.ledger);
  lines.add_list("covers", statement.covers);
  lines.add_list("not covered", statement.not_covered);
  lines.add_list("warning", warnings_of(statement));
  return std::move(lines).take();
}

}  // namespace southwell::model
