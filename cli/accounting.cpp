#include "accounting.hpp"

#include <cmath>
#include <string>

#include "southwell/core/error.hpp"
#include "southwell/core/round_up.hpp"
#include "southwell/privacy/budget.hpp"
#include "whole_number.hpp"

namespace southwell::cli {

void MechanismOptions::add_to(CLI::App& command) {
  command.add_option("--iterations", iterations, "T: how many selections and releases")
      ->required()
      ->transform(whole_number(1));
  command.add_option("--delta", delta, "0 means pure differential privacy [0]")
      ->check(CLI::Range(0.0, 1.0));
  command.add_option("--solver", solver, "gcd (selection and release), cd (release), sgd [gcd]")
      ->check(CLI::IsMember({"gcd", "cd", "sgd"}));
  command
      .add_option("--relation", relation,
                  "Neighbours: replace_one or add_or_remove_one [replace_one]")
      ->check(CLI::IsMember({"replace_one", "add_or_remove_one"}));
  command
      .add_option("--selection", selection,
                  "gcd: exponential, permute_and_flip or noisy_max [exponential]")
      ->check(CLI::IsMember({"exponential", "permute_and_flip", "noisy_max"}));
  command.add_option("--release", release, "gcd and cd: laplace or gaussian noise [laplace]")
      ->check(CLI::IsMember({"laplace", "gaussian"}));
  command.add_option("--batch-size", batch_size, "sgd: expected number of records in a step")
      ->check(positive_number());
  command.add_option("--records", records, "sgd: number of records")->transform(whole_number(1));
  command.add_flag("--json", json, "Machine-readable output");
}

void MechanismOptions::check(const CLI::App& command) const {
  const auto forbid = [&](const char* option) {
    if (command.count(option) > 0) {
      throw InvalidArgument(std::string(option) + ": does not apply to --solver " + solver);
    }
  };
  if (solver != "gcd") forbid("--selection");
  if (solver == "sgd") {
    forbid("--release");
    if (records == 0 || command.count("--batch-size") == 0) {
      throw InvalidArgument("--batch-size and --records: --solver sgd needs both");
    }
    check_positive("--batch-size", batch_size);
  } else {
    forbid("--batch-size");
    forbid("--records");
  }
}

privacy::Plan MechanismOptions::plan(double share) const {
  const auto neighbours = relation == "replace_one" ? privacy::Relation::replace_one
                                                    : privacy::Relation::add_or_remove_one;
  const auto noise = release == "laplace" ? privacy::Release::laplace : privacy::Release::gaussian;
  if (solver == "cd") {
    return privacy::plan_cd({.iterations = iterations, .relation = neighbours, .release = noise});
  }
  if (solver == "sgd") {
    return privacy::plan_sgd({.iterations = iterations,
                              .sampled = sampled_of(batch_size, records),
                              .relation = neighbours});
  }
  const auto choice = selection == "exponential"        ? privacy::Selection::exponential
                      : selection == "permute_and_flip" ? privacy::Selection::permute_and_flip
                                                        : privacy::Selection::noisy_max;
  return privacy::plan_gcd({.iterations = iterations,
                            .relation = neighbours,
                            .selection = choice,
                            .release = noise,
                            .share = share});
}

double level_of(const privacy::Cost& cost) {
  return (core::Enclosure::whole(cost.shift) / core::Enclosure::whole(cost.scale)).high;
}

std::uint64_t sampled_of(double batch_size, std::uint64_t records) {
  if (records > std::uint64_t{1} << 53) {
    throw InvalidArgument("--records: given is " + std::to_string(records) +
                          ", accepted are whole numbers up to 2^53");
  }
  const auto all = static_cast<double>(records);
  if (!(batch_size <= all)) throw InvalidArgument("--batch-size: more than --records");
  const double words = batch_size * 0x1p32;
  double sampled = std::floor(words / all);
  // A fused product has the sign of the exact difference.
  while (std::fma(sampled, all, -words) < 0.0) sampled += 1.0;
  return static_cast<std::uint64_t>(sampled);
}

void check_positive(const char* option, double number) {
  if (number > 0.0 && std::isfinite(number)) return;
  throw InvalidArgument(std::string(option) + ": given is " + privacy::text_of(number) +
                        ", accepted are positive finite numbers");
}

}  // namespace southwell::cli
