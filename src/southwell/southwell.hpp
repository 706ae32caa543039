#pragma once

// What it takes to read data, fit a private model, predict, evaluate, save and load.

#include "southwell/assess/figures_text.hpp"
#include "southwell/assess/private_evaluation.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/version.hpp"
#include "southwell/data/dataset.hpp"
#include "southwell/data/generate.hpp"
#include "southwell/data/read.hpp"
#include "southwell/data/table/read_table.hpp"
#include "southwell/data/table/schema.hpp"
#include "southwell/data/table/table_encoding.hpp"
#include "southwell/data/write.hpp"
#include "southwell/fit/fit.hpp"
#include "southwell/fit/fit_plan.hpp"
#include "southwell/fit/fit_spec.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/model/linear_model.hpp"
#include "southwell/model/model_table.hpp"
#include "southwell/model/predict.hpp"
#include "southwell/model/statement.hpp"
