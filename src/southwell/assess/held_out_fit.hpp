#pragma once

#include <cstddef>
#include <vector>

#include "southwell/data/dataset.hpp"
#include "southwell/fit/fit.hpp"
#include "southwell/fit/fit_plan.hpp"
#include "southwell/fit/held_out.hpp"
#include "southwell/model/linear_model.hpp"
#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::assess {

/// Fits as planned and, where the plan holds units out, finds private figures of the model on them:
/// both for one budget (privacy/accounting/parts.md). The model carries the figures
/// (figures_json.hpp). Without a test_share it is a fit as any other.
model::LinearModel fit_and_assess(const data::Dataset& dataset, const fit::FitPlan& plan,
                                  fit::RunOptions options = {});
/// Plans, fits and assesses.
model::LinearModel fit_and_assess(const data::Dataset& dataset, const fit::FitSpec& spec,
                                  fit::RunOptions options = {});

/// Which of so many units are held out: a secret draw that knows their number and nothing else of
/// them.
std::vector<bool> drawn_split(const fit::HeldOut& parts, std::size_t units,
                              privacy::RandomBits& bits);

/// Throws DataError for data of another form than the plan's, which holds units out.
void check_form(const data::Dataset& dataset, const fit::FitPlan& plan);
/// The records of the units that are held out, or of all others. A record without an id is of no
/// unit and has no share in either part; it stays with the fit.
data::Dataset part_of(const data::Dataset& dataset, const std::vector<bool>& is_held_out,
                      bool held_out);

/// What `fit_and_assess` does once the split is drawn.
model::LinearModel fit_and_assess_parts(const data::Dataset& dataset, const fit::FitPlan& plan,
                                        const std::vector<bool>& is_held_out,
                                        const fit::RunOptions& options, privacy::RandomBits& bits);

}  // namespace southwell::assess
