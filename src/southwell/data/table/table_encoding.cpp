#include "southwell/data/table/table_encoding.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

#include "southwell/core/error.hpp"
#include "southwell/core/exp.hpp"
#include "southwell/core/log.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/core/quoted.hpp"
#include "southwell/data/read_source.hpp"
#include "southwell/data/table/civil_time.hpp"

namespace southwell::data {
namespace {

constexpr std::size_t kMostFeatures = std::size_t{1} << 23;
// Of numbers within bounds, and of a cell that is missing now and then.
constexpr double kBoundedScale = 0.5;
constexpr double kMissingScale = 0.2;
constexpr double kLeastScale = 0.02;
// How many words of a text are expected, for the choice of a storage alone.
constexpr double kWords = 64.0;

constexpr std::array<const char*, 7> kWeekdays{"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};

double share_scale(std::size_t levels) {
  const double share = 1.0 / static_cast<double>(levels);
  return std::max(kLeastScale, std::sqrt(share * (1.0 - share)));
}

}  // namespace

NumberMap::NumberMap(const Field& field) : transform(field.transform) {
  constexpr double kEverything = 1e300;
  if (field.bounds) {
    low = field.bounds->low;
    high = field.bounds->high;
    const double first = transformed(low);
    const double last = transformed(high);
    center = first + 0.5 * (last - first);
    half = 0.5 * (last - first);
  } else {
    low = -kEverything;
    high = kEverything;
    center = field.typical->center;
    half = field.typical->scale;
  }
}

double NumberMap::transformed(double x) const {
  switch (transform) {
    case Transform::log:
      return core::log(x - low + 1.0);
    case Transform::sqrt:
      return std::sqrt(x - low);
    case Transform::none:
      break;
  }
  return x;
}

double NumberMap::operator()(double x) const {
  return (transformed(std::clamp(x, low, high)) - center) / half;
}

double NumberMap::inverse(double z) const {
  const double t = center + half * z;
  switch (transform) {
    case Transform::log:
      return core::exp(t) - 1.0 + low;
    case Transform::sqrt:
      return t * t + low;
    case Transform::none:
      break;
  }
  return t;
}

TableEncoding::TableEncoding(std::shared_ptr<const Schema> schema, const std::string& name)
    : schema_(std::move(schema)) {
  for (std::size_t f = 0; f < schema_->fields().size(); ++f) {
    first_block_.push_back(blocks_.size());
    add_field(f);
  }
  first_block_.push_back(blocks_.size());
  for (const auto& [a, b] : schema_->interactions()) {
    add_block(Make::products, a, main_features(a) * main_features(b), b);
    if (features_ > kMostFeatures) break;
  }
  if (features_ > kMostFeatures) {
    throw DataError(name + ": the schema makes more than 2^23 features; accepted are at most 2^23");
  }
  check_names(name);
}

void TableEncoding::add_block(Make make, std::size_t field, std::size_t count, std::size_t other) {
  if (count == 0) return;
  blocks_.push_back({make, field, other, features_, count});
  features_ += count;
}

void TableEncoding::add_field(std::size_t f) {
  const Field& field = schema_->fields()[f];
  if (field.role != Role::feature) return;
  switch (field.kind) {
    case FieldKind::number:
      add_block(Make::number, f, 1);
      break;
    case FieldKind::levels:
      field.ordered ? add_block(Make::ordered, f, 1)
                    : add_block(Make::levels, f, field.levels.size());
      break;
    case FieldKind::time:
      if (field.bounds) add_block(Make::number, f, 1);
      for (const DatePart part : field.parts) {
        if (part == DatePart::month) add_block(Make::month, f, 12);
        if (part == DatePart::weekday) add_block(Make::weekday, f, 7);
        if (part == DatePart::hour) add_block(Make::hour, f, 24);
      }
      break;
    case FieldKind::hashed:
      add_block(Make::words, f, field.hashed_features);
      break;
    case FieldKind::text:
      return;
  }
  add_block(Make::hinges, f, field.hinges);
  add_block(Make::bins, f, field.bins);
  if (field.missing == WhenMissing::indicator) add_block(Make::missing, f, 1);
}

std::span<const TableEncoding::Block> TableEncoding::blocks_of(std::size_t field) const {
  return std::span(blocks_).subspan(first_block_[field],
                                    first_block_[field + 1] - first_block_[field]);
}

std::size_t TableEncoding::main_features(std::size_t field) const {
  std::size_t count = 0;
  for (const Block& block : blocks_of(field)) {
    if (block.is_main()) count += block.count;
  }
  return count;
}

std::pair<const TableEncoding::Block*, std::size_t> TableEncoding::main_feature(
    std::size_t field, std::size_t k) const {
  for (const Block& block : blocks_of(field)) {
    if (!block.is_main()) continue;
    if (k < block.count) return {&block, k};
    k -= block.count;
  }
  throw std::logic_error("table: no such main feature");
}

const TableEncoding::Block& TableEncoding::block_of(std::size_t j) const {
  const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), j,
                                      [](std::size_t at, const Block& b) { return at < b.first; });
  return *(after - 1);
}

