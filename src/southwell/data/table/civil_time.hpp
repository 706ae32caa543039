#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace southwell::data {

// Dates and moments of the Gregorian calendar, UTC, without a locale. A moment is a number of
// microseconds from 1970 on.

inline constexpr std::int64_t kSecond = 1'000'000;
inline constexpr std::int64_t kDay = 86'400 * kSecond;

struct CivilTime {
  int year = 1970;
  int month = 1;    ///< from 1
  int day = 1;      ///< from 1
  int weekday = 0;  ///< 0 is Monday
  int hour = 0;
  int minute = 0;
  int second = 0;
};
CivilTime civil_time(std::int64_t moment);
/// ISO 8601: 2026-11-18 for the first moment of a day, else 2026-11-18T13:45:30, and .25 where a
/// second is not whole. Of a moment from the year 1 to the year 9999.
std::string iso_text(std::int64_t moment);

/// ISO 8601: 2026-11-18, then a T or a blank, 13:45, :30, .250, and Z, +01:00 or nothing for UTC.
/// Years from 0001 to 9999. Nothing where the text is none, or no such day exists.
std::optional<std::int64_t> parse_iso_time(std::string_view text);

/// By a pattern of %Y %m %d %H %M %S %y %f %z %% and other characters, which stand for themselves.
std::optional<std::int64_t> parse_time(std::string_view text, std::string_view pattern);
/// Whether a pattern has nothing else, and a year, a month and a day.
bool is_time_pattern(std::string_view pattern);

}  // namespace southwell::data
