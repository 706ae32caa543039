#include "lab/compare.hpp"

#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "southwell/core/error.hpp"
#include "southwell/model/fit.hpp"

namespace southwell::lab {
namespace {

constexpr std::array<std::uint64_t, 7> kPasses{1, 2, 4, 7, 10, 15, 20};  // one is one iteration
// Seeds of the search and of the winner's runs lie far apart.
constexpr std::uint64_t kFresh = 1'000'000;

double log_space(double first, double last, std::size_t size, std::size_t k) {
  const double share = static_cast<double>(k) / static_cast<double>(size - 1);
  return std::pow(10.0, first + (last - first) * share);
}

/// The grid in the paper's threshold C, translated by c = C sqrt(beta / sum M).
std::vector<Setting> settings(Grid grid, double clip_unit) {
  const std::size_t every_clip = grid == Grid::sub ? 5 : 1;
  const std::size_t every_step = grid == Grid::sub ? 3 : 1;
  std::vector<Setting> out;
  for (const std::uint64_t iterations : kPasses) {
    for (std::size_t c = 0; c < 50; c += every_clip) {
      for (std::size_t s = 0; s < 10; s += every_step) {
        out.push_back(
            {iterations, log_space(-4.0, 6.0, 50, c) * clip_unit, log_space(-2.0, 1.0, 10, s)});
      }
    }
  }
  return out;
}

struct Instance {
  LoadedProblem problem;
  solvers::Optimum optimum;
};

struct Outcome {
  double error = 0.0;
  double right = 0.0;
  double wrong = 0.0;
};

class Comparing {
 public:
  Comparing(const std::string& name, const CompareOptions& options, core::ThreadPool& pool)
      : options_(options), pool_(pool) {
    const PaperProblem& problem = paper_problem(name);
    const std::size_t count = problem.file.empty() ? options.instances : 1;
    for (std::size_t k = 0; k < count; ++k) {
      LoadedProblem loaded = load(problem, options.data, k + 1, pool);
      solvers::Optimum optimum = lab::optimum(loaded.dataset, loaded.objective, 1e-10, pool);
      require_reached(optimum);
      instances_.push_back({std::move(loaded), std::move(optimum)});
    }
    result_.problem = name;
    for (const Instance& each : instances_) {
      result_.error_at_zero += (each.optimum.objective_at_zero / each.optimum.objective - 1.0) /
                               static_cast<double>(instances_.size());
    }
  }

  Compared run() {
    const std::vector<Setting> grid = settings(options_.grid, clip_unit());
    const std::size_t all = options_.modes.size() * (grid.size() + 1);
    std::size_t done = 0;
    for (const std::string& mode : options_.modes) {
      ComparedMode found{.mode = mode, .best = {}, .settings = grid.size(), .errors = {}};
      found.search_error = std::numeric_limits<double>::infinity();
      for (const Setting& setting : grid) {
        const double error = mean_error(outcomes(plan(mode, setting), options_.runs, 0));
        if (error < found.search_error) {
          found.search_error = error;
          found.best = setting;
        }
        core::report(options_.progress, ++done, all);
      }
      rerun(found);
      core::report(options_.progress, ++done, all);
      result_.modes.push_back(std::move(found));
    }
    return std::move(result_);
  }

 private:
  double clip_unit() const {
    const LoadedProblem& problem = instances_.front().problem;
    return visit_objective(problem.dataset, problem.objective, [&](const auto& objective) {
      double sum = 0.0;
      for (const double smoothness : objective.smoothness(pool_)) sum += smoothness;
      return std::sqrt(problem::curvature_bound(objective.loss()) / sum);
    });
  }

  model::FitPlan plan(const std::string& mode, const Setting& setting) const {
    const LoadedProblem& problem = instances_.front().problem;
    model::FitSpec spec;
    spec.objective = problem.objective;
    spec.epsilon = options_.epsilon;
    const auto n = static_cast<double>(problem.dataset.records());
    spec.delta = options_.delta.value_or(1.0 / (n * n));
    spec.mode = mode;
    if (mode == "certified") spec.share = options_.share;
    spec.rule = options_.rule;
    spec.iterations = setting.iterations;
    spec.clip = setting.clip;
    spec.step = setting.step;
    spec.feature_scale_from_data = true;  // as the paper does
    spec.allow_leaks = true;
    spec.threads = 1;
    return plan_fit(spec, model::DataShape::of(problem.dataset));
  }

