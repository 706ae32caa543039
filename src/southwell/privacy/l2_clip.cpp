#include "southwell/privacy/l2_clip.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/core/float_environment.hpp"
#include "southwell/privacy/int128.hpp"

namespace southwell::privacy {
namespace {

constexpr std::int32_t kEntryBound = std::numeric_limits<std::int32_t>::max();

/// NaN to 0 in the double, then rounding, then the clamp, then the conversion.
std::int32_t grid_entry(double value, double factor) {
  const double scaled = value * factor;
  const double whole = std::nearbyint(
      std::isnan(scaled) ? (fault(Fault::clip_keeps_nan) ? double{kEntryBound} : 0.0) : scaled);
  return static_cast<std::int32_t>(
      std::clamp(whole, -static_cast<double>(kEntryBound), static_cast<double>(kEntryBound)));
}

/// The least r with r^2 >= square, for square < 2^88.
std::uint64_t root_rounded_up(Uint128 square) {
  auto r = static_cast<std::uint64_t>(std::sqrt(static_cast<double>(square)));  // within 2^-8 of it
  while (static_cast<Uint128>(r) * r < square) ++r;
  while (r > 0 && static_cast<Uint128>(r - 1) * (r - 1) >= square) --r;
  if (fault(Fault::clip_root_is_rounded_down)) --r;
  return r;
}

}  // namespace

L2Clip::L2Clip(std::uint64_t bound, double clip)
    : bound_(bound),
      factor_(fault(Fault::clip_in_callers_environment) ? static_cast<double>(bound) / clip : 0.0) {
  const core::StandardFloatEnvironment standard;  // the comparisons need it too
  if (bound < 1 || bound > kMaxBound) {
    throw InvalidArgument("l2_clip: bound is " + std::to_string(bound) +
                          ", accepted are whole numbers from 1 to " + std::to_string(kMaxBound));
  }
  if (!(clip > 0.0) || std::isinf(clip)) {
    throw InvalidArgument("l2_clip: clip is " + std::to_string(clip) +
                          ", accepted are positive finite numbers");
  }
  if (factor_ == 0.0) factor_ = static_cast<double>(bound) / standard.pinned(clip);
  if (fault(Fault::clip_bound_is_one_more)) ++bound_;
  if (fault(Fault::clip_bound_is_one_less)) --bound_;
}

void L2Clip::share(std::span<const double> in, std::span<std::int32_t> out) const {
  if (in.size() != out.size()) {
    throw InvalidArgument("l2_clip: in and out must have the same length");
  }
  if (in.size() > kMaxEntries) {
    throw InvalidArgument("l2_clip: a record has " + std::to_string(in.size()) +
                          " entries, accepted are up to " + std::to_string(kMaxEntries));
  }
  const core::StandardFloatEnvironment standard;
  Uint128 square = 0;
  for (std::size_t j = 0; j < in.size(); ++j) {
    out[j] = grid_entry(in[j], factor_);
    const std::int64_t entry = out[j];
    square += static_cast<std::uint64_t>(entry * entry);  // < 2^62 each: below 2^88 together
  }
  if (square <= static_cast<Uint128>(bound_) * bound_) return;
  const std::uint64_t root = root_rounded_up(square);
  for (std::int32_t& entry : out) {
    const auto size = static_cast<std::uint64_t>(std::abs(std::int64_t{entry}));
    std::uint64_t product = size * bound_;  // < 2^31 * 2^30
    if (fault(Fault::clip_share_is_rounded_to_nearest)) product += root / 2;
    const auto kept = static_cast<std::int32_t>(product / root);  // at most bound <= 2^30
    entry = entry < 0 ? -kept : kept;
  }
}

}  // namespace southwell::privacy
