#include "lab/tuning.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "lab/simulator.hpp"
#include "southwell/core/error.hpp"

namespace southwell::lab {
namespace {

Coefficients coefficients_of(const model::LinearModel& model) {
  Coefficients out{std::vector<double>(model.features), model.heads.front().intercept};
  for (const model::Coefficient& each : model.heads.front().coef) out.coef[each.index] = each.value;
  return out;
}

std::vector<PaperSetting> picked(const std::vector<PaperSetting>& settings,
                                 std::span<const std::size_t> places) {
  std::vector<PaperSetting> out;
  out.reserve(places.size());
  for (const std::size_t s : places) out.push_back(settings[s]);
  return out;
}

}  // namespace

std::string Contender::name() const {
  return solver + "-" + mode + (rule.empty() ? "" : "-" + rule);
}

std::vector<Contender> contenders(std::span<const std::string> solvers,
                                  std::span<const std::string> modes,
                                  std::span<const std::string> rules) {
  std::vector<Contender> out;
  for (const std::string& solver : solvers) {
    for (const std::string& mode : modes) {
      if (mode == "untuned") continue;
      if (solver != "gcd") {
        out.push_back({solver, mode, ""});
        continue;
      }
      for (const std::string& rule : rules) out.push_back({solver, mode, rule});
    }
  }
  if (std::find(modes.begin(), modes.end(), "untuned") != modes.end()) {
    out.push_back({"auto", "untuned", ""});
  }
  return out;
}

Instance::Instance(LoadedProblem loaded, core::ThreadPool& pool) : problem(std::move(loaded)) {
  optimum = lab::optimum(problem.dataset, problem.objective, 1e-10, pool);
  require_reached(optimum);
  const std::vector<double> smoothness =
      visit_objective(problem.dataset, problem.objective,
                      [&](const auto& objective) { return objective.smoothness(pool); });
  smoothness_sum = std::accumulate(smoothness.begin(), smoothness.end(), 0.0);
  smoothness_max = *std::max_element(smoothness.begin(), smoothness.end());
}

double Instance::relative_error(double objective) const {
  const double error = objective / optimum.objective - 1.0;
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

std::vector<PaperSetting> settings_of(const Contender& contender, const Instance& instance,
                                      const PaperExtent& extent) {
  if (contender.is_untuned()) return {PaperSetting{}};
  // A pass of gradient descent on all records is one step: as of cd, if there were one coordinate.
  if (contender.takes_all_records()) return paper_grid("cd", instance.records(), 1, extent);
  return paper_grid(contender.solver, instance.records(), instance.features(), extent);
}

ErrorSummary ErrorSummary::of(std::span<const double> errors) {
  ErrorSummary out{0.0, std::numeric_limits<double>::infinity(),
                   -std::numeric_limits<double>::infinity()};
  for (const double error : errors) {
    out.mean += error / static_cast<double>(errors.size());
    out.least = std::min(out.least, error);
    out.most = std::max(out.most, error);
  }
  return out;
}

ErrorSummary Tuned::fresh_error() const {
  std::vector<double> errors;
  for (const auto& instance : fresh) {
    for (const FreshRun& run : instance) errors.push_back(run.error);
  }
  return ErrorSummary::of(errors);
}

Tuning::Tuning(std::span<const Instance> instances, Contender contender,
               const TuningOptions& options, core::ThreadPool& pool)
    : instances_(instances), contender_(std::move(contender)), options_(options), pool_(pool) {
  if (instances.empty() || options.runs < 1 || options.fresh < 1) {
    throw InvalidArgument("tuning: given no instance or no run, accepted is at least one");
  }
}

double Tuning::clip_unit() const {
  if (contender_.is_untuned()) return 1.0;
  const Instance& instance = instances_.front();
  const double curvature = visit_objective(
      instance.problem.dataset, instance.problem.objective,
      [](const auto& objective) { return problem::curvature_bound(objective.loss()); });
  // The paper's threshold C is C_j = C sqrt(M_j / sum M) per coordinate and the norm of a whole
  // gradient in its sgd; ours is on g_j / sqrt(M_j / beta), or on the norm of these.
  if (contender_.solver != "sgd") return std::sqrt(curvature / instance.smoothness_sum);
  if (!contender_.takes_all_records()) return 1.0;
  const auto features = static_cast<double>(instance.features());
  return std::sqrt(features * curvature / instance.smoothness_sum);
}

double Tuning::step_unit() const {
  return contender_.takes_all_records() ? 1.0 / instances_.front().smoothness_max : 1.0;
}

fit::FitSpec Tuning::asked() const {
  const Instance& instance = instances_.front();
  fit::FitSpec spec;
  spec.objective = instance.problem.objective;
  spec.epsilon = options_.epsilon;
  const auto n = static_cast<double>(instance.records());
  spec.delta = options_.delta.value_or(1.0 / (n * n));
  spec.solver = contender_.solver;
  if (problem::classifies(problem::loss_of(spec.objective))) spec.classes = {-1.0, 1.0};
  spec.threads = 1;
  return spec;
}

fit::FitPlan Tuning::untuned_plan() const {
  const Instance& instance = instances_.front();
  fit::FitSpec spec = asked();
  spec.features = instance.features();
  spec.target_scale_private =
      spec.intercept.emplace(spec.objective.loss == "squared" || spec.objective.loss == "huber");
  return plan_fit(spec, fit::DataShape::of(instance.problem.dataset));
}

fit::FitPlan Tuning::plan(const PaperSetting& setting) const {
  if (contender_.is_untuned()) return untuned_plan();
  const Instance& instance = instances_.front();
  fit::FitSpec spec = asked();
  spec.mode = contender_.mode;
  if (contender_.solver == "gcd") {
    spec.rule = contender_.rule;
    if (contender_.mode == "certified") {
      spec.share = options_.share;
      spec.selection = options_.selection;
      spec.release = options_.release;
    }
  }
  if (contender_.solver == "sgd") spec.iterate = "last";
  spec.iterations = setting.iterations;
  spec.clip = setting.clip * clip_unit();
  spec.step = setting.step * step_unit();
  spec.feature_scale_from_data = true;  // as the paper does
  spec.allow_leaks = true;
  return plan_fit(spec, fit::DataShape::of(instance.problem.dataset));
}

model::LinearModel Tuning::fit(const fit::FitPlan& plan, std::size_t instance,
                               std::uint64_t seed) const {
  fit::RunOptions options;
  options.bits = std::make_unique<privacy::SeededRandomBits>(seed);
  return fit::fit(instances_[instance].problem.dataset, plan, std::move(options));
}

FreshRun Tuning::fresh_run(const fit::FitPlan& plan, std::size_t instance, std::uint64_t seed,
                           const std::function<void(const model::LinearModel&)>& look) const {
  const auto start = std::chrono::steady_clock::now();
  const model::LinearModel model = fit(plan, instance, seed);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  FreshRun out = judged(model, instance);
  out.seed = seed;
  out.seconds = took.count();
  if (look) look(model);
  return out;
}

Tuned Tuning::chosen(std::vector<PaperSetting> settings) const {
  Tuned out;
  out.settings = std::move(settings);
  if (contender_.is_untuned()) {
    const fit::FitPlan planned = untuned_plan();
    out.settings = {{.iterations = planned->iterations,
                     .clip = planned->coordinates.clip,
                     .step = planned->step}};
    out.searched.resize(1);
    out.settings_run = 1;
    return out;
  }
  search(out);
  choose(out);
  return out;
}

PaperSetting Tuning::best(std::vector<PaperSetting> settings) const {
  return chosen(std::move(settings)).winner();
}

Tuned Tuning::run(std::vector<PaperSetting> settings, const Look& look) const {
  Tuned out = chosen(std::move(settings));
  const fit::FitPlan planned = plan(out.winner());
  out.fresh.assign(instances_.size(), std::vector<FreshRun>(options_.fresh));
  pool_.run(instances_.size() * options_.fresh, [&](std::size_t task) {
    const std::size_t instance = task / options_.fresh;
    const std::size_t run = task % options_.fresh;
    out.fresh[instance][run] =
        fresh_run(planned, instance, kFreshSeed + task, [&](const model::LinearModel& model) {
          if (look) look(instance, run, model);
        });
  });
  core::report(options_.progress, 1, 1);
  return out;
}

void Tuning::search(Tuned& out) const {
  const auto batches = paper_batches(out.settings);
  double all = 0.0;
  for (const auto& [iterations, members] : batches) all += static_cast<double>(iterations);
  all *= static_cast<double>(options_.runs * instances_.size());
  double done = 0.0;
  out.searched.resize(out.settings.size());
  for (const auto& [iterations, members] : batches) {
    const auto steps = static_cast<double>(iterations);
    const auto ran = [&] {
      done += steps;
      if (options_.progress) options_.progress(0.9 * done / all);
    };
    const auto found = errors(picked(out.settings, members), 1, options_.runs, ran);
    for (std::size_t k = 0; k < members.size(); ++k) out.searched[members[k]] = found[k];
    out.settings_run += members.size();
  }
  const std::vector<std::size_t> places = run_in_place_of(out.settings);
  for (std::size_t s = 0; s < places.size(); ++s) out.searched[s] = out.searched[places[s]];
}

/// Of the finalists, the one with the least mean over all its runs.
void Tuning::choose(Tuned& out) const {
  std::vector<std::size_t> order;
  for (const auto& [iterations, members] : paper_batches(out.settings)) {
    order.insert(order.end(), members.begin(), members.end());
  }
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const double first = out.searched[a].mean;
    const double second = out.searched[b].mean;
    return first != second ? first < second : a < b;
  });
  order.resize(std::clamp<std::size_t>(options_.finalists, 1, order.size()));
  std::map<std::uint64_t, std::vector<std::size_t>> batches;
  for (const std::size_t s : order) batches[out.settings[s].iterations].push_back(s);
  const auto before = static_cast<double>(options_.runs);
  const auto after = static_cast<double>(options_.final_runs);
  double least = std::numeric_limits<double>::infinity();
  out.best = order.front();
  for (const auto& [iterations, members] : batches) {
    const auto found = errors(picked(out.settings, members), kFinalSeed, options_.final_runs);
    for (std::size_t k = 0; k < members.size(); ++k) {
      const double mean =
          (before * out.searched[members[k]].mean + after * found[k].mean) / (before + after);
      if (!(mean < least)) continue;
      least = mean;
      out.best = members[k];
    }
  }
}

