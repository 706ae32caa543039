// The command line: what a command throws becomes a message on standard error and an exit code.

#include <cstdio>
#include <exception>
#include <new>
#include <string>

#include "audit_replay.hpp"
#include "command.hpp"
#include "commands.hpp"
#include "progress_bar.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/printable.hpp"
#include "southwell/core/version.hpp"
#include "standard_streams.hpp"

namespace {

enum ExitCode {
  kOk = 0,
  kInternal = 1,
  kUsage = 2,
  kData = 3,
  kBudget = 4,
  kEntropy = 5,
  kInterrupted = 130
};

int complain(ExitCode code, const std::string& message) {
  // A wait that a signal ended looks like a fault of the file.
  const bool interrupted = southwell::cli::was_interrupted();
  // What was given is part of a message, whatever it holds.
  southwell::cli::tell(
      "southwell: " + (interrupted ? "interrupted" : southwell::core::printable(message)) + "\n");
  return interrupted ? kInterrupted : code;
}

void add_commands(const southwell::cli::Command& app) {
  southwell::cli::add_fit(app);
  southwell::cli::add_predict(app);
  southwell::cli::add_evaluate(app);
  southwell::cli::add_tune(app);
  southwell::cli::add_inspect(app);
  southwell::cli::add_ledger(app);
  southwell::cli::add_compose(app);
  southwell::cli::add_plan(app);
  southwell::cli::add_calibrate(app);
  southwell::cli::add_account(app);
  southwell::cli::add_audit(app);
  southwell::cli::add_generate(app);
  const southwell::cli::Command schema =
      app.add_subcommand("schema", "The public schema of a raw table: what its columns are");
  schema.require_subcommand();
  southwell::cli::add_schema_init(schema);
  southwell::cli::add_schema_check(schema);
  southwell::cli::add_schema_dummy(schema);
  southwell::cli::add_schema_import(schema);
  const southwell::cli::Command lab =
      app.add_subcommand("lab", "Research tools; what they print is not private");
  lab.require_subcommand();
  lab.footer(
      "Examples:\n"
      "  southwell lab standardize square.csv --target target --out square_std.csv\n"
      "  southwell lab optimum square.csv --loss squared --penalty l1 --alpha 30 --no-intercept\n"
      "  southwell lab optimum --help\n");
  southwell::cli::add_lab_optimum(lab);
  southwell::cli::add_lab_objective(lab);
  southwell::cli::add_lab_greedy(lab);
  southwell::cli::add_lab_constants(lab);
  southwell::cli::add_lab_compare(lab);
  southwell::cli::add_lab_paper(lab);
  southwell::cli::add_lab_theory(lab);
  southwell::cli::add_lab_standardize(lab);
}

int run(int argc, char** argv) {
  const southwell::cli::Program program("southwell",
                                        "Differentially private linear models for wide data",
                                        std::string("southwell ") + southwell::kVersion);
  program.root().footer(
      "Exit codes: 0 ok, 1 internal error, 2 usage, 3 file or form of the data, 4 budget or\n"
      "calibration impossible, 5 no entropy, 130 interrupted.\n\n"
      "Examples:\n"
      "  southwell schema init insurance.csv --out insurance.json    # then fill it in\n"
      "  southwell fit insurance.csv --schema insurance.json --loss squared --epsilon 1 \\\n"
      "      --delta 1e-6 --out model.json\n"
      "  southwell generate square --seed 1 --out square.csv\n"
      "  southwell fit square.csv --loss squared --penalty l1 --alpha 30 --epsilon 1 \\\n"
      "      --delta 1e-6 --no-intercept --out model.json\n"
      "  southwell inspect model.json\n"
      "  southwell predict model.json square.csv --out predictions.csv\n"
      "  southwell calibrate --epsilon 1 --delta 1e-6 --iterations 10\n"
      "  southwell lab standardize square.csv --target target --out square_std.csv\n"
      "  southwell generate --help\n");
  add_commands(program.root());
  program.run(argc, argv);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    return complain(kData, "standard output cannot be written");
  }
  return kOk;
}

}  // namespace

int main(int argc, char** argv) {
  southwell::cli::hold_standard_streams();
  southwell::cli::watch_for_interrupt();
  try {
    return run(argc, argv);
  } catch (const southwell::InvalidArgument& error) {
    return complain(kUsage, error.what());
  } catch (const southwell::DataError& error) {
    return complain(kData, error.what());
  } catch (const southwell::BudgetError& error) {
    return complain(kBudget, error.what());
  } catch (const southwell::CalibrationError& error) {
    return complain(kBudget, error.what());
  } catch (const southwell::EntropyError& error) {
    return complain(kEntropy, error.what());
  } catch (const southwell::cli::AuditFailed&) {
    return kInternal;  // what was flagged has been printed
  } catch (const southwell::cli::Interrupted&) {
    return complain(kInterrupted, "interrupted");
  } catch (const std::bad_alloc&) {
    return complain(kInternal, "out of memory");
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return complain(kData, "standard output cannot be written");
    return complain(kInternal, error.what());
  }
}
