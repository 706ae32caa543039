#include "southwell/model/user_terms.hpp"

#include <cmath>
#include <span>

namespace southwell::model {
namespace {

using Block = data::TableEncoding::Block;

/// A sum of coefficients, each times a number, and the noise of that.
class Combination {
 public:
  explicit Combination(const std::optional<CoefCovariance>& covariance) : covariance_(covariance) {}

  void add(const Coefficient& c, double times) {
    if (times != 0.0) terms_.push_back({c, times});
  }
  double noise_sd() const {
    double variance = 0.0;
    for (const Term& a : terms_) {
      variance += std::pow(a.times * a.of.noise_sd, 2);  // not a number: nor is the sum
      if (!covariance_) continue;
      for (const Term& b : terms_) {
        if (a.of.index == b.of.index) continue;
        variance += a.times * b.times * covariance_->at(a.of.index, b.of.index).value_or(0.0);
      }
    }
    return variance < 0.0 ? 0.0 : std::sqrt(variance);
  }

 private:
  struct Term {
    Coefficient of;
    double times;
  };
  const std::optional<CoefCovariance>& covariance_;
  std::vector<Term> terms_;
};

/// A level against the mean of all levels of its field, zeros included, which it is a part of.
NaturalCoefficient against_mean(const Coefficient& c, std::span<const Coefficient> levels,
                                const Block& block,
                                const std::optional<CoefCovariance>& covariance) {
  const auto count = static_cast<double>(block.count);
  Combination noise(covariance);
  double mean = 0.0;
  for (const Coefficient& each : levels) {
    mean += each.value / count;
    noise.add(each, (each.index == c.index ? 1.0 : 0.0) - 1.0 / count);
  }
  return {c.value - mean, noise.noise_sd(), "against the mean"};
}

}  // namespace

NaturalHead in_user_terms(const Head& head, const data::TableEncoding& table,
                          const std::optional<CoefCovariance>& covariance) {
  NaturalHead out;
  out.intercept = head.intercept;
  Combination intercept(covariance);
  intercept.add({table.features(), head.intercept, head.intercept_noise_sd}, 1.0);
  out.coef.reserve(head.coef.size());
  auto c = head.coef.begin();
  for (const Block& block : table.blocks()) {
    const auto first = c;
    while (c != head.coef.end() && c->index < block.last()) ++c;
    const bool is_centered = block.is_one_of() && block.center() > 0.0;
    for (auto each = first; each != c; ++each) {
      if (is_centered) {
        out.coef.push_back(against_mean(*each, {first, c}, block, covariance));
        continue;
      }
      const data::TableEncoding::InUserTerms terms = table.in_user_terms(each->index);
      out.coef.push_back(
          {each->value * terms.slope, each->noise_sd * std::fabs(terms.slope), terms.per});
      out.intercept += each->value * terms.constant;
      intercept.add(*each, terms.constant);
    }
  }
  out.intercept_noise_sd = intercept.noise_sd();
  return out;
}

}  // namespace southwell::model
