#include "southwell/privacy/calibrate.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "accounting.hpp"
#include "commands.hpp"
#include "json_output.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/version.hpp"
#include "southwell/privacy/advanced.hpp"
#include "whole_number.hpp"

namespace southwell::cli {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

struct Options {
  MechanismOptions mechanisms;
  double epsilon = 0.0;
  double share = 0.8;
};

/// One line of the table: what an accountant would have allowed.
struct Allowed {
  std::string name;
  double selection = kNoNumber;
  double release = kNoNumber;  ///< epsilon, or shift / sigma
  double scale = kNoNumber;    ///< of the release, in sensitivities; exact
  double spent = kNoNumber;
  bool valid = false;  ///< it has a number, and the bound behind it holds
};

Allowed allowed_by(const std::string& name, const MechanismOptions& mechanisms,
                   const privacy::Calibrated& calibrated) {
  Allowed row{.name = name, .spent = calibrated.spent.epsilon, .valid = true};
  if (mechanisms.selects()) row.selection = level_of(calibrated.costs.front());
  const privacy::Cost& release = calibrated.costs.back();
  row.release = level_of(release);
  row.scale = static_cast<double>(release.scale) / static_cast<double>(release.shift);
  return row;
}

/// The paper: all 2T queries at one epsilon', its noisy max charged epsilon' as well. Never valid:
/// neighbours move scores in opposite directions, so that noisy max costs up to 2 epsilon'.
Allowed allowed_by_paper(const Options& options) {
  const MechanismOptions& mechanisms = options.mechanisms;
  Allowed row{.name = "paper"};
  if (mechanisms.delta == 0.0 || mechanisms.release == "gaussian") return row;
  row.release =
      privacy::paper_query_epsilon(options.epsilon, mechanisms.delta, mechanisms.iterations);
  row.selection = row.release;
  row.spent = privacy::paper_epsilon(row.release, mechanisms.iterations, mechanisms.delta);
  return row;
}

std::vector<Allowed> side_by_side(const Options& options, const privacy::Plan& plan,
                                  const privacy::Calibrated& certified) {
  std::vector<Allowed> rows;
  const privacy::Budget budget{options.epsilon, options.mechanisms.delta};
  for (const privacy::Accountant accountant : privacy::kAccountants) {
    const std::string name(name_of(accountant));
    try {
      rows.push_back(
          allowed_by(name, options.mechanisms, calibrate_by(accountant, plan, budget, certified)));
    } catch (const CalibrationError&) {
      rows.push_back({.name = name});  // no bound for these mechanisms, or none within the limits
    }
  }
  if (options.mechanisms.selects()) rows.push_back(allowed_by_paper(options));
  return rows;
}

bool gaussian(const MechanismOptions& mechanisms) {
  return mechanisms.solver == "sgd" || mechanisms.release == "gaussian";
}

void print_as_json(const Options& options, const privacy::Calibrated& calibrated,
                   const std::vector<Allowed>& rows) {
  const MechanismOptions& mechanisms = options.mechanisms;
  const Allowed chosen = allowed_by("", mechanisms, calibrated);
  nlohmann::json out{{"southwell_version", kVersion},
                     {"private", true},
                     {"epsilon", options.epsilon},
                     {"delta", mechanisms.delta},
                     {"solver", mechanisms.solver},
                     {"iterations", mechanisms.iterations},
                     {"relation", mechanisms.relation},
                     {"release", gaussian(mechanisms) ? "gaussian" : "laplace"},
                     {"release_scale", chosen.scale},
                     {"epsilon_spent", calibrated.spent.epsilon},
                     {"accountant", name_of(calibrated.spent.accountant)}};
  out[gaussian(mechanisms) ? "release_sigma" : "release_epsilon"] =
      gaussian(mechanisms) ? chosen.scale : chosen.release;
  if (mechanisms.selects()) {
    out["share"] = options.share;
    out["selection"] = mechanisms.selection;
    out["selection_epsilon"] = chosen.selection;
    out["selection_scale"] = 2.0 / chosen.selection;
  }
  for (const Allowed& row : rows) {
    nlohmann::json& entry = out["accountants"][row.name];
    entry = {{"selection_epsilon", number_or_null(row.selection)},
             {"release_epsilon", number_or_null(gaussian(mechanisms) ? kNoNumber : row.release)},
             {"epsilon_spent", number_or_null(row.spent)},
             {"valid", row.valid}};
    if (gaussian(mechanisms)) entry["release_sigma"] = number_or_null(row.scale);
  }
  print_json(out);
}

std::string cell(double number) {
  return std::isfinite(number) ? fmt::format("{:.6g}", number) : "-";
}

void print_as_table(const Options& options, const privacy::Calibrated& calibrated,
                    const std::vector<Allowed>& rows) {
  const MechanismOptions& mechanisms = options.mechanisms;
  const Allowed chosen = allowed_by("", mechanisms, calibrated);
  fmt::print("{} iterations of {}, {}, epsilon {:g}, delta {:g}\n", mechanisms.iterations,
             mechanisms.solver, mechanisms.relation, options.epsilon, mechanisms.delta);
  if (mechanisms.selects()) {
    fmt::print("selection  {:12} epsilon {:.6g} each, scale {:.6g} sensitivities\n",
               mechanisms.selection, chosen.selection, 2.0 / chosen.selection);
  }
  if (gaussian(mechanisms)) {
    fmt::print("release    {:12} sigma {:.6g} {}\n", "gaussian", chosen.scale,
               mechanisms.solver == "sgd" ? "times the clipped norm" : "sensitivities");
  } else {
    fmt::print("release    {:12} epsilon {:.6g} each, scale {:.6g} sensitivities\n", "laplace",
               chosen.release, chosen.scale);
  }
  fmt::print("spent      {:.9g}, certified by {}\n\n",
             privacy::rounded_up(calibrated.spent.epsilon), name_of(calibrated.spent.accountant));
  const char* release = gaussian(mechanisms) ? "1 / sigma" : "release";
  fmt::print("{:10} {:>12} {:>12} {:>12}\n", "allowed by", "selection", release, "spent");
  for (const Allowed& row : rows) {
    fmt::print("{:10} {:>12} {:>12} {:>12}{}\n", row.name, cell(row.selection), cell(row.release),
               cell(row.spent),
               row.valid || !std::isfinite(row.spent) ? "" : "  not valid: no guarantee");
  }
}

void run(const Options& options, const CLI::App& command) {
  options.mechanisms.check(command);
  if (!options.mechanisms.selects() && command.count("--share") > 0) {
    throw InvalidArgument("--share: does not apply to --solver " + options.mechanisms.solver);
  }
  const privacy::Plan plan = options.mechanisms.plan(options.share);
  const privacy::Budget budget{options.epsilon, options.mechanisms.delta};
  const privacy::Calibrated calibrated = calibrate(plan, budget);
  const std::vector<Allowed> rows = side_by_side(options, plan, calibrated);
  (options.mechanisms.json ? print_as_json : print_as_table)(options, calibrated, rows);
}

}  // namespace

