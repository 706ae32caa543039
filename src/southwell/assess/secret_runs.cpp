#include "southwell/assess/secret_runs.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "southwell/assess/loss_scores.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/core/float_environment.hpp"
#include "southwell/privacy/mechanisms/discrete_release.hpp"
#include "southwell/privacy/random/exact_sampling.hpp"

namespace southwell::assess {
namespace {

using Clock = std::chrono::steady_clock;

/// Asks whether to stop, and says nothing: how often depends on the time alone.
class Pulse {
 public:
  explicit Pulse(const core::Progress& progress) : progress_(progress) {}

  void operator()() {
    const Clock::time_point now = Clock::now();
    if (!progress_ || now - asked_ < std::chrono::milliseconds(100)) return;
    asked_ = now;
    was_stopped_ = true;  // unless it returns
    progress_(0.0);
    was_stopped_ = false;
  }
  bool was_stopped() const { return was_stopped_; }

 private:
  const core::Progress& progress_;
  Clock::time_point asked_{};
  bool was_stopped_ = false;
};

struct Run {
  Candidate candidate;
  std::int64_t score;
};

/// One run, with bits of its own.
Run run_once(const Comparison& of, const fit::RunOptions& options, Pulse& pulse,
             privacy::RandomBits& bits) {
  // The noise first: the time of a draw depends on its size.
  const std::uint64_t sigma = fault(Fault::score_without_noise) ? 1 : of.choice.scale;
  const privacy::DiscreteGaussianRelease scoring(of.choice.shift, sigma);
  privacy::Noise noise = scoring.draw(*bits.stream(privacy::Purpose::figures, 0), 1);
  const auto of_setting = bits.stream(privacy::Purpose::selection, 0);
  privacy::ExactDraws draws(*of_setting);
  const auto setting = static_cast<std::size_t>(draws.below(of.fits.size() + 1));
  fit::RunOptions run;
  run.shards = options.shards;
  run.progress = [&](double share) {
    if (fault(Fault::runs_are_in_the_progress) && options.progress) options.progress(share);
    pulse();
  };
  std::vector<model::LinearModel> fitted;
  if (setting < of.fits.size()) {
    const auto own = bits.stream(privacy::Purpose::run, 0);
    fitted.push_back(fit::fit_part(of.fitted, of.fits[setting], run, *own));
  } else {
    fitted.push_back(fit::start_model(of.fits.front(), bits));
  }
  const core::StandardFloatEnvironment standard;
  const std::vector<std::int64_t> score =
      scoring.release(loss_scores(fitted, of.compared, of.loss_cap), std::move(noise));
  return {.candidate = {setting, std::move(fitted.front())}, .score = score.at(0)};
}

}  // namespace

Candidate best_of_runs(const Comparison& of, const privacy::RunLaw& law,
                       const fit::RunOptions& options, privacy::RandomBits& bits) {
  std::uint64_t runs = law.draw(*bits.stream(privacy::Purpose::run, 0));
  if (fault(Fault::runs_are_capped)) runs = std::min<std::uint64_t>(runs, 3);
  Pulse pulse(options.progress);
  std::optional<Run> best;
  for (std::uint64_t k = 0; k < runs; ++k) {
    try {
      pulse();
      const auto own = bits.stream(privacy::Purpose::run, static_cast<std::uint32_t>(k + 1));
      Run run = run_once(of, options, pulse, *own);
      if (!best || run.score > best->score) best = std::move(run);  // of equals the first
    } catch (const EntropyError&) {
      throw;  // without entropy nothing is private
    } catch (...) {
      // A run that fails is an outcome with the lowest score: whether one did is nobody's to know.
      if (pulse.was_stopped() || fault(Fault::failed_run_ends_the_rest)) throw;
    }
  }
  if (best && fault(Fault::runs_are_in_the_file)) {
    best->candidate.model.attachments.choice = '"' + std::string(runs, 'x') + '"';
  }
  if (best) return std::move(best->candidate);
  // No run at all, or none that did not fail.
  return {of.fits.size(), fit::start_model(of.fits.front(), bits)};
}

}  // namespace southwell::assess
