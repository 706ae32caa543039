#include "southwell/fit/sgd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "southwell/fit/input_check.hpp"
#include "southwell/fit/inputs.hpp"
#include "southwell/problem/batch_problem.hpp"

namespace southwell::fit {
namespace {

constexpr std::uint64_t kAll = solvers::CertifiedSgd::kAll;
constexpr auto kBound = static_cast<std::uint64_t>(problem::ProductClip::kBound);

/// batch / records in units of 2^-32, rounded down but never to 0: exactly what the sampler uses.
std::uint64_t rate(std::uint64_t batch, std::uint64_t records) {
  if (batch == records) return kAll;
  const double part = static_cast<double>(batch) / static_cast<double>(records);
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ldexp(part, 32)));
}

}  // namespace

void Sgd::read(Draft& draft) {
  // The paper's algorithm ends where its last step does.
  const bool is_paper = draft.mode == Mode::paper;
  const std::string iterate = draft.spec.iterate.value_or(is_paper ? "last" : "average");
  iterate_ = iterate == "last" ? solvers::Iterate::last : solvers::Iterate::average;
  draft.note("iterate", iterate);
}

void Sgd::calibrate_as_published(Draft& draft, std::uint64_t iterations) {
  sampled_ = rate(1, draft.records);
  const privacy::Calibrated published =
      privacy::calibrate(privacy::sgd_schedule({.iterations = iterations,
                                                .sampled = sampled_,
                                                .relation = privacy::Relation::add_or_remove_one,
                                                .bound = kBound}),
                         draft.budget);
  paper_sigma_ = static_cast<double>(published.costs[0].scale) / static_cast<double>(kBound);
  draft.note("batch_size", 1.0);
  draft.note("noise_multiplier", paper_sigma_, Source::standard);
  draft.statement.accountant =
      "Renyi composition of the subsampled Gaussian at rate 1/n, as for adding a record";
}

void Sgd::calibrate(Draft& draft, std::uint64_t iterations, const Defaults&) {
  if (draft.mode == Mode::paper) return calibrate_as_published(draft, iterations);
  const std::uint64_t size = draft.spec.batch_size.value_or(draft.records);
  if (size > draft.records) {
    refuse("batch_size", std::to_string(size),
           "a whole number from 1 to the number of records, " + std::to_string(draft.records));
  }
  draft.note("batch_size", static_cast<double>(size));
  sampled_ = rate(size, draft.records);
  if (sampled_ < kAll && draft.statement.has_units()) {
    refuse("batch_size", std::to_string(size) + ", with data that have units",
           "all of them: a sample of records holds some of a unit's and not others, which is not "
           "what its accounting is about");
  }
  if (sampled_ < kAll) {
    draft.note_word("sampling");
  } else if (draft.spec.sampling) {
    refuse_as_foreign("sampling", given_text(input_named("sampling"), draft.spec),
                      "a batch_size below the number of records");
  }
  batch_ = std::ldexp(static_cast<double>(sampled_), -32) * static_cast<double>(draft.records);
  sensitivity_ = privacy::sum_sensitivity(draft.relation, kBound);
  const std::uint64_t charged = Draft::charged(iterations);
  // Without sampling: T vectors of l2 sensitivity 2K or K with Gaussian noise.
  const privacy::Schedule plan = sampled_ == kAll
                                     ? privacy::cd_schedule({.iterations = charged,
                                                             .relation = draft.relation,
                                                             .release = privacy::Release::gaussian,
                                                             .bound = kBound})
                                     : privacy::sgd_schedule({.iterations = charged,
                                                              .sampled = sampled_,
                                                              .relation = draft.relation,
                                                              .bound = kBound});
  const privacy::Cost cost = draft.calibrated(plan).costs[0];
  scale_ = cost.scale;
  draft.statement.mechanisms.push_back({"release", "discrete_gaussian_release", cost, iterations});
}

double Sgd::clip_of(const problem::Coordinates& all, std::size_t c) const {
  return scale_ > 0 ? all.clip(c) : all.clip();
}

NoiseSd Sgd::noise(const problem::Coordinates& all, std::size_t c, double step) const {
  const double gradient = scale_ == 0 ? paper_sigma_ * all.clip()
                                      : static_cast<double>(scale_) * clip_of(all, c) /
                                            (static_cast<double>(kBound) * batch_);
  return {gradient, gradient * step};
}

Solved Sgd::solve(const Work& work) const {
  const double clip = work.coordinates.clip();
  std::vector<double> units(work.coordinates.size());
  for (std::size_t c = 0; c < units.size(); ++c) units[c] = clip_of(work.coordinates, c) / clip;
  const auto run = [&]<class Design>(const Design& design, auto mechanism) {
    problem::BatchProblem<Design> problem(gradient_parts(design, work), work.penalty,
                                          {.clip_units = units, .clip = clip, .batch = batch_},
                                          work.start, work.pool);
    solvers::FixedStep step{work.step};
    std::vector<double> coef = solvers::sgd(
        problem, mechanism, step,
        {.iterations = work.iterations, .iterate = iterate_, .progress = work.progress});
    // What steps make of each other's noise is not known (solved_along).
    std::vector<double> noise_sd(coef.size(), std::numeric_limits<double>::quiet_NaN());
    return Solved{std::move(coef), {}, std::move(noise_sd)};
  };
  return std::visit(
      [&](const auto& design) {
        if (scale_ == 0) {
          return run(
              design,
              solvers::PaperSgd(std::vector<double>(units.size(), paper_sigma_ * clip), work.bits));
        }
        return run(design,
                   solvers::CertifiedSgd(privacy::DiscreteGaussianRelease(sensitivity_, scale_),
                                         sampled_, work.bits));
      },
      work.dataset.design);
}

}  // namespace southwell::fit
