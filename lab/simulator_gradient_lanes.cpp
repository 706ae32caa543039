#include "lab/simulator_gradient_lanes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lab/simulator_gradient_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace southwell::lab::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Motion = GradientLanes::Motion;
using Half = hn::CappedTag<float, kLanes / 2>;
constexpr Half kHalf;
using V = hn::Vec<Half>;

/// problem::L1::prox.
HWY_INLINE V shrunk(V w, V by) { return hn::Sub(w, hn::Max(hn::Min(w, by), hn::Neg(by))); }

/// decay w + noise - pull, then the prox.
template <bool Decays, bool Shrinks>
struct Mover {
  V decay;
  V shrink;
  Mover(const Motion& motion, std::size_t k)
      : decay(hn::LoadU(kHalf, motion.decay.data() + k)),
        shrink(hn::LoadU(kHalf, motion.shrink.data() + k)) {}

  HWY_INLINE V operator()(V w, V noise) const {
    V to = hn::Add(w, noise);
    if constexpr (Decays) to = hn::MulAdd(w, decay, noise);
    if constexpr (Shrinks) to = shrunk(to, shrink);
    return to;
  }
};

/// Three coefficients at a time: each step of one waits for the step before. Four would take more
/// registers than there are.
template <class Move>
void drift_by(const Motion& motion, const GradientNoise& noise,
              std::span<const std::uint32_t> coordinates, std::size_t from, std::size_t to,
              float* coef) {
  const std::size_t width = hn::Lanes(kHalf);
  for (std::size_t k = 0; k < kLanes; k += 2 * width) {
    const Move move_low(motion, k);
    const Move move_high(motion, k + width);
    float* const low = coef + k;
    float* const high = low + width;
    std::size_t c = 0;
    for (; c + 3 <= coordinates.size(); c += 3) {
      const std::uint32_t* const j = coordinates.data() + c;
      V low0 = hn::LoadU(kHalf, low + j[0] * kLanes);
      V high0 = hn::LoadU(kHalf, high + j[0] * kLanes);
      V low1 = hn::LoadU(kHalf, low + j[1] * kLanes);
      V high1 = hn::LoadU(kHalf, high + j[1] * kLanes);
      V low2 = hn::LoadU(kHalf, low + j[2] * kLanes);
      V high2 = hn::LoadU(kHalf, high + j[2] * kLanes);
      for (std::size_t t = from; t < to; ++t) {
        const V noise0 = hn::Set(kHalf, noise.of(t, j[0]));
        const V noise1 = hn::Set(kHalf, noise.of(t, j[1]));
        const V noise2 = hn::Set(kHalf, noise.of(t, j[2]));
        low0 = move_low(low0, noise0);
        high0 = move_high(high0, noise0);
        low1 = move_low(low1, noise1);
        high1 = move_high(high1, noise1);
        low2 = move_low(low2, noise2);
        high2 = move_high(high2, noise2);
      }
      hn::StoreU(low0, kHalf, low + j[0] * kLanes);
      hn::StoreU(high0, kHalf, high + j[0] * kLanes);
      hn::StoreU(low1, kHalf, low + j[1] * kLanes);
      hn::StoreU(high1, kHalf, high + j[1] * kLanes);
      hn::StoreU(low2, kHalf, low + j[2] * kLanes);
      hn::StoreU(high2, kHalf, high + j[2] * kLanes);
    }
    for (; c < coordinates.size(); ++c) {
      const std::size_t j = coordinates[c];
      V w_low = hn::LoadU(kHalf, low + j * kLanes);
      V w_high = hn::LoadU(kHalf, high + j * kLanes);
      for (std::size_t t = from; t < to; ++t) {
        const V own = hn::Set(kHalf, noise.of(t, j));
        w_low = move_low(w_low, own);
        w_high = move_high(w_high, own);
      }
      hn::StoreU(w_low, kHalf, low + j * kLanes);
      hn::StoreU(w_high, kHalf, high + j * kLanes);
    }
  }
}

void drift_at_once(const Motion& motion, const GradientNoise& noise,
                   std::span<const std::uint32_t> coordinates, std::size_t from, std::size_t to,
                   float* coef) {
  const std::size_t width = hn::Lanes(kHalf);
  const V steps = hn::Set(kHalf, static_cast<float>(to - from));
  for (std::size_t k = 0; k < kLanes; k += 2 * width) {
    const V shrink_low = hn::Mul(steps, hn::LoadU(kHalf, motion.shrink.data() + k));
    const V shrink_high = hn::Mul(steps, hn::LoadU(kHalf, motion.shrink.data() + k + width));
    for (const std::uint32_t j : coordinates) {
      float* const w = coef + j * kLanes + k;
      const V sum = hn::Set(kHalf, noise.sum(from, to, j));
      const V low = hn::Add(hn::LoadU(kHalf, w), sum);
      const V high = hn::Add(hn::LoadU(kHalf, w + width), sum);
      hn::StoreU(shrunk(low, shrink_low), kHalf, w);
      hn::StoreU(shrunk(high, shrink_high), kHalf, w + width);
    }
  }
}

