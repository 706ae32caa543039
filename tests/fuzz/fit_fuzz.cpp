// Two data sets that differ in one record, of whatever values: with the outputs of its mechanisms
// frozen the fit on the second is that on the first, and no mechanism is given more than it
// declares. What southwell-replay does with random records, with records that a fuzzer makes up.

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fit/small_data.hpp"
#include "replay/settings.hpp"
#include "replay/tapped_pair.hpp"

using namespace southwell;
using namespace southwell::cli;

namespace {

constexpr std::size_t kFeatures = 3;
constexpr std::size_t kRecords = 3;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::array kHostile{
    -kInfinity, -1e308, -1e30,  -1e3,      -1.0,
    -0.0,       0.0,    5e-324, 1e-30,     1.0,
    1e3,        1e30,   1e308,  kInfinity, std::numeric_limits<double>::quiet_NaN()};

/// Zeros when they have come to an end.
class Bytes {
 public:
  explicit Bytes(std::string_view bytes) : bytes_(bytes) {}

  unsigned next() {
    if (bytes_.empty()) return 0;
    const auto byte = static_cast<unsigned char>(bytes_.front());
    bytes_.remove_prefix(1);
    return byte;
  }
  /// Hostile, or small and a double and a float alike.
  double number() {
    const unsigned byte = next();
    if (byte < kHostile.size()) return kHostile[byte];
    return (static_cast<double>(byte) - 128.0) / 16.0;
  }
  fit::Record record() {
    fit::Record record(kFeatures + 1);
    for (double& value : record) value = number();
    return record;
  }

 private:
  std::string_view bytes_;
};

/// How a fit is made; those that find a scale want more records than there are here.
const std::vector<replay::Setting>& settings() {
  static const std::vector<replay::Setting> all = [] {
    std::vector<replay::Setting> out = replay::settings();
    std::erase_if(out, [](const replay::Setting& setting) { return setting.finds_scales; });
    return out;
  }();
  return all;
}

/// Planned once: the same for all records.
const fit::FitPlan& plan_of(std::size_t setting, bool adds, const data::Dataset& any) {
  static std::map<std::pair<std::size_t, bool>, fit::FitPlan> plans;
  const auto known = plans.find({setting, adds});
  if (known != plans.end()) return known->second;
  fit::FitSpec spec = settings()[setting].spec;
  if (adds) {
    spec.relation = "add_or_remove_one";
    spec.records = kRecords;
  }
  fit::DataShape shape = fit::DataShape::of(any);
  shape.features_counted = false;
  return plans.emplace(std::pair(setting, adds), fit::plan_fit(spec, shape)).first->second;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const char* data, std::size_t size) {
  Bytes bytes({data, size});
  const std::size_t setting = bytes.next() % settings().size();
  const unsigned how = bytes.next();
  const bool adds = (how & 1) != 0;
  const auto stored = static_cast<fit::Stored>((how >> 1) % 3);
  std::vector<fit::Record> records;
  for (std::size_t i = 0; i < kRecords; ++i) records.push_back(bytes.record());
  std::vector<fit::Record> others = records;
  if (adds) {
    others.push_back(bytes.record());
  } else {
    others[bytes.next() % kRecords] = bytes.record();
  }
  const replay::Pair pair{fit::dataset_of(records, kFeatures, stored),
                          fit::dataset_of(others, kFeatures, stored)};
  const fit::FitPlan& plan = plan_of(setting, adds, pair.one);
  const std::string difference = replay::difference(pair, plan, 1 + (how >> 4));
  if (!difference.empty()) {
    std::fprintf(stderr, "%s: %s\n", settings()[setting].name.c_str(), difference.c_str());
    std::abort();
  }
  return 0;
}
