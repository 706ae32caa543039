#include "lab/coefficients.hpp"

#include <string_view>

#include "lab/coefficients_json.hpp"
#include "southwell/core/error.hpp"
#include "southwell/data/byte_source.hpp"
#include "southwell/data/file_format.hpp"
#include "southwell/fit/feature_numbers.hpp"

namespace southwell::lab {
namespace {

/// The whole of a file, unpacked.
std::string content_of(const std::filesystem::path& file) {
  std::string out = data::read_all(*data::open_source(file), file.string(), std::size_t{1} << 30);
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (out.starts_with(kByteOrderMark)) out.erase(0, kByteOrderMark.size());
  return out;
}

Coefficients read_numbers(const std::filesystem::path& file, const std::vector<std::string>& names,
                          std::size_t features) {
  const fit::FeatureNumbers numbers = fit::read_feature_numbers(file, "coef", names, features);
  Coefficients at{std::vector<double>(features, 0.0), numbers.intercept.value_or(0.0)};
  for (std::size_t j = 0; j < features; ++j) at.coef[j] = numbers.of_feature[j].value_or(0.0);
  return at;
}

std::string kind_of(const std::filesystem::path& file) {
  std::string kind = (data::is_gzip(file) ? file.stem() : file).extension().string();
  for (char& c : kind) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return kind;
}

}  // namespace

FeaturePlaces::FeaturePlaces(const std::vector<std::string>& names, std::size_t features)
    : features_(features), named_(!names.empty()) {
  for (std::size_t j = 0; j < features; ++j) {
    places_.emplace(named_ ? names[j] : data::default_feature_name(j), j);
  }
}

std::optional<std::size_t> FeaturePlaces::of(const std::string& name) const {
  const auto found = places_.find(name);
  if (found == places_.end()) return std::nullopt;
  return found->second;
}

CoefficientsFile read_coefficients(const std::filesystem::path& file,
                                   const std::vector<std::string>& feature_names,
                                   std::size_t features) {
  const std::string kind = kind_of(file);
  if (kind == ".csv" || kind == ".npy") return {read_numbers(file, feature_names, features)};
  if (kind == ".json") {
    const FeaturePlaces places(feature_names, features);
    return coefficients_from_json(content_of(file), file.string(), places);
  }
  throw DataError(file.string() +
                  ": the name does not say the form; accepted are .csv (feature,coef), .npy and "
                  ".json, each also followed by .gz");
}

}  // namespace southwell::lab
