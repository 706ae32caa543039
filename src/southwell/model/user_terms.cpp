#include "southwell/model/user_terms.hpp"

#include <cmath>

namespace southwell::model {
namespace {

using Block = data::TableEncoding::Block;

/// Of the coefficients of all levels of one field, zeros included.
struct Levels {
  double mean = 0.0;
  double noise_of_mean = 0.0;  ///< variance

  void add(const Coefficient& c, const Block& block) {
    const auto count = static_cast<double>(block.count);
    mean += c.value / count;
    noise_of_mean += c.noise_sd * c.noise_sd / (count * count);
  }
  /// A level against their mean, which it is a part of.
  NaturalCoefficient against(const Coefficient& c, const Block& block) const {
    const double own = c.noise_sd * c.noise_sd;
    const double noise = own + noise_of_mean - 2.0 * own / static_cast<double>(block.count);
    return {c.value - mean, std::sqrt(std::fmax(0.0, noise)), "against the mean"};
  }
};

}  // namespace

NaturalHead in_user_terms(const Head& head, const data::TableEncoding& table) {
  NaturalHead out;
  out.intercept = head.intercept;
  out.coef.reserve(head.coef.size());
  auto c = head.coef.begin();
  for (const Block& block : table.blocks()) {
    const auto first = c;
    Levels levels;
    for (; c != head.coef.end() && c->index < block.last(); ++c) levels.add(*c, block);
    const bool is_centered = block.is_one_of() && block.center() > 0.0;
    for (auto each = first; each != c; ++each) {
      if (is_centered) {
        out.coef.push_back(levels.against(*each, block));
        continue;
      }
      const data::TableEncoding::InUserTerms terms = table.in_user_terms(each->index);
      out.coef.push_back(
          {each->value * terms.slope, each->noise_sd * std::fabs(terms.slope), terms.per});
      out.intercept += each->value * terms.constant;
    }
  }
  return out;
}

}  // namespace southwell::model
