#pragma once

#include "command.hpp"
#include "southwell/fit/accounting.hpp"

namespace southwell::cli {

/// What `calibrate` and `account` share: which mechanisms are used how often.
struct MechanismOptions {
  fit::MechanismSpec spec;
  bool json = false;

  void add_to(const Command& command);
};

}  // namespace southwell::cli
