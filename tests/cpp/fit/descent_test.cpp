#include "southwell/fit/descent.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "fit/small_data.hpp"
#include "model/changed_model.hpp"
#include "southwell/fit/fit.hpp"

namespace southwell::fit {
namespace {

FitSpec refined_sgd(std::uint64_t iterations) {
  FitSpec spec;
  spec.objective.loss = "squared";
  spec.solver = "sgd";
  spec.epsilon = 4.0;
  spec.delta = 1e-6;
  spec.target_scale = 1.0;
  spec.feature_scale = {1.0};
  spec.iterations = iterations;
  return spec;
}

data::Dataset some_records() {
  std::vector<Record> records;
  for (int i = 0; i < 600; ++i) {
    const double a = i % 3 - 1.0;
    const double b = i % 5 - 2.0;
    records.push_back({a, b, a - b});
  }
  return dataset_of(records, 2, Stored::f64);
}

/// Its other releases may be as many as its iterations: 1, 2 or 6.
TEST(RefinedSgd, DoesNotLoadWithoutItsDescent) {
  for (const std::uint64_t iterations : {1u, 2u, 6u, 20u}) {
    auto file = nlohmann::json::parse(to_json(fit(some_records(), refined_sgd(iterations))));
    EXPECT_EQ(model::refusal_of(file), "accepted");
    nlohmann::json& mechanisms = file["privacy"]["mechanisms"];
    ASSERT_GE(mechanisms.size(), 4u);
    const auto descent = std::find_if(mechanisms.begin(), mechanisms.end(),
                                      [](const auto& use) { return use["step"] == "release"; });
    ASSERT_NE(descent, mechanisms.end());
    EXPECT_EQ((*descent)["count"], iterations);
    mechanisms.erase(descent);
    EXPECT_NE(model::refusal_of(file).find("not as many uses as iterations"), std::string::npos)
        << iterations;
  }
}

}  // namespace
}  // namespace southwell::fit
