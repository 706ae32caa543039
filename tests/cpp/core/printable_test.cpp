#include "southwell/core/printable.hpp"

#include <gtest/gtest.h>

#include <string>

namespace southwell::core {
namespace {

using namespace std::string_literals;

TEST(Printable, LeavesTextOfAnyLanguageAsItIs) {
  for (const char* const text : {"", "age", "größe", "年齢", "سن", "🙂", "a b'\"<>&\\"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, WritesOutWhatCommandsOrDirects) {
  EXPECT_EQ(printable("a\0b\tc\nd\x1b[31me\x7f"s),
            "a<U+0000>b<U+0009>c<U+000A>d<U+001B>[31me<U+007F>");
  EXPECT_EQ(printable("\xc2\x80\xc2\x9f\xc2\xa0"), "<U+0080><U+009F>\xc2\xa0");
  EXPECT_EQ(printable("\xd8\x9c"), "<U+061C>");
  EXPECT_EQ(printable("\xe2\x80\xa8\xe2\x80\xa9"), "<U+2028><U+2029>");
  // The neighbours of the ranges stay.
  EXPECT_EQ(printable("\xe2\x80\x8d\xe2\x80\x8e\xe2\x80\x8f\xe2\x80\x90"),
            "\xe2\x80\x8d<U+200E><U+200F>\xe2\x80\x90");
  EXPECT_EQ(printable("\xe2\x80\xaa\xe2\x80\xae\xe2\x80\xaf"), "<U+202A><U+202E>\xe2\x80\xaf");
  EXPECT_EQ(printable("\xe2\x81\xa5\xe2\x81\xa6\xe2\x81\xa9\xe2\x81\xaa"),
            "\xe2\x81\xa5<U+2066><U+2069><U+206A>");
}

TEST(Printable, WritesOutWhatNobodySees) {
  EXPECT_EQ(printable("a\xc2\xad"
                      "b\xe2\x80\x8b\xef\xbb\xbf"),
            "a<U+00AD>b<U+200B><U+FEFF>");
  EXPECT_EQ(printable("\xe2\x81\xa0\xe2\x81\xa4\xe1\xa0\x8e\xf3\xa0\x81\x81"),
            "<U+2060><U+2064><U+180E><U+E0041>");
  // Joiners are letters' own in some languages.
  EXPECT_EQ(printable("\xe2\x80\x8c\xe2\x80\x8d"), "\xe2\x80\x8c\xe2\x80\x8d");
}

TEST(Printable, WritesOutBytesThatAreNoText) {
  const std::pair<std::string, std::string> cases[] = {
      {"\xff", "<0xFF>"},
      {"a\xe9z", "a<0xE9>z"},                           // Latin-1
      {"\xe2\x80", "<0xE2><0x80>"},                     // cut short
      {"\xc0\xaf", "<0xC0><0xAF>"},                     // longer than needed
      {"\xe0\x80\xae", "<0xE0><0x80><0xAE>"},           // the same
      {"\xed\xa0\x80", "<0xED><0xA0><0x80>"},           // a surrogate
      {"\xf4\x90\x80\x80", "<0xF4><0x90><0x80><0x80>"}  // above the last character
  };
  for (const auto& [given, expected] : cases) EXPECT_EQ(printable(given), expected);
}

}  // namespace
}  // namespace southwell::core
