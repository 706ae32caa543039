#pragma once

#include <string>
#include <string_view>

#include "southwell/model/linear_model.hpp"

namespace southwell::model {

/// What stands instead of a noise that is not stated.
inline constexpr std::string_view kNotDetermined = "not determined at this budget";

/// What has to be said beside intervals of coefficients: what they hold and what they do not.
std::string noise_sentences(const LinearModel& model);

}  // namespace southwell::model
