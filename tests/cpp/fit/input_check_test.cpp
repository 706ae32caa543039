#include <gtest/gtest.h>

#include <cstddef>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "fit/small_data.hpp"
#include "southwell/core/error.hpp"
#include "southwell/fit/fit_plan.hpp"

namespace southwell::fit {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Refused {
  const char* name;  ///< what the message begins with
  std::function<void(FitSpec&, DataShape&)> change;
};

/// The change for another solver.
std::function<void(FitSpec&, DataShape&)> with(const std::string& solver,
                                               const std::function<void(FitSpec&)>& change) {
  return [=](FitSpec& spec, DataShape&) {
    spec.solver = solver;
    change(spec);
  };
}

/// The change for a fit that finds its target scale, which is possible without it.
std::function<void(FitSpec&, DataShape&)> private_scale(
    const std::function<void(FitSpec&, DataShape&)>& change) {
  return [=](FitSpec& spec, DataShape& shape) {
    spec.target_scale.reset();
    spec.target_scale_private = true;
    spec.clip.reset();
    shape.records = 5000;
    EXPECT_NO_THROW(plan_fit(spec, shape));
    change(spec, shape);
  };
}

TEST(FitPlan, RefusesWhatItCannotDo) {
  const std::vector<Refused> table{
      {"epsilon", [](FitSpec& s, DataShape&) { s.epsilon = 0.0; }},
      {"epsilon", [](FitSpec& s, DataShape&) { s.epsilon = -1.0; }},
      {"epsilon", [](FitSpec& s, DataShape&) { s.epsilon = kNan; }},
      {"epsilon", [](FitSpec& s, DataShape&) { s.epsilon = kInfinity; }},
      {"delta", [](FitSpec& s, DataShape&) { s.delta = -1e-9; }},
      {"delta", [](FitSpec& s, DataShape&) { s.delta = 1.0; }},
      {"delta", [](FitSpec& s, DataShape&) { s.delta = kNan; }},
      {"iterations", [](FitSpec& s, DataShape&) { s.iterations = 0; }},
      {"iterations", [](FitSpec& s, DataShape&) { s.iterations = 10'000'001; }},
      {"clip", [](FitSpec& s, DataShape&) { s.clip = 0.0; }},
      {"clip", [](FitSpec& s, DataShape&) { s.clip = kNan; }},
      {"clip", [](FitSpec& s, DataShape&) { s.clip = 1e101; }},
      {"step", [](FitSpec& s, DataShape&) { s.step = -1.0; }},
      {"share", [](FitSpec& s, DataShape&) { s.share = 1.0; }},
      {"share", [](FitSpec& s, DataShape&) { s.share = 0.0; }},
      {"feature_scale", [](FitSpec& s, DataShape&) { s.feature_scale = {1.0, 2.0}; }},
      {"feature_scale", [](FitSpec& s, DataShape&) { s.feature_scale = {0.0}; }},
      {"feature_scale", [](FitSpec& s, DataShape&) { s.feature_scale = {1.0, kNan, 1.0}; }},
      {"feature_scale", [](FitSpec& s, DataShape&) { s.feature_scale_from_data = true; }},
      {"target_scale", [](FitSpec& s, DataShape&) { s.target_scale = 0.0; }},
      {"target_scale",
       [](FitSpec& s, DataShape&) {
         s.objective.loss = "logistic";
         s.classes = {0.0, 1.0};
       }},
      {"target_scale",
       [](FitSpec& s, DataShape&) {
         s.target_scale.reset();  // found by a mechanism then, and of too few records
         s.clip.reset();
       }},
      {"target_scale", private_scale([](FitSpec&, DataShape& d) { d.records = 100; })},
      {"target_scale", private_scale([](FitSpec& s, DataShape&) { s.epsilon = 0.001; })},
      {"target_scale", private_scale([](FitSpec& s, DataShape&) { s.target_scale = 2.0; })},
      {"target_scale", private_scale([](FitSpec& s, DataShape&) { s.clip = 2.0; })},
      {"target_scale", private_scale([](FitSpec& s, DataShape&) { s.mode = "paper"; })},
      {"target_scale", private_scale([](FitSpec& s, DataShape&) {
         s.objective.loss = "logistic";
         s.classes = {0.0, 1.0};
       })},
      {"classes", [](FitSpec& s, DataShape&) { s.classes = {0.0, 1.0}; }},
      {"classes",
       [](FitSpec& s, DataShape&) {
         s.objective.loss = "logistic";
         s.classes = {1.0, 1.0};
       }},
      {"classes",
       [](FitSpec& s, DataShape&) {
         s.objective.loss = "logistic";
         s.classes = {1.0, kNan};
       }},
      {"classes", [](FitSpec& s, DataShape&) { s.objective.loss = "logistic"; }},
      {"classes",
       [](FitSpec& s, DataShape&) {
         s.objective.loss = "logistic";
         s.allow_leaks = true;  // but there are no labels to read
       }},
      {"classes",
       [](FitSpec& s, DataShape&) {
         s.objective.loss = "logistic";
         s.classes = {0.0, 1.0};
         s.classes_from_data = true;
       }},
      {"loss", [](FitSpec& s, DataShape&) { s.objective.loss = "hinge"; }},
      {"penalty", [](FitSpec& s, DataShape&) { s.objective.penalty = "l3"; }},
      {"alpha", [](FitSpec& s, DataShape&) { s.objective.alpha = 1.0; }},
      {"alpha",
       [](FitSpec& s, DataShape&) {
         s.objective.penalty = "l1";  // its strength follows from a target scale
         s.target_scale.reset();
       }},
      {"alpha",
       [](FitSpec& s, DataShape&) {
         s.objective.penalty = "l1";
         s.feature_scale = {1e-100};
       }},
      {"lower, upper",
       [](FitSpec& s, DataShape&) {
         s.objective.penalty = "box";
         s.objective.lower = s.objective.upper = 1.0;
       }},
      {"relation", [](FitSpec& s, DataShape&) { s.relation = "add"; }},
      {"records", [](FitSpec& s, DataShape&) { s.records = 10; }},
      {"records", [](FitSpec& s, DataShape&) { s.relation = "add_or_remove_one"; }},
      {"records",
       [](FitSpec& s, DataShape&) {
         s.relation = "add_or_remove_one";
         s.records = 0;
       }},
      {"records", [](FitSpec&, DataShape& d) { d.records = (std::size_t{1} << 41) + 1; }},
      {"data", [](FitSpec&, DataShape& d) { d.records = 0; }},
      {"data", [](FitSpec&, DataShape& d) { d.features = 0; }},
      {"features", [](FitSpec&, DataShape& d) { d.features = (std::size_t{1} << 23) + 1; }},
      {"features",
       [](FitSpec& s, DataShape& d) {
         s.intercept = true;  // one candidate more
         d.features = std::size_t{1} << 23;
       }},
      {"features", [](FitSpec& s, DataShape&) { s.features = 4; }},
      {"features", [](FitSpec&, DataShape& d) { d.features_counted = true; }},
      {"solver", [](FitSpec& s, DataShape&) { s.solver = "newton"; }},
      {"batch_size", [](FitSpec& s, DataShape&) { s.batch_size = 10; }},
      {"sampling", [](FitSpec& s, DataShape&) { s.sampling = "poisson"; }},
      {"iterate", [](FitSpec& s, DataShape&) { s.iterate = "last"; }},
      {"batch_size", with("cd", [](FitSpec& s) { s.batch_size = 10; })},
      {"iterate", with("cd", [](FitSpec& s) { s.iterate = "last"; })},
      {"rule", with("cd", [](FitSpec& s) { s.rule = "gs_s"; })},
      {"selection", with("cd", [](FitSpec& s) { s.selection = "exponential"; })},
      {"share", with("cd", [](FitSpec& s) { s.share = 0.5; })},
      {"release", with("cd",
                       [](FitSpec& s) {
                         s.mode = "paper";
                         s.release = "gaussian";
                       })},
      {"rule", with("sgd", [](FitSpec& s) { s.rule = "gs_s"; })},
      {"selection", with("sgd", [](FitSpec& s) { s.selection = "exponential"; })},
      {"share", with("sgd", [](FitSpec& s) { s.share = 0.5; })},
      {"release", with("sgd", [](FitSpec& s) { s.release = "gaussian"; })},
      {"batch_size", with("sgd", [](FitSpec& s) { s.batch_size = 0; })},
      {"batch_size", with("sgd", [](FitSpec& s) { s.batch_size = 101; })},
      {"sampling", with("sgd",
                        [](FitSpec& s) {
                          s.batch_size = 10;
                          s.sampling = "uniform";
                        })},
      {"sampling", with("sgd", [](FitSpec& s) { s.sampling = "poisson"; })},
      {"iterate", with("sgd", [](FitSpec& s) { s.iterate = "best"; })},
      {"batch_size", with("sgd",
                          [](FitSpec& s) {
                            s.mode = "paper";
                            s.batch_size = 10;
                          })},
      {"mode", [](FitSpec& s, DataShape&) { s.mode = "both"; }},
      {"rule", [](FitSpec& s, DataShape&) { s.rule = "gs"; }},
      {"selection", [](FitSpec& s, DataShape&) { s.selection = "max"; }},
      {"release", [](FitSpec& s, DataShape&) { s.release = "none"; }},
      {"selection",
       [](FitSpec& s, DataShape&) {
         s.mode = "paper";
         s.selection = "exponential";
       }},
      {"relation",
       [](FitSpec& s, DataShape&) {
         s.mode = "paper";
         s.relation = "add_or_remove_one";
       }},
      {"start",
       [](FitSpec& s, DataShape&) {
         LinearModel start;
         start.features = 2;
         start.heads.resize(1);
         s.start = std::make_shared<const LinearModel>(start);
       }},
  };
  for (const Refused& each : table) {
    FitSpec spec = small_spec("squared");
    DataShape shape{.records = 100, .features = 3, .features_counted = false, .feature_names = {}};
    EXPECT_NO_THROW(plan_fit(spec, shape));
    each.change(spec, shape);
    try {
      plan_fit(spec, shape);
      ADD_FAILURE() << each.name << " was accepted";
    } catch (const std::exception& error) {
      const std::string message = error.what();
      EXPECT_EQ(message.rfind(std::string(each.name) + ":", 0), 0u) << message;
    }
  }
}

TEST(FitPlan, RefusesWhatIsMissingOrNoWordByItsName) {
  const std::vector<Refused> table{
      {"loss: given nothing, accepted is one of squared",
       [](FitSpec& s, DataShape&) { s.objective.loss.clear(); }},
      {"loss: given 'a<U+001B>', accepted are squared",
       [](FitSpec& s, DataShape&) { s.objective.loss = "a\x1b"; }},
      {"penalty: given 'l3', accepted are none",
       [](FitSpec& s, DataShape&) {
         s.objective.penalty = "l3";
         s.objective.alpha = 1.0;  // of another penalty: not what is wrong
       }},
      {"epsilon: given nothing, accepted is a positive",
       [](FitSpec& s, DataShape&) { s.epsilon.reset(); }},
      {"delta: given nothing, accepted is a number from 0",
       [](FitSpec& s, DataShape&) { s.delta.reset(); }},
      {"mode: given 'xxxxx", [](FitSpec& s, DataShape&) { s.mode = std::string(100'000, 'x'); }},
  };
  for (const Refused& each : table) {
    FitSpec spec = small_spec("squared");
    DataShape shape{.records = 100, .features = 3, .features_counted = false, .feature_names = {}};
    each.change(spec, shape);
    try {
      plan_fit(spec, shape);
      ADD_FAILURE() << each.name << " was accepted";
    } catch (const InvalidArgument& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with(each.name)) << error.what();
      EXPECT_LT(std::string(error.what()).size(), 200u);
    }
  }
}

}  // namespace
}  // namespace southwell::fit