  Outcome outcome(const model::FitPlan& plan, const Instance& instance, std::uint64_t seed) const {
    model::FitOptions options;
    options.bits = std::make_unique<privacy::SeededRandomBits>(seed);
    const model::LinearModel model = model::fit(instance.problem.dataset, plan, std::move(options));
    Outcome out;
    Coefficients at{std::vector<double>(model.features), 0.0};
    for (const model::Coefficient& each : model.heads.front().coef) {
      at.coef[each.index] = each.value;
      (instance.optimum.at.coef[each.index] != 0.0 ? out.right : out.wrong) += 1.0;
    }
    const double objective =
        evaluate(instance.problem.dataset, instance.problem.objective, at).objective();
    const double error = objective / instance.optimum.objective - 1.0;
    out.error = std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
    return out;
  }

  /// `runs` on each instance, with the same seeds for every setting and mode.
  std::vector<Outcome> outcomes(const model::FitPlan& plan, std::size_t runs,
                                std::uint64_t seeds) const {
    std::vector<Outcome> out(instances_.size() * runs);
    pool_.run(out.size(), [&](std::size_t task) {
      out[task] = outcome(plan, instances_[task / runs], seeds + task);
    });
    return out;
  }

  static double mean_error(const std::vector<Outcome>& outcomes) {
    double sum = 0.0;
    for (const Outcome& each : outcomes) sum += each.error;
    return sum / static_cast<double>(outcomes.size());
  }

  /// The winner once more on fresh seeds: the search saw the luckiest of many.
  void rerun(ComparedMode& found) const {
    const model::FitPlan planned = plan(found.mode, found.best);
    const auto start = std::chrono::steady_clock::now();
    const std::vector<Outcome> fresh = outcomes(planned, options_.fresh, kFresh);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    const auto count = static_cast<double>(fresh.size());
    found.seconds = took.count() * pool_.threads() / count;
    found.errors.resize(instances_.size());
    for (std::size_t task = 0; task < fresh.size(); ++task) {
      found.errors[task / options_.fresh].push_back(fresh[task].error);
      found.support_right += fresh[task].right / count;
      found.support_wrong += fresh[task].wrong / count;
    }
  }

  const CompareOptions& options_;
  core::ThreadPool& pool_;
  std::vector<Instance> instances_;
  Compared result_;
};

template <class Fold>
double fold(const ComparedMode& mode, double start, Fold&& f) {
  for (const auto& instance : mode.errors) {
    for (const double error : instance) start = f(start, error);
  }
  return start;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

}  // namespace

double ComparedMode::mean() const {
  std::vector<double> by_instance;
  for (const auto& instance : errors) by_instance.push_back(mean_of(instance));
  return mean_of(by_instance);
}

double ComparedMode::least() const {
  return fold(*this, std::numeric_limits<double>::infinity(),
              [](double a, double b) { return std::min(a, b); });
}

double ComparedMode::most() const {
  return fold(*this, -std::numeric_limits<double>::infinity(),
              [](double a, double b) { return std::max(a, b); });
}

Interval95 paired_difference(const Compared& compared) {
  const auto& first = compared.modes.at(0).errors;
  const auto& second = compared.modes.at(1).errors;
  std::vector<double> differences;
  if (first.size() == 1) {
    for (std::size_t k = 0; k < first[0].size(); ++k) {
      differences.push_back(second[0][k] - first[0][k]);
    }
  } else {
    for (std::size_t k = 0; k < first.size(); ++k) {
      differences.push_back(mean_of(second[k]) - mean_of(first[k]));
    }
  }
  const auto count = static_cast<double>(differences.size());
  Interval95 out{mean_of(differences), std::numeric_limits<double>::infinity()};
  if (differences.size() < 2) return out;
  double squares = 0.0;
  for (const double d : differences) squares += (d - out.mean) * (d - out.mean);
  const boost::math::students_t law(count - 1.0);
  out.half_width = boost::math::quantile(law, 0.975) * std::sqrt(squares / (count - 1.0) / count);
  return out;
}

std::vector<Compared> compare(const CompareOptions& options, core::ThreadPool& pool) {
  if (options.runs < 1 || options.fresh < 1 || options.instances < 1 || options.modes.empty()) {
    throw InvalidArgument("compare: given no run, instance or mode, accepted is at least one");
  }
  std::vector<Compared> out;
  for (std::size_t k = 0; k < options.problems.size(); ++k) {
    CompareOptions each = options;
    const auto share = 1.0 / static_cast<double>(options.problems.size());
    each.progress = [&](double done) {
      if (options.progress) options.progress((static_cast<double>(k) + done) * share);
    };
    out.push_back(Comparing(options.problems[k], each, pool).run());
  }
  return out;
}

}  // namespace southwell::lab
