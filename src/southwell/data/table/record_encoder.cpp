#include "southwell/data/table/record_encoder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "southwell/data/table/civil_time.hpp"

namespace southwell::data {
namespace {

using Make = TableEncoding::Make;

constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();

/// A date counts in days, a moment in seconds.
double number_of(const Field& field, std::int64_t moment) {
  if (field.type != FieldType::date) return static_cast<double>(moment) / kSecond;
  const std::int64_t day = moment / kDay - (moment % kDay < 0 ? 1 : 0);
  return static_cast<double>(day);
}

/// The main number of a field, in units of its half range; NaN where it is missing.
double number_in(const Field& field, const NumberMap& map, const DecodedColumn& column,
                 std::size_t i) {
  if (field.kind == FieldKind::time) {
    const std::int64_t moment = column.moments[i];
    return moment == kNoMoment ? kMissing : map(number_of(field, moment));
  }
  const double x = column.numbers[i];
  return std::isnan(x) ? kMissing : map(x);
}

bool is_missing(const Field& field, const DecodedColumn& column, std::size_t i) {
  switch (field.kind) {
    case FieldKind::number:
      return std::isnan(column.numbers[i]);
    case FieldKind::levels:
    case FieldKind::hashed:
      return column.places[i] == kMissingLevel;
    case FieldKind::time:
      return column.moments[i] == kNoMoment;
    case FieldKind::text:
      break;
  }
  return false;
}

}  // namespace

RecordEncoder::RecordEncoder(const TableEncoding& encoding) {
  const Schema& schema = encoding.schema();
  mains_.resize(schema.fields().size());
  main_counts_.resize(schema.fields().size());
  is_multiplied_.resize(schema.fields().size());
  for (const auto& [a, b] : schema.interactions()) is_multiplied_[a] = is_multiplied_[b] = true;
  for (const Block& block : encoding.blocks()) {
    const Field& field = schema.fields()[block.field];
    const bool has_map =
        block.make == Make::number || block.make == Make::hinges || block.make == Make::bins;
    steps_.push_back({block, &field, has_map ? std::optional(NumberMap(field)) : std::nullopt,
                      main_counts_[block.field]});
    if (block.is_main()) main_counts_[block.field] += block.count;
  }
}

const std::vector<RecordEntry>& RecordEncoder::encode(const DecodedRecords& records,
                                                      std::size_t i) {
  entries_.clear();
  for (std::vector<RecordEntry>& own : mains_) own.clear();
  for (const Step& step : steps_) {
    const std::size_t before = entries_.size();
    if (step.block.make == Make::products) {
      add_products(step.block);
      continue;
    }
    add_block(step, records.columns[step.block.field], i);
    if (!is_multiplied_[step.block.field] || !step.block.is_main()) continue;
    for (std::size_t e = before; e < entries_.size(); ++e) {
      mains_[step.block.field].push_back(
          {entries_[e].feature - step.block.first + step.main_first, entries_[e].value});
    }
  }
  return entries_;
}

void RecordEncoder::add_block(const Step& step, const DecodedColumn& column, std::size_t i) {
  const Block& block = step.block;
  const Field& field = *step.field;
  switch (block.make) {
    case Make::number: {
      const double z = number_in(field, *step.map, column, i);
      return add(block.first, std::isnan(z) ? 0.0 : z);
    }
    case Make::ordered: {
      const auto steps = static_cast<double>(field.levels.size()) - 1.0;
      const std::int32_t place = column.places[i];
      if (place >= 0 && steps > 0.0) add(block.first, 2.0 * place / steps - 1.0);
      return;
    }
    case Make::levels:
      return add_one_of(block, column.places[i]);
    case Make::month:
    case Make::weekday:
    case Make::hour:
      return add_part(block, column.moments[i]);
    case Make::words:
      return add_words(block, column, i);
    case Make::hinges:
      return add_hinges(block, number_in(field, *step.map, column, i));
    case Make::bins:
      return add_bins(block, number_in(field, *step.map, column, i));
    case Make::missing:
      return add(block.first, is_missing(field, column, i) ? 1.0 : 0.0);
    case Make::products:
      return;
  }
}

/// A missing cell is at the center: no entry. What is no level has none of them.
void RecordEncoder::add_one_of(const Block& block, std::int32_t place) {
  if (place == kMissingLevel) return;
  const double center = block.center();
  if (center == 0.0) {
    if (place >= 0) add(block.first + static_cast<std::size_t>(place), 1.0);
    return;
  }
  for (std::size_t k = 0; k < block.count; ++k) {
    add(block.first + k, (place == static_cast<std::int32_t>(k) ? 1.0 : 0.0) - center);
  }
}

void RecordEncoder::add_part(const Block& block, std::int64_t moment) {
  if (moment == kNoMoment) return;
  const CivilTime time = civil_time(moment);
  add_one_of(block, block.make == Make::month     ? time.month - 1
                    : block.make == Make::weekday ? time.weekday
                                                  : time.hour);
}

/// Counts of words, divided by their norm.
void RecordEncoder::add_words(const Block& block, const DecodedColumn& column, std::size_t i) {
  const std::size_t first = i == 0 ? 0 : column.word_ends[i - 1];
  const std::span<const WordCount> words(column.words.data() + first, column.word_ends[i] - first);
  double squares = 0.0;
  for (const WordCount& word : words) squares += static_cast<double>(word.count) * word.count;
  const double norm = std::sqrt(squares);
  for (const WordCount& word : words) add(block.first + word.feature, word.count / norm);
}

/// max(0, z - t) at evenly spaced t, minus its mean over all z from -1 to 1.
void RecordEncoder::add_hinges(const Block& block, double z) {
  if (std::isnan(z)) return;
  const auto pieces = static_cast<double>(block.count) + 1.0;
  for (std::size_t k = 0; k < block.count; ++k) {
    const double t = -1.0 + 2.0 * static_cast<double>(k + 1) / pieces;
    add(block.first + k, std::max(0.0, z - t) - (1.0 - t) * (1.0 - t) / 4.0);
  }
}

void RecordEncoder::add_bins(const Block& block, double z) {
  if (std::isnan(z)) return add_one_of(block, kMissingLevel);
  const auto bins = static_cast<double>(block.count);
  const double bin = std::clamp(std::floor((z + 1.0) / 2.0 * bins), 0.0, bins - 1.0);
  add_one_of(block, static_cast<std::int32_t>(bin));
}

void RecordEncoder::add_products(const Block& block) {
  for (const RecordEntry& a : mains_[block.field]) {
    for (const RecordEntry& b : mains_[block.other]) {
      add(block.first + a.feature * main_counts_[block.other] + b.feature, a.value * b.value);
    }
  }
}

}  // namespace southwell::data
