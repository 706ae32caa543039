#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <vector>

#include "southwell/data/generate.hpp"
#include "southwell/fit/fit.hpp"

namespace southwell::fit {

using namespace model;
namespace {

/// FNV-1a over the bits of every step, byte by byte.
std::uint64_t fingerprint(const std::vector<ModelStep>& path) {
  std::uint64_t state = 0xcbf29ce484222325u;
  const auto add = [&state](std::uint64_t bits) {
    for (int k = 0; k < 8; ++k) {
      state = (state ^ ((bits >> (8 * k)) & 0xffu)) * 0x100000001b3u;
    }
  };
  for (const ModelStep& step : path) {
    add(step.index);
    add(std::bit_cast<std::uint64_t>(step.gradient));
    add(std::bit_cast<std::uint64_t>(step.value));
  }
  return state;
}

TEST(SameBits, AFitWithScriptedNoiseIsTheOneOfThePythonPackage) {
  core::ThreadPool pool(2);
  const data::Generated made =
      data::generate(data::Synthetic::square, {.records = 200, .features = 20, .seed = 1}, pool);
  FitSpec spec;
  spec.objective.loss = "squared";
  spec.objective.penalty = "l1";
  spec.objective.alpha = 1.0;
  spec.epsilon = 1.0;
  spec.delta = 1e-6;
  spec.target_scale = 100.0;
  spec.iterations = 12;
  spec.share = 0.8;
  spec.seed_for_tests = 7;
  // The same fit is in tests/python/test_same_bits.py, with the same number.
  EXPECT_EQ(fingerprint(fit(made.dataset, spec).path), 0x0ab126b7852ae7f5u);
}

}  // namespace
}  // namespace southwell::fit
