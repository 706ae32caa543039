#include <cmath>
#include <memory>

#include <fmt/core.h>

#include "accounting.hpp"
#include "commands.hpp"
#include "southwell/privacy/budget.hpp"
#include "validators.hpp"

namespace southwell::cli {
namespace {

struct Options {
  MechanismOptions mechanisms;
  fit::NoiseSpec noise;
};

void print_as_table(const fit::Account& account) {
  const fit::MechanismSpec& spec = account.spec;
  fmt::print("{} iterations of {}, {}, delta {:g}\n", spec.iterations, spec.solver, spec.relation,
             spec.delta);
  if (spec.selects()) {
    fmt::print("selection  {:12} epsilon {:.17g} each\n", spec.selection_name(),
               account.selection_epsilon);
  }
  if (spec.gaussian()) {
    fmt::print("release    {:12} sigma {:.17g} {}\n", "gaussian", account.release,
               spec.solver == "sgd" ? "times the clipped norm" : "sensitivities");
  } else {
    fmt::print("release    {:12} epsilon {:.17g} each\n", "laplace", account.release);
  }
  if (account.rate > 0.0) {
    fmt::print("sample     {:12} rate {:.17g}\n", "poisson", account.rate);
  }
  fmt::print("spent      {:.9g}, certified by {}\n\n{:12} {:>12}\n",
             privacy::rounded_up(account.spent.epsilon), name_of(account.spent.accountant), "by",
             "epsilon");
  for (const auto& [accountant, epsilon] : account.epsilon_by) {
    fmt::print("{:12} {:>12}\n", name_of(accountant),
               std::isfinite(epsilon) ? fmt::format("{:.9g}", privacy::rounded_up(epsilon)) : "-");
  }
}

void run(const Options& options) {
  const fit::Account account = fit::account(options.mechanisms.spec, options.noise);
  if (options.mechanisms.json) {
    fmt::print("{}", fit::to_json(account));
  } else {
    print_as_table(account);
  }
}

}  // namespace

void add_account(const Command& parent) {
  auto options = std::make_shared<Options>();
  const Command command =
      parent.add_subcommand("account", "Noise to budget: the epsilon that given noise spends");
  options->mechanisms.add_to(command);
  command
      .add_option("--selection-epsilon", options->noise.selection_epsilon,
                  "gcd: epsilon of one selection (scale 2 / epsilon sensitivities)")
      .check(positive_number());
  command
      .add_option("--release-epsilon", options->noise.release_epsilon,
                  "laplace: epsilon of one release (scale 1 / epsilon sensitivities)")
      .check(positive_number());
  command
      .add_option("--release-sigma", options->noise.release_sigma,
                  "gaussian: sigma in sensitivities; sgd: in clipped norms")
      .check(positive_number());
  command.footer(
      "What is typed is accounted for as whole grid units of noise, rounded down, and a sampling\n"
      "rate rounded up; both are printed. basic, rdp and hockey_stick certify (the last for\n"
      "exponential selections and Gaussian releases); zcdp, pld and advanced are there to "
      "compare.\n\n"
      "Examples:\n"
      "  southwell account --iterations 10 --delta 1e-6 --selection-epsilon 0.13 \\\n"
      "      --release-epsilon 0.03\n"
      "  southwell account --solver cd --release gaussian --release-sigma 8 --iterations 20 \\\n"
      "      --delta 1e-6 --json\n");
  command.callback([options] { run(*options); });
}

}  // namespace southwell::cli
