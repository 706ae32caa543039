// What fits do whose records are limited, seen through the tap.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "fit/tapped_sensitivity.hpp"
#include "southwell/model/predict.hpp"
#include "southwell/privacy/mechanisms/discrete_release.hpp"
#include "southwell/problem/gradient/clipped_gradient.hpp"

namespace southwell::fit {
namespace {

FitSpec limited(const Case& each) {
  FitSpec spec = small_spec("logistic", each.penalty);
  spec.solver = "sgd";
  spec.refine = "on";
  spec.clip.reset();
  spec.iterations = 4;
  spec.record_norm = 0.5;
  return spec;
}

TEST(TappedLimit, HasItsL2SensitivityOnEveryReplacedRecordOfTheValueTable) {
  expect_its_sensitivity_on_the_value_table(limited);
}
TEST(TappedLimit, HasItsL2SensitivityInEveryTailThreadAndShard) {
  expect_its_sensitivity_in_every_tail(limited);
}
TEST(TappedLimit, HasHalfTheL2SensitivityWhenARecordIsAddedDownToNone) {
  expect_half_the_sensitivity_when_a_record_is_added(limited);
}

/// Records of norms 2, 4 and 8 along one axis, and the same shortened to 1: exact powers of two.
const std::vector<Record> kLong{{2.0, 0.0, 1.0}, {0.0, -4.0, -1.0}, {8.0, 0.0, -1.0}};
const std::vector<Record> kShort{{1.0, 0.0, 1.0}, {0.0, -1.0, -1.0}, {1.0, 0.0, -1.0}};

TEST(TappedLimit, AFitOfLongRecordsIsThatOfShortenedOnes) {
  FitSpec spec = limited({"", "l2", ""});
  spec.intercept = true;
  const FitPlan plan = plan_for(spec, kLong, 2);
  for (const Stored stored : kStorages) {
    const LinearModel model = fit_with(dataset_of(kLong, 2, stored), plan, 3);
    EXPECT_EQ(to_json(model), to_json(fit_with(dataset_of(kShort, 2, stored), plan, 3)));
  }
}

TEST(TappedLimit, PredictionsOfLongRecordsAreThoseOfShortenedOnes) {
  FitSpec spec = limited({"logistic", "l2", ""});
  spec.intercept = true;
  const LinearModel model =
      fit_with(dataset_of(kLong, 2, Stored::f64), plan_for(spec, kLong, 2), 3);
  for (const Stored stored : kStorages) {
    EXPECT_EQ(model::margins(model, dataset_of(kLong, 2, stored)),
              model::margins(model, dataset_of(kShort, 2, stored)));
  }
}

/// The sums of one coordinate at a time, as a mechanism gets them.
template <class Design>
std::vector<std::int64_t> sums_of(const Design& design, std::span<const double> target,
                                  const problem::RecordLimit& limit, double slope_limit) {
  const problem::Coordinates coordinates({.features = design.features(),
                                          .intercept = problem::Intercept::free,
                                          .clip = 0.7,
                                          .slope_limit = slope_limit});
  const std::vector<double> labels{-1.0, 1.0};
  const problem::AnyLoss loss = problem::Logistic{};
  const problem::RecordWeights weights;
  core::ThreadPool pool(1);
  const problem::RecordFactors factors(design, limit, pool);
  const std::vector<double> coef{0.3, -0.2, 0.1};
  problem::ClippedGradient<Design> gradient({.design = design,
                                             .target = target,
                                             .classes = labels,
                                             .loss = loss,
                                             .coordinates = coordinates,
                                             .weights = weights,
                                             .factors = factors},
                                            coef, pool);
  gradient.refresh();
  const privacy::DiscreteGaussianRelease release(1, 1);
  privacy::SeededRandomBits bits(1);
  Tap tap;
  for (std::size_t c = 0; c < coordinates.size(); ++c) {
    release.release(gradient.sum(c), release.draw(bits));
  }
  std::vector<std::int64_t> out;
  for (const TapRecord& record : tap.records()) out.push_back(record.input[0]);
  return out;
}

std::vector<std::int64_t> sums_of(const std::vector<Record>& records, Stored stored,
                                  const problem::RecordLimit& limit, double slope_limit) {
  const data::Dataset dataset = dataset_of(records, 2, stored);
  return std::visit(
      [&](const auto& design) { return sums_of(design, dataset.target, limit, slope_limit); },
      dataset.design);
}

TEST(TappedLimit, SingleCoordinatesOfLongRecordsAreThoseOfShortenedOnes) {
  for (const double slope_limit : {0.0, 0.5}) {
    for (const Stored stored : kStorages) {
      const auto expected = sums_of(kShort, stored, {}, slope_limit);
      EXPECT_EQ(sums_of(kShort, stored, {.norm = 1.0}, slope_limit), expected);
      EXPECT_EQ(sums_of(kLong, stored, {.norm = 1.0}, slope_limit), expected);
      EXPECT_NE(sums_of(kLong, stored, {}, slope_limit), expected);
    }
  }
}

TEST(TappedLimit, NoRecordAddsMoreThanItsBoundToACoordinate) {
  constexpr std::int64_t kBound = problem::ProductClip::kBound;
  for (const double a : kValues) {
    for (const double b : kValues) {
      for (const double y : {-1.0, 1.0, std::nan("")}) {
        for (const double norm : {1e-3, 1.0, 1e100}) {
          for (const double slope_limit : {0.0, 0.5}) {
            std::vector<std::int64_t> first;
            for (const Stored stored : {Stored::f64, Stored::sparse}) {
              const auto sums = sums_of({{a, b, y}}, stored, {.norm = norm}, slope_limit);
              for (const std::int64_t sum : sums) EXPECT_LE(std::abs(sum), kBound);
              if (first.empty()) first = sums;
              EXPECT_EQ(sums, first) << a << " " << b;
            }
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace southwell::fit
