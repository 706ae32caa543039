#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "southwell/privacy/accounting/accountant.hpp"
#include "southwell/privacy/accounting/calibrate.hpp"

namespace southwell::fit {

// Budget to noise and noise to budget without a fit, in the words of the interfaces.

/// Which mechanisms are used how often. What does not apply to the solver is refused.
struct MechanismSpec {
  std::string solver = "gcd";  ///< gcd (selection and release), cd (release), sgd
  std::uint64_t iterations = 0;
  double delta = 0.0;
  std::string relation = "replace_one";
  std::optional<std::string> selection;  ///< gcd: exponential
  std::optional<std::string> release;    ///< gcd, cd: laplace
  std::optional<std::uint64_t> records;  ///< sgd
  std::optional<double> batch_size;      ///< sgd: expected

  bool selects() const { return solver == "gcd"; }
  std::string selection_name() const { return selection.value_or("exponential"); }
  std::string release_name() const {
    return solver == "sgd" ? "gaussian" : release.value_or("laplace");
  }
  bool gaussian() const { return release_name() == "gaussian"; }
};

inline constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();

/// What an accountant would have allowed.
struct Allowed {
  std::string name;
  double selection = kNoNumber;
  double release = kNoNumber;  ///< epsilon, or shift / sigma
  double scale = kNoNumber;    ///< of the release, in sensitivities; exact
  double spent = kNoNumber;
  bool valid = false;  ///< it has a number, and the bound behind it holds
};

struct Calibration {
  MechanismSpec spec;
  double epsilon = 0.0;
  double share = 0.0;
  privacy::Spent spent{};
  Allowed chosen;                ///< what a fit would use
  std::vector<Allowed> allowed;  ///< by each accountant alone, and by the paper
};

/// The least noise that keeps the mechanisms within (epsilon, spec.delta). Throws InvalidArgument
/// and CalibrationError.
Calibration calibrate(const MechanismSpec& spec, double epsilon, std::optional<double> share);
std::string to_json(const Calibration& calibration);

/// Noise as whoever asks knows it: exactly what the mechanisms take.
struct NoiseSpec {
  std::optional<double> selection_epsilon;
  std::optional<double> release_epsilon;
  std::optional<double> release_sigma;  ///< in sensitivities; sgd: in clipped norms
};

/// What is accounted for: the noise that was given, as whole scales, rounded down.
struct Account {
  MechanismSpec spec;
  double selection_epsilon = 0.0;
  double release = 0.0;  ///< epsilon, or sigma
  double rate = 0.0;     ///< of sampling, rounded up; 0 without
  privacy::Spent spent{};
  std::vector<std::pair<privacy::Accountant, double>> epsilon_by;
};

/// The epsilon that this noise spends. Throws InvalidArgument and CalibrationError.
Account account(const MechanismSpec& spec, const NoiseSpec& noise);
std::string to_json(const Account& account);

}  // namespace southwell::fit
