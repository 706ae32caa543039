#include "southwell/data/table/dummy_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "southwell/core/number_text.hpp"
#include "southwell/data/csv_text.hpp"
#include "southwell/data/parse_number.hpp"
#include "southwell/data/synthetic_random.hpp"
#include "southwell/data/table/civil_time.hpp"

namespace southwell::data {
namespace {

constexpr double kMissingShare = 0.03;
constexpr std::size_t kRecordsPerUnit = 3;

std::string padded(std::int64_t number, int digits) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "%0*lld", digits, static_cast<long long>(number));
  return text.data();
}

/// One part of a time, as parse_time reads it.
std::string time_part(std::int64_t moment, char letter) {
  const CivilTime day = civil_time(moment);
  const std::int64_t of_day = ((moment % kDay) + kDay) % kDay;
  switch (letter) {
    case 'Y':
      return padded(day.year, 4);
    case 'y':
      return padded(day.year % 100, 2);
    case 'm':
      return padded(day.month, 2);
    case 'd':
      return padded(day.day, 2);
    case 'H':
      return padded(day.hour, 2);
    case 'M':
      return padded(of_day / (60 * kSecond) % 60, 2);
    case 'S':
      return padded(of_day / kSecond % 60, 2);
    case 'f':
      return padded(of_day % kSecond, 6);
    case 'z':
      return "Z";
    default:
      return {letter};  // %%
  }
}

std::string time_text(std::int64_t moment, const Field& field) {
  const std::string& own = field.format.time;
  const char* const iso = field.type == FieldType::date ? "%Y-%m-%d" : "%Y-%m-%dT%H:%M:%SZ";
  const std::string pattern = own.empty() ? iso : own;
  std::string out;
  for (std::size_t k = 0; k < pattern.size(); ++k) {
    const bool is_part = pattern[k] == '%' && k + 1 < pattern.size();
    out += is_part ? time_part(moment, pattern[++k]) : std::string(1, pattern[k]);
  }
  return out;
}

/// Makes up the cells of one field.
class CellMaker {
 public:
  CellMaker(const Field& field, std::uint64_t seed, std::uint64_t stream, std::size_t records)
      : field_(field), random_(seed, stream), units_(records / kRecordsPerUnit + 1) {}

  std::string next() {
    const auto& missing = field_.format.missing_values;
    const bool may_miss = field_.role == Role::feature && !missing.empty();
    if (may_miss && random_.uniform() < kMissingShare) return missing.front();
    if (field_.role == Role::ignored) return {};
    if (field_.role == Role::unit) return id();
    switch (field_.kind) {
      case FieldKind::number:
        return number_cell();
      case FieldKind::levels:
        return level();
      case FieldKind::time:
        return time_text(moment(), field_);
      case FieldKind::hashed:
        return words();
      case FieldKind::text:
        break;
    }
    return {};
  }

 private:
  std::string id() {
    const std::string number = std::to_string(1 + random_.below(units_));
    return field_.type == FieldType::integer ? number : "u" + number;
  }

  std::string level() {
    const std::size_t k = random_.below(field_.levels.size());
    if (field_.type != FieldType::boolean) return field_.levels[k];
    const auto& words = k == 0 ? field_.format.false_values : field_.format.true_values;
    return words.empty() ? "" : words.front();
  }

  /// A whole number from low to high, where there is one.
  double whole_between(double low, double high) {
    const double first = std::ceil(low);
    const double last = std::floor(high);
    if (!(last >= first)) return low + (high - low) * random_.uniform();
    return std::min(last, first + std::floor((last - first + 1.0) * random_.uniform()));
  }

  double number() {
    const bool whole = field_.type == FieldType::integer;
    if (!field_.bounds) {
      const double value = field_.typical->center + field_.typical->scale * random_.normal();
      return whole ? std::round(value) : value;
    }
    const auto [low, high] = *field_.bounds;
    if (whole) return whole_between(low, high);
    // Few digits, as people write them.
    double few = 0.0;
    parse_number(core::rounded_text(low + (high - low) * random_.uniform(), 5), few);
    return std::clamp(few, low, high);
  }

  std::string number_cell() {
    std::string text = core::number_text(number());
    std::replace(text.begin(), text.end(), '.', field_.format.decimal);
    return text;
  }

  std::int64_t moment() {
    // Without bounds: some thirty years.
    constexpr auto kFirst = static_cast<double>(10'957 * kDay);
    constexpr auto kLast = static_cast<double>(21'914 * kDay);
    const auto unit = static_cast<double>(field_.type == FieldType::date ? kDay : kSecond);
    const double low = field_.bounds ? field_.bounds->low : kFirst / unit;
    const double high = field_.bounds ? field_.bounds->high : kLast / unit;
    return static_cast<std::int64_t>(std::floor(whole_between(low, high) * unit));
  }

  std::string words() {
    constexpr std::array<const char*, 12> kWords{"north", "green", "early", "quiet",
                                                 "paper", "river", "stone", "seven",
                                                 "often", "table", "light", "round"};
    std::string out;
    for (std::size_t k = 3 + random_.below(6); k > 0; --k) {
      out += (out.empty() ? "" : " ") + std::string(kWords[random_.below(kWords.size())]);
    }
    return out;
  }

  const Field& field_;
  SyntheticRandom random_;
  std::size_t units_;
};

}  // namespace

void write_dummy_table(const Schema& schema, const DummyOptions& options,
                       const std::function<void(std::string_view)>& put) {
  std::vector<CellMaker> makers;
  std::string lines;
  const auto add = [&lines](const std::string& text) {
    append_csv_text(lines, text);
    lines += ',';
  };
  for (std::size_t f = 0; f < schema.fields().size(); ++f) {
    makers.emplace_back(schema.fields()[f], options.seed, f, options.records);
    add(schema.fields()[f].name);
  }
  lines.back() = '\n';
  for (std::size_t i = 0; i < options.records; ++i) {
    for (CellMaker& maker : makers) add(maker.next());
    lines.back() = '\n';  // in place of the last comma
    if (lines.size() < std::size_t{1} << 20) continue;
    put(lines);
    lines.clear();
  }
  put(lines);
}

}  // namespace southwell::data
