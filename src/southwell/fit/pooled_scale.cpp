#include "southwell/fit/pooled_scale.hpp"

#include <memory>
#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/core/float_environment.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/fit/neighbours.hpp"
#include "southwell/ledger/charge.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/model/ledger_words.hpp"
#include "southwell/privacy/budget.hpp"

namespace southwell::fit {
namespace {

double checked(double epsilon) {
  privacy::Budget{epsilon, 0.0}.check();
  return epsilon;
}

}  // namespace

PooledScale::PooledScale(const PooledScaleSpec& spec, const DataShape& shape)
    : spec_(spec),
      relation_(relation_of(spec.relation)),
      unit_(unit_of(spec.unit, shape)),
      records_(public_records(relation_, spec.records, shape)),
      magnitude_(PrivateMagnitude::within(checked(spec.epsilon))) {
  if (magnitude_.guesses(static_cast<double>(records_))) {
    refuse("epsilon", core::rounded_text(spec.epsilon),
           "more of it, or more than " + std::to_string(records_) +
               " records: so little does not tell a scale from noise");
  }
}

double PooledScale::find(std::span<const double> sizes,
                         const std::optional<data::Units>& units) const {
  return find(sizes, units, std::optional<std::string>()).scale;
}

FoundScale PooledScale::find(std::span<const double> sizes, const std::optional<data::Units>& units,
                             const std::optional<std::string>& ledger) const {
  check_form(sizes.size(), units);
  std::unique_ptr<privacy::RandomBits> bits = std::make_unique<privacy::SystemRandomBits>();
  if (spec_.seed_for_tests) {
    bits = std::make_unique<privacy::SeededRandomBits>(*spec_.seed_for_tests);
  }
  Statement made = statement(1.0);  // whatever is found, it costs the same
  ledger::Charge charge(ledger, "scale", made);
  const double found = find(sizes, units, *bits);
  charge.commit(made);
  return {.scale = found, .ledger = made.ledger};
}

double PooledScale::find(std::span<const double> sizes, const std::optional<data::Units>& units,
                         privacy::RandomBits& bits) const {
  check_form(sizes.size(), units);
  const core::StandardFloatEnvironment standard;
  return magnitude_.find(sizes, units, bits);
}

void PooledScale::check_form(std::size_t sizes, const std::optional<data::Units>& units) const {
  check_units(units, sizes, statement(1.0));
  const std::size_t count = units ? units->count() : sizes;
  if (relation_ == privacy::Relation::replace_one && count != records_) {
    throw DataError("data: " + std::to_string(count) + " sizes of " + std::to_string(records_) +
                    " records; accepted is one of each");
  }
}

Statement PooledScale::statement(double found, const std::string& ledger) const {
  const core::StandardFloatEnvironment standard;
  Statement out;
  out.epsilon = spec_.epsilon;
  out.relation = name_of(relation_);
  out.unit = unit_;
  out.records = static_cast<double>(records_);
  out.mode = "certified";
  out.mechanisms.push_back({"feature_scale", "exponential_mechanism", magnitude_.cost(), 1});
  const bool replaces = relation_ == privacy::Relation::replace_one;
  out.public_inputs = {{"epsilon", spec_.epsilon, Source::user},
                       {"relation", out.relation, spec_.relation ? Source::user : Source::standard},
                       {"records", out.records, replaces ? Source::data : Source::user},
                       {"feature_scale", found, Source::mechanism}};
  if (out.has_units()) out.public_inputs.push_back(unit_input(spec_.unit));
  describe_cover(out);
  out.covers = {"the scale of the features, and whatever is computed from it"};
  std::vector<std::string> reasons_against;
  if (spec_.seed_for_tests) {
    out.randomness = model::kFixedRandomness;
    out.public_inputs.push_back(
        {"seed_for_tests", std::to_string(*spec_.seed_for_tests), Source::user});
    reasons_against.push_back("seeded");
  }
  if (spec_.allow_leaks) {
    out.public_inputs.push_back({"allow_leaks", true, Source::user});
    reasons_against.push_back("allow_leaks");
  }
  settle_spent(out);
  settle_guarantee(out, reasons_against);
  if (ledger != kNoLedger) model::name_ledger(out, ledger);
  return out;
}

}  // namespace southwell::fit
