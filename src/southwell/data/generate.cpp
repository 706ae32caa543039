#include "southwell/data/generate.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>
#include <utility>

#include "southwell/core/error.hpp"
#include "southwell/core/quoted.hpp"
#include "southwell/data/standardize_column.hpp"
#include "southwell/data/synthetic_random.hpp"

namespace southwell::data {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"log1", "log2", "square"};
constexpr std::size_t kSquareSupport = 10;

// Streams of one seed: the truth, the noise, then a stream for each column.
constexpr std::uint64_t kTruthStream = 0;
constexpr std::uint64_t kNoiseStream = 1;
constexpr std::uint64_t kFirstColumnStream = 2;

std::vector<double> draw_truth(Synthetic problem, std::size_t features, std::uint64_t seed) {
  SyntheticRandom random(seed, kTruthStream);
  std::vector<double> truth(features, 0.0);
  if (problem == Synthetic::square) {
    // The first places of a random permutation. Differs from the paper: it does not say where the
    // 10 coefficients are nor how large; uniform on (0, 100) is what its support sizes imply.
    std::vector<std::size_t> places(features);
    std::iota(places.begin(), places.end(), std::size_t{0});
    for (std::size_t k = 0; k < std::min(kSquareSupport, features); ++k) {
      std::swap(places[k], places[k + random.below(features - k)]);
      truth[places[k]] = 100.0 * (random.uniform() + 0x1p-54);  // the open interval
    }
  } else {
    const double deviation = problem == Synthetic::log1 ? 1.0 : 2.0;
    for (double& w : truth) w = random.log_normal(0.0, deviation);
  }
  return truth;
}

/// Xw, each record's sum in the order of the columns.
std::vector<double> margins(const double* columns, std::size_t records,
                            const std::vector<double>& truth, core::ThreadPool& pool) {
  std::vector<double> out(records, 0.0);
  pool.run_ranges(records, 1024, [&](std::size_t first, std::size_t last) {
    for (std::size_t j = 0; j < truth.size(); ++j) {
      if (truth[j] == 0.0) continue;
      const double* column = columns + j * records;
      for (std::size_t i = first; i < last; ++i) out[i] += truth[j] * column[i];
    }
  });
  return out;
}

}  // namespace

std::span<const std::string_view> synthetic_names() { return kNames; }

Synthetic synthetic_from_name(std::string_view name) {
  for (std::size_t k = 0; k < kNames.size(); ++k) {
    if (name == kNames[k]) return static_cast<Synthetic>(k);
  }
  throw InvalidArgument("problem: given " + core::quoted(name) +
                        ", accepted are log1, log2 and square");
}

Generated generate(Synthetic problem, const GenerateOptions& options, core::ThreadPool& pool) {
  const std::size_t records = options.records.value_or(1000);
  const std::size_t features = options.features.value_or(problem == Synthetic::square ? 1000 : 100);
  if (records == 0 || features == 0) {
    throw InvalidArgument(std::string(records == 0 ? "records" : "features") +
                          ": given 0, accepted is a whole number >= 1");
  }
  // Sizes are checked by division: their product may not fit.
  if (features > (std::size_t{1} << 50) / records) {
    throw InvalidArgument("records x features: given " + std::to_string(records) + " x " +
                          std::to_string(features) + ", accepted is a product of at most 2^50");
  }

  auto storage = std::make_shared_for_overwrite<double[]>(records * features);
  double* columns = storage.get();
  const auto draw_column = [&](std::size_t j) {
    SyntheticRandom random(options.seed, kFirstColumnStream + j);
    const std::span column(columns + j * records, records);
    for (double& x : column) x = random.normal();
    standardize_column(column);
  };
  // Some megabytes at a time, so that progress is seen and can stop the work.
  const std::size_t batch = std::max<std::size_t>(1, (std::size_t{1} << 20) / records) *
                            static_cast<std::size_t>(pool.threads());
  for (std::size_t start = 0; start < features; start += batch) {
    const std::size_t count = std::min(batch, features - start);
    pool.run_ranges(count, 1, [&](std::size_t first, std::size_t last) {
      for (std::size_t k = first; k < last; ++k) draw_column(start + k);
    });
    core::report(options.progress, start + count, features);
  }

  std::vector<double> truth = draw_truth(problem, features, options.seed);
  std::vector<double> target = margins(columns, records, truth, pool);
  SyntheticRandom noise(options.seed, kNoiseStream);
  for (double& y : target) {
    y += noise.normal();
    // Differs from the paper: it prints y = Xw + noise for the logistic problems too; a label is
    // its sign.
    if (problem != Synthetic::square) y = y < 0.0 ? -1.0 : 1.0;
  }

  return {{DenseDesign<double>(std::move(storage), records, features),
           std::move(target),
           {},
           kDefaultTargetName},
          std::move(truth)};
}

}  // namespace southwell::data
