#pragma once

#include <map>
#include <string>

#include "command.hpp"
#include "southwell/fit/fit_spec.hpp"

namespace southwell::cli {

/// What of the inputs of a fit is text until the data are read: it may name a file.
struct FileInputs {
  std::string feature_scale;
  std::string start;
  /// Inputs, by name, of which a command takes several values, and what was given of them. Usually
  /// none.
  std::map<std::string, std::string> lists{};
};

/// Whether a command takes a model or coefficients to start from.
enum class StartFlag { none, taken };

/// A flag for every public input of a fit, from its row (fit/inputs.hpp), under the headings of the
/// rows' groups; but for those that say how data are read.
void add_input_flags(const Command& command, fit::FitSpec& spec, FileInputs& files,
                     StartFlag start);

}  // namespace southwell::cli
