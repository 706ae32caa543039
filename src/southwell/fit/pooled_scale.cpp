#include "southwell/fit/pooled_scale.hpp"

#include <vector>

#include "southwell/core/error.hpp"
#include "southwell/core/float_environment.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/fit/neighbours.hpp"
#include "southwell/model/guarantee.hpp"
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
  if (spec_.seed_for_tests) {
    privacy::SeededRandomBits seeded(*spec_.seed_for_tests);
    return find(sizes, units, seeded);
  }
  privacy::SystemRandomBits bits;
  return find(sizes, units, bits);
}

double PooledScale::find(std::span<const double> sizes, const std::optional<data::Units>& units,
                         privacy::RandomBits& bits) const {
  check_units(units, sizes.size(), statement(1.0));
  const std::size_t count = units ? units->count() : sizes.size();
  if (relation_ == privacy::Relation::replace_one && count != records_) {
    throw DataError("data: " + std::to_string(count) + " sizes of " + std::to_string(records_) +
                    " records; accepted is one of each");
  }
  const core::StandardFloatEnvironment standard;
  return magnitude_.find(sizes, units, bits);
}

Statement PooledScale::statement(double found) const {
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
  return out;
}

}  // namespace southwell::fit
