// A solver that this target adds with one header and one entry (tests/CMakeLists.txt): everything
// else about it follows.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "fit/small_data.hpp"
#include "southwell/core/error.hpp"
#include "southwell/fit/fit.hpp"
#include "southwell/fit/plan_table.hpp"
#include "southwell/model/save_json.hpp"

namespace southwell::fit {
namespace {

FitSpec cyclic_spec() {
  FitSpec spec;
  spec.objective.loss = "squared";
  spec.epsilon = 1.0;
  spec.delta = 1e-6;
  spec.solver = "cyclic";
  spec.iterations = 7;
  spec.target_scale = 1.0;
  return spec;
}

data::Dataset small_dataset() {
  std::vector<Record> records;
  for (int i = 0; i < 40; ++i) records.push_back({i % 3 - 1.0, i % 5 - 2.0, i % 3 + 0.5});
  return dataset_of(records, 2, Stored::f64);
}

std::string refusal_of(const FitSpec& spec) {
  try {
    plan_fit(spec, DataShape::of(small_dataset()));
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "nothing was refused";
}

TEST(ThrowawaySolver, FitsPlansAndIsKept) {
  const data::Dataset dataset = small_dataset();
  const LinearModel model = fit(dataset, cyclic_spec());
  EXPECT_EQ(model.privacy.guarantee, "(1, 1e-06)-DP");
  EXPECT_EQ(model.privacy.solver, "cyclic");
  ASSERT_EQ(model.path.size(), 7u);
  for (std::size_t t = 0; t < 7; ++t) EXPECT_EQ(model.path[t].index, t % 3);  // an intercept too
  const LinearModel again = model::from_json(model::to_json(model), "model");
  EXPECT_EQ(model::to_json(again), model::to_json(model));
  EXPECT_GT(plan_table(cyclic_spec(), DataShape::of(dataset)).rows[0].coef_noise_sd, 0.0);
}

TEST(ThrowawaySolver, IsNamedInRefusals) {
  FitSpec other = cyclic_spec();
  other.solver = "newton";
  EXPECT_NE(refusal_of(other).find("auto, gcd, cd, sgd, cyclic"), std::string::npos);
  FitSpec foreign = cyclic_spec();
  foreign.rule = "gs_s";
  EXPECT_EQ(refusal_of(foreign),
            "rule: given 'gs_s', which is only valid with solver gcd (this fit uses cyclic)");
  FitSpec refined = cyclic_spec();
  refined.refine = "on";
  EXPECT_EQ(refusal_of(refined),
            "refine: given on, which is only valid with solver gcd or sgd (this fit uses cyclic)");
}

}  // namespace
}  // namespace southwell::fit