std::string TableEncoding::point_name(const Field& field, double z) const {
  const double x = NumberMap(field).inverse(z);
  if (field.kind != FieldKind::time) return core::rounded_text(x, 10);
  const double unit = static_cast<double>(field.type == FieldType::date ? kDay : kSecond);
  const auto moment = static_cast<std::int64_t>(std::floor(x * unit));
  const CivilTime at = civil_time(moment);
  std::array<char, 80> text{};
  if (field.type == FieldType::date || moment % kDay == 0) {
    std::snprintf(text.data(), text.size(), "%04d-%02d-%02d", at.year, at.month, at.day);
  } else {
    std::snprintf(text.data(), text.size(), "%04d-%02d-%02dT%02d:%02d:%02d", at.year, at.month,
                  at.day, at.hour, at.minute, at.second);
  }
  return text.data();
}

std::string TableEncoding::name_in(const Block& block, std::size_t k) const {
  const Field& field = schema_->fields()[block.field];
  const auto knot = [&](std::size_t of, std::size_t pieces) {
    return point_name(field, -1.0 + 2.0 * static_cast<double>(of) / static_cast<double>(pieces));
  };
  switch (block.make) {
    case Make::number:
    case Make::ordered:
      return field.name;
    case Make::levels:
      return field.name + "=" + field.levels[k];
    case Make::month:
      return field.name + ".month=" + std::to_string(k + 1);
    case Make::weekday:
      return field.name + ".weekday=" + kWeekdays[k];
    case Make::hour:
      return field.name + ".hour=" + std::to_string(k);
    case Make::words:
      return field.name + "#" + std::to_string(k);
    case Make::hinges:
      return field.name + ">" + knot(k + 1, block.count + 1);
    case Make::bins:
      return field.name + "[" + knot(k, block.count) + "," + knot(k + 1, block.count) +
             (k + 1 == block.count ? "]" : ")");
    case Make::missing:
      return field.name + "?";
    case Make::products: {
      const std::size_t others = main_features(block.other);
      const auto [a, at_a] = main_feature(block.field, k / others);
      const auto [b, at_b] = main_feature(block.other, k % others);
      return name_in(*a, at_a) + "*" + name_in(*b, at_b);
    }
  }
  return {};
}

std::string TableEncoding::feature_name(std::size_t j) const {
  const Block& block = block_of(j);
  return name_in(block, j - block.first);
}

std::vector<std::string> TableEncoding::feature_names() const {
  std::vector<std::string> names;
  names.reserve(features_);
  for (const Block& block : blocks_) {
    for (std::size_t k = 0; k < block.count; ++k) names.push_back(name_in(block, k));
  }
  return names;
}

