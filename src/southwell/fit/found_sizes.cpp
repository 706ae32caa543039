#include "southwell/fit/found_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "southwell/core/number_text.hpp"
#include "southwell/core/printable.hpp"

namespace southwell::fit {
namespace {

constexpr const char* kWhatToDo =
    "; a release of this fit says so. Declare centres and scales that fit (a schema, feature_scale "
    "or a DeclaredScaler): the model clips what is larger, and another fit costs another budget";

std::string times_text(double times) { return core::rounded_text(times, 2) + " times"; }

}  // namespace

void stay_at_start(Solved& solved, const std::vector<double>& start) {
  solved.coef = start;
  solved.noise_sd.assign(start.size(), 0.0);
  solved.noisy.clear();
  solved.covariance.clear();
  end_path(solved);
}

std::string too_large_warning(double target_scale) {
  return "target_scale: a mechanism found " + core::number_text(target_scale) +
         ", which too few targets reach to tell them from noise, so that the model was left where "
         "it began, without features. Declare target_scale, the typical size of a target that is "
         "not 0, or take more records or a larger epsilon; another fit costs another budget";
}

std::vector<std::string> size_warnings(const LinearModel& model, const Solved& solved) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> out;
  const auto& larger = solved.larger;
  if (!larger.empty()) {
    std::string names;
    const std::size_t named = std::min(larger.size(), kNamed);
    for (std::size_t k = 0; k < named; ++k) {
      names += (k == 0                   ? ""
                : k + 1 == larger.size() ? " and "
                                         : ", ") +
               core::printable(model::feature_name(model, larger[k].feature)) + " " +
               times_text(larger[k].times);
    }
    if (larger.size() > named) {
      names += " and " + std::to_string(larger.size() - named) + " more above 1.5 times";
    }
    out.push_back("feature_scale: features are larger than declared, at least " + names +
                  kWhatToDo);
  } else if (solved.longer_records > 1.0) {
    out.push_back("feature_scale: most records are at least " + times_text(solved.longer_records) +
                  " as long as their declared scales make them" + kWhatToDo);
  }
  return out;
}

}  // namespace southwell::fit