std::vector<ErrorSummary> Tuning::errors(std::span<const PaperSetting> settings,
                                         std::uint64_t first, std::size_t runs,
                                         const std::function<void()>& ran) const {
  std::vector<std::vector<double>> all(settings.size());
  for (std::size_t instance = 0; instance < instances_.size(); ++instance) {
    const ErrorsOf errors_of =
        contender_.takes_all_records() ? fitted(settings, instance) : simulated(settings, instance);
    for (std::size_t run = 0; run < runs; ++run) {
      const std::vector<double> found = errors_of(first + instance * runs + run);
      for (std::size_t k = 0; k < found.size(); ++k) all[k].push_back(found[k]);
      ran();
    }
  }
  std::vector<ErrorSummary> out;
  out.reserve(all.size());
  for (const std::vector<double>& each : all) out.push_back(ErrorSummary::of(each));
  return out;
}

Tuning::ErrorsOf Tuning::simulated(std::span<const PaperSetting> settings,
                                   std::size_t instance) const {
  const Instance& on = instances_[instance];
  const double unit = clip_unit();
  std::vector<SimulatedSetting> lanes;
  for (const PaperSetting& each : settings) lanes.push_back({each.clip * unit, each.step});
  return [&on, lanes = std::move(lanes),
          simulator =
              Simulator(on.problem.dataset, plan(settings.front()), pool_)](std::uint64_t seed) {
    std::vector<double> out;
    for (const Simulated& each : simulator.run(lanes, seed)) {
      out.push_back(on.relative_error(each.objective));
    }
    return out;
  };
}

Tuning::ErrorsOf Tuning::fitted(std::span<const PaperSetting> settings,
                                std::size_t instance) const {
  return [this, settings, instance](std::uint64_t seed) {
    std::vector<double> out(settings.size());
    pool_.run(settings.size(), [&](std::size_t k) {
      out[k] = judged(fit(plan(settings[k]), instance, seed), instance).error;
    });
    return out;
  };
}

FreshRun Tuning::judged(const model::LinearModel& model, std::size_t instance) const {
  const Instance& on = instances_[instance];
  FreshRun out;
  for (const model::Coefficient& each : model.heads.front().coef) {
    ++(on.optimum.at.coef[each.index] != 0.0 ? out.support_right : out.support_wrong);
  }
  Coefficients at = coefficients_of(model);
  if (on.problem.objective.intercept == Intercept::none) at.intercept = 0.0;
  out.error = on.relative_error(evaluate(on.problem.dataset, on.problem.objective, at).objective());
  return out;
}

}  // namespace southwell::lab
