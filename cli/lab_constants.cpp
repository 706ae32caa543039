#include "lab/constants.hpp"

#include <memory>

#include <fmt/core.h>

#include "commands.hpp"
#include "lab_options.hpp"

namespace southwell::cli {
namespace {

const char* text_of(lab::Worth worth) {
  switch (worth) {
    case lab::Worth::exact:
      return "exact";
    case lab::Worth::lower_bound:
      return "lower bound";
    case lab::Worth::upper_bound:
      return "upper bound";
  }
  return "";
}

nlohmann::json to_json(const LabOptions& options, const data::Dataset& dataset,
                       const lab::Constants& found) {
  nlohmann::json out = lab_json(options.objective);
  for (const lab::Constant& constant : found.scalars) {
    out[constant.name] = {{"value", number_or_null(constant.value)},
                          {"worth", text_of(constant.worth)},
                          {"how", constant.how}};
  }
  nlohmann::json quasi = nlohmann::json::array();
  for (const auto& [tau, alpha] : found.quasi_sparsity) {
    quasi.push_back({{"tau", tau}, {"alpha", alpha}});
  }
  out.update(
      {{"smoothness", {{"values", found.smoothness}, {"worth", text_of(found.smoothness_worth)}}},
       {"lipschitz", {{"values", found.lipschitz}, {"worth", text_of(found.lipschitz_worth)}}},
       {"quasi_sparsity", quasi},
       {"objective", found.optimum.objective},
       {"objective_at_zero", number_or_null(found.optimum.objective_at_zero)},
       {"gap", found.optimum.gap},
       {"records", dataset.records()},
       {"features", dataset.features()}});
  return out;
}

void run(const LabOptions& options) {
  core::ThreadPool pool(options.read.threads);
  const data::Dataset dataset = read_lab_data(options, pool);
  const lab::Constants found = lab::constants(dataset, options.objective, pool);
  if (options.json) {
    print_json(to_json(options, dataset, found));
    return;
  }
  fmt::print("  {:26} {:>14}  {:12} {}\n", "constant", "value", "worth", "from");
  for (const lab::Constant& constant : found.scalars) {
    fmt::print("  {:26} {:14.6g}  {:12} {}\n", constant.symbol, constant.value,
               text_of(constant.worth), constant.how);
  }
  fmt::print("\n  w* is (alpha, tau)-quasi-sparse: at most tau entries are strictly greater\n");
  fmt::print("  {:>8} {:>14}\n", "tau", "alpha");
  for (const auto& [tau, alpha] : found.quasi_sparsity) {
    fmt::print("  {:8} {:14.6g}\n", tau, alpha);
  }
  fmt::print("\n  M_j and L_j of each feature are in --json\n");
  print_not_private();
}

}  // namespace

void add_lab_constants(const Command& lab) {
  auto options = std::make_shared<LabOptions>();
  const Command command = lab.add_subcommand(
      "constants", "The constants the paper's theorems take, from the data; not private");
  add_lab_options(command, *options, Purpose::solving);
  command.footer(
      "M_j, L_j, mu_{M,2}, mu_{M,1}, R_{M,1}, the norms and the quasi-sparsity of the optimum, "
      "each\n"
      "with a word on whether it is exact or a bound. Not private: facts about the records.\n"
      "\n"
      "Examples:\n"
      "  southwell lab constants california.csv.gz --standardize --loss squared --penalty l1 \\\n"
      "      --alpha 0.1 --no-intercept\n"
      "  southwell lab constants log1.csv --loss logistic --penalty l2 --alpha 0.001 \\\n"
      "      --no-intercept --json\n");
  command.callback([options] { run(*options); });
}

}  // namespace southwell::cli
