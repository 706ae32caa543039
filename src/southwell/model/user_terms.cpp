#include "southwell/model/user_terms.hpp"

#include <cmath>

namespace southwell::model {

NaturalHead in_user_terms(const Head& head, const data::TableEncoding& table) {
  NaturalHead out;
  out.intercept = head.intercept;
  out.coef.reserve(head.coef.size());
  for (const Coefficient& c : head.coef) {
    const data::TableEncoding::InUserTerms terms = table.in_user_terms(c.index);
    out.coef.push_back({c.value * terms.slope, c.noise_sd * std::fabs(terms.slope), terms.per});
    out.intercept += c.value * terms.constant;
  }
  return out;
}

}  // namespace southwell::model
