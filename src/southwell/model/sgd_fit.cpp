#include "southwell/model/sgd_fit.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

#include "southwell/model/input_check.hpp"
#include "southwell/problem/batch_problem.hpp"

namespace southwell::model {
namespace {

constexpr std::uint64_t kAll = solvers::CertifiedSgd::kAll;
constexpr auto kBound = static_cast<std::uint64_t>(problem::ProductClip::kBound);
constexpr const char* kOneRecord = "certified mode: the paper takes one uniform record per step";

/// batch / records in units of 2^-32, rounded down but never to 0: exactly what the sampler uses.
std::uint64_t rate(std::uint64_t batch, std::uint64_t records) {
  if (batch == records) return kAll;
  const double part = static_cast<double>(batch) / static_cast<double>(records);
  return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::ldexp(part, 32)));
}

}  // namespace

void SgdFit::read(Planning& planning) {
  const FitSpec& spec = planning.spec;
  Planning::refuse_if_given("rule", spec.rule, "the solver gcd");
  Planning::refuse_if_given("selection", spec.selection, "the solver gcd");
  Planning::refuse_if_given("share", spec.share, "the solver gcd");
  Planning::refuse_if_given("release", spec.release, "the solvers gcd and cd; sgd is Gaussian");
  const bool paper = planning.mode == Mode::paper;
  const std::string iterate = word("iterate", spec.iterate,
                                   paper ? std::vector<std::string>{"last", "average"}
                                         : std::vector<std::string>{"average", "last"});
  iterate_ = iterate == "last" ? solvers::Iterate::last : solvers::Iterate::average;
  planning.note("iterate", iterate, Planning::source_of(spec.iterate.has_value()));
  if (paper) {
    Planning::refuse_if_given("batch_size", spec.batch_size, kOneRecord);
    Planning::refuse_if_given("sampling", spec.sampling, kOneRecord);
    return;
  }
  word("sampling", spec.sampling, {"poisson"});
}

void SgdFit::calibrate(Planning& planning, std::uint64_t iterations, const Defaults&) {
  Statement& statement = planning.statement;
  if (planning.mode == Mode::paper) {
    sampled_ = rate(1, planning.records);
    const privacy::Calibrated published =
        privacy::calibrate(privacy::plan_sgd({.iterations = iterations,
                                              .sampled = sampled_,
                                              .relation = privacy::Relation::add_or_remove_one,
                                              .bound = kBound}),
                           planning.budget);
    paper_sigma_ = static_cast<double>(published.costs[0].scale) / static_cast<double>(kBound);
    planning.note("batch_size", 1.0, Source::standard);
    planning.note("noise_multiplier", paper_sigma_, Source::standard);
    statement.accountant =
        "Renyi composition of the subsampled Gaussian at rate 1/n, as for adding a record";
    return;
  }
  const std::uint64_t size = planning.spec.batch_size.value_or(planning.records);
  if (size < 1 || size > planning.records) {
    refuse("batch_size", std::to_string(size),
           "a whole number from 1 to the number of records, " + std::to_string(planning.records));
  }
  planning.note("batch_size", static_cast<double>(size),
                Planning::source_of(planning.spec.batch_size.has_value()));
  sampled_ = rate(size, planning.records);
  if (sampled_ < kAll) {
    planning.note("sampling", "poisson", Planning::source_of(planning.spec.sampling.has_value()));
  } else {
    Planning::refuse_if_given("sampling", planning.spec.sampling,
                              "a batch_size below the number of records");
  }
  batch_ = std::ldexp(static_cast<double>(sampled_), -32) * static_cast<double>(planning.records);
  sensitivity_ = privacy::sum_sensitivity(planning.relation, kBound);
  const std::uint64_t charged = Planning::charged(iterations);
  // Without sampling: T vectors of l2 sensitivity 2K or K with Gaussian noise.
  const privacy::Plan plan = sampled_ == kAll
                                 ? privacy::plan_cd({.iterations = charged,
                                                     .relation = planning.relation,
                                                     .release = privacy::Release::gaussian,
                                                     .bound = kBound})
                                 : privacy::plan_sgd({.iterations = charged,
                                                      .sampled = sampled_,
                                                      .relation = planning.relation,
                                                      .bound = kBound});
  const privacy::Cost cost = planning.calibrated(plan).costs[0];
  scale_ = cost.scale;
  statement.mechanisms.push_back({"release", "discrete_gaussian_release", cost, iterations});
}

double SgdFit::clip_of(const problem::Coordinates& coordinates, std::size_t c) const {
  return scale_ > 0 ? coordinates.clip(c) : coordinates.clip();
}

double SgdFit::gradient_noise_sd(const problem::Coordinates& coordinates, std::size_t c) const {
  if (scale_ == 0) return paper_sigma_ * coordinates.clip();
  return static_cast<double>(scale_) * clip_of(coordinates, c) /
         (static_cast<double>(kBound) * batch_);
}

Solved SgdFit::solve(const SolverWork& work) const {
  std::vector<double> clips(work.coordinates.size());
  for (std::size_t c = 0; c < clips.size(); ++c) clips[c] = clip_of(work.coordinates, c);
  const auto run = [&]<class Design>(const Design& design, auto mechanism) {
    problem::BatchProblem<Design> problem(gradient_parts(design, work), work.penalty,
                                          {.clips = clips, .batch = batch_}, work.start, work.pool);
    std::vector<double> coef = solvers::sgd(problem, mechanism,
                                            {.iterations = work.iterations,
                                             .step = work.step,
                                             .iterate = iterate_,
                                             .progress = work.progress});
    return Solved{std::move(coef), {}, std::vector<bool>(clips.size(), true)};
  };
  return std::visit(
      [&](const auto& design) {
        if (scale_ == 0) {
          return run(design, solvers::PaperSgd(
                                 std::vector<double>(clips.size(), paper_sigma_ * clips.front()),
                                 work.bits));
        }
        return run(design,
                   solvers::CertifiedSgd(privacy::DiscreteGaussianRelease(sensitivity_, scale_),
                                         sampled_, work.bits));
      },
      work.dataset.design);
}

}  // namespace southwell::model
