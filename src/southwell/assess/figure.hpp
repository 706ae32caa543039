#pragma once

#include "southwell/model/figures.hpp"

namespace southwell::assess {

// What is found here is kept with models.
using model::CalibrationPoint;
using model::ErrorBar;
using model::Figure;
using model::figures_of;
using model::NamedFigure;
using model::PrivateFigures;
using model::RocCurve;

}  // namespace southwell::assess
