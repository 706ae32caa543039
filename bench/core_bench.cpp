// core::exp against libm's, per number. Bound: none in memory; 8192 numbers stay in the first
// cache.

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstddef>
#include <vector>

#include "southwell/core/exp.hpp"
#include "southwell/core/parallel.hpp"

namespace {

std::vector<double> arguments() {
  std::vector<double> x(2048);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = -20.0 + 0.0195 * static_cast<double>(i);
  return x;
}

void OurExp(benchmark::State& state) {
  const std::vector<double> x = arguments();
  std::vector<double> y(x.size());
  for (auto _ : state) {
    southwell::core::exp(x, y);
    benchmark::DoNotOptimize(y.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(x.size()));
}
BENCHMARK(OurExp);

void LibmExp(benchmark::State& state) {
  const std::vector<double> x = arguments();
  std::vector<double> y(x.size());
  for (auto _ : state) {
    for (std::size_t i = 0; i < x.size(); ++i) y[i] = std::exp(x[i]);
    benchmark::DoNotOptimize(y.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(x.size()));
}
BENCHMARK(LibmExp);

void PoolRegion(benchmark::State& state) {
  southwell::core::ThreadPool pool(static_cast<int>(state.range(0)));
  for (auto _ : state) pool.run(2, [](std::size_t) {});
}
BENCHMARK(PoolRegion)->ArgName("threads")->Arg(1)->Arg(2)->UseRealTime();

}  // namespace
