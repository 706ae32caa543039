#pragma once

#include <cstddef>
#include <limits>

namespace southwell::solvers {

// What clipping does to gradients where features are standard normal: public constants that correct
// for it. They are wrong where features are not; that costs utility, never privacy.

/// The part of a coordinate's gradient that is left where products x r of a normal feature and a
/// normal residual of sd 1 are clipped at `clip`: E[x^2; |x r| < clip]. Residuals beyond `widest`
/// count as that (the derivatives of a huber loss): E[x^2; |r| < widest, |x r| < clip].
double product_attenuation(double clip, double widest = std::numeric_limits<double>::infinity());

/// The sd of those clipped products.
double product_sd(double clip, double widest = std::numeric_limits<double>::infinity());

/// The sd of a normal feature clipped at `clip`.
double feature_sd(double clip);

/// The mean product of a normal feature, clipped at `clip`, and labels 1 and -1 that it pulls:
/// E clip(z) tanh(strength z).
double label_pull(double clip, double strength);

/// The part of a gradient that is left where the l2 norm of a record's gradient in `dims`
/// coordinates is clipped at clip sqrt(dims): E erf(clip sqrt(dims / s) / sqrt 2), s chi-squared
/// with dims + 2 degrees.
double norm_attenuation(double clip, std::size_t dims);

/// The same where the features alone are clipped, at norm clip sqrt(dims):
/// E min(1, clip sqrt(dims / s)).
double feature_attenuation(double clip, std::size_t dims);

/// E sqrt(1 - min(1, |g| / (clip sqrt(dims)))^2) for gradients g of residuals of sd 1: the room
/// that records leave in the clip, as a part of it.
double mean_room(double clip, std::size_t dims);

}  // namespace southwell::solvers
