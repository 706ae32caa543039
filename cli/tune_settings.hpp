#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "southwell/fit/fit_spec.hpp"

namespace southwell::cli {

/// One input of a setting: its name and what it is.
using Choice = std::pair<std::string, nlohmann::json>;
using Setting = std::vector<Choice>;

/// Inputs that `tune` takes lists of as flags, such as --alpha 0.01,0.1.
std::map<std::string, std::string> listed_inputs();

/// What of them was given one value of: no choice, but an input of every fit.
Setting single_values(const std::map<std::string, std::string>& lists);

/// All combinations of the lists given as flags, with those of a grid file if there is one: an
/// object of lists, or several of them. Throws InvalidArgument or DataError for what is none.
std::vector<Setting> settings_in(const std::string& grid_file,
                                 const std::map<std::string, std::string>& lists);

std::string name_of(const Setting& setting);

/// The fit in this setting. Throws InvalidArgument, naming the input.
fit::FitSpec with_setting(fit::FitSpec base, const Setting& setting);

}  // namespace southwell::cli
