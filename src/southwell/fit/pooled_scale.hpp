#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "southwell/data/units.hpp"
#include "southwell/fit/fit_plan.hpp"
#include "southwell/fit/private_magnitude.hpp"
#include "southwell/model/statement.hpp"
#include "southwell/privacy/random/random_bits.hpp"

namespace southwell::fit {

/// What a statement says where there is none.
inline constexpr const char* kNoLedger = "none";

/// The public inputs of a scale; those of a fit under the same names.
struct PooledScaleSpec {
  double epsilon = 0.0;
  std::optional<std::string> relation{};
  std::optional<std::uint64_t> records{};
  std::optional<std::string> unit{};
  std::optional<std::uint64_t> seed_for_tests{};
  bool allow_leaks = false;
};

/// What was found, and what a statement says of the ledger that it was charged to.
struct FoundScale {
  double scale;
  std::string ledger;
};

/// One scale for all features of a data set: the typical size of its records, a power of two, so
/// that dividing by it rounds nothing. The size of a record is a number computed from this record
/// alone, for example its root mean square; whatever it is, the proof of magnitude_scores.md holds.
class PooledScale {
 public:
  /// Throws InvalidArgument, also where public numbers say that the choice would be a guess.
  /// `shape`: of its features nothing is asked.
  PooledScale(const PooledScaleSpec& spec, const DataShape& shape);

  /// Spends the budget on these sizes, one of each record. `units` are there where the shape has
  /// some, and each of them counts once.
  double find(std::span<const double> sizes,
              const std::optional<data::Units>& units = std::nullopt) const;
  double find(std::span<const double> sizes, const std::optional<data::Units>& units,
              privacy::RandomBits& bits) const;
  /// The same, charged to the ledger of this file before the first size is used.
  FoundScale find(std::span<const double> sizes, const std::optional<data::Units>& units,
                  const std::optional<std::string>& ledger) const;
  /// What is promised, with the scale that was found, and what its ledger says.
  Statement statement(double found, const std::string& ledger = kNoLedger) const;

 private:
  void check_form(std::size_t sizes, const std::optional<data::Units>& units) const;

  PooledScaleSpec spec_;
  privacy::Relation relation_;
  std::string unit_;
  std::uint64_t records_;
  PrivateMagnitude magnitude_;
};

}  // namespace southwell::fit
