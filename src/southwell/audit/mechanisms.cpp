#include "southwell/audit/mechanisms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "southwell/audit/count_bounds.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/privacy/accounting/accountant.hpp"
#include "southwell/privacy/mechanisms/discrete_release.hpp"
#include "southwell/privacy/mechanisms/exponential_mechanism.hpp"
#include "southwell/privacy/mechanisms/noisy_max.hpp"
#include "southwell/privacy/mechanisms/permute_and_flip.hpp"
#include "southwell/privacy/random/poisson_sample.hpp"
#include "southwell/privacy/random/random_subset.hpp"

namespace southwell::audit {
namespace {

using privacy::Cost;
using privacy::RandomBits;
using privacy::Scores;

constexpr std::uint64_t kSensitivity = 1 << 20;  // of a sum to which a record is added
constexpr auto kShare = static_cast<std::int64_t>(kSensitivity);

/// One of two neighbouring inputs, of which the first makes the event likelier.
enum class Side { here, there };
/// As it is, or with half the noise, which an audit should notice.
enum class Noise { whole, half };

/// Whether the event happens in one run.
using Event = std::function<bool(Side, Noise, RandomBits&)>;

struct Experiment {
  std::string subject;
  Cost cost;
  double delta;
  Event event;
  std::string words;
};

std::uint64_t scale_of(std::uint64_t scale, Noise noise) {
  return noise == Noise::whole ? scale : scale / 2;
}

/// Two candidates or more whose scores move in opposite directions: the first one's up, the others'
/// down, or the reverse. `lead` is that of the first one where it is ahead.
Scores opposite_scores(std::size_t candidates, std::int64_t lead, Side side) {
  const std::int64_t half = side == Side::here ? kShare / 2 : -kShare / 2;
  Scores scores(candidates, -half);
  scores[0] = lead + half;
  return scores;
}

template <class Mechanism>
Experiment selection(std::string subject, std::size_t candidates, std::int64_t lead) {
  const std::uint64_t scale = 2 * kSensitivity;  // range, or epsilon, of 1
  return {.subject = std::move(subject),
          .cost = Mechanism(kSensitivity, scale).cost(),
          .delta = 0.0,
          .event =
              [=](Side side, Noise noise, RandomBits& bits) {
                const Mechanism mechanism(kSensitivity, scale_of(scale, noise));
                return mechanism.release(Sensitive(opposite_scores(candidates, lead, side)),
                                         bits) == 0;
              },
          .words = std::to_string(candidates) +
                   " candidates whose scores move in opposite directions; the first is chosen"};
}

/// Noise on a number that moves by its whole sensitivity; the event is a result above `threshold`.
template <class Mechanism>
Experiment release(std::string subject, std::uint64_t scale, double delta, double threshold) {
  return {.subject = std::move(subject),
          .cost = Mechanism(kSensitivity, scale).cost(),
          .delta = delta,
          .event =
              [=](Side side, Noise noise, RandomBits& bits) {
                const Mechanism mechanism(kSensitivity, scale_of(scale, noise));
                const std::int64_t value = side == Side::here ? kShare : 0;
                const std::int64_t out =
                    mechanism.release(Sensitive<std::int64_t>(value), mechanism.draw(bits));
                return static_cast<double>(out) >= threshold;
              },
          .words = "a sum that moves by its whole sensitivity"};
}

/// A record that a secret sample has or has not, in a sum with Gaussian noise.
Experiment sampled_release(double delta, double threshold) {
  constexpr std::uint64_t kHalf = std::uint64_t{1} << 31;
  const std::uint64_t scale = kSensitivity;
  return {.subject = "poisson sampling",
          .cost = {Cost::Kind::sampled_gaussian_add_or_remove, kSensitivity, scale, kHalf},
          .delta = delta,
          .event =
              [=](Side side, Noise noise, RandomBits& bits) {
                const bool is_in = !privacy::poisson_sample(1, kHalf, bits).empty();
                const privacy::DiscreteGaussianRelease mechanism(kSensitivity,
                                                                 scale_of(scale, noise));
                const std::int64_t value = side == Side::here && is_in ? kShare : 0;
                const std::int64_t out =
                    mechanism.release(Sensitive<std::int64_t>(value), mechanism.draw(bits));
                return static_cast<double>(out) >= threshold;
              },
          .words = "a record that is sampled with chance 1/2, in a sum with Gaussian noise"};
}

/// Whether the first record is in the part, or the last, of which the same has to be true.
Experiment split() {
  constexpr std::size_t kRecords = 10;
  return {.subject = "the split",
          .cost = {Cost::Kind::pure, 0, 1},
          .delta = 0.0,
          .event =
              [](Side side, Noise noise, RandomBits& bits) {
                const std::size_t at = side == Side::here ? 0 : kRecords - 1;
                const auto has = [&] {
                  const std::vector<std::size_t> part = privacy::random_subset(2, kRecords, bits);
                  return std::binary_search(part.begin(), part.end(), at);
                };
                const bool is_in = has();
                // There is no noise to halve: instead the first record gets a second chance.
                return is_in || (noise == Noise::half && side == Side::here && has());
              },
          .words =
              "the first and the last of 10 records, each in a part of 2; the power is "
              "against a split that draws twice for the first"};
}

std::vector<Experiment> experiments() {
  constexpr double kDelta = 0.02;
  const auto scale = static_cast<double>(kSensitivity);
  return {selection<privacy::ExponentialMechanism>("exponential mechanism", 10, 0),
          selection<privacy::PermuteAndFlip>("permute-and-flip", 2, -kShare),
          selection<privacy::NoisyMax>("noisy max", 40, 0),
          release<privacy::DiscreteLaplaceRelease>("discrete Laplace", kSensitivity, 0.0, scale),
          release<privacy::DiscreteGaussianRelease>("discrete Gaussian", 2 * kSensitivity, kDelta,
                                                    2.4 * scale),
          sampled_release(kDelta, 1.2 * scale),
          split()};
}

class Audit {
 public:
  explicit Audit(const MechanismOptions& options) : options_(options) {}

