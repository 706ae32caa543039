#include "southwell/data/table/civil_time.hpp"

#include <array>
#include <cstddef>

#include "southwell/data/parse_number.hpp"

namespace southwell::data {
namespace {

bool is_leap(int year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int days_in(int year, int month) {
  constexpr std::array<int, 12> kDays{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : kDays[static_cast<std::size_t>(month - 1)];
}

/// Days from 1970 to a day of the calendar: years begin in March, so that a leap day comes last.
std::int64_t days_until(int year, int month, int day) {
  const std::int64_t y = month <= 2 ? year - 1 : year;
  const std::int64_t era = (y >= 0 ? y : y - 399) / 400;
  const std::int64_t of_era = y - era * 400;
  const std::int64_t of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  return era * 146'097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719'468;
}

struct Parts {
  int year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0, micros = 0, zone = 0;

  std::optional<std::int64_t> moment() const {
    const bool exists = year >= 1 && year <= 9999 && month >= 1 && month <= 12 && day >= 1 &&
                        day <= days_in(year, month) && hour <= 23 && minute <= 59 && second <= 59;
    if (!exists) return std::nullopt;
    const std::int64_t seconds = (hour * 60 + minute - zone) * std::int64_t{60} + second;
    return days_until(year, month, day) * kDay + seconds * kSecond + micros;
  }
};

/// Takes parts of a time off the front of a text.
class TimeReader {
 public:
  explicit TimeReader(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  bool literal(char c) {
    if (rest_.empty() || rest_.front() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  bool digits(std::size_t count, int& out) {
    if (rest_.size() < count) return false;
    int value = 0;
    for (std::size_t k = 0; k < count; ++k) {
      if (!is_digit(rest_[k])) return false;
      value = value * 10 + (rest_[k] - '0');
    }
    rest_.remove_prefix(count);
    out = value;
    return true;
  }
  /// One digit or more of a second; those after the sixth are dropped.
  bool fraction(int& micros) {
    if (rest_.empty() || !is_digit(rest_.front())) return false;
    int value = 0;
    int unit = 100'000;
    while (!rest_.empty() && is_digit(rest_.front())) {
      value += unit * (rest_.front() - '0');
      unit /= 10;
      rest_.remove_prefix(1);
    }
    micros = value;
    return true;
  }
  /// Z, +hh:mm, +hhmm or +hh, in minutes east.
  bool zone(int& minutes) {
    if (literal('Z') || literal('z')) {
      minutes = 0;
      return true;
    }
    const bool west = literal('-');
    if (!west && !literal('+')) return false;
    int hour = 0;
    int minute = 0;
    if (!digits(2, hour)) return false;
    if (literal(':') ? !digits(2, minute) : !at_end() && !digits(2, minute)) return false;
    if (hour > 23 || minute > 59) return false;
    minutes = (west ? -1 : 1) * (hour * 60 + minute);
    return true;
  }

 private:
  std::string_view rest_;
};

bool read_part(TimeReader& reader, char letter, Parts& parts) {
  switch (letter) {
    case 'Y':
      return reader.digits(4, parts.year);
    case 'y': {
      if (!reader.digits(2, parts.year)) return false;
      parts.year += parts.year < 69 ? 2000 : 1900;  // as in POSIX
      return true;
    }
    case 'm':
      return reader.digits(2, parts.month);
    case 'd':
      return reader.digits(2, parts.day);
    case 'H':
      return reader.digits(2, parts.hour);
    case 'M':
      return reader.digits(2, parts.minute);
    case 'S':
      return reader.digits(2, parts.second);
    case 'f':
      return reader.fraction(parts.micros);
    case 'z':
      return reader.zone(parts.zone);
    default:
      return reader.literal(letter);  // %%
  }
}

}  // namespace

CivilTime civil_time(std::int64_t moment) {
  std::int64_t days = moment / kDay;
  if (moment % kDay < 0) --days;
  const std::int64_t shifted = days + 719'468;
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146'096) / 146'097;
  const std::int64_t of_era = shifted - era * 146'097;
  const std::int64_t year = (of_era - of_era / 1460 + of_era / 36'524 - of_era / 146'096) / 365;
  const std::int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
  const std::int64_t march = (5 * of_year + 2) / 153;
  CivilTime out;
  out.day = static_cast<int>(of_year - (153 * march + 2) / 5 + 1);
  out.month = static_cast<int>(march < 10 ? march + 3 : march - 9);
  out.year = static_cast<int>(year + era * 400 + (out.month <= 2 ? 1 : 0));
  out.weekday = static_cast<int>(((days + 3) % 7 + 7) % 7);  // 1970 began on a Thursday
  const auto of_day = static_cast<int>((moment - days * kDay) / kSecond);
  out.hour = of_day / 3600;
  out.minute = of_day / 60 % 60;
  out.second = of_day % 60;
  return out;
}

std::string iso_text(std::int64_t moment) {
  const CivilTime at = civil_time(moment);
  std::string out;
  const auto add = [&out](std::string_view before, int digits, std::int64_t value) {
    const std::string text = std::to_string(value);
    const std::size_t zeros = static_cast<std::size_t>(digits) - text.size();
    out.append(before).append(zeros, '0').append(text);
  };
  add("", 4, at.year);
  add("-", 2, at.month);
  add("-", 2, at.day);
  const std::int64_t of_day = (moment % kDay + kDay) % kDay;
  if (of_day == 0) return out;
  add("T", 2, at.hour);
  add(":", 2, at.minute);
  add(":", 2, at.second);
  if (of_day % kSecond == 0) return out;
  add(".", 6, of_day % kSecond);
  return out.erase(out.find_last_not_of('0') + 1);
}

std::optional<std::int64_t> parse_iso_time(std::string_view text) {
  TimeReader reader(text);
  Parts parts;
  if (!reader.digits(4, parts.year) || !reader.literal('-') || !reader.digits(2, parts.month) ||
      !reader.literal('-') || !reader.digits(2, parts.day)) {
    return std::nullopt;
  }
  if (reader.at_end()) return parts.moment();
  if (!reader.literal('T') && !reader.literal('t') && !reader.literal(' ')) return std::nullopt;
  if (!reader.digits(2, parts.hour) || !reader.literal(':') || !reader.digits(2, parts.minute)) {
    return std::nullopt;
  }
  if (reader.literal(':') && !reader.digits(2, parts.second)) return std::nullopt;
  if (reader.literal('.') && !reader.fraction(parts.micros)) return std::nullopt;
  if (!reader.at_end() && !reader.zone(parts.zone)) return std::nullopt;
  return reader.at_end() ? parts.moment() : std::nullopt;
}

std::optional<std::int64_t> parse_time(std::string_view text, std::string_view pattern) {
  TimeReader reader(text);
  Parts parts;
  for (std::size_t k = 0; k < pattern.size(); ++k) {
    const bool is_part = pattern[k] == '%' && k + 1 < pattern.size();
    if (is_part ? !read_part(reader, pattern[++k], parts) : !reader.literal(pattern[k])) {
      return std::nullopt;
    }
  }
  return reader.at_end() ? parts.moment() : std::nullopt;
}

bool is_time_pattern(std::string_view pattern) {
  bool year = false;
  bool month = false;
  bool day = false;
  for (std::size_t k = 0; k < pattern.size(); ++k) {
    if (pattern[k] != '%') continue;
    if (++k == pattern.size()) return false;
    const char letter = pattern[k];
    if (std::string_view("YymdHMSfz%").find(letter) == std::string_view::npos) return false;
    year = year || letter == 'Y' || letter == 'y';
    month = month || letter == 'm';
    day = day || letter == 'd';
  }
  return year && month && day;
}

}  // namespace southwell::data
