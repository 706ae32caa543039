#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "accounting.hpp"
#include "commands.hpp"
#include "json_output.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/version.hpp"
#include "southwell/privacy/accountant.hpp"
#include "southwell/privacy/budget.hpp"
#include "southwell/privacy/scale.hpp"
#include "whole_number.hpp"

namespace southwell::cli {
namespace {

struct Options {
  MechanismOptions mechanisms;
  double selection_epsilon = 0.0;
  double release_epsilon = 0.0;
  double release_sigma = 0.0;
};

/// Exactly the noise the solver needs must be given.
void check(const Options& options, const CLI::App& command) {
  const MechanismOptions& mechanisms = options.mechanisms;
  mechanisms.check(command);
  const bool gaussian = mechanisms.solver == "sgd" || mechanisms.release == "gaussian";
  const auto want = [&](const char* name, bool wanted) {
    if ((command.count(name) > 0) == wanted) return;
    throw InvalidArgument(std::string(name) + (wanted ? ": is required" : ": does not apply") +
                          " with --solver " + mechanisms.solver +
                          (mechanisms.solver == "sgd" ? "" : " --release " + mechanisms.release));
  };
  want("--selection-epsilon", mechanisms.selects());
  want("--release-epsilon", !gaussian);
  want("--release-sigma", gaussian);
  for (const auto& [name, number] : {std::pair{"--selection-epsilon", options.selection_epsilon},
                                     {"--release-epsilon", options.release_epsilon},
                                     {"--release-sigma", options.release_sigma}}) {
    if (command.count(name) > 0) check_positive(name, number);
  }
}

[[noreturn]] void refuse(const char* option, double given, const std::string& accepted) {
  throw InvalidArgument(std::string(option) + ": given is " + privacy::text_of(given) +
                        ", accepted are numbers " + accepted + " (whole grid units of noise)");
}

/// The largest whole scale whose epsilon, as it is printed, is not below what was typed: less noise
/// rather than more.
privacy::Cost with_epsilon(const privacy::PlannedUse& use, const char* option, double epsilon) {
  privacy::Cost cost{use.kind, use.shift, use.largest, use.sampled};
  if (epsilon < level_of(cost)) refuse(option, epsilon, "from " + privacy::text_of(level_of(cost)));
  cost.scale = privacy::scale_for(use.shift, epsilon, use.largest);
  if (level_of(cost) >= epsilon) return cost;
  if (--cost.scale == 0) {
    refuse(option, epsilon, "up to " + privacy::text_of(static_cast<double>(use.shift)));
  }
  return cost;
}

/// sigma in sensitivities, rounded down to whole units.
privacy::Cost with_sigma(const privacy::PlannedUse& use, double sigma) {
  const auto unit = static_cast<double>(use.shift);  // a power of 2: the product is exact
  const double units = std::floor(sigma * unit);
  const auto largest = static_cast<double>(use.largest);
  if (!(units >= 1.0) || units > largest) {
    refuse("--release-sigma", sigma,
           "from " + privacy::text_of(1.0 / unit) + " to " + privacy::text_of(largest / unit));
  }
  return {use.kind, use.shift, static_cast<std::uint64_t>(units), use.sampled};
}

/// What is accounted for: the noise that was typed, as whole scales.
struct Accounted {
  privacy::Composition composition;
  double selection_epsilon = 0.0;
  double release = 0.0;  ///< epsilon, or sigma
  double rate = 0.0;
};

Accounted accounted_for(const Options& options) {
  Accounted result;
  for (const privacy::PlannedUse& use : options.mechanisms.plan(0.5)) {
    const bool is_selection =
        use.kind == privacy::Cost::Kind::bounded_range || use.kind == privacy::Cost::Kind::pure;
    privacy::Cost cost;
    if (is_selection) {
      cost = with_epsilon(use, "--selection-epsilon", options.selection_epsilon);
      result.selection_epsilon = level_of(cost);
    } else if (options.release_sigma > 0.0) {
      cost = with_sigma(use, options.release_sigma);
      result.release = static_cast<double>(cost.scale) / static_cast<double>(cost.shift);
    } else {
      cost = with_epsilon(use, "--release-epsilon", options.release_epsilon);
      result.release = level_of(cost);
    }
    result.rate = static_cast<double>(use.sampled) * 0x1p-32;
    result.composition.add(cost, use.count);
  }
  return result;
}

void print_as_json(const Options& options, const Accounted& accounted,
                   const privacy::Spent& certified) {
  const MechanismOptions& mechanisms = options.mechanisms;
  nlohmann::json out{{"southwell_version", kVersion},
                     {"private", true},
                     {"delta", mechanisms.delta},
                     {"solver", mechanisms.solver},
                     {"relation", mechanisms.relation},
                     {"iterations", mechanisms.iterations},
                     {"epsilon_spent", certified.epsilon},
                     {"accountant", name_of(certified.accountant)},
                     {"order", number_or_null(certified.order)}};
  if (mechanisms.selects()) out["selection_epsilon"] = accounted.selection_epsilon;
  out[options.release_sigma > 0.0 ? "release_sigma" : "release_epsilon"] = accounted.release;
  if (accounted.rate > 0.0) out["sampling_rate"] = accounted.rate;
  for (const privacy::Accountant accountant : privacy::kAccountants) {
    out["accountants"][std::string(name_of(accountant))] =
        number_or_null(epsilon_by(accountant, accounted.composition, mechanisms.delta));
  }
  print_json(out);
}

void print_as_table(const Options& options, const Accounted& accounted,
                    const privacy::Spent& certified) {
  const MechanismOptions& mechanisms = options.mechanisms;
  fmt::print("{} iterations of {}, {}, delta {:g}\n", mechanisms.iterations, mechanisms.solver,
             mechanisms.relation, mechanisms.delta);
  if (mechanisms.selects()) {
    fmt::print("selection  {:12} epsilon {:.17g} each\n", mechanisms.selection,
               accounted.selection_epsilon);
  }
  if (options.release_sigma > 0.0) {
    fmt::print("release    {:12} sigma {:.17g} {}\n", "gaussian", accounted.release,
               mechanisms.solver == "sgd" ? "times the clipped norm" : "sensitivities");
  } else {
    fmt::print("release    {:12} epsilon {:.17g} each\n", "laplace", accounted.release);
  }
  if (accounted.rate > 0.0) {
    fmt::print("sample     {:12} rate {:.17g}\n", "poisson", accounted.rate);
  }
  fmt::print("spent      {:.9g}, certified by {}\n\n{:10} {:>12}\n",
             privacy::rounded_up(certified.epsilon), name_of(certified.accountant), "by",
             "epsilon");
  for (const privacy::Accountant accountant : privacy::kAccountants) {
    const double epsilon = epsilon_by(accountant, accounted.composition, mechanisms.delta);
    fmt::print("{:10} {:>12}\n", name_of(accountant),
               std::isfinite(epsilon) ? fmt::format("{:.9g}", privacy::rounded_up(epsilon)) : "-");
  }
}

void run(const Options& options, const CLI::App& command) {
  check(options, command);
  const Accounted accounted = accounted_for(options);
  const privacy::Spent certified = spent(accounted.composition, options.mechanisms.delta);
  if (!std::isfinite(certified.epsilon)) {
    throw CalibrationError("account: Gaussian noise has no finite epsilon at delta 0");
  }
  (options.mechanisms.json ? print_as_json : print_as_table)(options, accounted, certified);
}

}  // namespace

void add_account(CLI::App& parent) {
  auto options = std::make_shared<Options>();
  CLI::App* command =
      parent.add_subcommand("account", "Noise to budget: the epsilon that given noise spends");
  options->mechanisms.add_to(*command);
  command
      ->add_option("--selection-epsilon", options->selection_epsilon,
                   "gcd: epsilon of one selection (scale 2 / epsilon sensitivities)")
      ->check(positive_number());
  command
      ->add_option("--release-epsilon", options->release_epsilon,
                   "laplace: epsilon of one release (scale 1 / epsilon sensitivities)")
      ->check(positive_number());
  command
      ->add_option("--release-sigma", options->release_sigma,
                   "gaussian: sigma in sensitivities; sgd: in clipped norms")
      ->check(positive_number());
  command->footer(
      "What is typed is accounted for as whole grid units of noise, rounded down, and a sampling\n"
      "rate rounded up; both are printed. basic and rdp certify; zcdp, pld and advanced are there\n"
      "to compare.\n\n"
      "Examples:\n"
      "  southwell account --iterations 10 --delta 1e-6 --selection-epsilon 0.13 \\\n"
      "      --release-epsilon 0.03\n"
      "  southwell account --solver cd --release gaussian --release-sigma 8 --iterations 20 \\\n"
      "      --delta 1e-6 --json\n");
  command->callback([options, command] { run(*options, *command); });
}

}  // namespace southwell::cli
