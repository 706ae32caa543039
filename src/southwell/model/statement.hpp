#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "southwell/privacy/accounting/accountant.hpp"
#include "southwell/privacy/accounting/parts.hpp"
#include "southwell/privacy/accounting/repeated_runs.hpp"

namespace southwell::model {

/// Where a public input came from.
enum class Source { user, standard, data, mechanism };
std::string_view name_of(Source source);  ///< `standard` is called default

/// One input of a fit that everybody may know.
struct PublicInput {
  using Value = std::variant<bool, double, std::string, std::vector<double>>;
  std::string name;
  Value value;
  Source source;
};

std::string_view name_of(privacy::Cost::Kind kind);

/// One kind of event of a fit, and how often it happened.
struct MechanismUse {
  std::string step;  ///< select or release
  std::string name;  ///< of the mechanism
  privacy::Cost cost;
  std::uint64_t count;
  std::string part{};  ///< which of the records it ran on (privacy/accounting/parts.hpp); all
  /// In which of a secret number of runs (privacy/accounting/repeated_runs.hpp): every one, or
  /// those of one setting; empty: once, beside them.
  std::string run{};
  std::string plan{};  ///< the solver that an outcome has to decide for; whichever
};
inline constexpr const char* kEveryRun = "every";
inline constexpr const char* kChosenRun = "chosen";  ///< those of the setting that was chosen

/// Units that a random split has put together, and that some mechanisms alone have run on.
struct RecordsPart {
  std::string name;
  double records = 0.0;  ///< their public number, or the public divisor
};
inline constexpr const char* kFitPart = "fit";        ///< what a model was fitted on
inline constexpr const char* kChoicePart = "choice";  ///< what models were compared on
inline constexpr const char* kTestPart = "test";      ///< what its private figures are of
/// Whether the name of a part is this, of whichever split.
bool is_part(std::string_view part, std::string_view name);

/// The public input that says why a solver was chosen, where that was not the user's choice.
inline constexpr const char* kSolverChoice = "solver_choice";

/// What a statement says of data in which every record is a unit of its own.
inline constexpr const char* kOneRecord = "one record";

/// What a model promises about the records it was fitted on, and all that the promise rests on.
struct Statement {
  std::string guarantee;  ///< "(1, 1e-06)-DP", or "none (...)" with the reasons
  bool is_private = false;
  bool fit_alone = false;      ///< steps before the fit are unknown: the guarantee says so
  double epsilon = 0.0;        ///< promised: what was asked, or more where a start cost more
  double delta = 0.0;          ///< asked
  double epsilon_spent = 0.0;  ///< by the mechanisms below; NaN where nothing certifies
  std::string accountant;
  std::string relation;
  std::string unit = kOneRecord;  ///< or all records that say that they are of one unit
  double records = 0.0;           ///< the public divisor: where there are units, of them
  std::string mode;
  std::string solver;  ///< empty where nothing was fitted
  std::string rule;
  std::uint64_t iterations = 0;
  std::vector<MechanismUse> mechanisms;
  std::vector<RecordsPart> parts;  ///< usually none: everything ran on all records
  /// Of how many runs, which is secret, the model is the best; usually there was one fit.
  std::optional<privacy::RunLaw> runs;
  std::vector<PublicInput> public_inputs;
  std::string randomness;
  std::string ledger = "none";
  std::vector<std::string> covers;
  std::vector<std::string> not_covered;
  /// What is amiss by public inputs, or by releases that were paid for. warnings_of has these too.
  std::vector<std::string> found_amiss;

  /// Whether the unit is more than one record.
  bool has_units() const { return unit != kOneRecord; }
  /// Whether the public inputs say so.
  bool is_refined() const;
  /// Whether that is the name of an input: by itself, or of a step of a pipeline.
  static bool is_named(const PublicInput& input, std::string_view name);
  /// Whether a mechanism is of the plan that was followed, or of all.
  bool follows(const MechanismUse& use) const;
  /// All mechanisms as the accountants take them, whichever records they ran on.
  privacy::Composition composition() const;
  /// The same as one unit can meet them, which stands in one part: what a ledger and a warm start
  /// recompose. Throws InvalidArgument where a secret number of runs makes them no list.
  std::vector<privacy::Composition> met_by_one_unit() const;
  /// What all of it costs at the statement's delta.
  privacy::Spent spent() const;
};

/// The statement for people, in lines of at most 100 characters.
std::string to_text(const Statement& statement);

}  // namespace southwell::model
