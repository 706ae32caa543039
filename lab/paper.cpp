#include "lab/paper.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <utility>

#include "lab/simulator.hpp"
#include "southwell/core/error.hpp"
#include "southwell/model/fit.hpp"

namespace southwell::lab {
namespace {

class Stopwatch {
 public:
  double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::string hexadecimal(std::span<const unsigned char> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const unsigned char byte : bytes) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

/// SHA-256 of record number and value of every stored entry, column after column, then the target.
std::string fingerprint(const data::Dataset& dataset) {
  crypto_hash_sha256_state state;
  crypto_hash_sha256_init(&state);
  std::vector<double> numbers;
  const auto flush = [&] {
    crypto_hash_sha256_update(&state, reinterpret_cast<const unsigned char*>(numbers.data()),
                              numbers.size() * sizeof(double));
    numbers.clear();
  };
  std::visit(
      [&](const auto& design) {
        const auto block = design.block({0, design.features()});
        for (std::size_t j = 0; j < design.features(); ++j) {
          block.column(j).for_each([&](std::size_t i, double x) {
            numbers.push_back(static_cast<double>(i));
            numbers.push_back(x);
          });
          flush();
        }
      },
      dataset.design);
  numbers = dataset.target;
  flush();
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash{};
  crypto_hash_sha256_final(&state, hash.data());
  return hexadecimal(hash);
}

class Search {
 public:
  Search(const PaperCase& on, PaperCell cell, const PaperOptions& options, core::ThreadPool& pool)
      : on_(on), options_(options), pool_(pool) {
    const data::Dataset& dataset = on.problem.dataset;
    result_.cell = std::move(cell);
    result_.records = dataset.records();
    result_.features = dataset.features();
    result_.objective = on.optimum.objective;
    result_.error_at_zero = on.relative_error(on.optimum.objective_at_zero);
    const std::vector<double>& coef = on.optimum.at.coef;
    result_.optimum_support = static_cast<std::size_t>(
        std::count_if(coef.begin(), coef.end(), [](double w) { return w != 0.0; }));
    result_.settings =
        paper_grid(result_.cell.algorithm, dataset.records(), dataset.features(), options.extent);
  }

  PaperResult run() {
    const Stopwatch searching;
    search();
    result_.search_seconds = searching.seconds();
    const Stopwatch repeating;
    repeat_winner();
    result_.fresh_seconds = repeating.seconds();
    return std::move(result_);
  }

 private:
  model::FitPlan plan(const PaperSetting& setting) const {
    model::FitSpec spec;
    spec.objective = on_.problem.objective;
    spec.epsilon = options_.epsilon;
    const auto n = static_cast<double>(result_.records);
    spec.delta = 1.0 / (n * n);
    spec.solver = result_.cell.algorithm;
    spec.mode = result_.cell.mode;
    if (!result_.cell.rule.empty()) spec.rule = result_.cell.rule;
    spec.iterations = setting.iterations;
    spec.clip = setting.clip * clip_unit();
    spec.step = setting.step;
    spec.feature_scale_from_data = true;  // as the paper does
    spec.allow_leaks = true;
    spec.threads = 1;
    return plan_fit(spec, model::DataShape::of(on_.problem.dataset));
  }

  /// The product's clip of the paper's C = 1: that of DP-SGD is a norm in both.
  double clip_unit() const { return keeps_path() ? on_.clip_unit : 1.0; }
  bool keeps_path() const { return result_.cell.algorithm != "sgd"; }

  void search() {
    const auto batches = paper_batches(result_.settings);
    double all = 0.0;
    for (const auto& [iterations, members] : batches) all += static_cast<double>(iterations);
    all *= static_cast<double>(options_.runs);
    double done = 0.0;
    result_.searched.resize(result_.settings.size());
    for (const auto& [iterations, members] : batches) {
      std::vector<SimulatedSetting> settings;
      for (const std::size_t s : members) {
        const PaperSetting& each = result_.settings[s];
        settings.push_back({each.clip * clip_unit(), each.step});
      }
      const Simulator simulator(on_.problem.dataset, plan(result_.settings[members.front()]),
                                pool_);
      std::vector<std::vector<double>> errors(members.size());
      for (std::size_t run = 0; run < options_.runs; ++run) {
        const std::vector<Simulated> found = simulator.run(settings, 1 + run);
        for (std::size_t k = 0; k < found.size(); ++k) {
          errors[k].push_back(on_.relative_error(found[k].objective));
        }
        done += static_cast<double>(iterations);
        if (options_.progress) options_.progress(0.95 * done / all);
      }
      for (std::size_t k = 0; k < members.size(); ++k) {
        result_.searched[members[k]] = ErrorSummary::of(errors[k]);
      }
      result_.settings_run += members.size();
    }
    const std::vector<std::size_t> places = run_in_place_of(result_.settings);
    for (std::size_t s = 0; s < places.size(); ++s) {
      result_.searched[s] = result_.searched[places[s]];
      if (result_.searched[s].mean < result_.searched[result_.best].mean) result_.best = s;
    }
  }

