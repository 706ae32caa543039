#include <cmath>
#include <memory>
#include <string>

#include <fmt/core.h>

#include "accounting.hpp"
#include "commands.hpp"
#include "json_output.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/version.hpp"
#include "southwell/privacy/accountant.hpp"

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
}

privacy::Composition composition_of(const Options& options) {
  privacy::Composition composition;
  for (privacy::PlannedUse& use : options.mechanisms.plan(0.5)) {
    const bool is_selection =
        use.kind == privacy::Cost::Kind::bounded_range || use.kind == privacy::Cost::Kind::pure;
    use.weight = 1.0;
    const double level = is_selection                  ? options.selection_epsilon
                         : options.release_sigma > 0.0 ? 1.0 / options.release_sigma
                                                       : options.release_epsilon;
    composition.add(use.at(level), use.count);
  }
  return composition;
}

void run(const Options& options, const CLI::App& command) {
  check(options, command);
  const MechanismOptions& mechanisms = options.mechanisms;
  const privacy::Composition composition = composition_of(options);
  const privacy::Spent certified = spent(composition, mechanisms.delta);
  if (!std::isfinite(certified.epsilon)) {
    throw CalibrationError("account: Gaussian noise has no finite epsilon at delta 0");
  }
  if (mechanisms.json) {
    nlohmann::json out{{"southwell_version", kVersion},
                       {"private", true},
                       {"delta", mechanisms.delta},
                       {"solver", mechanisms.solver},
                       {"relation", mechanisms.relation},
                       {"iterations", mechanisms.iterations},
                       {"epsilon_spent", certified.epsilon},
                       {"accountant", name_of(certified.accountant)},
                       {"order", number_or_null(certified.order)}};
    for (const privacy::Accountant accountant : privacy::kAccountants) {
      out["accountants"][std::string(name_of(accountant))] =
          number_or_null(epsilon_by(accountant, composition, mechanisms.delta));
    }
    print_json(out);
    return;
  }
  fmt::print("{} iterations of {}, {}, delta {:g}\nspent      {:.9g}, certified by {}\n\n",
             mechanisms.iterations, mechanisms.solver, mechanisms.relation, mechanisms.delta,
             certified.epsilon, name_of(certified.accountant));
  fmt::print("{:10} {:>12}\n", "by", "epsilon");
  for (const privacy::Accountant accountant : privacy::kAccountants) {
    const double epsilon = epsilon_by(accountant, composition, mechanisms.delta);
    fmt::print("{:10} {:>12}\n", name_of(accountant),
               std::isfinite(epsilon) ? fmt::format("{:.9g}", epsilon) : "-");
  }
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
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--release-epsilon", options->release_epsilon,
                   "laplace: epsilon of one release (scale 1 / epsilon sensitivities)")
      ->check(CLI::PositiveNumber);
  command
      ->add_option("--release-sigma", options->release_sigma,
                   "gaussian: sigma in sensitivities; sgd: in clipped norms")
      ->check(CLI::PositiveNumber);
  command->footer(
      "Scales are rounded up to whole grid units, as a fit rounds them. basic and rdp certify;\n"
      "zcdp, pld and advanced are there to compare.\n\n"
      "Examples:\n"
      "  southwell account --iterations 10 --delta 1e-6 --selection-epsilon 0.13 \\\n"
      "      --release-epsilon 0.03\n"
      "  southwell account --solver cd --release gaussian --release-sigma 8 --iterations 20 \\\n"
      "      --delta 1e-6 --json\n");
  command->callback([options, command] { run(*options, *command); });
}

}  // namespace southwell::cli
