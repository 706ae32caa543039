// What a fit in C++ makes of a file where nothing is chosen: default_fit DATA LOSS PENALTY MODEL
// [SCHEMA or FEATURES], with the budget and the seed of tests/python/test_same_bits.py. Its
// warnings go to standard error.

#include <cstdio>
#include <memory>
#include <southwell/southwell.hpp>
#include <string>
#include <utility>

namespace {

/// The data, and in the spec what a schema or the number of features says of them.
southwell::data::Dataset read(const std::string& file, const std::string& known,
                              southwell::fit::FitSpec& spec) {
  if (known.ends_with(".json")) {
    auto schema =
        std::make_shared<const southwell::data::Schema>(southwell::data::Schema::from_file(known));
    spec.table = std::make_shared<const southwell::data::TableEncoding>(std::move(schema), known);
    return southwell::data::read_table(file, *spec.table);
  }
  if (spec.objective.loss == "logistic") spec.classes = {-1.0, 1.0};
  if (known.empty()) return southwell::data::read(file, {.target = "target"});
  spec.features = std::stoul(known);
  return southwell::data::read(file, {.features = spec.features});
}

}  // namespace

int main(int count, char** given) {
  if (count < 5 || count > 6) return 2;
  southwell::fit::FitSpec spec;
  spec.objective.loss = given[2];
  spec.objective.penalty = given[3];
  if (spec.objective.penalty == "elastic_net") spec.objective.l1_ratio = 0.5;
  spec.epsilon = 1.0;
  spec.delta = 1e-6;
  spec.seed_for_tests = 7;
  const auto data = read(given[1], count == 6 ? given[5] : "", spec);
  const auto plan = southwell::fit::plan_fit(spec, southwell::fit::DataShape::of(data));
  for (const std::string& warning : southwell::model::warnings_of(plan->statement)) {
    std::fprintf(stderr, "%s\n", warning.c_str());
  }
  southwell::model::save(southwell::fit::fit(data, plan), given[4]);
}
