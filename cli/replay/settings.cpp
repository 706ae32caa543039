#include "settings.hpp"

#include <array>
#include <utility>

namespace southwell::cli::replay {
namespace {

struct Problem {
  const char* loss;
  const char* penalty;
  const char* rule;
};
constexpr std::array<Problem, 8> kProblems{{{"squared", "none", "gs_s"},
                                            {"squared", "l1", "gs_q"},
                                            {"squared", "elastic_net", "gs_r"},
                                            {"logistic", "l1", "gs_s"},
                                            {"logistic", "l2", "gs_q"},
                                            {"huber", "box", "gs_q"},
                                            {"huber", "l2", "gs_s"},
                                            {"squared_hinge", "box", "gs_r"}}};

fit::FitSpec spec_of(const Problem& problem) {
  fit::FitSpec spec;
  spec.objective.loss = problem.loss;
  spec.objective.penalty = problem.penalty;
  const std::string penalty = problem.penalty;
  if (penalty == "box") {
    spec.objective.lower = -0.5;
    spec.objective.upper = 2.0;
  } else if (penalty != "none") {
    spec.objective.alpha = 0.01;
  }
  if (penalty == "elastic_net") spec.objective.l1_ratio = 0.5;
  if (spec.objective.loss == "huber") spec.objective.huber_width = 1.5;
  if (spec.objective.loss == "logistic" || spec.objective.loss == "squared_hinge") {
    spec.classes = {-1.0, 1.0};
  } else {
    spec.target_scale = 1.0;
  }
  spec.intercept = penalty == "l1";
  spec.epsilon = 1.0;
  spec.delta = 1e-6;
  spec.iterations = 3;
  spec.threads = 1;
  return spec;
}

fit::FitSpec printed(const std::string& solver, const Problem& problem) {
  fit::FitSpec spec = spec_of(problem);
  spec.solver = solver;
  if (solver != "cd") spec.refine = "off";
  if (solver == "gcd") spec.rule = problem.rule;
  if (solver == "sgd") spec.step = 0.1;
  spec.clip = 1.0;
  return spec;
}

fit::FitSpec refined(const std::string& solver, const Problem& problem) {
  fit::FitSpec spec = spec_of(problem);
  spec.solver = solver;
  spec.refine = "on";
  spec.iterations = 4;
  spec.select_iterate = true;
  // So little noise that second moments of a few records are worth their release, and are tried.
  if (spec.objective.penalty == "l2") spec.epsilon = 500.0;
  return spec;
}

/// The scale of targets, and the norm of records, where nobody declares them.
fit::FitSpec with_found_scale() {
  fit::FitSpec spec = refined("gcd", kProblems[0]);
  spec.target_scale.reset();
  spec.target_scale_private = true;
  spec.epsilon = 400.0;  // a handful of records is to tell a scale from noise
  return spec;
}
fit::FitSpec with_found_norm() {
  fit::FitSpec spec = refined("sgd", kProblems[3]);
  spec.record_norm_private = true;
  spec.epsilon = 400.0;
  spec.select_iterate.reset();
  return spec;
}

/// A factor for all margins at the end.
fit::FitSpec calibrated() {
  fit::FitSpec spec = refined("sgd", kProblems[3]);
  spec.select_iterate.reset();
  spec.record_norm = 0.5;
  spec.iterations = 2;
  spec.epsilon = 400.0;
  spec.calibrate_probabilities = true;
  return spec;
}

fit::FitSpec many_classes(fit::FitSpec spec) {
  spec.classes = {-1.0, 0.0, 1.0};
  return spec;
}

fit::FitSpec in_batches(fit::FitSpec spec) {
  spec.batch_size = 2;
  spec.iterations = 8;
  return spec;
}

}  // namespace

std::vector<Setting> settings() {
  std::vector<Setting> all;
  const auto add = [&all](const char* family, std::string name, fit::FitSpec spec) {
    name += ", " + spec.objective.loss + " loss, penalty " + spec.objective.penalty;
    const bool finds = spec.target_scale_private || spec.record_norm_private;
    all.push_back({family, name, std::move(spec), finds});
  };
  for (const Problem& problem : kProblems) {
    add("gcd, as printed", "greedy descent", printed("gcd", problem));
    add("gcd, refined", "descent in rounds", refined("gcd", problem));
    add("cd", "coordinate descent", printed("cd", problem));
    add("sgd, as printed", "gradient descent", printed("sgd", problem));
    add("sgd, refined", "averaged gradient descent", refined("sgd", problem));
  }
  for (const char* selection : {"permute_and_flip", "noisy_max"}) {
    fit::FitSpec spec = printed("gcd", kProblems[1]);
    spec.selection = selection;
    spec.release = "laplace";
    add("gcd, as printed", selection, std::move(spec));
  }
  add("sgd, in batches", "in batches", in_batches(printed("sgd", kProblems[0])));
  add("sgd, in batches", "in batches", in_batches(printed("sgd", kProblems[3])));
  add("gcd, as printed", "three classes", many_classes(printed("gcd", kProblems[3])));
  add("gcd, refined", "three classes", many_classes(refined("gcd", kProblems[3])));
  add("sgd, refined", "three classes", many_classes(refined("sgd", kProblems[3])));
  add("scales found", "target scale found", with_found_scale());
  add("scales found", "record norm found", with_found_norm());
  add("sgd, refined", "calibrated", calibrated());
  return all;
}

}  // namespace southwell::cli::replay
