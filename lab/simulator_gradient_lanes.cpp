#include "lab/simulator_gradient_lanes.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "lab/simulator_gradient_lanes.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace southwell::lab::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Motion = GradientLanes::Motion;
constexpr hn::CappedTag<float, kLanes> kFloats;
using V = hn::Vec<decltype(kFloats)>;

/// decay w - spread z - pull, then problem::L1::prox in the form w - clamp(w, -shrink, shrink).
struct Mover {
  V decay;
  V spread;
  V shrink;
  Mover(const Motion& motion, std::size_t k)
      : decay(hn::LoadU(kFloats, motion.decay.data() + k)),
        spread(hn::LoadU(kFloats, motion.spread.data() + k)),
        shrink(hn::LoadU(kFloats, motion.shrink.data() + k)) {}

  V operator()(V w, V noise) const {
    const V to = hn::Sub(hn::Mul(w, decay), hn::Mul(spread, noise));
    return hn::Sub(to, hn::Max(hn::Min(to, shrink), hn::Neg(shrink)));
  }
  V operator()(V w, V noise, V pull) const {
    const V to = hn::Sub(hn::Sub(hn::Mul(w, decay), hn::Mul(spread, noise)), pull);
    return hn::Sub(to, hn::Max(hn::Min(to, shrink), hn::Neg(shrink)));
  }
};

/// Four coefficients at a time: each step of one waits for the step before.
void drift(const Motion& motion, const GradientNoise& noise,
           std::span<const std::uint32_t> coordinates, std::size_t from, std::size_t to,
           float* coef) {
  const std::size_t width = hn::Lanes(kFloats);
  for (std::size_t k = 0; k < kLanes; k += width) {
    const Mover move(motion, k);
    float* const lanes = coef + k;
    std::size_t c = 0;
    for (; c + 4 <= coordinates.size(); c += 4) {
      const std::uint32_t* const j = coordinates.data() + c;
      V w0 = hn::LoadU(kFloats, lanes + j[0] * kLanes);
      V w1 = hn::LoadU(kFloats, lanes + j[1] * kLanes);
      V w2 = hn::LoadU(kFloats, lanes + j[2] * kLanes);
      V w3 = hn::LoadU(kFloats, lanes + j[3] * kLanes);
      for (std::size_t t = from; t < to; ++t) {
        w0 = move(w0, hn::Set(kFloats, noise.of(t, j[0])));
        w1 = move(w1, hn::Set(kFloats, noise.of(t, j[1])));
        w2 = move(w2, hn::Set(kFloats, noise.of(t, j[2])));
        w3 = move(w3, hn::Set(kFloats, noise.of(t, j[3])));
      }
      hn::StoreU(w0, kFloats, lanes + j[0] * kLanes);
      hn::StoreU(w1, kFloats, lanes + j[1] * kLanes);
      hn::StoreU(w2, kFloats, lanes + j[2] * kLanes);
      hn::StoreU(w3, kFloats, lanes + j[3] * kLanes);
    }
    for (; c < coordinates.size(); ++c) {
      float* const own = lanes + coordinates[c] * kLanes;
      V w = hn::LoadU(kFloats, own);
      for (std::size_t t = from; t < to; ++t) {
        w = move(w, hn::Set(kFloats, noise.of(t, coordinates[c])));
      }
      hn::StoreU(w, kFloats, own);
    }
  }
}

void margins(std::span<const std::uint32_t> indices, const float* values, const float* coef,
             double* out) {
  const std::size_t width = hn::Lanes(kFloats);
  for (std::size_t k = 0; k < kLanes; k += width) {
    V a = hn::Zero(kFloats);
    V b = hn::Zero(kFloats);
    std::size_t e = 0;
    for (; e + 2 <= indices.size(); e += 2) {
      a = hn::Add(a, hn::Mul(hn::Set(kFloats, values[e]),
                             hn::LoadU(kFloats, coef + indices[e] * kLanes + k)));
      b = hn::Add(b, hn::Mul(hn::Set(kFloats, values[e + 1]),
                             hn::LoadU(kFloats, coef + indices[e + 1] * kLanes + k)));
    }
    for (; e < indices.size(); ++e) {
      a = hn::Add(a, hn::Mul(hn::Set(kFloats, values[e]),
                             hn::LoadU(kFloats, coef + indices[e] * kLanes + k)));
    }
    float sum[kLanes];
    hn::StoreU(hn::Add(a, b), kFloats, sum);
    for (std::size_t lane = 0; lane < width; ++lane) out[k + lane] = static_cast<double>(sum[lane]);
  }
}

void pull(const Motion& motion, const GradientNoise& noise, std::size_t t,
          std::span<const std::uint32_t> indices, const float* values, const float* pulls,
          float* coef) {
  const std::size_t width = hn::Lanes(kFloats);
  for (std::size_t k = 0; k < kLanes; k += width) {
    const Mover move(motion, k);
    const V own_pull = hn::LoadU(kFloats, pulls + k);
    for (std::size_t e = 0; e < indices.size(); ++e) {
      const std::size_t j = indices[e];
      float* const own = coef + j * kLanes + k;
      hn::StoreU(move(hn::LoadU(kFloats, own), hn::Set(kFloats, noise.of(t, j)),
                      hn::Mul(hn::Set(kFloats, values[e]), own_pull)),
                 kFloats, own);
    }
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
                  Lanes& out) {
  HWY_DYNAMIC_DISPATCH(margins)(indices, values, coef, out.data());
}

void lane_pull(const GradientLanes::Motion& motion, const GradientNoise& noise, std::size_t t,
               std::span<const std::uint32_t> indices, const float* values,
               const GradientLanes::Floats& pulls, float* coef) {
  HWY_DYNAMIC_DISPATCH(pull)(motion, noise, t, indices, values, pulls.data(), coef);
}

}  // namespace southwell::lab
#endif
