#include "southwell/problem/penalties/penalty.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/problem/penalties/any_penalty.hpp"

namespace southwell::problem {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
const std::vector<AnyPenalty> kPenalties = {None{},
                                            L1(0.8),
                                            L2(1.7),
                                            ElasticNet(1.2, 0.3),
                                            Box(-0.5, 2.0),
                                            Box(0.0, kInfinity),
                                            Box(0.25, 0.75),
                                            Box(-kInfinity, -1.0),
                                            Bounded(0.8, 0.0, Box(0.0, kInfinity)),
                                            Bounded(0.8, 0.0, Box(-0.5, 2.0)),
                                            Bounded(0.0, 1.7, Box(-kInfinity, 0.75)),
                                            Bounded(0.4, 0.8, Box(-0.5, kInfinity)),
                                            Bounded(0.4, 0.8, Box(0.25, 0.75))};

template <class F>
void for_each_penalty(F&& f) {
  for (const AnyPenalty& any : kPenalties) {
    std::visit([&](const auto& penalty) { f(penalty); }, any);
  }
}

TEST(Penalty, ProxBeatsEveryPointOfAGrid) {
  for_each_penalty([](const auto& penalty) {
    for (double w = -4.0; w <= 4.0; w += 0.37) {
      for (const double step : {0.1, 1.0, 3.0}) {
        const auto cost = [&](double x) {
          return 0.5 * (x - w) * (x - w) + step * penalty.value(x);
        };
        const double best = penalty.prox(w, step);
        ASSERT_TRUE(std::isfinite(cost(best))) << penalty.kName;
        for (double x = -8.0; x <= 8.0; x += 0.01) {
          EXPECT_LE(cost(best), cost(x) + 1e-12) << penalty.kName << " at " << w << ", grid " << x;
        }
        for (const double near : {-1e-4, 1e-4}) {
          EXPECT_LE(cost(best), cost(best + near) + 1e-15) << penalty.kName << " at " << w;
        }
      }
    }
  });
}

TEST(Penalty, SubdifferentialHoldsExactlyTheSlopesOfSupportingLines) {
  for_each_penalty([](const auto& penalty) {
    for (const double w : {-2.0, -1.0, -0.5, -0.1, 0.0, 0.25, 0.3, 0.75, 2.0, 3.0}) {
      if (!std::isfinite(penalty.value(w))) continue;
      const Interval at = penalty.subdifferential(w);
      ASSERT_LE(at.lo, at.hi);
      const auto supports = [&](double slope) {
        for (double x = -6.0; x <= 6.0; x += 0.01) {
          if (penalty.value(x) < penalty.value(w) + slope * (x - w) - 1e-9) return false;
        }
        return true;
      };
      for (const double slope : {at.lo, at.hi}) {
        if (std::isfinite(slope)) {
          EXPECT_TRUE(supports(slope)) << penalty.kName << " at " << w << ", slope " << slope;
        }
      }
      if (std::isfinite(at.lo)) {
        EXPECT_FALSE(supports(at.lo - 0.05)) << penalty.kName << " " << w;
      }
      if (std::isfinite(at.hi)) {
        EXPECT_FALSE(supports(at.hi + 0.05)) << penalty.kName << " " << w;
      }
    }
  });
}

TEST(Penalty, FenchelYoungHoldsWithEqualityOnTheSubdifferential) {
  for_each_penalty([](const auto& penalty) {
    for (const double w : {-3.0, -1.0, -0.5, 0.0, 0.25, 0.5, 0.75, 2.0, 4.0}) {
      if (!std::isfinite(penalty.value(w))) continue;
      const Interval at = penalty.subdifferential(w);
      for (const double slope : {std::max(at.lo, -50.0), std::min(at.hi, 50.0)}) {
        EXPECT_NEAR(penalty.value(w) + penalty.conjugate(slope), w * slope, 1e-12) << penalty.kName;
      }
      for (const double slope : {-3.0, -0.4, 0.0, 0.2, 2.0}) {
        EXPECT_GE(penalty.value(w) + penalty.conjugate(slope), w * slope - 1e-12) << penalty.kName;
      }
    }
  });
}

TEST(Penalty, ConjugateIsFiniteExactlyOnTheDualDomain) {
  for_each_penalty([](const auto& penalty) {
    const Interval domain = penalty.dual_domain();
    for (const double slope : {-50.0, -0.81, -0.8, -1e-9, 0.0, 1e-9, 0.8, 0.81, 50.0}) {
      EXPECT_EQ(std::isfinite(penalty.conjugate(slope)), slope >= domain.lo && slope <= domain.hi)
          << penalty.kName << " " << slope;
    }
  });
}

TEST(Penalty, IsItsL2PartPlusItsKinkedPart) {
  for_each_penalty([](const auto& penalty) {
    const auto kinked = penalty.kinked();
    for (const double w : {-3.0, -1.0, -0.2, 0.0, 0.25, 0.5, 1.3}) {
      const double sum = 0.5 * penalty.curvature() * w * w + kinked.value(w);
      if (std::isfinite(sum)) {
        EXPECT_NEAR(penalty.value(w), sum, 1e-14) << penalty.kName;
      } else {
        EXPECT_EQ(penalty.value(w), sum);
      }
    }
  });
}

TEST(Penalty, AKinkedPenaltyIsStraightWithinAPieceAndBendsAtItsEnds) {
  for_each_penalty([](const auto& penalty) {
    const auto kinked = penalty.kinked();
    for (const double w : {-3.0, -1.0, -0.5, -0.2, 0.0, 0.25, 0.5, 0.75, 1.3, 2.0}) {
      if (!std::isfinite(kinked.value(w))) continue;
      const Interval piece = kinked.piece(w);
      const Interval slopes = kinked.subdifferential(w);
      EXPECT_EQ(piece.lo < piece.hi, slopes.lo == slopes.hi) << kinked.kName << " at " << w;
      for (const double end : {piece.lo, piece.hi}) {
        if (!std::isfinite(end)) continue;
        const Interval there = kinked.subdifferential(end);
        EXPECT_LT(there.lo, there.hi) << kinked.kName << " at the end " << end;
        if (piece.lo < piece.hi) {
          EXPECT_NEAR(kinked.value(end), kinked.value(w) + slopes.lo * (end - w), 1e-14);
        }
      }
    }
  });
}

TEST(Penalty, SymmetricOnesTreatBothSignsAlike) {
  const L1 l1(0.4);
  const ElasticNet net(0.9, 0.5);
  for (double w = -3.0; w <= 3.0; w += 0.25) {
    EXPECT_EQ(l1.prox(-w, 1.5), -l1.prox(w, 1.5));
    EXPECT_EQ(net.prox(-w, 1.5), -net.prox(w, 1.5));
    EXPECT_EQ(l1.subdifferential(-w).lo, -l1.subdifferential(w).hi);
    EXPECT_EQ(net.subdifferential(-w).lo, -net.subdifferential(w).hi);
  }
}

TEST(Penalty, InABoxKeepsItsStrengthsAndItsEnds) {
  const AnyPenalty penalty = make_penalty(
      {.name = "elastic_net", .alpha = 2.0, .l1_ratio = 0.75, .lower = 0.0, .upper = 3.0});
  EXPECT_EQ(curvature(penalty), 0.5);
  const KinkedPart kinked = kinked_part(penalty);
  EXPECT_EQ(kinked.l1, 1.5);
  EXPECT_EQ(kinked.box.lo, 0.0);
  EXPECT_EQ(kinked.box.hi, 3.0);
  // Ends that bound nothing make no other penalty of it.
  EXPECT_EQ(name_of(make_penalty({.name = "l1", .alpha = 0.1, .lower = -kInfinity})), "l1");
}

TEST(Penalty, IsMadeByNameAndRefusesBadStrengths) {
  EXPECT_EQ(name_of(make_penalty({.name = "none"})), "none");
  EXPECT_EQ(name_of(make_penalty({.name = "l1", .alpha = 0.1})), "l1");
  EXPECT_EQ(name_of(make_penalty({.name = "elastic_net", .alpha = 1.0, .l1_ratio = 1.0})), "l1");
  EXPECT_EQ(name_of(make_penalty({.name = "elastic_net", .alpha = 1.0, .l1_ratio = 0.0})), "l2");
  EXPECT_EQ(curvature(make_penalty({.name = "l2", .alpha = 0.25})), 0.25);
  EXPECT_EQ(curvature(make_penalty({.name = "l2", .alpha = 0.25, .lower = 0.0})), 0.25);
  EXPECT_EQ(name_of(make_penalty({.name = "l1", .alpha = 0.1, .upper = 2.0})), "bounded");
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<PenaltySpec> bad = {
      {.name = "ridge"},
      {.name = "l1", .alpha = 0.0},
      {.name = "l1", .alpha = -1.0},
      {.name = "l2", .alpha = nan},
      {.name = "l2", .alpha = kInfinity},
      {.name = "elastic_net", .alpha = 1.0, .l1_ratio = 1.5},
      {.name = "elastic_net", .alpha = 1.0, .l1_ratio = nan},
      {.name = "box", .lower = 1.0, .upper = 0.0},
      {.name = "box", .lower = nan, .upper = 1.0},
      {.name = "l1", .alpha = 1.0, .lower = 1.0, .upper = 0.0},
      {.name = "l2", .alpha = 1.0, .lower = nan},
      {.name = "l2", .alpha = 0.0, .lower = 0.0},
      {.name = "box", .lower = kInfinity, .upper = kInfinity},
  };
  for (const PenaltySpec& spec : bad) {
    EXPECT_THROW(make_penalty(spec), InvalidArgument) << spec.name << " " << spec.alpha;
  }
}

}  // namespace
}  // namespace southwell::problem
