#include "southwell/ledger/compose.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "commands.hpp"
#include "southwell/model/linear_model.hpp"
#include "validators.hpp"

namespace southwell::cli {
namespace {

struct Options {
  std::vector<std::string> models;
  std::optional<double> delta;
  bool json = false;
};

void run(const Options& options) {
  std::vector<std::pair<std::string, model::Statement>> looks;
  for (const std::string& file : options.models) {
    looks.emplace_back(file, model::load(file).privacy);
  }
  const ledger::Together together = ledger::compose(looks, options.delta);
  fmt::print("{}", options.json ? ledger::to_json(together) : ledger::to_text(together));
}

}  // namespace

void add_compose(const Command& parent) {
  auto options = std::make_shared<Options>();
  const Command command =
      parent.add_subcommand("compose", "What several models on the same people promise together");
  command.add_option("MODEL", options->models, "Model files that fit or tune wrote").required();
  command
      .add_option("--delta", options->delta,
                  "The delta of the promise [the largest of the models' own]")
      .check(any_number());
  command.add_flag("--json", options->json, "Print JSON instead of text");
  command.footer(
      "Two numbers: as a filter, for models of which each, its budget too, may have been chosen "
      "by\n"
      "looking at the ones before; and as a plan, which is less, for budgets that were all fixed\n"
      "beforehand. What nobody meant to keep before the first fit is no promise of a filter: keep\n"
      "a ledger (southwell ledger create).\n"
      "A model that another one started from is counted in that one already, and is counted "
      "again.\n\n"
      "Examples:\n"
      "  southwell compose spring.json autumn.json --delta 1e-6\n");
  command.callback([options] { run(*options); });
}

}  // namespace southwell::cli
