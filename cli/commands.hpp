#pragma once

#include "command.hpp"

namespace southwell::cli {

// One file per command. Each adds itself to its parent; the callback does the work and throws.
void add_account(const Command& parent);
void add_audit(const Command& parent);
void add_calibrate(const Command& parent);
void add_compose(const Command& parent);
void add_evaluate(const Command& parent);
void add_fit(const Command& parent);
void add_generate(const Command& parent);
void add_inspect(const Command& parent);
void add_lab_compare(const Command& lab);
void add_lab_constants(const Command& lab);
void add_lab_greedy(const Command& lab);
void add_lab_objective(const Command& lab);
void add_lab_optimum(const Command& lab);
void add_lab_paper(const Command& lab);
void add_lab_theory(const Command& lab);
void add_lab_standardize(const Command& lab);
void add_ledger(const Command& parent);
void add_plan(const Command& parent);
void add_predict(const Command& parent);
void add_schema_check(const Command& schema);
void add_schema_dummy(const Command& schema);
void add_schema_import(const Command& schema);
void add_schema_init(const Command& schema);
void add_tune(const Command& parent);

}  // namespace southwell::cli