  /// With the product's own fits: the search saw the luckiest of many, in simulation.
  void repeat_winner() {
    const PaperSetting& best = result_.settings[result_.best];
    const model::FitPlan planned = plan(best);
    std::vector<std::vector<double>> trajectories(options_.fresh);
    result_.fresh.resize(options_.fresh);
    pool_.run(options_.fresh, [&](std::size_t run) {
      const std::uint64_t seed = kFreshSeed + run;
      model::FitOptions options;
      options.bits = std::make_unique<privacy::SeededRandomBits>(seed);
      const model::LinearModel model = model::fit(on_.problem.dataset, planned, std::move(options));
      FreshRun& out = result_.fresh[run];
      out.seed = seed;
      Coefficients at{std::vector<double>(model.features), 0.0};
      for (const model::Coefficient& each : model.heads.front().coef) {
        at.coef[each.index] = each.value;
        ++(on_.optimum.at.coef[each.index] != 0.0 ? out.support_right : out.support_wrong);
      }
      out.error =
          on_.relative_error(evaluate(on_.problem.dataset, on_.problem.objective, at).objective());
      trajectories[run] =
          keeps_path() ? trajectory(model) : std::vector{result_.error_at_zero, out.error};
    });
    if (options_.progress) options_.progress(1.0);
    for (std::size_t k = 0; k < trajectories.front().size(); ++k) {
      std::vector<double> errors;
      for (const std::vector<double>& each : trajectories) errors.push_back(each[k]);
      const std::uint64_t iterations = checkpoint(k);
      const double pass =
          iterations_per_pass(result_.cell.algorithm, result_.records, result_.features);
      result_.trajectory.push_back(
          {static_cast<double>(iterations) / pass, iterations, ErrorSummary::of(errors)});
    }
  }

  /// At most so many points of a trajectory besides its start, evenly spaced.
  static constexpr std::uint64_t kPoints = 100;
  std::uint64_t checkpoints() const {
    const std::uint64_t most = keeps_path() ? kPoints : 1;
    return std::min(most, result_.settings[result_.best].iterations);
  }
  std::uint64_t checkpoint(std::size_t k) const {
    return result_.settings[result_.best].iterations * k / checkpoints();
  }

  /// Errors at the checkpoints, from the path of a fit.
  std::vector<double> trajectory(const model::LinearModel& model) const {
    return visit_objective(on_.problem.dataset, on_.problem.objective, [&](const auto& objective) {
      Coefficients at{std::vector<double>(model.features), 0.0};
      std::vector<double> margins(objective.records());
      std::vector<double> out;
      std::size_t taken = 0;
      for (std::size_t k = 0; k <= checkpoints(); ++k) {
        for (; taken < checkpoint(k); ++taken) {
          const model::ModelStep& step = model.path[taken];
          const double change = step.value - at.coef[step.index];
          at.coef[step.index] = step.value;
          if (change == 0.0) continue;
          objective.visit_column(
              step.index, [&](const auto& column) { column.add_to(margins.data(), change); });
        }
        out.push_back(
            on_.relative_error(objective.loss_value(margins) + objective.penalty_value(at)));
      }
      return out;
    });
  }

  const PaperCase& on_;
  const PaperOptions& options_;
  core::ThreadPool& pool_;
  PaperResult result_;
};

}  // namespace

std::string PaperCell::name() const {
  return problem + "-" + algorithm + "-" + mode + (rule.empty() ? "" : "-" + rule);
}

std::vector<PaperCell> paper_cells(const PaperOptions& options) {
  std::vector<std::string> problems = options.problems;
  if (problems.empty()) {
    for (const PaperProblem& each : paper_problems()) problems.emplace_back(each.name);
  }
  std::vector<PaperCell> out;
  for (const std::string& problem : problems) {
    for (const std::string& algorithm : options.algorithms) {
      for (const std::string& mode : options.modes) {
        if (algorithm == "sgd" && mode != "paper") continue;
        if (algorithm != "gcd") {
          out.push_back({problem, algorithm, mode, ""});
          continue;
        }
        for (const std::string& rule : options.rules) {
          out.push_back({problem, algorithm, mode, rule});
        }
      }
    }
  }
  return out;
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

ErrorSummary PaperResult::fresh_error() const {
  std::vector<double> errors;
  for (const FreshRun& run : fresh) errors.push_back(run.error);
  return ErrorSummary::of(errors);
}

double PaperCase::relative_error(double objective) const {
  const double error = objective / optimum.objective - 1.0;
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

PaperCase load_case(const std::string& problem, const PaperOptions& options,
                    core::ThreadPool& pool) {
  PaperCase out{.problem = load(paper_problem(problem), options.data, options.instance, pool),
                .optimum = {}};
  out.optimum = lab::optimum(out.problem.dataset, out.problem.objective, 1e-10, pool);
  require_reached(out.optimum);
  out.clip_unit =
      visit_objective(out.problem.dataset, out.problem.objective, [&](const auto& objective) {
        double sum = 0.0;
        for (const double smoothness : objective.smoothness(pool)) sum += smoothness;
        return std::sqrt(problem::curvature_bound(objective.loss()) / sum);
      });
  out.sha256 = fingerprint(out.problem.dataset);
  return out;
}

PaperResult search(const PaperCase& on, const PaperCell& cell, const PaperOptions& options,
                   core::ThreadPool& pool) {
  return Search(on, cell, options, pool).run();
}

double expected_cost(const PaperCase& on, const PaperCell& cell, const PaperOptions& options) {
  const data::Dataset& dataset = on.problem.dataset;
  const double pass = iterations_per_pass(cell.algorithm, dataset.records(), dataset.features());
  const auto entries = static_cast<double>(
      std::visit([](const auto& design) { return design.stored_entries(); }, dataset.design));
  double passes = 0.0;
  for (const PaperSetting& each :
       paper_grid(cell.algorithm, dataset.records(), dataset.features(), options.extent)) {
    passes += static_cast<double>(each.iterations) / pass;
  }
  return 1.0 + 2e-10 * entries * passes * static_cast<double>(options.runs);
}

}  // namespace southwell::lab
