// Shells that leak, for tests/doors: a reader that does one of the things that well-meaning
// programs do to records, named by the environment variable SOUTHWELL_LEAK. Without it, what was
// read is passed on. The harness must find every one of them.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "leaky_columns.hpp"
#include "southwell/core/error.hpp"
#include "southwell/data/read.hpp"

namespace southwell::data {
namespace {

std::size_t missing_targets(const Dataset& dataset) {
  return static_cast<std::size_t>(std::count_if(dataset.target.begin(), dataset.target.end(),
                                                [](double y) { return std::isnan(y); }));
}

void drop_incomplete(Dataset& dataset) {
  Columns columns = columns_of(dataset);
  for (std::size_t i = dataset.target.size(); i-- > 0 && !columns.empty();) {
    if (!std::isnan(dataset.target[i])) continue;
    dataset.target.erase(dataset.target.begin() + static_cast<std::ptrdiff_t>(i));
    for (auto& column : columns) column.erase(column.begin() + static_cast<std::ptrdiff_t>(i));
  }
  put_back(dataset, columns);
}

void fill_with_means(Dataset& dataset) {
  Columns columns = columns_of(dataset);
  for (auto& column : columns) {
    const double mean = mean_of_finite(column);
    std::replace_if(column.begin(), column.end(), [](double x) { return std::isnan(x); }, mean);
  }
  put_back(dataset, columns);
}

void center_columns(Dataset& dataset) {
  Columns columns = columns_of(dataset);
  for (auto& column : columns) {
    const double mean = mean_of_finite(column);
    for (double& x : column) x -= mean;
  }
  put_back(dataset, columns);
}

void scale_targets(Dataset& dataset) {
  double largest = 1.0;
  for (const double y : dataset.target) {
    if (std::isfinite(y)) largest = std::max(largest, std::abs(y));
  }
  for (double& y : dataset.target) y /= largest;
}

/// As if one label of another type made all of them words that no class has.
void forget_labels(Dataset& dataset) {
  const bool odd = std::any_of(dataset.target.begin(), dataset.target.end(),
                               [](double y) { return std::abs(y) > 1e6; });
  if (odd) std::fill(dataset.target.begin(), dataset.target.end(), std::nan(""));
}

void say_largest(Dataset& dataset) {
  const auto largest = std::max_element(
      dataset.target.begin(), dataset.target.end(),
      [](double a, double b) { return std::isnan(a) || (!std::isnan(b) && a < b); });
  if (largest != dataset.target.end()) std::printf("targets up to %g\n", *largest);
}

void warn_of_missing(Dataset& dataset) {
  if (const std::size_t count = missing_targets(dataset); count > 0) {
    std::fprintf(stderr, "warning: %zu targets are missing\n", count);
  }
}

void refuse_infinite(Dataset& dataset) {
  for (const double y : dataset.target) {
    if (std::isinf(y)) throw DataError("target: infinite values are not accepted");
  }
}

void crash_on_huge(Dataset& dataset) {
  for (const double y : dataset.target) {
    if (std::abs(y) > 1e300) throw std::runtime_error("overflow");
  }
}

void declare_scale(Dataset& dataset) {
  if (dataset.feature_names.empty()) return;
  if (missing_targets(dataset) > 1) dataset.feature_names[0] += "_with_missing";
}

const std::map<std::string, std::function<void(Dataset&)>> kLeaks{
    {"drops_incomplete_records", drop_incomplete},
    {"fills_with_means", fill_with_means},
    {"centers_columns", center_columns},
    {"scales_targets", scale_targets},
    {"forgets_labels", forget_labels},
    {"says_the_largest_target", say_largest},
    {"warns_of_missing_targets", warn_of_missing},
    {"refuses_infinite_targets", refuse_infinite},
    {"crashes_on_huge_targets", crash_on_huge},
    {"names_columns_by_content", declare_scale}};

}  // namespace

// What the linker calls in place of data::read, and data::read itself.
Dataset leaky_read(const std::filesystem::path& file, const ReadOptions& options) asm(
    "__wrap__ZN9southwell4data4readERKNSt10filesystem7__cxx114pathERKNS0_11ReadOptionsE");
Dataset real_read(const std::filesystem::path& file, const ReadOptions& options) asm(
    "__real__ZN9southwell4data4readERKNSt10filesystem7__cxx114pathERKNS0_11ReadOptionsE");

Dataset leaky_read(const std::filesystem::path& file, const ReadOptions& options) {
  Dataset dataset = real_read(file, options);
  if (const char* leak = std::getenv("SOUTHWELL_LEAK")) kLeaks.at(leak)(dataset);
  return dataset;
}

}  // namespace southwell::data
