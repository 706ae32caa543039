#include "lab/paper.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "lab/simulator.hpp"
#include "southwell/core/error.hpp"

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

/// The trajectories of a winner's runs and what else its paths say.
class Trajectories {
 public:
  Trajectories(const PaperCase& on, const Contender& of, const PaperOptions& options)
      : on_(on.instance), of_(of), errors_(options.tuning.fresh) {}

  void look(std::size_t run, const model::LinearModel& model, std::uint64_t iterations) {
    std::vector<std::uint64_t> stops = checkpoints(iterations);
    if (of_.solver == "gcd") count_steps(model);
    errors_[run] = along_path(model, stops);
  }

  /// sgd's fits keep no path; its runs are simulated.
  void simulate(const Simulator& simulator, SimulatedSetting setting, std::uint64_t iterations,
                core::ThreadPool& pool) {
    const std::vector<std::uint64_t> stops = checkpoints(iterations);
    pool.run(errors_.size(), [&](std::size_t run) {
      for (const double objective : simulator.trajectory(setting, kFreshSeed + run, stops)) {
        errors_[run].push_back(on_.relative_error(objective));
      }
    });
  }

  void write(PaperResult& out) const {
    const PaperSetting& winner = out.tuned.winner();
    const double pass = iterations_per_pass(of_.solver, out.records, out.features);
    const std::vector<std::uint64_t> stops = checkpoints(winner.iterations);
    for (std::size_t k = 0; k < stops.size(); ++k) {
      std::vector<double> errors;
      errors.reserve(errors_.size());
      for (const std::vector<double>& each : errors_) errors.push_back(each[k]);
      const auto steps = static_cast<double>(stops[k]);
      const double part = steps / static_cast<double>(winner.iterations);
      out.trajectory.push_back(
          {steps / pass, stops[k], part * out.fit_seconds, ErrorSummary::of(errors)});
    }
    if (of_.solver != "gcd") return;
    const auto runs = static_cast<double>(errors_.size());
    out.good_steps = static_cast<double>(good_) / runs;
    out.bad_steps = static_cast<double>(bad_) / runs;
  }

 private:
  /// The start and at most 100 further points, evenly spaced.
  static std::vector<std::uint64_t> checkpoints(std::uint64_t iterations) {
    const std::uint64_t points = std::min<std::uint64_t>(100, iterations);
    std::vector<std::uint64_t> out;
    for (std::uint64_t k = 0; k <= points; ++k) out.push_back(iterations * k / points);
    return out;
  }

  std::vector<double> along_path(const model::LinearModel& model,
                                 std::span<const std::uint64_t> stops) const {
    const auto along = [&](const auto& objective) {
      Coefficients at{std::vector<double>(model.features), 0.0};
      std::vector<double> margins(objective.records());
      std::vector<double> out;
      std::size_t taken = 0;
      for (const std::uint64_t stop : stops) {
        for (; taken < stop; ++taken) {
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
    };
    return visit_objective(on_.problem.dataset, on_.problem.objective, along);
  }

  void count_steps(const model::LinearModel& model) {
    std::vector<double> coef(model.features);
    for (const model::ModelStep& step : model.path) {
      const double before = std::exchange(coef[step.index], step.value);
      ++(before != 0.0 && before * step.value <= 0.0 ? bad_ : good_);
    }
  }

  const Instance& on_;
  const Contender& of_;
  std::vector<std::vector<double>> errors_;  ///< of each run at each checkpoint
  std::atomic<std::size_t> good_ = 0;
  std::atomic<std::size_t> bad_ = 0;
};

/// The least of a few fits with nothing beside them.
double seconds_of_fit(const Tuning& tuning, const fit::FitPlan& plan) {
  double least = std::numeric_limits<double>::infinity();
  const Stopwatch all;
  for (std::uint64_t run = 0; run < 5 && (run == 0 || all.seconds() < 1.0); ++run) {
    const Stopwatch one;
    tuning.fit(plan, 0, kFreshSeed + run);
    least = std::min(least, one.seconds());
  }
  return least;
}

}  // namespace

std::vector<PaperCell> paper_cells(const PaperOptions& options) {
  std::vector<std::string> problems = options.problems;
  if (problems.empty()) {
    for (const PaperProblem& each : paper_problems()) problems.emplace_back(each.name);
  }
  std::vector<PaperCell> out;
  for (const std::string& problem : problems) {
    for (const Contender& of : contenders(options.algorithms, options.modes, options.rules)) {
      if (!of.takes_all_records()) out.push_back({problem, of});
    }
  }
  return out;
}

PaperCase load_case(const std::string& problem, const PaperOptions& options,
                    core::ThreadPool& pool) {
  Instance instance(load(paper_problem(problem), options.data, options.instance, pool), pool);
  std::string sha256 = fingerprint(instance.problem.dataset);
  return {problem, std::move(instance), std::move(sha256)};
}

PaperResult search(const PaperCase& on, const PaperCell& cell, const PaperOptions& options,
                   core::ThreadPool& pool) {
  const Instance& instance = on.instance;
  PaperResult out{.cell = cell,
                  .records = instance.records(),
                  .features = instance.features(),
                  .objective = instance.optimum.objective,
                  .error_at_zero = instance.error_at_zero()};
  const std::vector<double>& coef = instance.optimum.at.coef;
  out.optimum_support = static_cast<std::size_t>(
      std::count_if(coef.begin(), coef.end(), [](double w) { return w != 0.0; }));

  const Stopwatch searching;
  const Tuning tuning({&instance, 1}, cell.of, options.tuning, pool);
  Trajectories trajectories(on, cell.of, options);
  const bool keeps_path = cell.of.solver != "sgd";
  out.tuned = tuning.run(settings_of(cell.of, instance, options.extent),
                         [&](std::size_t, std::size_t run, const model::LinearModel& model) {
                           if (keeps_path) trajectories.look(run, model, model.path.size());
                         });
  const PaperSetting& winner = out.tuned.winner();
  const fit::FitPlan plan = tuning.plan(winner);
  if (!keeps_path) {
    core::ThreadPool alone(1);
    trajectories.simulate(Simulator(instance.problem.dataset, plan, alone),
                          {winner.clip * tuning.clip_unit(), winner.step}, winner.iterations, pool);
  }
  out.search_seconds = searching.seconds();
  out.fit_seconds = seconds_of_fit(tuning, plan);
  for (const model::PublicInput& input : plan->statement.public_inputs) {
    if (input.name == "share") out.share = std::get<double>(input.value);
  }
  trajectories.write(out);
  return out;
}

double expected_cost(const PaperCase& on, const PaperCell& cell, const PaperOptions& options) {
  const data::Dataset& dataset = on.instance.problem.dataset;
  const double pass = iterations_per_pass(cell.of.solver, dataset.records(), dataset.features());
  const auto entries = static_cast<double>(
      std::visit([](const auto& design) { return design.stored_entries(); }, dataset.design));
  double passes = 0.0;
  for (const PaperSetting& each : settings_of(cell.of, on.instance, options.extent)) {
    passes += static_cast<double>(each.iterations) / pass;
  }
  return 1.0 + 2e-10 * entries * passes * static_cast<double>(options.tuning.runs);
}

}  // namespace southwell::lab
