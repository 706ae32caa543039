#include "southwell/model/coef_covariance.hpp"

#include <algorithm>
#include <cmath>

#include "southwell/core/json_parse.hpp"
#include "southwell/core/json_part.hpp"
#include "southwell/model/base64.hpp"
#include "southwell/model/json_packed.hpp"

namespace southwell::model {
namespace {

/// What a lower triangle must be, up to rounding: variances, and |c_ab|^2 <= c_aa c_bb.
bool is_covariance(const std::vector<double>& lower, std::size_t size) {
  const auto at = [&](std::size_t a, std::size_t b) { return lower[a * (a + 1) / 2 + b]; };
  constexpr double kRounding = 1e-6;
  for (std::size_t a = 0; a < size; ++a) {
    if (!(at(a, a) >= 0.0)) return false;
    for (std::size_t b = 0; b < a; ++b) {
      const double most = std::sqrt(at(a, a)) * std::sqrt(at(b, b));
      if (std::fabs(at(a, b)) > (1.0 + kRounding) * most) return false;
    }
  }
  return true;
}

}  // namespace

std::optional<double> CoefCovariance::at(std::size_t a, std::size_t b) const {
  const auto place = [this](std::size_t j) {
    return static_cast<std::size_t>(std::lower_bound(index.begin(), index.end(), j) -
                                    index.begin());
  };
  const std::size_t row = place(a);
  const std::size_t column = place(b);
  if (std::max(row, column) >= index.size() || index[row] != a || index[column] != b) {
    return std::nullopt;
  }
  return values[row * index.size() + column];
}

std::string covariance_text(const CoefCovariance& covariance) {
  const std::size_t size = covariance.index.size();
  std::vector<double> lower;
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t b = 0; b <= a; ++b) lower.push_back(covariance.values[a * size + b]);
  }
  return core::dumped({{"index", covariance.index}, {"lower", packed(lower)}}, -1);
}

std::optional<CoefCovariance> covariance_of(const LinearModel& model) {
  const std::string& text = model.attachments.coef_covariance;
  if (text.empty()) return std::nullopt;
  const nlohmann::json content = core::parsed(text, "model", "JSON");
  return covariance_in(core::JsonPart(content, "model", "coef_covariance"), model.features);
}

CoefCovariance covariance_in(const core::JsonPart& part, std::size_t features) {
  CoefCovariance out;
  part.at("index").for_each(
      [&](const core::JsonPart& index) { out.index.push_back(index.size()); });
  const std::size_t size = out.index.size();
  if (size > kMostTogether) {
    part.at("index").refuse(std::to_string(size), "at most " + std::to_string(kMostTogether));
  }
  for (std::size_t k = 0; k < size; ++k) {
    if (out.index[k] > features || (k > 0 && out.index[k] <= out.index[k - 1])) {
      part.at("index").refuse("indices that do not increase, or too large ones",
                              "those of coefficients, each once");
    }
  }
  const std::vector<double> lower = packed_numbers(part.at("lower"));
  const bool finite =
      std::all_of(lower.begin(), lower.end(), [](double value) { return std::isfinite(value); });
  if (lower.size() != size * (size + 1) / 2 || !finite) {
    part.at("lower").refuse(std::to_string(lower.size()) + " numbers, or some that are none",
                            "the lower triangle of a matrix with a row for each index");
  }
  out.values.resize(size * size);
  if (!is_covariance(lower, size)) {
    part.at("lower").refuse("numbers that are no covariance",
                            "no negative variance, and no two that vary together by more than each "
                            "varies");
  }
  auto next = lower.begin();
  for (std::size_t a = 0; a < size; ++a) {
    for (std::size_t b = 0; b <= a; ++b, ++next) {
      out.values[a * size + b] = out.values[b * size + a] = *next;
    }
  }
  return out;
}

std::size_t longest_covariance_text(std::size_t coefficients) {
  constexpr std::size_t kAround = 128;
  constexpr std::size_t kIndex = 21;  // digits of a number, and a comma
  return kAround + kIndex * coefficients +
         base64_length(coefficients * (coefficients + 1) / 2 * sizeof(double));
}

}  // namespace southwell::model
