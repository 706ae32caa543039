// Selection and noise. Targets: one selection out of 1e5 candidates within 0.5 ms and within 1.1x
// over the five score vectors; one exact Laplace draw at scale 2^30 within 0.2 us.

#include <benchmark/benchmark.h>

#include <cstdint>
#include <cstdlib>
#include <utility>
#include <variant>
#include <vector>

#include "southwell/core/sensitive.hpp"
#include "southwell/data/read.hpp"
#include "southwell/privacy/mechanisms/exponential_mechanism.hpp"
#include "southwell/privacy/mechanisms/noisy_max.hpp"
#include "southwell/privacy/mechanisms/permute_and_flip.hpp"
#include "southwell/privacy/random/discrete_noise.hpp"
#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::privacy {
namespace {

constexpr std::size_t kCandidates = 100000;
constexpr std::uint64_t kSensitivity = std::uint64_t{1} << 21;  // 2 K
constexpr std::uint64_t kScale = 40 * kSensitivity;

Scores flat() {  // all within one scale of each other
  SeededRandomBits bits(1);
  Scores scores(kCandidates);
  for (auto& score : scores) score = static_cast<std::int64_t>(bits.word() % kScale);
  return scores;
}

Scores spike() {
  Scores scores(kCandidates, 0);
  scores[kCandidates / 3] = std::int64_t{1} << 40;
  return scores;
}

Scores equal() { return Scores(kCandidates, 12345); }

/// dorothea's scores at w = 0 for logistic loss: |sum over the records that have feature j of
/// K y_i / 2|. The file is named by the environment variable SOUTHWELL_DOROTHEA; without it nothing
/// is measured.
Scores dorothea() {
  const char* file = std::getenv("SOUTHWELL_DOROTHEA");
  if (file == nullptr) return {};
  data::ReadOptions options;
  options.features = kCandidates;
  const data::Dataset dataset = data::read(file, options);
  const auto& design = std::get<data::SparseDesign>(dataset.design);
  Scores scores;
  const auto block = design.block({0, design.features()});
  for (std::size_t j = 0; j < design.features(); ++j) {
    std::int64_t sum = 0;
    block.column(j).for_each([&](std::size_t i, double) {
      sum += (dataset.target[i] > 0.0 ? -1 : 1) * (std::int64_t{1} << 19);
    });
    scores.push_back(std::abs(sum));
  }
  return scores;
}

/// Ends of the range, the floor, ties and the last candidate largest, in turns.
Scores adversarial() {
  Scores scores(kCandidates);
  for (std::size_t j = 0; j < kCandidates; ++j) {
    const auto k = static_cast<std::int64_t>(j);
    scores[j] = j % 3 == 0   ? -kScoreBound
                : j % 3 == 1 ? kScoreBound - k * static_cast<std::int64_t>(kScale)
                             : kScoreBound - 36 * static_cast<std::int64_t>(kScale);
  }
  scores.back() = kScoreBound;
  return scores;
}

void exponential_mechanism(benchmark::State& state, Scores scores) {
  if (scores.size() != kCandidates) {
    state.SkipWithError("dorothea is not there: set SOUTHWELL_DOROTHEA to its file");
    return;
  }
  const ExponentialMechanism choose(kSensitivity, kScale);
  const Sensitive<Scores> sensitive(std::move(scores));
  SystemRandomBits bits;
  for (auto _ : state) benchmark::DoNotOptimize(choose.release(sensitive, bits));
}
BENCHMARK_CAPTURE(exponential_mechanism, flat, flat())->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(exponential_mechanism, spike, spike())->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(exponential_mechanism, dorothea, dorothea())->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(exponential_mechanism, equal, equal())->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(exponential_mechanism, adversarial, adversarial())->Unit(benchmark::kMicrosecond);

template <class Mechanism>
void other_selection(benchmark::State& state) {
  const Mechanism choose(kSensitivity, kScale);
  const Sensitive<Scores> sensitive(flat());
  SystemRandomBits bits;
  for (auto _ : state) benchmark::DoNotOptimize(choose.release(sensitive, bits));
}
BENCHMARK(other_selection<PermuteAndFlip>)->Unit(benchmark::kMicrosecond);
BENCHMARK(other_selection<NoisyMax>)->Unit(benchmark::kMicrosecond);

void discrete_laplace_draw(benchmark::State& state) {
  SystemRandomBits bits;
  const std::uint64_t scale = std::uint64_t{1} << state.range(0);
  for (auto _ : state) benchmark::DoNotOptimize(discrete_laplace(scale, bits));
}
BENCHMARK(discrete_laplace_draw)->ArgName("log2_scale")->Arg(0)->Arg(30)->Arg(44);

void discrete_gaussian_draw(benchmark::State& state) {
  SystemRandomBits bits;
  const std::uint64_t scale = std::uint64_t{1} << state.range(0);
  for (auto _ : state) benchmark::DoNotOptimize(discrete_gaussian(scale, bits));
}
BENCHMARK(discrete_gaussian_draw)->ArgName("log2_scale")->Arg(0)->Arg(30)->Arg(44);

template <auto Fill>
void noise_in_bulk(benchmark::State& state) {
  SystemRandomBits bits;
  std::vector<Int128> noise(4096);
  const std::uint64_t scale = std::uint64_t{1} << state.range(0);
  for (auto _ : state) {
    Fill(noise, scale, bits);
    benchmark::DoNotOptimize(noise.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(noise.size()));
}
BENCHMARK(noise_in_bulk<fill_discrete_laplace>)->ArgName("log2_scale")->Arg(30);
BENCHMARK(noise_in_bulk<fill_discrete_gaussian>)->ArgName("log2_scale")->Arg(0)->Arg(30)->Arg(44);

void random_word(benchmark::State& state) {
  SystemRandomBits bits;
  for (auto _ : state) benchmark::DoNotOptimize(bits.word());
}
BENCHMARK(random_word);

void new_fit(benchmark::State& state) {  // key from the operating system, first word
  for (auto _ : state) {
    SystemRandomBits bits;
    benchmark::DoNotOptimize(bits.word());
  }
}
BENCHMARK(new_fit)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace southwell::privacy
