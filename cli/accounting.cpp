#include "accounting.hpp"

#include "southwell/fit/any_algorithm.hpp"
#include "southwell/privacy/accounting/calibrate.hpp"
#include "southwell/privacy/relation.hpp"
#include "validators.hpp"

namespace southwell::cli {

void MechanismOptions::add_to(const Command& command) {
  command.add_option("--iterations", spec.iterations, "T: how many selections and releases")
      .required()
      .check(whole_number(1));
  command.add_option("--delta", spec.delta, "0 means pure differential privacy [0]")
      .check(number(0.0, 1.0));
  command
      .add_option("--solver", spec.solver, "gcd (selection and release), cd (release), sgd [gcd]")
      .check(one_of(fit::kPrintedSolvers));
  command
      .add_option("--relation", spec.relation,
                  "Neighbours: " + core::listed(privacy::kRelationNames, " or ") + " [replace_one]")
      .check(one_of(privacy::kRelationNames));
  command
      .add_option("--selection", spec.selection,
                  "gcd: " + core::listed(privacy::kSelectionNames, " or ") + " [exponential]")
      .check(one_of(privacy::kSelectionNames));
  command
      .add_option(
          "--release", spec.release,
          "gcd and cd: " + core::listed(privacy::kReleaseNames, " or ") + " noise [laplace]")
      .check(one_of(privacy::kReleaseNames));
  command.add_option("--batch-size", spec.batch_size, "sgd: expected number of records in a step")
      .check(positive_number());
  command.add_option("--records", spec.records, "sgd: number of records").check(whole_number(1));
  command.add_flag("--json", json, "Machine-readable output");
}

}  // namespace southwell::cli
