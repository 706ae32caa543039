#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "southwell/model/statement.hpp"
#include "southwell/privacy/accounting/filter.hpp"

namespace southwell::ledger {

/// What is fixed when a ledger is made.
struct Terms {
  std::string id;        ///< of the people it is about: random, made with it
  std::string relation;  ///< as in a statement
  std::string unit;      ///< likewise
  privacy::FilterTerms filter;
};

/// Why an entry could be made.
enum class Admission {
  filter,  ///< its cost fits beside those before (privacy/accounting/filter.md)
  whole,  ///< as the first and only one, by the certificate of its mechanisms: the ledger is closed
  plan,   ///< it is part of a plan, which was charged for it
};
std::string_view name_of(Admission admission);

/// What is charged: the mechanisms of one look at the records, as its statement lists them.
struct Charged {
  std::string name;  ///< fit, scale, tune, evaluate; in a plan what its user calls it
  double epsilon = 0.0;
  double delta = 0.0;
  std::vector<model::MechanismUse> mechanisms;
};

/// A reservation, or a plan of several.
struct Entry {
  std::uint64_t sequence = 0;
  Admission admission = Admission::filter;
  std::string relation;
  std::string unit;
  std::vector<Charged> looks;  ///< one; of a plan all of its members
  bool is_plan = false;
  privacy::Spend spend{0, 0, 0};  ///< of all looks together; nothing for a part of a plan
  std::uint64_t plan = 0;         ///< the sequence number of the plan it is part of
  std::uint64_t member = 0;       ///< which of its members, from 0
  std::string nonce;              ///< random: no two entries anywhere are alike
  std::string hash;               ///< of its line
  bool is_committed = false;
};

}  // namespace southwell::ledger
