#include "southwell/ledger/ledger.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "commands.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/core/words.hpp"
#include "southwell/data/byte_source.hpp"
#include "southwell/ledger/ledger_report.hpp"
#include "southwell/ledger/outlook.hpp"
#include "southwell/model/linear_model.hpp"
#include "southwell/model/statement_json.hpp"
#include "southwell/privacy/relation.hpp"
#include "validators.hpp"

namespace southwell::cli {
namespace {

constexpr const char* kFileHelp = "The ledger that ledger create made";

struct CreateOptions {
  std::string file;
  ledger::NewLedger asked;
};

void create(const CreateOptions& options) {
  const ledger::LedgerState state = ledger::Ledger::create(options.file, options.asked).state();
  fmt::print("{}", ledger::to_text(state, ledger::outlook(state, options.asked.delta)));
  fmt::print("\n{}: name it with --ledger in every fit, tune and evaluate on these people\n",
             core::printable(options.file));
}

struct ShowOptions {
  std::string file;
  std::optional<double> epsilon;
  std::optional<double> delta;
  bool json = false;
  bool events = false;
};

void show(const ShowOptions& options) {
  const ledger::LedgerState state = ledger::Ledger(options.file).state();
  if (options.events) {
    fmt::print("{}", ledger::events_json(state));
    return;
  }
  const double delta = options.delta.value_or(state.terms().filter.budget.delta);
  const ledger::Outlook outlook = ledger::outlook(state, delta);
  std::optional<std::uint64_t> fits;
  if (options.epsilon) fits = ledger::admitted_fits(state, {*options.epsilon, delta});
  if (options.json) {
    fmt::print("{}", ledger::to_json(state, outlook, fits));
    return;
  }
  fmt::print("{}", ledger::to_text(state, outlook));
  if (fits) {
    fmt::print(
        "\nof ({:g}, {:g}) it would still admit {} fits with {} noise, one after the other\n",
        *options.epsilon, delta, *fits, delta > 0.0 ? "Gaussian" : "Laplace");
  }
}

struct PlanOptions {
  std::string file;
  std::vector<std::string> statements;
};

void plan(const PlanOptions& options) {
  std::vector<std::pair<std::string, model::Statement>> members;
  for (const std::string& file : options.statements) {
    constexpr std::size_t kLargest = std::size_t{1} << 26;
    const std::string text = data::read_all(*data::open_source(file), file, kLargest);
    members.emplace_back(std::filesystem::path(file).stem().string(),
                         model::statement_from_json(text, file));
  }
  const ledger::Ledger charged(options.file);
  const ledger::Reservation reserved = charged.plan(members);
  fmt::print("reserved: entry {} has room for {} fits, each once, in any order\n",
             reserved.entry.sequence, members.size());
  if (reserved.entry.admission == ledger::Admission::whole) {
    fmt::print("the plan takes the whole budget: nothing else is admitted any more\n");
  }
}

struct VerifyOptions {
  std::string file;
  std::vector<std::string> models;
};

void verify(const VerifyOptions& options) {
  const ledger::LedgerState state = ledger::Ledger(options.file).state();
  ledger::verify(state, options.file);
  for (const std::string& file : options.models) {
    ledger::verify(state, model::load(file), options.file, file);
  }
  fmt::print("{}: {} entries, in order{}\n", core::printable(options.file), state.entries().size(),
             options.models.empty()
                 ? ""
                 : fmt::format("; it has all of the {} models", options.models.size()));
}

void add_create(const Command& parent) {
  auto options = std::make_shared<CreateOptions>();
  const Command command = parent.add_subcommand("create", "A new ledger with a budget for all");
  command.add_option("FILE", options->file, "The file to make (.jsonl); never replaces one")
      .required();
  command.add_option("--epsilon", options->asked.epsilon, "Epsilon of all entries together")
      .required();
  command
      .add_option("--delta", options->asked.delta,
                  "Delta of all entries together, far below 1 / records")
      .required();
  command
      .add_option("--relation", options->asked.relation,
                  "Which data sets must look alike: " + core::listed(privacy::kRelationNames) +
                      " [replace_one]")
      .check(one_of(privacy::kRelationNames));
  command.add_option("--unit", options->asked.unit,
                     "What is protected together: record, or what a unit of the data is called, "
                     "such as patient [record]");
  command.footer(
      "Examples:\n"
      "  southwell ledger create people.jsonl --epsilon 3 --delta 1e-6\n");
  command.callback([options] { create(*options); });
}

void add_show(const Command& parent) {
  auto options = std::make_shared<ShowOptions>();
  const Command command =
      parent.add_subcommand("show", "What is spent, reserved and left, and what is still admitted");
  command.add_option("FILE", options->file, kFileHelp).required();
  command
      .add_option("--epsilon", options->epsilon,
                  "Also say how many fits of this epsilon would be admitted")
      .check(any_number());
  command
      .add_option("--delta", options->delta, "The delta of what would be admitted [the ledger's]")
      .check(any_number());
  command.add_flag("--json", options->json, "Print JSON instead of text");
  command
      .add_flag("--events", options->events,
                "Print all mechanisms as events of the Python package dp-accounting, in JSON")
      .excludes("--json");
  command.footer(
      "Examples:\n"
      "  southwell ledger show people.jsonl\n"
      "  southwell ledger show people.jsonl --epsilon 0.25\n");
  command.callback([options] { show(*options); });
}

void add_plan_of_fits(const Command& parent) {
  auto options = std::make_shared<PlanOptions>();
  const Command command =
      parent.add_subcommand("plan", "Reserve for several fits that are fixed now, before any runs");
  command.add_option("FILE", options->file, kFileHelp).required();
  command
      .add_option("STATEMENT", options->statements,
                  "What each fit will cost: files that southwell fit --dry-run --json printed")
      .required();
  command.footer(
      "What is fixed beforehand costs less than what is chosen step by step. A plan that is the\n"
      "first entry may take the whole budget; the ledger then admits its members alone. A fit "
      "with\n"
      "--ledger whose mechanisms are those of a member takes that member's place, once.\n\n"
      "Examples:\n"
      "  southwell fit spring.csv --loss squared --epsilon 1 --delta 1e-6 --dry-run --json \\\n"
      "      > spring.json\n"
      "  southwell ledger plan people.jsonl spring.json autumn.json\n");
  command.callback([options] { plan(*options); });
}

void add_verify(const Command& parent) {
  auto options = std::make_shared<VerifyOptions>();
  const Command command =
      parent.add_subcommand("verify", "Check a ledger from end to end, and that it has models");
  command.add_option("FILE", options->file, kFileHelp).required();
  command.add_option(
      "--model", options->models,
      "Models that were fitted with it: an older copy of the ledger, or one that was "
      "continued apart, does not have their entries");
  command.footer(
      "Examples:\n"
      "  southwell ledger verify people.jsonl\n"
      "  southwell ledger verify people.jsonl --model spring.json autumn.json\n");
  command.callback([options] { verify(*options); });
}

}  // namespace

void add_ledger(const Command& parent) {
  const Command command = parent.add_subcommand(
      "ledger", "One budget for everything that is done with the same people, in a file");
  command.require_subcommand();
  command.footer(
      "A fit, tune or evaluate with --ledger reserves its whole cost there before it uses a\n"
      "record, or is refused with exit code 4. What was reserved counts, whatever becomes of "
      "it.\n");
  add_create(command);
  add_show(command);
  add_plan_of_fits(command);
  add_verify(command);
}

}  // namespace southwell::cli
