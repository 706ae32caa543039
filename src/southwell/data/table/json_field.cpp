#include "southwell/data/table/json_field.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "southwell/core/number_text.hpp"
#include "southwell/core/quoted.hpp"
#include "southwell/core/utf8.hpp"
#include "southwell/core/words.hpp"
#include "southwell/data/parse_number.hpp"
#include "southwell/data/table/civil_time.hpp"
#include "southwell/data/table/json_levels.hpp"

namespace southwell::data {
namespace {

using core::JsonPart;

constexpr std::array<std::string_view, 6> kTypeNames{"number", "integer", "boolean",
                                                     "string", "date",    "datetime"};
constexpr std::array<std::string_view, 4> kRoleNames{"feature", "target", "unit", "ignore"};
constexpr std::array<std::string_view, 3> kTransformNames{"none", "log", "sqrt"};
constexpr std::array<std::string_view, 3> kPartNames{"month", "weekday", "hour"};
constexpr std::array<std::string_view, 2> kMissingNames{"indicator", "middle"};
constexpr std::array<std::string_view, 11> kOwnKeys{
    "role",   "transform", "scale",   "center",  "ordered",     "parts",
    "encode", "features",  "missing", "aliases", "class_weight"};

constexpr double kLargest = 1e100;

/// The place of a word among those accepted.
std::size_t word(const JsonPart& part, core::Words accepted) {
  const std::optional<std::size_t> found = core::index_of(accepted, part.text());
  if (!found) part.refuse("given " + core::quoted(part.text()), "one of " + core::listed(accepted));
  return *found;
}

double finite(const JsonPart& part) {
  const double value = part.number();
  if (!(std::fabs(value) <= kLargest)) {
    part.refuse("given " + core::rounded_text(value), "a number, at most 1e100 in size");
  }
  return value;
}

/// Reads one field, key after key.
class FieldParser {
 public:
  FieldParser(const JsonPart& part, const std::vector<std::string>& missing_values)
      : part_(part), own_(part.find("southwell")) {
    field_.format.missing_values = missing_values;
  }

  Field parse() && {
    field_.name = part_.at("name").text();
    if (own_) check_own_keys(*own_, kOwnKeys);
    if (const auto role = own("role")) field_.role = static_cast<Role>(word(*role, kRoleNames));
    if (field_.role == Role::ignored) return std::move(field_);
    field_.type = static_cast<FieldType>(word(part_.at("type"), kTypeNames));
    read_format();
    field_.levels = parse_levels(part_, field_);
    read_bounds();
    find_kind();
    read_own();
    check_role();
    return std::move(field_);
  }

 private:
  std::optional<JsonPart> own(const char* key) const {
    return own_ ? own_->find(key) : std::nullopt;
  }
  std::optional<JsonPart> constraint(const char* key) const {
    const auto constraints = part_.find("constraints");
    return constraints ? constraints->find(key) : std::nullopt;
  }
  bool is_number() const {
    return field_.type == FieldType::number || field_.type == FieldType::integer;
  }
  bool is_time() const {
    return field_.type == FieldType::date || field_.type == FieldType::datetime;
  }
  [[noreturn]] void refuse(const std::string& key, const std::string& given,
                           const std::string& accepted) const {
    part_.refuse(key + ": given " + given, accepted);
  }

  void read_format();
  void read_bounds();
  Bounds bounds_of(const JsonPart& low, const JsonPart& high) const;
  double bound(const JsonPart& part) const;
  void find_kind();
  void read_own();
  void read_number();
  void read_time_parts();
  void read_hash();
  void check_role() const;
  /// Refuses a key of ours that does not apply to what the field is.
  void refuse_strangers(core::Words keys, const std::string& valid_with) const;