  Finding of(const Experiment& experiment, double error) {
    const double claimed = claim_of(experiment);
    const double found = found_in(experiment, Noise::whole, error);
    std::uint64_t noticed = 0;
    for (std::uint64_t i = 0; i < options_.repeats; ++i) {
      noticed += found_in(experiment, Noise::half, error) > claimed ? 1u : 0u;
    }
    return {.subject = experiment.subject,
            .verdict = found > claimed ? Verdict::flagged : Verdict::passes,
            .unit = "epsilon",
            .claimed = claimed,
            .found = std::max(0.0, found),
            .power = static_cast<double>(noticed) / static_cast<double>(options_.repeats),
            .words = experiment.words + (experiment.delta > 0.0
                                             ? "; at delta " + core::rounded_text(experiment.delta)
                                             : "")};
  }

 private:
  static double claim_of(const Experiment& experiment) {
    if (experiment.cost.shift == 0) return 0.0;
    privacy::Composition once;
    once.add(experiment.cost);
    return privacy::spent(once, experiment.delta).epsilon;
  }

  Count count(const Experiment& experiment, Side side, Noise noise) {
    Count out{.happened = 0, .runs = options_.runs};
    for (std::uint64_t i = 0; i < out.runs; ++i) {
      out.happened += experiment.event(side, noise, bits_) ? 1u : 0u;
    }
    core::report(options_.progress, ++done_, 2 * (1 + options_.repeats) * experiments().size());
    return out;
  }

  double found_in(const Experiment& experiment, Noise noise, double error) {
    const Count here = count(experiment, Side::here, noise);
    const Count there = count(experiment, Side::there, noise);
    // Of bounded range is charged the span of log-ratios, so that is what is looked for.
    if (experiment.cost.kind == Cost::Kind::bounded_range) {
      return range_found(here, there, error);
    }
    return epsilon_found(here, there, experiment.delta, error);
  }

  const MechanismOptions& options_;
  privacy::SystemRandomBits bits_;
  std::size_t done_ = 0;
};

/// Streams of many fits, of which no two may begin alike.
Finding freshness() {
  constexpr std::uint32_t kFits = 2000;
  std::set<std::array<std::uint64_t, 2>> seen;
  std::size_t drawn = 0;
  const auto look = [&](RandomBits& bits) {
    seen.insert({bits.word(), bits.word()});
    ++drawn;
  };
  for (std::uint32_t i = 0; i < kFits; ++i) {
    privacy::SystemRandomBits bits;
    for (const privacy::Purpose purpose :
         {privacy::Purpose::selection, privacy::Purpose::release, privacy::Purpose::sampling}) {
      look(*bits.stream(purpose, 0));
      look(*bits.stream(purpose, 1));
    }
    look(bits);
  }
  const std::size_t repeated = drawn - seen.size();
  return {.subject = "random bits",
          .verdict = repeated > 0 ? Verdict::flagged : Verdict::passes,
          .unit = "repeats",
          .claimed = 0.0,
          .found = static_cast<double>(repeated),
          .power = std::nullopt,
          .words = "the first 128 bits of " + std::to_string(drawn) +
                   " streams of as many purposes and fits, all of which are to differ"};
}

}  // namespace

std::vector<Finding> audit_mechanisms(const MechanismOptions& options) {
  Audit audit(options);
  std::vector<Finding> findings;
  const std::vector<Experiment> all = experiments();
  for (const Experiment& experiment : all) {
    findings.push_back(audit.of(experiment, kFalseAlarm / static_cast<double>(all.size())));
  }
  findings.push_back(freshness());
  return findings;
}

}  // namespace southwell::audit
