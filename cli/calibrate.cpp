#include <cmath>
#include <memory>
#include <optional>
#include <string>

#include <fmt/core.h>

#include "accounting.hpp"
#include "commands.hpp"
#include "southwell/privacy/budget.hpp"
#include "validators.hpp"

namespace southwell::cli {
namespace {

struct Options {
  MechanismOptions mechanisms;
  double epsilon = 0.0;
  std::optional<double> share;
};

std::string cell(double number) {
  return std::isfinite(number) ? fmt::format("{:.6g}", number) : "-";
}

void print_as_table(const fit::Calibration& calibration) {
  const fit::MechanismSpec& spec = calibration.spec;
  const fit::Allowed& chosen = calibration.chosen;
  fmt::print("{} iterations of {}, {}, epsilon {:g}, delta {:g}\n", spec.iterations, spec.solver,
             spec.relation, calibration.epsilon, spec.delta);
  if (spec.selects()) {
    fmt::print("selection  {:12} epsilon {:.6g} each, scale {:.6g} sensitivities\n",
               spec.selection_name(), chosen.selection, 2.0 / chosen.selection);
  }
  if (spec.gaussian()) {
    fmt::print("release    {:12} sigma {:.6g} {}\n", "gaussian", chosen.scale,
               spec.solver == "sgd" ? "times the clipped norm" : "sensitivities");
  } else {
    fmt::print("release    {:12} epsilon {:.6g} each, scale {:.6g} sensitivities\n", "laplace",
               chosen.release, chosen.scale);
  }
  fmt::print("spent      {:.9g}, certified by {}\n\n",
             privacy::rounded_up(calibration.spent.epsilon), name_of(calibration.spent.accountant));
  const char* release = spec.gaussian() ? "1 / sigma" : "release";
  fmt::print("{:12} {:>12} {:>12} {:>12}\n", "allowed by", "selection", release, "spent");
  for (const fit::Allowed& row : calibration.allowed) {
    fmt::print("{:12} {:>12} {:>12} {:>12}{}\n", row.name, cell(row.selection), cell(row.release),
               cell(row.spent),
               row.valid || !std::isfinite(row.spent) ? "" : "  not valid: no guarantee");
  }
}

void run(const Options& options) {
  const fit::Calibration calibration =
      fit::calibrate(options.mechanisms.spec, options.epsilon, options.share);
  if (options.mechanisms.json) {
    fmt::print("{}", fit::to_json(calibration));
  } else {
    print_as_table(calibration);
  }
}

}  // namespace

void add_calibrate(const Command& parent) {
  auto options = std::make_shared<Options>();
  const Command command = parent.add_subcommand(
      "calibrate", "Budget to noise: the least noise that keeps a fit within (epsilon, delta)");
  command.add_option("--epsilon", options->epsilon, "The budget")
      .required()
      .check(positive_number());
  options->mechanisms.add_to(command);
  command.add_option("--share", options->share,
                     "gcd: selection's part of an iteration's budget, between 0 and 1 [0.8; a fit "
                     "chooses by features and T]");
  command.footer(
      "Prints what a fit would use, and what each accountant alone would have allowed. basic, rdp\n"
      "and hockey_stick certify (the last for exponential selections and Gaussian releases); "
      "zcdp,\n"
      "pld and advanced are there to compare; paper is the published accounting, whose noisy max\n"
      "costs up to twice what it is charged.\n\n"
      "Examples:\n"
      "  southwell calibrate --epsilon 1 --delta 1e-6 --iterations 10\n"
      "  southwell calibrate --epsilon 1 --delta 1e-6 --iterations 10 --release gaussian --json\n"
      "  southwell calibrate --solver sgd --epsilon 2 --delta 1e-6 --iterations 1000 \\\n"
      "      --batch-size 100 --records 10000\n");
  command.callback([options] { run(*options); });
}

}  // namespace southwell::cli
