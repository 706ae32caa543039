#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "southwell/fit/defaults.hpp"

namespace southwell::fit {

/// Records are limited at this times their typical norm where they enter a model.
inline constexpr double kLongestRecord = 2.0;

/// What gradient descent by the norm of a record does; in units in which features have that norm.
struct NormDescentRule {
  std::uint64_t iterations = 30;
  double norm = 1.0;  ///< R
  double momentum = 0.8;
  double slope_limit = 0.5;      ///< of the l2 norm of a record's slopes over all heads; of a
                                 ///< regression's in units of the residuals' scale
  double attenuation = 1.0;      ///< what that limit leaves of a regression's gradient
  double intercept_size = 0.25;  ///< an intercept is a feature of this size
  double clip = 0.5;             ///< slope limit times the norm of both
  double step = 1.0;
  double intercept_step = 1.0;
};

/// How margins get the factor that fits the records.
struct MarginFactorRule {
  bool pays = false;
  std::uint64_t releases = 10;
  double part = 0.05;            ///< of the budget
  double intercept_size = 0.25;  ///< an intercept is a feature of this size
  double clip = 1.0;             ///< in units of the slopes' scale
  double longest = 50.0;         ///< time of all steps
  double noisy = 1.0;            ///< and the time at which noise would move the factor by a quarter
};

/// Whether descent is in features that released second moments whiten, and why.
struct WhiteningChoice {
  bool whitens = false;
  std::string why{};
  double moments_part = 0.1;  ///< of the budget
};

/// At this norm of a record; `of.iterations` are those of the plan where they are given.
NormDescentRule norm_descent_rule(const PublicFacts& of, double record_norm);
/// Whether a regression by sgd follows the norm of a record: where that is declared and so much
/// smaller than sqrt(features) that it matters, and records are not whitened.
bool regression_follows_norm(const PublicFacts& of);
MarginFactorRule margin_factor_rule(const PublicFacts& of);
/// Enough for every norm that a mechanism may find.
std::uint64_t norm_descent_iterations(const PublicFacts& of);

/// Whether records of this norm have most of their features, and are not so long that the noise of
/// their second moments hides the 1 of an intercept.
bool can_be_whitened(const PublicFacts& of, double record_norm);
WhiteningChoice whitening_choice(const PublicFacts& of);
/// Of the matrix of second moments.
std::size_t whitened_dims(const PublicFacts& of);
/// The same rule in whitened features, of which so many count: in their units, an intercept is one
/// of them.
NormDescentRule whitened_descent_rule(const PublicFacts& of, double dims);

}  // namespace southwell::fit
