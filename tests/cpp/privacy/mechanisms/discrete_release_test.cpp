#include "southwell/privacy/mechanisms/discrete_release.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "privacy/laws.hpp"
#include "privacy/mechanisms/selections.hpp"
#include "southwell/privacy/mechanisms/noisy_max.hpp"
#include "southwell/privacy/mechanisms/scale.hpp"
#include "southwell/privacy/random/discrete_noise.hpp"
#include "southwell/privacy/relation.hpp"

namespace southwell::privacy {
namespace {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t kMaxNoiseScale = std::uint64_t{1} << 44;

template <class T>
class Release : public ::testing::Test {};
using Mechanisms = ::testing::Types<DiscreteLaplaceRelease, DiscreteGaussianRelease>;
struct Names {
  template <class T>
  static std::string GetName(int) {
    return std::is_same_v<T, DiscreteLaplaceRelease> ? "Laplace" : "Gaussian";
  }
};
TYPED_TEST_SUITE(Release, Mechanisms, Names);

Int128 sampled(const DiscreteLaplaceRelease&, std::uint64_t scale, RandomBits& bits) {
  return discrete_laplace(scale, bits);
}
Int128 sampled(const DiscreteGaussianRelease&, std::uint64_t scale, RandomBits& bits) {
  return discrete_gaussian(scale, bits);
}

TYPED_TEST(Release, IsTheValuePlusItsSamplersDraw) {
  const TypeParam measure(10, 1000);
  SeededRandomBits bits(51);
  SeededRandomBits same(51);
  for (const std::int64_t value : {0, 5, -123456}) {
    const auto expected = static_cast<std::int64_t>(sampled(measure, 1000, same)) + value;
    EXPECT_EQ(measure.release(Sensitive<std::int64_t>(value), measure.draw(bits)), expected);
  }
  const std::vector<std::int64_t> values = {1, 2, 3};
  std::vector<std::int64_t> expected = values;
  for (auto& entry : expected) entry += static_cast<std::int64_t>(sampled(measure, 1000, same));
  EXPECT_EQ(measure.release(Sensitive(values), measure.draw(bits, 3)), expected);
}

TYPED_TEST(Release, StaysNearTheEdgeOf64BitsWhenItsValueDoes) {
  const TypeParam measure(1, kMaxNoiseScale);
  SeededRandomBits bits(52);
  for (int i = 0; i < 50; ++i) {
    const std::int64_t high = measure.release(Sensitive(kHighest), measure.draw(bits));
    const std::int64_t low = measure.release(Sensitive(kLowest), measure.draw(bits));
    EXPECT_GT(high, kHighest - (std::int64_t{1} << 52));
    EXPECT_LT(low, kLowest + (std::int64_t{1} << 52));
  }
}

TYPED_TEST(Release, SpendsItsNoise) {
  const TypeParam measure(1, 10);
  SeededRandomBits bits(53);
  Noise noise = measure.draw(bits);
  const Sensitive<std::int64_t> value(7);
  measure.release(value, std::move(noise));
  EXPECT_THROW(measure.release(value, std::move(noise)), std::logic_error);  // NOLINT: on purpose
}

TYPED_TEST(Release, RefusesInAChildTheNoiseThatItsParentHasToo) {
  const TypeParam measure(1, 10);
  SeededRandomBits bits(57);
  const Sensitive<std::int64_t> value(7);
  for (pid_t (*fork_call)() : {fork, _Fork}) {
    Noise noise = measure.draw(bits);
    const pid_t child = fork_call();
    if (child == 0) {
      try {
        measure.release(value, std::move(noise));
      } catch (const std::logic_error&) {
        measure.release(value, measure.draw(bits));  // noise of its own is as good as ever
        _exit(0);
      }
      _exit(1);
    }
    int status = 1;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT_NO_THROW(measure.release(value, std::move(noise)));
  }
}

TYPED_TEST(Release, RefusesNoiseDrawnForSomethingElse) {
  const TypeParam measure(1, 10);
  SeededRandomBits bits(54);
  const Sensitive<std::int64_t> value(7);
  EXPECT_THROW(measure.release(value, TypeParam(1, 11).draw(bits)), std::logic_error);
  EXPECT_THROW(measure.release(value, TypeParam(2, 10).draw(bits)), std::logic_error);
  EXPECT_THROW(measure.release(value, measure.draw(bits, 2)), std::logic_error);
  EXPECT_THROW(measure.release(value, measure.draw(bits, 0)), std::logic_error);
}

TYPED_TEST(Release, RefusesNoiseOfTheOtherKind) {
  using Other = std::conditional_t<std::is_same_v<TypeParam, DiscreteLaplaceRelease>,
                                   DiscreteGaussianRelease, DiscreteLaplaceRelease>;
  SeededRandomBits bits(58);
  const Sensitive<std::int64_t> value(7);
  EXPECT_THROW(TypeParam(1, 10).release(value, Other(1, 10).draw(bits)), std::logic_error);
}

TYPED_TEST(Release, KnowsWhereItsNoiseCameFrom) {
  const TypeParam measure(1, 10);
  SeededRandomBits seeded(55);
  SystemRandomBits system;
  EXPECT_EQ(measure.draw(seeded).origin(), Origin::seeded);
  EXPECT_EQ(measure.draw(*seeded.stream(Purpose::release, 0)).origin(), Origin::seeded);
  EXPECT_EQ(measure.draw(system).origin(), Origin::system);
}

TYPED_TEST(Release, RefusesWhatItsProofDoesNotCover) {
  testing::expect_limits<TypeParam>(kMaxNoiseScale);
}

TEST(DiscreteLaplaceRelease, StatesItsCost) {
  EXPECT_EQ(DiscreteLaplaceRelease(6, 4).cost(), (Cost{Cost::Kind::discrete_laplace, 6, 4}));
}

TEST(DiscreteGaussianRelease, StatesItsCost) {
  EXPECT_EQ(DiscreteGaussianRelease(6, 4).cost(), (Cost{Cost::Kind::discrete_gaussian, 6, 4}));
}

// The event "at most the first value" on neighbours 2K apart. With the sensitivity of adding (K)
// the true log-ratio is 2 epsilon. Epsilon 1 / .5 with 1000 / 3000 samples a side: the excess is at
// least 11 standard deviations (power > 1 - 1e-5).
TEST(DiscreteLaplaceRelease, KeepsItsPromiseWhenARecordIsReplaced) {
  constexpr std::int64_t kBound = std::int64_t{1} << 20;
  SeededRandomBits bits(56);
  for (const auto& [epsilon, samples] : {std::pair{1.0, 1000}, std::pair{0.5, 3000}}) {
    const std::uint64_t sensitivity = sum_sensitivity(Relation::replace_one, kBound);
    const DiscreteLaplaceRelease measure(sensitivity,
                                         scale_for(sensitivity, epsilon, kMaxNoiseScale));
    const auto low = [&](std::int64_t value) {
      std::uint64_t count = 0;
      for (int i = 0; i < samples; ++i) {
        count += measure.release(Sensitive(value), measure.draw(bits)) <= -kBound ? 1u : 0u;
      }
      return count;
    };
    EXPECT_FALSE(testing::shows_more_than(epsilon, low(-kBound), low(kBound),
                                          static_cast<std::uint64_t>(samples)));
  }
}

// 2000 fits that select by noisy max between equal scores and release the first value: the noise,
// signed by who won, has mean 0 with standard deviation sqrt(2 / 2000) = .032 scales. If the
// release saw the selection's noise again, its mean would be .75: 23 standard deviations (power 1).
TEST(DiscreteLaplaceRelease, HasNoiseIndependentOfTheSelection) {
  constexpr std::uint64_t kScale = 1 << 20;
  const NoisyMax choose(1, kScale);
  const DiscreteLaplaceRelease measure(1, kScale);
  const Sensitive<Scores> scores(Scores{0, 0});
  double sum = 0;
  for (std::uint64_t fit = 0; fit < 2000; ++fit) {
    SeededRandomBits bits(fit);
    const auto selection = bits.stream(Purpose::selection, 0);
    const auto release = bits.stream(Purpose::release, 0);
    const std::int64_t noise = measure.release(Sensitive<std::int64_t>(0), measure.draw(*release));
    const double sign = choose.release(scores, *selection) == 0 ? 1.0 : -1.0;
    sum += sign * static_cast<double>(noise) / kScale;
  }
  EXPECT_NEAR(sum / 2000, 0.0, 4.9 * std::sqrt(2 / 2000.0));
}

// The moment of a vector's release is a product; discrete_laplace_release.md says that it is
// largest when one entry makes the whole move.
TEST(DiscreteLaplaceRelease, CostsNoMoreWhenSeveralEntriesShareTheMove) {
  for (const double scale : {0.5, 1.0, 3.0, 20.0}) {
    const double q = std::exp(-1 / scale);
    for (const double alpha : {1.01, 1.5, 2.0, 8.0}) {
      const auto moment = [&](int shift) {  // sum of P(x)^alpha P(x - shift)^(1 - alpha)
        double sum = 0;
        for (int x = -2000; x <= 2000; ++x) {
          sum += std::pow(q, alpha * std::abs(x) + (1 - alpha) * std::abs(x - shift));
        }
        return sum * (1 - q) / (1 + q);
      };
      const double middle = std::pow(q, 2 * alpha - 1);
      const double a = (1 - q) / (1 + q) * (1 / (1 - q) + middle / (1 - middle));
      for (const int shift : {1, 2, 5, 12}) {
        const double formula =
            a * std::pow(q, (1 - alpha) * shift) + (1 - a) * std::pow(q, alpha * shift);
        EXPECT_NEAR(moment(shift) / formula, 1.0, 1e-9);
        for (int part = 1; part < shift; ++part) {
          EXPECT_LE(moment(part) * moment(shift - part), moment(shift) * (1 + 1e-9));
        }
      }
    }
  }
}

}  // namespace
}  // namespace southwell::privacy
