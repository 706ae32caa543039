#include "southwell/assess/planned_tuning.hpp"

#include <gtest/gtest.h>

#include <string>

#include <nlohmann/json.hpp>

#include "assess/tuned.hpp"
#include "southwell/core/error.hpp"

namespace southwell::assess {
namespace {

FitSpec one_setting() {
  FitSpec spec = spec_of({0.1}).settings.front();
  spec.epsilon = 2.0;
  spec.delta = 1e-6;
  return spec;
}

// What tuning over settings of this kind then does.
TEST(PlannedTuning, IsWhatTuningWouldLeave) {
  for (const std::size_t count : {2u, 20u}) {
    const PlannedTuning planned = planned_tuning(one_setting(), shape_of(2000), count);
    const Tuning tuning(spec_of(many(count)), shape_of(2000));
    EXPECT_EQ(planned.by_runs, tuning.plan().runs().has_value());
    EXPECT_NEAR(planned.epsilon_of_each, tuning.epsilon_of_each(), 1e-9);
    EXPECT_EQ(planned.expectation, tuning.plan().expectation());
    const nlohmann::json out = nlohmann::json::parse(with_planned_tuning("{}", planned));
    EXPECT_EQ(out["tuning"]["settings"], count);
    EXPECT_EQ(out["tuning"]["way"], planned.by_runs ? "runs" : "all");
  }
}

TEST(PlannedTuning, ExpectsLittleOfFewRecords) {
  EXPECT_NE(planned_tuning(one_setting(), shape_of(500), 20).expectation.find("to be better"),
            std::string::npos);
  EXPECT_NE(planned_tuning(one_setting(), shape_of(50'000), 20).expectation.find("do as well"),
            std::string::npos);
  EXPECT_THROW(planned_tuning(one_setting(), shape_of(500), 0), InvalidArgument);
  EXPECT_THROW(planned_tuning(one_setting(), shape_of(500), 5000), InvalidArgument);
}

}  // namespace
}  // namespace southwell::assess
