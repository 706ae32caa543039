#include "lab/paper_grid.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <tuple>

#include "southwell/core/error.hpp"

namespace southwell::lab {
namespace {

constexpr std::array<std::string_view, 3> kAlgorithms{"gcd", "cd", "sgd"};
constexpr std::array kGreedyPasses{1.0, 2.0, 4.0, 7.0, 10.0, 15.0, 20.0};
constexpr std::array kOtherPasses{0.001, 0.01, 0.1, 1.0, 2.0, 3.0, 5.0, 10.0, 20.0};
constexpr std::size_t kClips = 50;
constexpr std::size_t kSteps = 10;

/// numpy.logspace(first, last, size)[k]
double log_space(double first, double last, std::size_t size, std::size_t k) {
  const double share = static_cast<double>(k) / static_cast<double>(size - 1);
  return std::pow(10.0, first + (last - first) * share);
}

}  // namespace

std::span<const std::string_view> paper_algorithms() { return kAlgorithms; }

double iterations_per_pass(std::string_view algorithm, std::size_t records, std::size_t features) {
  if (algorithm == "gcd") return 1.0;
  if (algorithm == "cd") return static_cast<double>(features);
  if (algorithm == "sgd") return static_cast<double>(records);
  throw InvalidArgument("algorithm: given '" + std::string(algorithm) +
                        "', accepted are gcd, cd, sgd");
}

std::vector<PaperSetting> paper_grid(std::string_view algorithm, std::size_t records,
                                     std::size_t features, const PaperExtent& extent) {
  const double pass = iterations_per_pass(algorithm, records, features);
  const std::span<const double> passes = algorithm == "gcd" ? std::span<const double>(kGreedyPasses)
                                                            : std::span<const double>(kOtherPasses);
  const double first_step = algorithm == "sgd" ? -6.0 : -2.0;
  const double last_step = algorithm == "sgd" ? 0.0 : 1.0;
  const bool whole = extent.is_whole();
  std::vector<PaperSetting> out;
  for (const double count : passes) {
    if (extent.part == PaperExtent::Part::quick && count > 4.0) continue;
    const auto iterations = static_cast<std::uint64_t>(std::max(1.0, std::floor(count * pass)));
    for (std::size_t c = whole ? 0 : extent.first_clip; c < kClips; c += whole ? 1 : 5) {
      for (std::size_t s = whole ? 0 : extent.first_step; s < kSteps; s += whole ? 1 : 3) {
        out.push_back({count, iterations, log_space(-4.0, 6.0, kClips, c),
                       log_space(first_step, last_step, kSteps, s)});
      }
    }
  }
  return out;
}

std::vector<std::size_t> run_in_place_of(std::span<const PaperSetting> settings) {
  std::map<std::tuple<std::uint64_t, double, double>, std::size_t> seen;
  std::vector<std::size_t> out;
  for (std::size_t s = 0; s < settings.size(); ++s) {
    const PaperSetting& each = settings[s];
    out.push_back(seen.try_emplace({each.iterations, each.clip, each.step}, s).first->second);
  }
  return out;
}

std::map<std::uint64_t, std::vector<std::size_t>> paper_batches(
    std::span<const PaperSetting> settings) {
  std::map<std::uint64_t, std::vector<std::size_t>> out;
  const std::vector<std::size_t> places = run_in_place_of(settings);
  for (std::size_t s = 0; s < settings.size(); ++s) {
    if (places[s] == s) out[settings[s].iterations].push_back(s);
  }
  return out;
}

}  // namespace southwell::lab