void add_calibrate(CLI::App& parent) {
  auto options = std::make_shared<Options>();
  CLI::App* command = parent.add_subcommand(
      "calibrate", "Budget to noise: the least noise that keeps a fit within (epsilon, delta)");
  command->add_option("--epsilon", options->epsilon, "The budget")
      ->required()
      ->check(positive_number());
  options->mechanisms.add_to(*command);
  command->add_option("--share", options->share,
                      "gcd: selection's part of an iteration's budget, between 0 and 1 [0.8; a fit chooses by features and T]");
  command->footer(
      "Prints what a fit would use, and what each accountant alone would have allowed. basic and\n"
      "rdp certify; zcdp, pld and advanced are there to compare; paper is the published\n"
      "accounting, whose noisy max costs up to twice what it is charged.\n\n"
      "Examples:\n"
      "  southwell calibrate --epsilon 1 --delta 1e-6 --iterations 10\n"
      "  southwell calibrate --epsilon 1 --delta 1e-6 --iterations 10 --release gaussian --json\n"
      "  southwell calibrate --solver sgd --epsilon 2 --delta 1e-6 --iterations 1000 \\\n"
      "      --batch-size 100 --records 10000\n");
  command->callback([options, command] { run(*options, *command); });
}

}  // namespace southwell::cli
