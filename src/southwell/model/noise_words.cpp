#include "southwell/model/noise_words.hpp"

#include <algorithm>
#include <cmath>

namespace southwell::model {

std::string noise_sentences(const LinearModel& model) {
  const auto is_unknown = [](const Coefficient& c) { return std::isnan(c.noise_sd); };
  const bool some = std::any_of(model.heads.begin(), model.heads.end(), [&](const Head& head) {
    return std::isnan(head.intercept_noise_sd) ||
           std::any_of(head.coef.begin(), head.coef.end(), is_unknown);
  });
  std::string words =
      "The sd is that of the privacy noise alone; the error of sampling records is extra.";
  if (some) {
    words += " Where it is missing it is " + std::string(kNotDetermined) +
             ": it would be another one for curvatures that the fit did not see.";
  }
  return words;
}

}  // namespace southwell::model
