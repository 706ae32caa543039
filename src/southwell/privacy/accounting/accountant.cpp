#include "southwell/privacy/accounting/accountant.hpp"

#include <limits>

#include "southwell/privacy/accounting/advanced.hpp"
#include "southwell/privacy/accounting/basic.hpp"
#include "southwell/privacy/accounting/hockey_stick.hpp"
#include "southwell/privacy/accounting/pld.hpp"
#include "southwell/privacy/accounting/rdp.hpp"
#include "southwell/privacy/accounting/zcdp.hpp"
#include "southwell/privacy/budget.hpp"

namespace southwell::privacy {

std::string_view name_of(Accountant accountant) {
  switch (accountant) {
    case Accountant::basic:
      return "basic";
    case Accountant::rdp:
      return "rdp";
    case Accountant::hockey_stick:
      return "hockey_stick";
    case Accountant::zcdp:
      return "zcdp";
    case Accountant::pld:
      return "pld";
    case Accountant::advanced:
      return "advanced";
  }
  return "";
}

double epsilon_by(Accountant accountant, const Composition& composition, double delta) {
  check_delta(delta);
  switch (accountant) {
    case Accountant::basic:
      return basic_epsilon(composition);
    case Accountant::rdp:
      return renyi_epsilon(composition, delta).epsilon;
    case Accountant::hockey_stick:
      return hockey_stick_epsilon(composition, delta);
    case Accountant::zcdp:
      return zcdp_epsilon(composition, delta);
    case Accountant::pld:
      return pld_epsilon(composition, delta);
    case Accountant::advanced:
      return advanced_epsilon(composition, delta);
  }
  return std::numeric_limits<double>::infinity();
}

Spent quickly_spent(const Composition& composition, double delta) {
  const double basic = basic_epsilon(composition);
  const RenyiBound renyi = renyi_epsilon(composition, delta);
  if (renyi.epsilon < basic) return {renyi.epsilon, delta, Accountant::rdp, renyi.order};
  return {basic, 0.0, Accountant::basic, std::numeric_limits<double>::infinity()};
}

Spent spent(const Composition& composition, double delta) {
  const Spent quick = quickly_spent(composition, delta);
  const double hockey_stick = hockey_stick_epsilon(composition, delta);
  if (!(hockey_stick < quick.epsilon)) return quick;
  return {hockey_stick, delta, Accountant::hockey_stick, std::numeric_limits<double>::infinity()};
}

}  // namespace southwell::privacy
