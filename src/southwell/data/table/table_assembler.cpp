#include "southwell/data/table/table_assembler.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "southwell/data/parse_number.hpp"
#include "southwell/data/table/record_encoder.hpp"

namespace southwell::data {
namespace {

template <class T>
RowBlock<T> dense_rows(const TableEncoding& encoding, const DecodedRecords& decoded) {
  RecordEncoder encoder(encoding);
  RowBlock<T> block(decoded.records, encoding.features());
  block.records = decoded.records;
  T* const out = block.column(0);
  const std::size_t stride = block.capacity();
  for (std::size_t i = 0; i < decoded.records; ++i) {
    for (const RecordEntry& entry : encoder.encode(decoded, i)) {
      out[entry.feature * stride + i] = static_cast<T>(entry.value);  // the rest is zero
    }
  }
  return block;
}

SparseRows sparse_rows(const TableEncoding& encoding, const DecodedRecords& decoded) {
  RecordEncoder encoder(encoding);
  SparseRows out;
  for (std::size_t i = 0; i < decoded.records; ++i) {
    for (const RecordEntry& entry : encoder.encode(decoded, i)) {
      out.indices.push_back(static_cast<std::int32_t>(entry.feature));
      out.values.push_back(entry.value);
    }
    out.ends.push_back(static_cast<std::int64_t>(out.indices.size()));
  }
  return out;
}

/// The number that stands for a label. In a fit what is missing or no level counts as the first
/// class; figures leave out what is missing, and no class is right for what is none.
double label_of(std::int32_t place, const std::vector<double>& values, TableUse use) {
  if (place >= 0 || use == TableUse::fit)
    return values[static_cast<std::size_t>(std::max(place, 0))];
  return place == kMissingLevel ? std::numeric_limits<double>::quiet_NaN()
                                : std::numeric_limits<double>::infinity();
}

/// Numbers within their bounds, NaN where one is missing; of classes, the numbers that stand for
/// them.
std::vector<double> target_of(const Field& field, const DecodedColumn& column, TableUse use) {
  std::vector<double> out;
  if (field.kind == FieldKind::number) {
    out = column.numbers;
    if (!field.bounds) return out;
    for (double& y : out) {
      if (!std::isnan(y)) y = std::clamp(y, field.bounds->low, field.bounds->high);
    }
    return out;
  }
  const std::vector<double> values = class_values(field);
  for (const std::int32_t place : column.places) {
    out.push_back(label_of(place, values, use));
  }
  return out;
}

}  // namespace

std::vector<double> class_values(const Field& target) {
  std::vector<double> numbers;
  for (const std::string& level : target.levels) {
    double number = 0.0;
    if (parse_number(level, number) && std::isfinite(number)) numbers.push_back(number);
  }
  if (numbers.size() == target.levels.size()) return numbers;
  numbers.clear();
  for (std::size_t k = 0; k < target.levels.size(); ++k) numbers.push_back(static_cast<double>(k));
  return numbers;
}

EncodedRecords encode_records(const TableEncoding& encoding, const DecodedRecords& decoded,
                              const TableOptions& options) {
  EncodedRecords out;
  out.records = decoded.records;
  if (encoding.is_sparse()) {
    out.rows = sparse_rows(encoding, decoded);
  } else if (options.storage == Storage::f32) {
    out.rows = dense_rows<float>(encoding, decoded);
  } else {
    out.rows = dense_rows<double>(encoding, decoded);
  }
  const Schema& schema = encoding.schema();
  if (const auto target = schema.target()) {
    out.target = target_of(schema.fields()[*target], decoded.columns[*target], options.use);
  }
  if (const auto unit = schema.unit()) out.units = decoded.columns[*unit].texts;
  return out;
}

TableAssembler::TableAssembler(const TableEncoding& encoding, Storage storage, RolesRead roles)
    : encoding_(encoding), roles_(roles), rows_(RowBlocks<double>(encoding.features())) {
  if (encoding.is_sparse()) {
    rows_ = Compressed{{0}, {}, {}};
  } else if (storage == Storage::f32) {
    rows_ = RowBlocks<float>(encoding.features());
  }
  if (roles.unit && encoding.schema().unit()) units_.emplace();
}

template <class T>
void TableAssembler::add_rows(RowBlock<T> rows) {
  std::get<RowBlocks<T>>(rows_).add(std::move(rows));
}

void TableAssembler::add_rows(SparseRows rows) {
  auto& lists = std::get<Compressed>(rows_);
  const std::int64_t first = lists.offsets.back();
  for (const std::int64_t end : rows.ends) lists.offsets.push_back(first + end);
  lists.indices.insert(lists.indices.end(), rows.indices.begin(), rows.indices.end());
  lists.values.insert(lists.values.end(), rows.values.begin(), rows.values.end());
}

void TableAssembler::add(EncodedRecords part) {
  std::visit([this](auto& rows) { add_rows(std::move(rows)); }, part.rows);
  target_.insert(target_.end(), part.target.begin(), part.target.end());
  if (!units_) return;
  for (const std::optional<std::string>& id : part.units) {
    id ? units_->add(*id) : units_->add_missing();
  }
}

Dataset TableAssembler::take(core::ThreadPool& pool) {
  AnyDesign design = std::visit(
      [&]<class Rows>(Rows& rows) -> AnyDesign {
        if constexpr (std::is_same_v<Rows, Compressed>) {
          return SparseDesign::from_records(std::move(rows), encoding_.features(), pool);
        } else {
          return rows.take(pool, nullptr);
        }
      },
      rows_);
  Dataset out{std::move(design), std::move(target_), encoding_.feature_names()};
  const Schema& schema = encoding_.schema();
  if (roles_.target && schema.target()) out.target_name = schema.fields()[*schema.target()].name;
  if (units_) out.record_units = units_->take();
  return out;
}

}  // namespace southwell::data
