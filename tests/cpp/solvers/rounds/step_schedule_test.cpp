#include "southwell/solvers/rounds/step_schedule.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace southwell::solvers {
namespace {

struct PlainProblem {
  double clip = 0.0;
  static std::size_t size() { return 4; }
  void set_clip(double to) { clip = to; }
  double smoothness(std::size_t c) const { return c == 0 ? 1.0 : 4.0; }
  double room_of(std::int64_t released) const { return static_cast<double>(released); }
  double room_of_noise(double sd) const { return sd; }
};
struct PlainMechanism {
  std::vector<std::int64_t> numbers;
  const std::vector<std::int64_t>& released() const { return numbers; }
  double noise_sd() const { return 10.0; }
};

TEST(StepSchedule, GetsShorterWhereGradientsTurnAroundAndOnlyThere) {
  PlainProblem problem;
  StepSchedule schedule({.clip = 2.0, .scale = 3.0, .releases = 10, .longest = 5.0}, 4, nullptr);
  schedule.prepare(problem);
  EXPECT_DOUBLE_EQ(problem.clip, 2.0 * 3.0 * 2.0);
  EXPECT_DOUBLE_EQ(schedule.step_of(problem, 0), 0.5);
  EXPECT_DOUBLE_EQ(schedule.step_of(problem, 1), 0.125);
  schedule.learn(problem, PlainMechanism{{100, 0, 0, 0}});
  schedule.learn(problem, PlainMechanism{{100, 0, 0, 0}});
  EXPECT_DOUBLE_EQ(schedule.step_of(problem, 0), 0.5);
  schedule.learn(problem, PlainMechanism{{-5, 0, 0, 0}});  // within noise: -5, and the limit is -6
  EXPECT_DOUBLE_EQ(schedule.step_of(problem, 0), 0.5);
  schedule.learn(problem, PlainMechanism{{0, 0, 0, 0}});
  schedule.learn(problem, PlainMechanism{{900, 0, 0, 0}});
  schedule.learn(problem, PlainMechanism{{-900, 0, 0, 0}});
  EXPECT_DOUBLE_EQ(schedule.step_of(problem, 0), 0.3);
}

TEST(StepSchedule, TakesLessTimeWhereThereIsMoreNoise) {
  PlainProblem problem;
  double before = 1e9;
  for (const double noise : {0.0, 0.02, 0.1, 1.0}) {
    const StepSchedule schedule({.releases = 1, .longest = 10.0, .time = 0.7, .noise = noise}, 4,
                                nullptr);
    EXPECT_LT(schedule.step_of(problem, 0), before);
    before = schedule.step_of(problem, 0);
  }
}

}  // namespace
}  // namespace southwell::solvers
