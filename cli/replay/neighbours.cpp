#include "neighbours.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "southwell/core/parallel.hpp"
#include "southwell/data/units.hpp"

namespace southwell::cli::replay {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::array kHostile{
    -kInfinity, -1e308, -1e30,  -1e3,      -1.0,
    -0.0,       0.0,    5e-324, 1e-30,     1.0,
    1e3,        1e30,   1e308,  kInfinity, std::numeric_limits<double>::quiet_NaN()};

template <class T>
data::DenseDesign<T> dense(const std::vector<std::vector<double>>& records, std::size_t features) {
  const std::size_t n = records.size();
  std::shared_ptr<T[]> values(new T[std::max<std::size_t>(1, n * features)]);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < features; ++j) {
      values[static_cast<std::ptrdiff_t>(j * n + i)] = static_cast<T>(records[i][j]);
    }
  }
  return data::DenseDesign<T>(values, n, features);
}

data::SparseDesign sparse(const std::vector<std::vector<double>>& records, std::size_t features) {
  data::Compressed lists;
  lists.offsets.push_back(0);
  for (const std::vector<double>& record : records) {
    for (std::size_t j = 0; j < features; ++j) {
      if (record[j] == 0.0) continue;
      lists.indices.push_back(static_cast<std::int32_t>(j));
      lists.values.push_back(record[j]);
    }
    lists.offsets.push_back(static_cast<std::int64_t>(lists.values.size()));
  }
  core::ThreadPool pool(1);
  return data::SparseDesign::from_records(std::move(lists), features, pool);
}

data::AnyDesign design_of(const std::vector<std::vector<double>>& records, std::size_t features,
                          Stored stored) {
  switch (stored) {
    case Stored::f64:
      return dense<double>(records, features);
    case Stored::f32:
      return dense<float>(records, features);
    case Stored::sparse:
      return sparse(records, features);
  }
  return dense<double>(records, features);
}

}  // namespace

Neighbours::Neighbours(std::size_t records, std::size_t features, Change change)
    : records_(records),
      features_(features),
      change_(change),
      random_(1000 * records + 10 * features + static_cast<std::uint64_t>(change)) {}

Neighbours::Record Neighbours::ordinary() {
  std::normal_distribution<double> normal;
  Record record(features_ + 1);
  for (double& value : record) value = static_cast<float>(normal(random_));
  record.back() = record[0] > 0.0 ? 1.0 : -1.0;
  return record;
}

Neighbours::Record Neighbours::hostile() {
  // One value throughout, so that all of a vector's lanes meet it, or one each.
  const bool is_same = random_() % 3 == 0;
  double value = kHostile[random_() % kHostile.size()];
  Record record(features_ + 1);
  for (double& each : record) {
    if (!is_same) value = kHostile[random_() % kHostile.size()];
    each = value;
  }
  if (random_() % 2 == 0) record.back() = random_() % 2 == 0 ? 1.0 : -1.0;
  return record;
}

data::Dataset Neighbours::dataset(const Rows& rows, Stored stored) const {
  std::vector<double> target;
  std::vector<std::optional<std::string>> ids;
  for (std::size_t i = 0; i < rows.records.size(); ++i) {
    target.push_back(rows.records[i].back());
    ids.emplace_back("unit " + std::to_string(rows.units[i]));
  }
  data::Dataset out{design_of(rows.records, features_, stored), std::move(target), {}, "target"};
  if (change_ == Change::unit_replaced) out.record_units = data::Units::of(ids);
  return out;
}

Pair Neighbours::pair(Stored stored) {
  Rows one;
  for (std::size_t i = 0; i < records_; ++i) {
    one.records.push_back(ordinary());
    one.units.push_back(i);
  }
  Rows other = one;
  const std::size_t at = random_() % records_;
  if (change_ == Change::added) {
    other.records.push_back(hostile());
    other.units.push_back(records_);
  } else {
    other.records[at] = hostile();
  }
  if (change_ == Change::unit_replaced) {
    for (std::uint64_t more = random_() % 4; more > 0; --more) {
      other.records.push_back(random_() % 2 == 0 ? hostile() : other.records[at]);
      other.units.push_back(at);
    }
  }
  return {dataset(one, stored), dataset(other, stored)};
}

}  // namespace southwell::cli::replay
