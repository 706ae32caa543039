#include "southwell/privacy/random/gaussian_cells.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::privacy {
namespace {

constexpr std::uint64_t kHighest = ~std::uint64_t{0};

std::uint64_t drawn(const std::vector<std::uint64_t>& words) {
  ScriptedRandomBits bits(words);
  const std::uint64_t cell = GaussianCells::instance().draw([&] { return bits.word(); });
  EXPECT_EQ(bits.left(), 0u) << "words that were not needed";
  return cell;
}

/// The one word that begins as the edge above cell v does.
std::uint64_t word_of_edge(std::uint64_t v) {
  std::uint64_t low = 0;
  std::uint64_t high = kHighest;
  while (low < high) {  // the first word that is not certainly below the edge
    const std::uint64_t middle = low + (high - low) / 2;
    const GaussianCells::Found found = GaussianCells::instance().locate(middle);
    if (found.certain && found.cell <= v) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

TEST(GaussianCells, HaveTheirEdgesWhereSumsOfExponentialsAre) {
  long double edge = 0;
  for (std::uint64_t v = 0; v < 128; ++v) {
    edge += std::exp(-static_cast<long double>(v * v) / 512) / 21;
    const std::uint64_t word = word_of_edge(v);
    EXPECT_NEAR(static_cast<double>(std::ldexp(static_cast<long double>(word), -64) - edge), 0.0,
                1e-17)
        << "cell " << v;
  }
}

TEST(GaussianCells, FollowNumbersThatBeginLikeAnEdge) {
  for (const std::uint64_t v : {0u, 1u, 40u, 126u}) {
    const std::uint64_t word = word_of_edge(v);
    EXPECT_EQ(drawn({word - 1}), v);
    EXPECT_EQ(drawn({word, 0}), v);
    EXPECT_EQ(drawn({word, kHighest}), v + 1);
    EXPECT_EQ(drawn({word + 1}), v + 1);
  }
}

/// The digits of the edge above a cell, from those of them that decide.
std::vector<std::uint64_t> digits_of_edge(std::uint64_t v, std::size_t count) {
  std::vector<std::uint64_t> digits{word_of_edge(v)};
  while (digits.size() < count) {
    digits.push_back(0);
    for (int bit = 63; bit >= 0; --bit) {
      digits.back() |= std::uint64_t{1} << bit;
      const GaussianCells::Found found = GaussianCells::locate(digits);
      if (found.certain && found.cell > v) digits.back() ^= std::uint64_t{1} << bit;
    }
  }
  return digits;
}

TEST(GaussianCells, FollowThemForAsLongAsItTakes) {
  for (const std::uint64_t v : {0u, 77u}) {
    std::vector<std::uint64_t> words = digits_of_edge(v, 4);
    words.push_back(0);
    EXPECT_EQ(drawn(words), v);
    words.back() = kHighest;
    EXPECT_EQ(drawn(words), v + 1);
  }
}

TEST(GaussianCells, GoOnBeyondTheirTable) {
  // Between the edge above cell 127 and that above all others are cells without end.
  const std::uint64_t word = word_of_edge(127);
  EXPECT_EQ(drawn({word, kHighest}), 128u);
  std::uint64_t last = 128;
  for (std::uint64_t beyond = 1; beyond < 64; beyond *= 2) {
    const std::uint64_t cell =
        GaussianCells::locate(std::vector{word + beyond * 512, kHighest}).cell;
    EXPECT_GE(cell, last);
    last = cell;
  }
  EXPECT_GT(last, 128u);
  EXPECT_EQ(drawn({kHighest}), GaussianCells::kNone);
}

TEST(GaussianCells, AreThoseOfManyDigitsWhereOneWordTells) {
  SeededRandomBits bits(21);
  for (int i = 0; i < 2000; ++i) {
    const std::vector<std::uint64_t> words{bits.word(), bits.word()};
    const GaussianCells::Found exact = GaussianCells::locate(words);
    ASSERT_TRUE(exact.certain);
    EXPECT_EQ(drawn({words[0]}), exact.cell);
  }
}

}  // namespace
}  // namespace southwell::privacy