void drift(const Motion& motion, const GradientNoise& noise,
           std::span<const std::uint32_t> coordinates, std::size_t from, std::size_t to,
           float* coef) {
  if (motion.at_once) {
    drift_at_once(motion, noise, coordinates, from, to, coef);
  } else if (!motion.shrinks) {
    drift_by<Mover<true, false>>(motion, noise, coordinates, from, to, coef);
  } else if (!motion.decays) {
    drift_by<Mover<false, true>>(motion, noise, coordinates, from, to, coef);
  } else {
    drift_by<Mover<true, true>>(motion, noise, coordinates, from, to, coef);
  }
}

void margins(std::span<const std::uint32_t> indices, const float* values, const float* coef,
             float* out) {
  const std::size_t width = hn::Lanes(kHalf);
  for (std::size_t k = 0; k < kLanes; k += 2 * width) {
    V low = hn::Zero(kHalf);
    V high = hn::Zero(kHalf);
    V other_low = hn::Zero(kHalf);
    V other_high = hn::Zero(kHalf);
    std::size_t e = 0;
    for (; e + 2 <= indices.size(); e += 2) {
      const float* const w = coef + indices[e] * kLanes + k;
      const float* const other = coef + indices[e + 1] * kLanes + k;
      const V x = hn::Set(kHalf, values[e]);
      const V y = hn::Set(kHalf, values[e + 1]);
      low = hn::MulAdd(x, hn::LoadU(kHalf, w), low);
      high = hn::MulAdd(x, hn::LoadU(kHalf, w + width), high);
      other_low = hn::MulAdd(y, hn::LoadU(kHalf, other), other_low);
      other_high = hn::MulAdd(y, hn::LoadU(kHalf, other + width), other_high);
    }
    for (; e < indices.size(); ++e) {
      const float* const w = coef + indices[e] * kLanes + k;
      const V x = hn::Set(kHalf, values[e]);
      low = hn::MulAdd(x, hn::LoadU(kHalf, w), low);
      high = hn::MulAdd(x, hn::LoadU(kHalf, w + width), high);
    }
    hn::StoreU(hn::Add(low, other_low), kHalf, out + k);
    hn::StoreU(hn::Add(high, other_high), kHalf, out + k + width);
  }
}

template <class Move>
void pull_by(const Motion& motion, const GradientNoise& noise, std::size_t t,
             std::span<const std::uint32_t> indices, const float* values, const float* pulls,
             float* coef) {
  const std::size_t width = hn::Lanes(kHalf);
  for (std::size_t k = 0; k < kLanes; k += 2 * width) {
    const Move move_low(motion, k);
    const Move move_high(motion, k + width);
    const V pull_low = hn::LoadU(kHalf, pulls + k);
    const V pull_high = hn::LoadU(kHalf, pulls + k + width);
    for (std::size_t e = 0; e < indices.size(); ++e) {
      const std::size_t j = indices[e];
      float* const w = coef + j * kLanes + k;
      const V own = hn::Set(kHalf, noise.of(t, j));
      const V x = hn::Set(kHalf, values[e]);
      const V low = hn::NegMulAdd(x, pull_low, own);
      const V high = hn::NegMulAdd(x, pull_high, own);
      hn::StoreU(move_low(hn::LoadU(kHalf, w), low), kHalf, w);
      hn::StoreU(move_high(hn::LoadU(kHalf, w + width), high), kHalf, w + width);
    }
  }
}

void pull(const Motion& motion, const GradientNoise& noise, std::size_t t,
          std::span<const std::uint32_t> indices, const float* values, const float* pulls,
          float* coef) {
  if (!motion.shrinks) {
    pull_by<Mover<true, false>>(motion, noise, t, indices, values, pulls, coef);
  } else if (!motion.decays) {
    pull_by<Mover<false, true>>(motion, noise, t, indices, values, pulls, coef);
  } else {
    pull_by<Mover<true, true>>(motion, noise, t, indices, values, pulls, coef);
  }
}

}  // namespace southwell::lab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace southwell::lab {
HWY_EXPORT(drift);
HWY_EXPORT(margins);
HWY_EXPORT(pull);

void lane_drift(const GradientLanes::Motion& motion, const GradientNoise& noise,
                std::span<const std::uint32_t> coordinates, std::size_t from, std::size_t to,
                float* coef) {
  HWY_DYNAMIC_DISPATCH(drift)(motion, noise, coordinates, from, to, coef);
}

void lane_margins(std::span<const std::uint32_t> indices, const float* values, const float* coef,
                  FloatLanes& out) {
  HWY_DYNAMIC_DISPATCH(margins)(indices, values, coef, out.data());
}

void lane_pull(const GradientLanes::Motion& motion, const GradientNoise& noise, std::size_t t,
               std::span<const std::uint32_t> indices, const float* values, const FloatLanes& pulls,
               float* coef) {
  HWY_DYNAMIC_DISPATCH(pull)(motion, noise, t, indices, values, pulls.data(), coef);
}

}  // namespace southwell::lab
#endif
