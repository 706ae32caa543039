#include "southwell/fit/feature_numbers.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <unordered_map>

#include "southwell/core/error.hpp"
#include "southwell/data/byte_source.hpp"
#include "southwell/data/csv_layout.hpp"
#include "southwell/data/dataset.hpp"
#include "southwell/data/file_format.hpp"
#include "southwell/data/parse_number.hpp"
#include "southwell/data/read_source.hpp"
#include "southwell/model/linear_model.hpp"

namespace southwell::fit {
namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 30;

class CsvNumbers {
 public:
  CsvNumbers(const std::filesystem::path& file, const std::string& column,
             const std::vector<std::string>& names, std::size_t features)
      : file_(file.string()),
        header_("feature," + column),
        column_(column == "coef" ? "coefficient" : column) {
    out_.of_feature.resize(features);
    for (std::size_t j = 0; j < features; ++j) {
      place_.emplace(names.empty() ? data::default_feature_name(j) : names[j], j);
    }
  }

  FeatureNumbers read(std::string text) && {
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
    if (text.empty()) refuse("the file is empty; accepted is the header " + header_);
    if (text.back() != '\n') text += '\n';
    const char* const last = text.data() + text.size();
    bool named = true;
    for (const char* at = text.data(); at != last; ++line_) {
      const std::string_view line = data::csv_line(at, last);
      at = std::find(line.data() + line.size(), last, '\n') + 1;
      double number = 0.0;
      if (line_ == 1) named = !data::parse_number(data::trimmed(line), number);
      if (data::trimmed(line).empty() && line_ > 1) continue;
      named ? take_named(line) : take_next(line);
    }
    if (!named && next_ != out_.of_feature.size()) {
      throw DataError(file_ + ": " + std::to_string(next_) + " numbers; accepted are the header " +
                      header_ + ", or one number for each of the " +
                      std::to_string(out_.of_feature.size()) + " features");
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw DataError(file_ + ":" + std::to_string(line_) + ": " + why);
  }
  [[noreturn]] void refuse_line(std::string_view line) const {
    refuse("given " + data::quoted_field(line) + ", accepted is " +
           (line_ == 1 ? "the header " + header_ : "a feature's name, a comma and a number"));
  }

  double number(std::string_view text) const {
    double value = 0.0;
    if (!data::parse_number(data::trimmed(text), value) || !std::isfinite(value)) {
      refuse("the " + column_ + " is " + data::quoted_field(text) +
             "; accepted is a finite number");
    }
    return value;
  }

  void take_next(std::string_view line) {
    const double value = number(line);
    if (next_ == out_.of_feature.size()) {
      refuse("more numbers than the " + std::to_string(next_) + " features");
    }
    out_.of_feature[next_++] = value;
  }

  void take_named(std::string_view line) {
    const char* const last = line.data() + line.size();
    const data::CsvField feature = data::csv_field(line.data(), last, ',');
    if (feature.broken || feature.end == last) refuse_line(line);
    const data::CsvField value = data::csv_field(feature.end + 1, last, ',');
    if (value.broken || value.end != last) refuse_line(line);
    if (line_ == 1) {
      if (header_ != std::string(feature.text) + "," + std::string(value.text)) refuse_line(line);
      return;
    }
    take(feature.quoted ? data::undoubled(feature.text) : std::string(feature.text),
         number(value.text));
  }

  void take(const std::string& feature, double value) {
    std::optional<double>* place = &out_.intercept;
    if (const auto found = place_.find(feature); found != place_.end()) {
      place = &out_.of_feature[found->second];
    } else if (feature != model::kInterceptName) {
      refuse("the data have no feature " + data::quoted_field(feature) +
             "; accepted are their names and " + std::string(model::kInterceptName));
    }
    if (*place) {
      refuse("the feature " + data::quoted_field(feature) + " occurs twice; accepted is each once");
    }
    *place = value;
  }

  std::string file_;
  std::string header_;
  std::string column_;  ///< what the number is called
  std::unordered_map<std::string, std::size_t> place_;
  FeatureNumbers out_;
  std::size_t line_ = 1;
  std::size_t next_ = 0;  // of a file without names
};

FeatureNumbers read_npy(const std::filesystem::path& file, std::size_t features) {
  FeatureNumbers out;
  for (const double value :
       data::read_npy_vector(*data::open_source(file), file.string(), features)) {
    if (!std::isfinite(value)) {
      throw DataError(file.string() + ": a number is not finite, accepted are finite numbers");
    }
    out.of_feature.emplace_back(value);
  }
  return out;
}

}  // namespace

FeatureNumbers read_feature_numbers(const std::filesystem::path& file, const std::string& column,
                                    const std::vector<std::string>& feature_names,
                                    std::size_t features) {
  switch (data::file_format(file)) {
    case data::FileFormat::csv: {
      return CsvNumbers(file, column, feature_names, features)
          .read(data::read_all(*data::open_source(file), file.string(), kLargestFile));
    }
    case data::FileFormat::npy:
      return read_npy(file, features);
    case data::FileFormat::libsvm:
      break;
  }
  throw DataError(file.string() + ": accepted are .csv (feature," + column +
                  ") and .npy, each also .gz");
}

}  // namespace southwell::fit
