#include "southwell/data/table/civil_time.hpp"

#include <gtest/gtest.h>

namespace southwell::data {
namespace {

TEST(CivilTime, CountsFromTheFirstDayOf1970) {
  EXPECT_EQ(parse_iso_time("1970-01-01"), 0);
  EXPECT_EQ(parse_iso_time("1970-01-02"), kDay);
  EXPECT_EQ(parse_iso_time("1969-12-31"), -kDay);
  EXPECT_EQ(parse_iso_time("2000-03-01T00:00:01.5Z"), (11017 * 86'400 + 1) * kSecond + 500'000);
  EXPECT_EQ(parse_iso_time("2026-11-18T12:00+02:00"), parse_iso_time("2026-11-18 10:00"));
  EXPECT_EQ(parse_iso_time("2026-11-18T12:00:00-0130"), parse_iso_time("2026-11-18T13:30"));
}

TEST(CivilTime, IsWrittenAsItIsRead) {
  for (const char* const text :
       {"1970-01-01", "0001-01-01", "9999-12-31", "1969-12-31T23:59:59", "2026-11-18T00:00:01",
        "2026-11-18T13:45:30.25", "0001-01-01T00:00:00.000001", "9999-12-31T23:59:59.999999"}) {
    EXPECT_EQ(iso_text(parse_iso_time(text).value()), text);
  }
}

TEST(CivilTime, TakesNothingForADayThatDoesNotExist) {
  for (const char* const text :
       {"", "2026", "2026-1-1", "2026-13-01", "2026-00-01", "2026-02-29", "2026-04-31",
        "0000-01-01", "2026-11-18T24:00", "2026-11-18T12", "2026-11-18T12:60", "2026-11-18x",
        "18.11.2026", "2026-11-18T12:00+25:00", "2026-11-18T12:00:00.", "99999-01-01",
        "-2026-01-01"}) {
    EXPECT_EQ(parse_iso_time(text), std::nullopt) << text;
  }
}

TEST(CivilTime, IsTheInverseOfItsParsingOverFourHundredYears) {
  CivilTime before = civil_time(*parse_iso_time("1801-01-01") - kDay);
  for (std::int64_t at = *parse_iso_time("1801-01-01"); at < *parse_iso_time("2201-01-01");
       at += kDay) {
    const CivilTime day = civil_time(at + 5 * 3600 * kSecond);
    char text[16];
    std::snprintf(text, sizeof text, "%04d-%02d-%02d", day.year, day.month, day.day);
    ASSERT_EQ(parse_iso_time(text), at) << text;
    ASSERT_EQ(day.weekday, (before.weekday + 1) % 7) << text;
    ASSERT_EQ(day.hour, 5);
    before = day;
  }
  EXPECT_EQ(civil_time(*parse_iso_time("2026-11-18")).weekday, 2);  // a Wednesday
}

TEST(CivilTime, FollowsADeclaredPatternToTheLetter) {
  EXPECT_EQ(parse_time("18.11.2026", "%d.%m.%Y"), parse_iso_time("2026-11-18"));
  EXPECT_EQ(parse_time("11/18/26 07:05", "%m/%d/%y %H:%M"), parse_iso_time("2026-11-18T07:05"));
  EXPECT_EQ(parse_time("100% 2026-11-18", "100%% %Y-%m-%d"), parse_iso_time("2026-11-18"));
  EXPECT_EQ(parse_time("18.11.2026 ", "%d.%m.%Y"), std::nullopt);
  EXPECT_EQ(parse_time("2026-11-18", "%d.%m.%Y"), std::nullopt);
  EXPECT_TRUE(is_time_pattern("%d.%m.%Y"));
  for (const char* const bad : {"", "%Y", "%Y-%m", "%d.%b.%Y", "%Y-%m-%d%", "%c"}) {
    EXPECT_FALSE(is_time_pattern(bad)) << bad;
  }
}

}  // namespace
}  // namespace southwell::data
