#pragma once

#include <cstdint>
#include <string>

#include "neighbours.hpp"
#include "southwell/fit/fit.hpp"

namespace southwell::cli::replay {

/// Fits on the first of two neighbours, then on the second with every output of the first put in
/// place of its own. Says what tells them apart; nothing where only inputs of mechanisms do, each
/// by no more than it declares. Both fits have the bits of this seed.
std::string difference(const Pair& pair, const fit::FitPlan& plan, std::uint64_t seed);

/// What the mechanisms of a fit declared, against what its statement charges: nothing where these
/// are the same.
std::string uncharged(const data::Dataset& dataset, const fit::FitPlan& plan, std::uint64_t seed);

}  // namespace southwell::cli::replay
