#include "lab/coefficients.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "lab/coefficients_json.hpp"
#include "southwell/core/error.hpp"
#include "southwell/data/byte_source.hpp"
#include "southwell/data/csv_layout.hpp"
#include "southwell/data/file_format.hpp"
#include "southwell/data/parse_number.hpp"
#include "southwell/data/read.hpp"
#include "southwell/data/read_source.hpp"

namespace southwell::lab {
namespace {

constexpr std::string_view kIntercept = "(intercept)";

/// The whole of a file, unpacked.
std::string content_of(const std::filesystem::path& file) {
  constexpr std::size_t kMost = std::size_t{1} << 30;
  constexpr std::size_t kStep = std::size_t{1} << 16;
  const auto source = data::open_source(file);
  std::string out;
  for (std::size_t got = kStep; got == kStep;) {
    const std::size_t before = out.size();
    if (before > kMost) throw DataError(file.string() + ": longer than 1 GiB, accepted is less");
    out.resize(before + kStep);
    got = data::read_fully(*source, {out.data() + before, kStep});
    out.resize(before + got);
  }
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (out.starts_with(kByteOrderMark)) out.erase(0, kByteOrderMark.size());
  return out;
}

class CsvCoefficients {
 public:
  CsvCoefficients(std::string name, const FeaturePlaces& places)
      : name_(std::move(name)), places_(places), seen_(places.size() + 1, false) {
    at_.coef.assign(places.size(), 0.0);
  }

  Coefficients read(std::string text) {
    if (text.empty()) refuse("the file is empty; accepted is the header feature,coef");
    if (text.back() != '\n') text += '\n';
    const char* const last = text.data() + text.size();
    for (const char* at = text.data(); at != last; ++line_) {
      const std::string_view line = data::csv_line(at, last);
      at = std::find(line.data() + line.size(), last, '\n') + 1;
      if (!data::trimmed(line).empty() || line_ == 1) take(line);
    }
    return std::move(at_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw DataError(name_ + ":" + std::to_string(line_) + ": " + why);
  }

  void take(std::string_view line) {
    const char* const last = line.data() + line.size();
    const data::CsvField feature = data::csv_field(line.data(), last);
    if (feature.broken || feature.end == last) refuse_line(line);
    const data::CsvField coef = data::csv_field(feature.end + 1, last);
    if (coef.broken || coef.end != last) refuse_line(line);
    if (line_ == 1) {
      if (feature.text != "feature" || coef.text != "coef") refuse_line(line);
      return;
    }
    double value = 0.0;
    if (!data::parse_number(coef.text, value) || !std::isfinite(value)) {
      refuse("the coefficient is " + data::shown(coef.text) + "; accepted is a finite number");
    }
    take(text_of(feature), value);
  }

  void take(const std::string& feature, double value) {
    const auto place = feature == kIntercept ? places_.size() : places_.of(feature);
    if (!place) {
      refuse("the data have no feature " + data::shown(feature) +
             "; accepted are their names and " + std::string(kIntercept));
    }
    if (seen_[*place]) {
      refuse("the feature " + data::shown(feature) + " occurs twice; accepted is each once");
    }
    seen_[*place] = true;
    (*place == places_.size() ? at_.intercept : at_.coef[*place]) = value;
  }

  [[noreturn]] void refuse_line(std::string_view line) const {
    refuse("given " + data::shown(line) + ", accepted is " +
           (line_ == 1 ? "the header feature,coef" : "a feature's name, a comma and a number"));
  }

  std::string name_;
  const FeaturePlaces& places_;
  Coefficients at_;
  std::vector<bool> seen_;  // the intercept is last
  std::size_t line_ = 1;
};

Coefficients read_npy(const std::filesystem::path& file, std::size_t features) {
  Coefficients at{data::read_npy_vector(*data::open_source(file), file.string(), features), 0.0};
  for (const double w : at.coef) {
    if (!std::isfinite(w)) {
      throw DataError(file.string() + ": a coefficient is not finite, accepted are finite numbers");
    }
  }
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
  const FeaturePlaces places(feature_names, features);
  const std::string kind = kind_of(file);
  if (kind == ".csv") return {CsvCoefficients(file.string(), places).read(content_of(file))};
  if (kind == ".npy") return {read_npy(file, features)};
  if (kind == ".json") return coefficients_from_json(content_of(file), file.string(), places);
  throw DataError(file.string() +
                  ": the name does not say the form; accepted are .csv (feature,coef), .npy and "
                  ".json, each also followed by .gz");
}

}  // namespace southwell::lab
