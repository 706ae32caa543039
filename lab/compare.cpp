#include "lab/compare.hpp"

#include <utility>

#include "southwell/core/error.hpp"

namespace southwell::lab {
namespace {

std::vector<double> errors_of(const std::vector<FreshRun>& runs) {
  std::vector<double> out;
  out.reserve(runs.size());
  for (const FreshRun& each : runs) out.push_back(each.error);
  return out;
}

/// What may be paired: means of instances, or the runs of the only one.
std::vector<double> paired_errors(const Tuned& of) {
  if (of.fresh.size() == 1) return errors_of(of.fresh.front());
  std::vector<double> out;
  out.reserve(of.fresh.size());
  for (const auto& instance : of.fresh) out.push_back(mean_of(errors_of(instance)));
  return out;
}

Compared compared(const CompareProblem& problem, const std::vector<Contender>& all,
                  const CompareOptions& options, core::ThreadPool& pool) {
  std::vector<Instance> instances;
  instances.reserve(problem.instances);
  Compared out{.problem = problem.name};
  for (std::size_t k = 0; k < problem.instances; ++k) {
    instances.emplace_back(problem.load(k + 1), pool);
    out.error_at_zero += instances.back().error_at_zero() / static_cast<double>(problem.instances);
  }
  for (std::size_t k = 0; k < all.size(); ++k) {
    TuningOptions own = options.tuning;
    own.progress = [&](double share) {
      if (!options.tuning.progress) return;
      options.tuning.progress((static_cast<double>(k) + share) / static_cast<double>(all.size()));
    };
    const Tuning tuning(instances, all[k], own, pool);
    Tuned tuned = tuning.run(settings_of(all[k], instances.front(), options.extent));
    const double clip = tuned.winner().clip * tuning.clip_unit();
    const double step = tuned.winner().step * tuning.step_unit();
    out.rows.push_back({all[k], clip, step, std::move(tuned)});
  }
  return out;
}

}  // namespace

std::size_t ComparedRow::runs() const { return tuned.fresh.size() * tuned.fresh.front().size(); }

double ComparedRow::mean(double (*value)(const FreshRun&)) const {
  double sum = 0.0;
  for (const auto& instance : tuned.fresh) {
    for (const FreshRun& run : instance) sum += value(run);
  }
  return sum / static_cast<double>(runs());
}

CompareProblem named_problem(const std::string& name, std::size_t instances,
                             const std::filesystem::path& data, core::ThreadPool& pool) {
  const PaperProblem& problem = paper_problem(name);
  return {name, problem.file.empty() ? instances : 1,
          [&problem, data, &pool](std::uint64_t seed) { return load(problem, data, seed, pool); }};
}

Interval95 paired_difference(const Tuned& first, const Tuned& second) {
  std::vector<double> differences = paired_errors(second);
  const std::vector<double> from = paired_errors(first);
  for (std::size_t k = 0; k < differences.size(); ++k) differences[k] -= from[k];
  return interval95(differences);
}

std::vector<Compared> compare(const std::vector<CompareProblem>& problems,
                              const CompareOptions& options, core::ThreadPool& pool) {
  const std::vector<Contender> all = contenders(options.solvers, options.modes, options.rules);
  if (all.empty()) {
    throw InvalidArgument("compare: given no solver, mode or rule, accepted is at least one");
  }
  std::vector<Compared> out;
  for (std::size_t k = 0; k < problems.size(); ++k) {
    CompareOptions each = options;
    const auto share = 1.0 / static_cast<double>(problems.size());
    each.tuning.progress = [&](double done) {
      if (!options.tuning.progress) return;
      options.tuning.progress((static_cast<double>(k) + done) * share);
    };
    out.push_back(compared(problems[k], all, each, pool));
  }
  return out;
}

}  // namespace southwell::lab
