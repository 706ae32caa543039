#pragma once

#include <CLI/CLI.hpp>

namespace southwell::cli {

// One file per command. Each adds itself to its parent; the callback does the work and throws.
void add_account(CLI::App& parent);
void add_calibrate(CLI::App& parent);
void add_evaluate(CLI::App& parent);
void add_fit(CLI::App& parent);
void add_generate(CLI::App& parent);
void add_inspect(CLI::App& parent);
void add_lab_compare(CLI::App& lab);
void add_lab_constants(CLI::App& lab);
void add_lab_greedy(CLI::App& lab);
void add_lab_objective(CLI::App& lab);
void add_lab_optimum(CLI::App& lab);
void add_lab_paper(CLI::App& lab);
void add_lab_theory(CLI::App& lab);
void add_lab_standardize(CLI::App& lab);
void add_plan(CLI::App& parent);
void add_predict(CLI::App& parent);

}  // namespace southwell::cli
