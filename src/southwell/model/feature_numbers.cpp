#include "southwell/model/feature_numbers.hpp"

#include <cmath>
#include <string_view>
#include <unordered_map>

#include "southwell/core/error.hpp"
#include "southwell/core/parallel.hpp"
#include "southwell/data/byte_source.hpp"
#include "southwell/data/csv_layout.hpp"
#include "southwell/data/dataset.hpp"
#include "southwell/data/file_format.hpp"
#include "southwell/data/parse_number.hpp"
#include "southwell/data/read_source.hpp"

namespace southwell::model {
namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 30;

class CsvNumbers {
 public:
  CsvNumbers(const std::filesystem::path& file, const std::string& column,
             const std::vector<std::string>& names, std::size_t features)
      : file_(file.string()), header_("feature," + column) {
    out_.of_feature.resize(features);
    for (std::size_t j = 0; j < features; ++j) {
      place_.emplace(names.empty() ? data::default_feature_name(j) : names[j], j);
    }
  }

  FeatureNumbers read(const std::string& text) && {
    std::string_view rest = text;
    constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
    if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
    bool named = false;
    for (line_ = 1; !rest.empty(); ++line_) {
      const std::size_t end = rest.find('\n');
      std::string_view line = rest.substr(0, end);
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (line_ == 1 && line == header_) {
        named = true;
      } else if (!data::trimmed(line).empty()) {
        named ? take_named(line) : take_next(line);
      }
    }
    if (!named && next_ != out_.of_feature.size()) {
      refuse(std::to_string(next_) + " numbers; accepted are the header " + header_ +
             ", or one number for each of the " + std::to_string(out_.of_feature.size()) +
             " features");
    }
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { throw DataError(file_ + ": " + why); }
  [[noreturn]] void refuse_line(const std::string& why) const {
    refuse("line " + std::to_string(line_) + ": " + why);
  }

  double number(std::string_view text) const {
    double value = 0.0;
    if (!data::parse_number(data::trimmed(text), value) || !std::isfinite(value)) {
      refuse_line("given " + data::shown(text) + ", accepted is a finite number");
    }
    return value;
  }

  void take_next(std::string_view line) {
    if (next_ == 0 && line.find(',') != std::string_view::npos) {
      refuse_line("accepted is the header " + header_ + ", or one number per line");
    }
    const double value = number(line);
    if (next_ == out_.of_feature.size()) {
      refuse_line("more numbers than the " + std::to_string(next_) + " features");
    }
    out_.of_feature[next_++] = value;
  }

  void take_named(std::string_view line) {
    // The number stands after the last comma: a name with commas in it need not be in quotes.
    const std::size_t comma = line.rfind(',');
    if (comma == std::string_view::npos) refuse_line("accepted is " + header_);
    const double value = number(line.substr(comma + 1));
    const std::string_view name = line.substr(0, comma);
    const data::CsvField field = data::csv_field(name.data(), name.data() + comma);
    const std::string feature = field.quoted && !field.broken && field.end == name.data() + comma
                                    ? data::undoubled(field.text)
                                    : std::string(data::trimmed(name));
    std::optional<double>* place = &out_.intercept;
    if (const auto found = place_.find(feature); found != place_.end()) {
      place = &out_.of_feature[found->second];
    } else if (feature != "(intercept)") {
      refuse_line("the data have no feature " + data::shown(feature));
    }
    if (*place) refuse_line(data::shown(feature) + " occurs twice; accepted is once");
    *place = value;
  }

  std::string file_;
  std::string header_;
  std::unordered_map<std::string, std::size_t> place_;
  FeatureNumbers out_;
  std::size_t line_ = 1;
  std::size_t next_ = 0;  // of a file without names
};

FeatureNumbers read_npy(const std::filesystem::path& file, std::size_t features) {
  core::ThreadPool pool(1);
  FeatureNumbers out;
  for (const double value :
       data::read_npy_column(*data::open_source(file), file.string(), features, pool)) {
    if (!std::isfinite(value)) {
      throw DataError(file.string() + ": a number is not finite; accepted are finite numbers");
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
      const std::string text =
          data::read_all(*data::open_source(file), file.string(), kLargestFile);
      return CsvNumbers(file, column, feature_names, features).read(text);
    }
    case data::FileFormat::npy:
      return read_npy(file, features);
    case data::FileFormat::libsvm:
      break;
  }
  throw DataError(file.string() + ": accepted are .csv (feature," + column +
                  ") and .npy, each also .gz");
}

}  // namespace southwell::model
