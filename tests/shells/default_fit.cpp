// What a fit in C++ makes of a file where nothing is chosen: default_fit DATA LOSS PENALTY MODEL,
// with the budget and the seed of tests/python/test_same_bits.py. Its warnings go to standard
// error.

#include <cstdio>
#include <southwell/southwell.hpp>
#include <string>

int main(int count, char** given) {
  if (count != 5) return 2;
  southwell::fit::FitSpec spec;
  spec.objective.loss = given[2];
  spec.objective.penalty = given[3];
  if (spec.objective.penalty == "elastic_net") spec.objective.l1_ratio = 0.5;
  if (spec.objective.loss == "logistic") spec.classes = {-1.0, 1.0};
  spec.epsilon = 1.0;
  spec.delta = 1e-6;
  spec.seed_for_tests = 7;
  const auto data = southwell::data::read(given[1], {.target = "target"});
  const auto plan = southwell::fit::plan_fit(spec, southwell::fit::DataShape::of(data));
  for (const std::string& warning : southwell::model::warnings_of(plan->statement)) {
    std::fprintf(stderr, "%s\n", warning.c_str());
  }
  southwell::model::save(southwell::fit::fit(data, plan), given[4]);
}
