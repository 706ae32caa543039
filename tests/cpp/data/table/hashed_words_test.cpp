#include "southwell/data/table/hashed_words.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace southwell::data {
namespace {

std::vector<std::pair<std::uint32_t, std::uint32_t>> words(const std::string& text,
                                                           std::size_t features = 1 << 16) {
  std::vector<WordCount> out;
  append_words(text, features, out);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const WordCount& word : out) pairs.emplace_back(word.feature, word.count);
  return pairs;
}

TEST(HashedWords, CountsWordsWhateverTheirCaseAndOrder) {
  EXPECT_EQ(words("The cat, the CAT; the dog."), words("dog cat the the cat the"));
  EXPECT_EQ(words("cat cat").at(0).second, 2u);
  EXPECT_EQ(words("cat"), words("  cat\n"));
  EXPECT_NE(words("cat"), words("cats"));
}

TEST(HashedWords, HasNoWordInBlanksMarksAndSingleLetters) {
  EXPECT_TRUE(words("").empty());
  EXPECT_TRUE(words("a . ! b 7 -").empty());
}

TEST(HashedWords, NumbersFeaturesTheSameOnEveryMachine) {
  // Computed apart, in Python: another hash would make other models of old schemas.
  EXPECT_EQ(words("Privacy!", 1 << 20).at(0).first, 352022u);
  EXPECT_EQ(words("naïve", 1 << 20).at(0).first, 111130u);
}

TEST(HashedWords, SpreadOverAllFeatures) {
  std::set<std::uint32_t> seen;
  for (int k = 0; k < 4000; ++k) seen.insert(words("word" + std::to_string(k), 256).at(0).first);
  EXPECT_EQ(seen.size(), 256u);
  EXPECT_LT(*seen.rbegin(), 256u);
}

}  // namespace
}  // namespace southwell::data