  const JsonPart& part_;
  std::optional<JsonPart> own_;
  Field field_;
};

void FieldParser::read_format() {
  CellFormat& format = field_.format;
  const auto single = [](const JsonPart& part) {
    constexpr std::string_view kOfNumbers = "0123456789+-eE";
    if (part.text().size() != 1 || kOfNumbers.find(part.text()) != std::string_view::npos) {
      part.refuse("given " + core::quoted(part.text()),
                  "one character that is no digit, sign or e");
    }
    return part.text();
  };
  if (const auto words = part_.find("missingValues")) format.missing_values = words->texts();
  for (std::string& text : format.missing_values) text = std::string(trimmed(text));
  if (const auto decimal = part_.find("decimalChar")) format.decimal = single(*decimal).front();
  if (const auto group = part_.find("groupChar")) format.group = single(*group);
  if (format.group == std::string(1, format.decimal)) {
    refuse("groupChar", core::quoted(format.group), "another character than decimalChar");
  }
  if (const auto bare = part_.find("bareNumber"); bare && !bare->flag()) {
    refuse("bareNumber", "false", "true: numbers without signs of currency or percent");
  }
  if (field_.type == FieldType::boolean) read_truth_words(part_, format);
  const auto pattern = part_.find("format");
  if (!pattern || pattern->text() == "default") return;
  if (is_time() && is_time_pattern(pattern->text())) {
    format.time = pattern->text();
  } else if (is_time()) {
    refuse("format", core::quoted(pattern->text()),
           "default (ISO 8601) or a pattern of %Y %m %d %H %M %S %y %f %z with a year, a month and "
           "a day");
  } else if (field_.type != FieldType::string || pattern->text() == "binary") {
    refuse("format", core::quoted(pattern->text()), "default");
  }
}

double FieldParser::bound(const JsonPart& part) const {
  if (!is_time()) return finite(part);
  const std::string& text = part.text();
  const auto moment =
      field_.format.time.empty() ? parse_iso_time(text) : parse_time(text, field_.format.time);
  if (!moment)
    part.refuse("given " + core::quoted(text), "a date that exists, as its cells have it");
  const std::int64_t unit = field_.type == FieldType::date ? kDay : kSecond;
  return static_cast<double>(*moment) / static_cast<double>(unit);
}

void FieldParser::read_bounds() {
  const auto low = constraint("minimum");
  const auto high = constraint("maximum");
  if (!low && !high) return;
  if (!is_number() && !is_time()) {
    refuse(low ? "constraints.minimum" : "constraints.maximum", "a bound",
           "bounds for numbers and dates alone");
  }
  if (!field_.levels.empty()) {
    refuse(low ? "constraints.minimum" : "constraints.maximum", "a bound, and constraints.enum",
           "one of them");
  }
  if (!low || !high) {
    refuse(low ? "constraints.maximum" : "constraints.minimum", "nothing",
           "a bound on both sides, known without looking at the records");
  }
  field_.bounds = {bound(*low), bound(*high)};
  if (!(field_.bounds->high - field_.bounds->low >= 1.0 / kLargest)) {
    refuse("constraints.minimum",
           core::number_text(field_.bounds->low) + ", maximum " +
               core::number_text(field_.bounds->high),
           "minimum < maximum, by at least 1e-100");
  }
}

void FieldParser::find_kind() {
  const auto encode = own("encode");
  if (encode && encode->text() != "hash") {
    encode->refuse("given " + core::quoted(encode->text()), "hash");
  }
  if (encode && (field_.type != FieldType::string || !field_.levels.empty())) {
    encode->refuse(field_.levels.empty() ? "given hash" : "given hash, and constraints.enum",
                   "hash for a string without a list of levels");
  }
  field_.kind = encode                   ? FieldKind::hashed
                : !field_.levels.empty() ? FieldKind::levels
                : is_number()            ? FieldKind::number
                : is_time()              ? FieldKind::time
                                         : FieldKind::text;
}

void FieldParser::refuse_strangers(core::Words keys, const std::string& valid_with) const {
  for (const std::string_view key : keys) {
    if (const auto given = own(std::string(key).c_str())) {
      given->refuse("given", "this key with " + valid_with + " alone");
    }
  }
}

void FieldParser::read_own() {
  if (const auto missing = own("missing")) {
    field_.missing = static_cast<WhenMissing>(word(*missing, kMissingNames));
  }
  constexpr std::array<std::string_view, 1> kParts{"parts"};
  constexpr std::array<std::string_view, 1> kFeatures{"features"};
  constexpr std::array<std::string_view, 3> kNumbers{"transform", "scale", "center"};
  constexpr std::array<std::string_view, 3> kLevels{"ordered", "aliases", "class_weight"};
  if (field_.kind != FieldKind::time) refuse_strangers(kParts, "a date");
  if (field_.kind != FieldKind::hashed) refuse_strangers(kFeatures, "encode: hash");
  if (field_.kind != FieldKind::number) refuse_strangers(kNumbers, "a number");
  if (field_.kind != FieldKind::levels) refuse_strangers(kLevels, "a list of levels");
  switch (field_.kind) {
    case FieldKind::number:
      return read_number();
    case FieldKind::time:
      return read_time_parts();
    case FieldKind::hashed:
      return read_hash();
    case FieldKind::levels:
      if (const auto ordered = own("ordered")) field_.ordered = ordered->flag();
      if (const auto standard = part_.find("categoriesOrdered")) {
        field_.ordered = field_.ordered || standard->flag();
      }
      if (const auto aliases = own("aliases")) field_.aliases = parse_aliases(*aliases, field_);
      if (const auto weights = own("class_weight")) {
        field_.class_weights = parse_class_weights(*weights, field_);
      }
      return;
    case FieldKind::text:
      return;
  }
}

void FieldParser::read_number() {
  if (const auto transform = own("transform")) {
    field_.transform = static_cast<Transform>(word(*transform, kTransformNames));
    constexpr double kLeastOfLog = 1e-6;
    const bool log = field_.transform == Transform::log && field_.bounds;
    if (log && field_.bounds->high - field_.bounds->low < kLeastOfLog) {
      transform->refuse("given log, and bounds closer than 1e-6",
                        "none: log(x - minimum + 1) is 0");
    }
  }
  const auto center = own("center");
  const auto scale = own("scale");
  if (!center && !scale) return;
  if (field_.bounds) refuse("southwell", "scale or center, and bounds", "one of them");
  if (!scale) refuse("southwell.scale", "nothing", "how far values are from the center");
  if (field_.transform != Transform::none) {
    refuse("southwell.transform", "a transform without bounds", "none: it starts at the minimum");
  }
  field_.typical = Typical{center ? finite(*center) : 0.0, finite(*scale)};
  if (!(field_.typical->scale >= 1.0 / kLargest)) {
    scale->refuse("given " + core::number_text(field_.typical->scale),
                  "a number > 0, from 1e-100 to 1e100");
  }
}

void FieldParser::read_time_parts() {
  const auto parts = own("parts");
  if (!parts) return;
  parts->for_each([&](const JsonPart& part) {
    const auto each = static_cast<DatePart>(word(part, kPartNames));
    if (std::find(field_.parts.begin(), field_.parts.end(), each) != field_.parts.end()) {
      part.refuse("given " + core::quoted(part.text()) + " twice", "every part once");
    }
    if (each == DatePart::hour && field_.type == FieldType::date) {
      part.refuse("given 'hour' for a date", "hour for a datetime");
    }
    field_.parts.push_back(each);
  });
}

void FieldParser::read_hash() {
  constexpr std::size_t kLeast = 16;
  constexpr std::size_t kMost = std::size_t{1} << 22;
  const auto features = own("features");
  if (!features) refuse("southwell.features", "nothing", "a power of two from 16 to 2^22");
  field_.hashed_features = features->size();
  const bool power = (field_.hashed_features & (field_.hashed_features - 1)) == 0;
  if (!power || field_.hashed_features < kLeast || field_.hashed_features > kMost) {
    features->refuse("given " + std::to_string(field_.hashed_features),
                     "a power of two from 16 to 2^22");
  }
}

void FieldParser::check_role() const {
  const bool has_size = field_.bounds || field_.typical;
  if (field_.role == Role::unit) {
    const bool is_id = field_.kind == FieldKind::text ||
                       (field_.type == FieldType::integer && field_.kind == FieldKind::number);
    if (!is_id) refuse("southwell.role", "unit", "unit for a string or an integer: an id");
    if (has_size) refuse("constraints", "bounds of an id", "an id without bounds");
    return;
  }
  if (field_.kind == FieldKind::number && !has_size) {
    refuse("constraints", "no bounds",
           "minimum and maximum, known without looking at the records (or scale and center under "
           "southwell)");
  }
  if (field_.kind == FieldKind::text) {
    refuse("constraints.enum", "nothing",
           "the list of levels; or, under southwell, encode: hash for words of a text, or role: "
           "ignore");
  }
  if (field_.kind == FieldKind::time && !field_.bounds && field_.parts.empty()) {
    refuse("constraints", "no bounds",
           "minimum and maximum, or parts of the calendar under southwell");
  }
  if (field_.role != Role::target) return;
  if (field_.kind != FieldKind::number && field_.kind != FieldKind::levels) {
    refuse("southwell.role", "target", "target for a number or a list of levels");
  }
  if (field_.levels.size() == 1) {
    refuse("constraints.enum", "one level", "two or more classes for a target");
  }
  const char* const not_for_targets[] = {"transform", "ordered", "missing"};
  for (const char* const key : not_for_targets) {
    if (const auto given = own(key)) given->refuse("given", "this key for a feature alone");
  }
}

}  // namespace

bool is_name(std::string_view text) {
  if (text.empty()) return false;
  while (!text.empty()) {
    const auto [code, bytes] = core::first_character(text);
    if (bytes == 0 || code < 0x20 || code == 0x7f) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

void check_own_keys(const JsonPart& own, core::Words accepted) {
  own.for_each_member([&](const std::string& key, const JsonPart& part) {
    if (core::index_of(accepted, key)) return;
    part.refuse("an unknown key", "one of " + core::listed(accepted));
  });
}

Field parse_field(const JsonPart& part, const std::vector<std::string>& missing_values) {
  return FieldParser(part, missing_values).parse();
}

}  // namespace southwell::data
