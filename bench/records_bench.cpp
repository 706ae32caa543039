// What one step costs that reads all records of a dense table, against reading it: 100 000 x 1000
// floats, out of every cache, on one thread and on two; and a whole default fit of a lasso.

#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "southwell/core/parallel.hpp"
#include "southwell/data/large_vector.hpp"
#include "southwell/fit/fit.hpp"
#include "southwell/problem/batch_problem.hpp"
#include "southwell/problem/greedy_problem.hpp"

namespace southwell {
namespace {

constexpr std::size_t kRecords = 100'000;
constexpr std::size_t kFeatures = 1000;

using Design = data::DenseDesign<float>;

/// Uniform numbers, made once; the target follows ten of the features.
const data::Dataset& table() {
  static const data::Dataset made = [] {
    auto values = std::make_shared<data::LargeVector<float>>(kRecords * kFeatures);
    std::uint64_t state = 1;
    for (std::size_t e = 0; e < kRecords * kFeatures; ++e) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      (*values)[e] = static_cast<float>(static_cast<std::int64_t>(state) >> 32) * 0x1p-31f;
    }
    std::vector<double> target(kRecords);
    for (std::size_t i = 0; i < kRecords; ++i) {
      for (std::size_t j = 0; j < 10; ++j) {
        target[i] += static_cast<double>((*values)[97 * j * kRecords + i]);
      }
    }
    const std::shared_ptr<const float[]> shared(values, values->data());
    const Design design(shared, kRecords, kFeatures);
    return data::Dataset{
        .design = design, .target = std::move(target), .feature_names = {}, .target_name = "y"};
  }();
  return made;
}

const Design& design() { return std::get<Design>(table().design); }

/// All numbers added up, eight columns at once: as fast as one thread reads a table here.
std::int64_t read_columns(std::size_t first, std::size_t last) {
  const auto block = design().block({0, kFeatures});
  std::int64_t all = 0;
  for (std::size_t j = first; j + 8 <= last; j += 8) {
    const std::int64_t* x[8];
    for (std::size_t k = 0; k < 8; ++k) {
      x[k] = reinterpret_cast<const std::int64_t*>(block.column(j + k).values());
    }
    for (std::size_t i = 0; i < kRecords / 2; ++i) {
      all += x[0][i] + x[1][i] + x[2][i] + x[3][i] + x[4][i] + x[5][i] + x[6][i] + x[7][i];
    }
  }
  return all;
}

void dense_read(benchmark::State& state) {
  core::ThreadPool pool(static_cast<int>(state.range(0)));
  table();
  for (auto _ : state) {
    pool.run_ranges(kFeatures / 8, 1, [](std::size_t first, std::size_t last) {
      benchmark::DoNotOptimize(read_columns(8 * first, 8 * last));
    });
  }
}
BENCHMARK(dense_read)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// What gradients are computed from.
struct Parts {
  problem::AnyLoss loss = problem::Squared{};
  problem::AnyPenalty penalty = problem::L2(1e-3);
  problem::Coordinates coordinates{
      problem::Coordinates::Options{.features = kFeatures,
                                    .intercept = problem::Intercept::free,
                                    .records = static_cast<double>(kRecords)}};
  problem::RecordWeights weights;
  problem::RecordFactors factors;
  problem::GradientParts<Design> of() const {
    return {design(), table().target, {}, loss, coordinates, weights, factors};
  }
};

/// One step of sgd on all records: margins, clip of their l2 norm and sums.
void dense_record_sums(benchmark::State& state) {
  core::ThreadPool pool(static_cast<int>(state.range(0)));
  const Parts parts;
  problem::BatchProblem<Design> batch(
      parts.of(), parts.penalty,
      {.clip_units = std::vector<double>(kFeatures + 1, 1.0), .clip = 30.0, .batch = 1e5},
      std::vector<double>(kFeatures + 1, 0.01), pool);
  for (auto _ : state) batch.refresh_gradient();
}
BENCHMARK(dense_record_sums)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

/// One step of gcd: slopes and the clipped sums of all coordinates.
void dense_gradient(benchmark::State& state) {
  core::ThreadPool pool(static_cast<int>(state.range(0)));
  const Parts parts;
  problem::GreedyProblem<Design> greedy(parts.of(), parts.penalty, problem::GreedyRule::gs_r,
                                        std::vector<double>(kFeatures + 1), pool);
  for (auto _ : state) greedy.refresh_gradient();
}
BENCHMARK(dense_gradient)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

void dense_lasso_fit(benchmark::State& state) {
  fit::FitSpec spec;
  spec.objective.loss = "squared";
  spec.objective.penalty = "l1";
  spec.objective.alpha = 0.01;
  spec.target_scale = 2.0;
  spec.epsilon = 1.0;
  spec.delta = 1e-6;
  spec.features = kFeatures;
  spec.threads = static_cast<int>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(fit::fit(table(), spec));
}
BENCHMARK(dense_lasso_fit)
    ->ArgName("threads")
    ->Arg(1)
    ->Arg(2)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace southwell
