#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "southwell/fit/fit_spec.hpp"

namespace southwell::cli::replay {

/// A fit that is replayed on pairs of neighbours.
struct Setting {
  std::string family;  ///< the solver, as a row of the findings
  std::string name;    ///< within it, for messages
  fit::FitSpec spec;
  bool finds_scales = false;  ///< by mechanisms
};

/// Every solver, as printed and refined, with losses, penalties, relations and mechanisms in turn.
std::vector<Setting> settings();

}  // namespace southwell::cli::replay
