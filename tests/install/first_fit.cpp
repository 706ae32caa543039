#include <cstdio>
#include <southwell/southwell.hpp>

int main() {
  const auto data = southwell::data::read("square.csv", {.target = "target"});
  southwell::fit::FitSpec spec;
  spec.objective = {.loss = "squared", .penalty = "l1", .alpha = 30.0};
  spec.epsilon = 1.0;
  spec.delta = 1e-6;
  spec.feature_scale = {1.0};
  southwell::model::save(southwell::fit::fit(data, spec), "model.json");
  const auto model = southwell::model::load("model.json");
  std::printf("%s", southwell::model::to_text(model.privacy).c_str());
  for (const double y : southwell::model::margins(model, data)) std::printf("%g\n", y);
}