void TableEncoding::check_names(const std::string& name) const {
  const auto refuse = [&name](const std::string& twice) {
    throw DataError(name + ": two features would be called " + core::quoted(twice) +
                    "; accepted are names of fields and levels that keep them apart");
  };
  std::unordered_set<std::string> seen{"(intercept)"};
  for (const Block& block : blocks_) {
    for (std::size_t k = 0; k < block.count && block.make != Make::words; ++k) {
      std::string each = name_in(block, k);
      if (!seen.insert(each).second) refuse(each);
    }
  }
  // Millions of words are not listed for it: their names are a field's, a sign and a number.
  for (const Block& block : blocks_) {
    if (block.make != Make::words) continue;
    const std::string front = schema_->fields()[block.field].name + "#";
    for (const std::string& each : seen) {
      if (!each.starts_with(front)) continue;
      const auto number = column_number(std::string_view(each).substr(front.size()));
      if (number && *number < block.count && each == front + std::to_string(*number)) refuse(each);
    }
  }
}

double TableEncoding::scale_in(const Block& block, std::size_t k) const {
  const Field& field = schema_->fields()[block.field];
  const auto count = static_cast<double>(block.count);
  switch (block.make) {
    case Make::number:
      return field.bounds ? kBoundedScale : 1.0;
    case Make::ordered: {
      const auto levels = static_cast<double>(field.levels.size());
      return levels < 2.0 ? kLeastScale : std::sqrt((levels + 1.0) / (3.0 * (levels - 1.0)));
    }
    case Make::words:
      return 1.0 / std::sqrt(count);
    case Make::hinges: {
      // Of max(0, z - t) where z is anywhere from -1 to 1.
      const double above = 2.0 - 2.0 * static_cast<double>(k + 1) / (count + 1.0);
      return std::max(kLeastScale,
                      std::sqrt(std::pow(above, 3) / 6.0 - std::pow(above * above / 4.0, 2)));
    }
    case Make::missing:
      return kMissingScale;
    case Make::products: {
      const std::size_t others = main_features(block.other);
      const auto [a, at_a] = main_feature(block.field, k / others);
      const auto [b, at_b] = main_feature(block.other, k % others);
      return scale_in(*a, at_a) * scale_in(*b, at_b);
    }
    default:
      return share_scale(block.count);
  }
}

std::vector<double> TableEncoding::feature_scales() const {
  std::vector<double> scales;
  scales.reserve(features_);
  for (const Block& block : blocks_) {
    for (std::size_t k = 0; k < block.count; ++k) scales.push_back(scale_in(block, k));
  }
  return scales;
}

double TableEncoding::record_norm() const {
  double squares = 0.0;
  for (const double scale : feature_scales()) squares += scale * scale;
  return std::sqrt(squares);
}

bool TableEncoding::is_sparse() const {
  std::vector<double> main_entries(schema_->fields().size());
  double entries = 0.0;
  for (const Block& block : blocks_) {
    const auto all = static_cast<double>(block.count);
    double own = all;
    if (block.is_one_of() && block.center() == 0.0) own = 1.0;
    if (block.make == Make::words) own = std::min(all, kWords);
    if (block.make == Make::products) own = main_entries[block.field] * main_entries[block.other];
    if (block.is_main()) main_entries[block.field] += own;
    entries += own;
  }
  return entries < 0.25 * static_cast<double>(features_);
}

TableEncoding::InUserTerms TableEncoding::in_user_terms(std::size_t j) const {
  const Block& block = block_of(j);
  const Field& field = schema_->fields()[block.field];
  if (block.make == Make::number) {
    const NumberMap map(field);
    std::string per = "per unit";
    if (field.type == FieldType::date) per = "per day";
    if (field.type == FieldType::datetime) per = "per second";
    if (map.transform == Transform::log) per = "per unit of log(x - minimum + 1)";
    if (map.transform == Transform::sqrt) per = "per unit of sqrt(x - minimum)";
    return {1.0 / map.half, -map.center / map.half, per};
  }
  if (block.make == Make::ordered) {
    const auto steps = static_cast<double>(field.levels.size()) - 1.0;
    return steps > 0.0 ? InUserTerms{2.0 / steps, -1.0, "per level"} : InUserTerms{};
  }
  if (block.is_one_of()) return {1.0, -block.center(), ""};
  return {};
}

}  // namespace southwell::data
