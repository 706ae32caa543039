#include "southwell/privacy/random/word_reader.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace southwell::privacy {
namespace {

TEST(WordReader, GivesTheWordsInTheirOrderAndTakesNoneThatNobodyReads) {
  std::vector<std::uint64_t> words(2000);
  std::iota(words.begin(), words.end(), 0u);
  ScriptedRandomBits bits(words);
  std::uint64_t next = 0;
  for (const std::size_t expected : {0u, 1u, 5u, 256u, 700u}) {
    WordReader reader(bits);
    reader.expect(expected);
    const std::size_t more = 3;
    for (std::size_t k = 0; k < expected + more; ++k) ASSERT_EQ(reader.next(), next++);
    EXPECT_EQ(bits.left(), words.size() - next);
  }
}

TEST(WordReader, CountsWhatItHasAsExpected) {
  ScriptedRandomBits bits({1, 2, 3});
  WordReader reader(bits);
  reader.expect(3);
  EXPECT_EQ(reader.next(), 1u);
  reader.expect(2);
  EXPECT_EQ(reader.next(), 2u);
  EXPECT_EQ(reader.next(), 3u);
  EXPECT_THROW(reader.next(), std::out_of_range);
}

}  // namespace
}  // namespace southwell::privacy
