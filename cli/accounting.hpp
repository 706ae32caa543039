#pragma once

#include <CLI/CLI.hpp>

#include "southwell/model/accounting.hpp"

namespace southwell::cli {

/// What `calibrate` and `account` share: which mechanisms are used how often.
struct MechanismOptions {
  model::MechanismSpec spec;
  bool json = false;

  void add_to(CLI::App& command);
};

}  // namespace southwell::cli
