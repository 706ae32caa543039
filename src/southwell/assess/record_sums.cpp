#include "southwell/assess/record_sums.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "southwell/core/fault.hpp"

namespace southwell::assess {
namespace {

/// floor(K / c), and 0 for a record of no unit.
std::int64_t share_of(const std::optional<data::Units>& units, std::size_t i) {
  if (!units) return kShare;
  const std::uint64_t count = units->size_of(i);
  if (count == 0) return 0;
  if (fault(Fault::assessed_units_count_every_record)) return kShare;
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(kShare) / count);
}

/// The cell of record i.
template <class CellOf>
Sensitive<std::vector<std::int64_t>> histogram(const AssessedRecords& records, std::size_t cells,
                                               const CellOf& cell_of) {
  std::vector<std::int64_t> out(cells);
  for (std::size_t i = 0; i < records.target.size(); ++i) {
    out[cell_of(i)] += share_of(records.units, i);
  }
  return Sensitive(std::move(out));
}

bool has_nan(std::span<const double> values) {
  return std::any_of(values.begin(), values.end(), [](double x) { return std::isnan(x); });
}

/// The cell of a record of a known class is a function of that class and of its margins.
template <class CellOf>
Sensitive<std::vector<std::int64_t>> histogram_of_classes(const AssessedRecords& records,
                                                          std::size_t cells,
                                                          const CellOf& cell_of) {
  const std::size_t heads = records.heads();
  return histogram(records, cells, [&](std::size_t i) {
    const std::span<const double> own = records.margins.subspan(i * heads, heads);
    const double label = records.target[i];
    if (std::isnan(label) || has_nan(own)) return left_out_cell(cells);
    const auto found = std::find(records.classes.begin(), records.classes.end(), label);
    if (found == records.classes.end()) return unknown_cell(cells);
    return cell_of(static_cast<std::size_t>(found - records.classes.begin()), own);
  });
}

using Moments = std::array<std::int64_t, kMoments>;

std::int64_t square_sum(const Moments& moments) {
  std::int64_t sum = 0;
  for (const std::int64_t each : moments) sum += each * each;
  return sum;
}

/// (e, e^2, b, b^2) as whole numbers of l2 norm at most `bound`. Each of the pairs (e, e^2) and
/// (b, b^2) is shortened by itself, to the length at which both together have that norm: a target
/// far from the centre does not make an error look smaller.
Moments clipped_moments(double e, double b, std::int64_t bound) {
  constexpr double kMost = 1e6;  // so that no square overflows; far beyond the limit
  Moments out{};
  for (std::size_t k = 0; k < kMoments; k += 2) {
    const double value = std::clamp(k == 0 ? e : b, -kMost, kMost);
    const double length = std::hypot(value, value * value);
    const double factor = static_cast<double>(bound) / kMomentLimit *
                          std::min(1.0, kPairLimit / std::max(length, kPairLimit));
    out[k] = static_cast<std::int64_t>(value * factor);  // toward 0
    out[k + 1] = static_cast<std::int64_t>(value * value * factor);
  }
  // Rounding may have left it a little too long: the bound is on whole numbers.
  while (square_sum(out) > bound * bound) {
    for (std::int64_t& each : out) each -= each > 0 ? 1 : each < 0 ? -1 : 0;
  }
  return out;
}

}  // namespace

Sensitive<std::vector<std::int64_t>> margin_histogram(const AssessedRecords& records,
                                                      const MarginBins& bins) {
  return histogram_of_classes(records, cells_of_bins(bins.size()),
                              [&](std::size_t truth, std::span<const double> own) {
                                return truth * bins.size() + bins.of(own[0]);
                              });
}

Sensitive<std::vector<std::int64_t>> class_histogram(const AssessedRecords& records) {
  const std::size_t classes = records.classes.size();
  return histogram_of_classes(
      records, cells_of_classes(classes), [&](std::size_t truth, std::span<const double> own) {
        // The first of equal ones, as model::labels has it.
        const auto predicted =
            static_cast<std::size_t>(std::max_element(own.begin(), own.end()) - own.begin());
        return truth * classes + predicted;
      });
}

Sensitive<std::vector<std::int64_t>> error_histogram(const AssessedRecords& records,
                                                     const ErrorBins& bins, double scale) {
  return histogram(records, bins.size() + 1, [&](std::size_t i) {
    const double size = std::fabs(records.target[i] - records.margins[i]) / scale;
    return std::isnan(size) ? bins.size() : bins.of(size);
  });
}

Sensitive<std::vector<std::int64_t>> error_moments(const AssessedRecords& records,
                                                   const MomentUnits& units) {
  std::vector<std::int64_t> out(kMoments);
  for (std::size_t i = 0; i < records.target.size(); ++i) {
    const double error = (records.target[i] - records.margins[i]) / units.error_scale;
    if (std::isnan(error)) continue;
    const double above = (records.target[i] - units.centre) / units.target_scale;
    const Moments own = clipped_moments(error, above, share_of(records.units, i));
    for (std::size_t k = 0; k < kMoments; ++k) out[k] += own[k];
  }
  return Sensitive(std::move(out));
}

}  // namespace southwell::assess
