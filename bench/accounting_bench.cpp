// Calibration: budget to noise. Targets: 20 ms at T <= 1000, 0.2 s at T = 1e6. T enters as a count,
// so the time depends on the number of different costs and on the orders searched alone.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

#include "southwell/privacy/accounting/calibrate.hpp"

namespace southwell::privacy {
namespace {

void CalibrateGcd(benchmark::State& state) {
  const Schedule plan = gcd_schedule({.iterations = static_cast<std::uint64_t>(state.range(0))});
  for (auto _ : state) benchmark::DoNotOptimize(calibrate(plan, {1.0, 1e-6}));
}
BENCHMARK(CalibrateGcd)->ArgName("iterations")->Arg(1)->Arg(1000)->Arg(1000000);

void CalibrateGaussian(benchmark::State& state) {  // the accountant of fits by default
  const Schedule plan = gcd_schedule(
      {.iterations = static_cast<std::uint64_t>(state.range(0)), .release = Release::gaussian});
  for (auto _ : state) benchmark::DoNotOptimize(calibrate(plan, {1.0, 1e-6}));
}
BENCHMARK(CalibrateGaussian)->ArgName("iterations")->Arg(10)->Arg(60)->Arg(300)->Arg(1000);

void CalibrateSgd(benchmark::State& state) {
  const auto relation = state.range(1) == 0 ? Relation::replace_one : Relation::add_or_remove_one;
  const Schedule plan = sgd_schedule({.iterations = static_cast<std::uint64_t>(state.range(0)),
                                      .sampled = std::uint64_t{1} << 26,
                                      .relation = relation});
  for (auto _ : state) benchmark::DoNotOptimize(calibrate(plan, {1.0, 1e-6}));
}
BENCHMARK(CalibrateSgd)
    ->ArgNames({"iterations", "add"})
    ->Args({1000, 0})
    ->Args({1000, 1})
    ->Args({1000000, 0})
    ->Args({1000000, 1});

void CalibrateSchedule(benchmark::State& state) {  // every iteration has a cost of its own
  std::vector<double> schedule;
  for (std::int64_t t = 0; t < state.range(0); ++t) {
    schedule.push_back(1.0 / (1.0 + 0.01 * static_cast<double>(t)));
  }
  const Schedule plan = gcd_schedule({.iterations = schedule.size(), .factors = schedule});
  for (auto _ : state) benchmark::DoNotOptimize(calibrate(plan, {1.0, 1e-6}));
}
BENCHMARK(CalibrateSchedule)->ArgName("iterations")->Arg(30);

}  // namespace
}  // namespace southwell::privacy
