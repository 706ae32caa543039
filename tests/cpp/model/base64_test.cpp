#include "southwell/model/base64.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace southwell::model {
namespace {

template <class T>
std::string text_of(const std::vector<T>& numbers) {
  std::string out;
  encode_numbers<T>(
      numbers.size(), [&](std::size_t k) { return numbers[k]; },
      [&](std::string_view part) { out += part; });
  return out;
}

TEST(Base64, OfKnownNumbersIsWhatOtherToolsWrite) {
  // base64.b64encode(numpy.array([1.0, -2.5]).tobytes())
  EXPECT_EQ(text_of<double>({1.0, -2.5}), "AAAAAAAA8D8AAAAAAAAEwA==");
  EXPECT_EQ(text_of<std::uint32_t>({1, 258, 4294967295u}), "AQAAAAIBAAD/////");
  EXPECT_EQ(text_of<float>({0.5f}), "AAAAPw==");
  EXPECT_EQ(text_of<std::uint8_t>({}), "");
}

template <class T>
void expect_round_trips() {
  for (const std::size_t count :
       std::vector<std::size_t>{1, 2, 3, 4, kBlock - 1, kBlock, kBlock + 1, 3 * kBlock + 5}) {
    std::vector<T> numbers(count);
    for (std::size_t k = 0; k < count; ++k) numbers[k] = static_cast<T>(k * 37 + 11);
    const std::string text = text_of(numbers);
    EXPECT_EQ(text.size(), base64_length(count * sizeof(T)));
    std::vector<T> back(count);
    EXPECT_TRUE(decode_numbers<T>(text, count, [&](std::size_t k, T x) { back[k] = x; }));
    EXPECT_EQ(back, numbers);
  }
}

TEST(Base64, ReadsWhatItWrites) {
  expect_round_trips<double>();
  expect_round_trips<float>();
  expect_round_trips<std::uint32_t>();
  expect_round_trips<std::uint8_t>();
}

TEST(Base64, ThatIsNoneOfSoManyNumbersIsRefused) {
  const auto reads = [](const std::string& text, std::size_t count) {
    return decode_numbers<float>(text, count, [](std::size_t, float) {});
  };
  EXPECT_TRUE(reads("AAAAPw==", 1));
  EXPECT_TRUE(reads("", 0));
  EXPECT_FALSE(reads("AAAAPw==", 0));
  EXPECT_FALSE(reads("AAAAPw==", 2));
  EXPECT_FALSE(reads("AAAAPw=", 1));
  EXPECT_FALSE(reads("AAAAPw", 1));
  EXPECT_FALSE(reads("AAAAPx==", 1)) << "bits beyond the last byte";
  EXPECT_FALSE(reads("AAAA-w==", 1)) << "the alphabet of addresses";
  EXPECT_FALSE(reads("AAAA w==", 1));
  EXPECT_FALSE(reads("AAAAAAAA", 1));
  EXPECT_FALSE(reads("====AAAA", 1));
  EXPECT_FALSE(reads("AAAAPw==", static_cast<std::size_t>(-1)));
  EXPECT_FALSE(reads("AAAAPw==", static_cast<std::size_t>(-1) / 4 + 2)) << "4 times it is 4";
}

}  // namespace
}  // namespace southwell::model
