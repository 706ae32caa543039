#include "southwell/fit/accounting.hpp"

#include <cmath>

#include "southwell/core/error.hpp"
#include "southwell/core/float_environment.hpp"
#include "southwell/core/json_parse.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/core/round_up.hpp"
#include "southwell/core/version.hpp"
#include "southwell/fit/any_algorithm.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/model/json_format.hpp"
#include "southwell/privacy/accounting/advanced.hpp"
#include "southwell/privacy/budget.hpp"
#include "southwell/privacy/mechanisms/scale.hpp"

namespace southwell::fit {
namespace {

using nlohmann::json;

double checked_positive(const char* name, double number) {
  if (!(number > 0.0 && std::isfinite(number))) {
    refuse(name, core::rounded_text(number), "a positive finite number");
  }
  return number;
}

void check(const MechanismSpec& spec) {
  word("solver", spec.solver, kPrintedSolvers);
  word("relation", spec.relation, privacy::kRelationNames);
  word("selection", spec.selection, privacy::kSelectionNames);
  word("release", spec.release, privacy::kReleaseNames);
  if (spec.iterations == 0) refuse("iterations", "0", "a whole number >= 1");
  const auto forbid = [&](const char* name, bool given) {
    if (given) throw InvalidArgument(std::string(name) + ": does not apply to " + spec.solver);
  };
  if (spec.solver != "gcd") forbid("selection", spec.selection.has_value());
  if (spec.solver == "sgd") {
    forbid("release", spec.release.has_value());
    if (spec.records.value_or(0) == 0 || !spec.batch_size) {
      throw InvalidArgument("batch_size and records: sgd needs both");
    }
    checked_positive("batch_size", *spec.batch_size);
  } else {
    forbid("batch_size", spec.batch_size.has_value());
    forbid("records", spec.records.has_value());
  }
}

/// 2^32 times the rate, rounded up.
std::uint64_t sampled_of(double batch_size, std::uint64_t records) {
  if (records > std::uint64_t{1} << 53) {
    refuse("records", std::to_string(records), "a whole number up to 2^53");
  }
  const auto all = static_cast<double>(records);
  if (!(batch_size <= all)) refuse("batch_size", core::rounded_text(batch_size), "at most records");
  const double words = batch_size * 0x1p32;
  double sampled = std::floor(words / all);
  // A fused product has the sign of the exact difference.
  while (std::fma(sampled, all, -words) < 0.0) sampled += 1.0;
  return static_cast<std::uint64_t>(sampled);
}

privacy::Schedule plan_of(const MechanismSpec& spec, double share) {
  const auto neighbours = spec.relation == "replace_one" ? privacy::Relation::replace_one
                                                         : privacy::Relation::add_or_remove_one;
  const auto noise = spec.gaussian() ? privacy::Release::gaussian : privacy::Release::laplace;
  if (spec.solver == "cd") {
    return privacy::cd_schedule(
        {.iterations = spec.iterations, .relation = neighbours, .release = noise});
  }
  if (spec.solver == "sgd") {
    return privacy::sgd_schedule({.iterations = spec.iterations,
                                  .sampled = sampled_of(*spec.batch_size, *spec.records),
                                  .relation = neighbours});
  }
  const auto choice = static_cast<privacy::Selection>(
      *core::index_of(privacy::kSelectionNames, spec.selection_name()));
  return privacy::gcd_schedule({.iterations = spec.iterations,
                                .relation = neighbours,
                                .selection = choice,
                                .release = noise,
                                .share = share});
}

/// shift / scale of a cost, rounded up: asked for again it gives the same scale.
double level_of(const privacy::Cost& cost) {
  return (core::Enclosure::whole(cost.shift) / core::Enclosure::whole(cost.scale)).high;
}

Allowed allowed_by(const std::string& name, const MechanismSpec& spec,
                   const privacy::Calibrated& calibrated) {
  Allowed row{.name = name, .spent = calibrated.spent.epsilon, .valid = true};
  if (spec.selects()) row.selection = level_of(calibrated.costs.front());
  const privacy::Cost& release = calibrated.costs.back();
  row.release = level_of(release);
  row.scale = static_cast<double>(release.scale) / static_cast<double>(release.shift);
  return row;
}

/// The paper: all 2T queries at one epsilon', its noisy max charged epsilon' as well. Never valid:
/// neighbours move scores in opposite directions, so that noisy max costs up to 2 epsilon'.
Allowed allowed_by_paper(const MechanismSpec& spec, double epsilon) {
  Allowed row{.name = "paper"};
  if (spec.delta == 0.0 || spec.gaussian()) return row;
  row.release = privacy::paper_query_epsilon(epsilon, spec.delta, spec.iterations);
  row.selection = row.release;
  row.spent = privacy::paper_epsilon(row.release, spec.iterations, spec.delta);
  return row;
}

[[noreturn]] void refuse_noise(const char* name, double given, const std::string& accepted) {
  throw InvalidArgument(std::string(name) + ": given is " + core::rounded_text(given) +
                        ", accepted are numbers " + accepted + " (whole grid units of noise)");
}

/// The largest whole scale whose epsilon, as it is printed, is not below what was given: less noise
/// rather than more.
privacy::Cost with_epsilon(const privacy::ScheduledUse& use, const char* name, double epsilon) {
  privacy::Cost cost{use.kind, use.shift, use.largest, use.sampled};
  if (epsilon < level_of(cost))
    refuse_noise(name, epsilon, "from " + core::rounded_text(level_of(cost)));
  cost.scale = privacy::scale_for(use.shift, epsilon, use.largest);
  if (level_of(cost) >= epsilon) return cost;
  if (--cost.scale == 0) {
    refuse_noise(name, epsilon, "up to " + core::rounded_text(static_cast<double>(use.shift)));
  }
  return cost;
}

/// sigma in sensitivities, rounded down to whole units.
privacy::Cost with_sigma(const privacy::ScheduledUse& use, double sigma) {
  const auto unit = static_cast<double>(use.shift);  // a power of 2: the product is exact
  const double units = std::floor(sigma * unit);
  const auto largest = static_cast<double>(use.largest);
  if (!(units >= 1.0) || units > largest) {
    refuse_noise(
        "release_sigma", sigma,
        "from " + core::rounded_text(1.0 / unit) + " to " + core::rounded_text(largest / unit));
  }
  return {use.kind, use.shift, static_cast<std::uint64_t>(units), use.sampled};
}

/// Exactly the noise that the solver needs must be given.
void check(const MechanismSpec& spec, const NoiseSpec& noise) {
  const auto want = [&](const char* name, const std::optional<double>& given, bool wanted) {
    if (given.has_value() != wanted) {
      throw InvalidArgument(std::string(name) + (wanted ? ": is required" : ": does not apply") +
                            " with solver " + spec.solver + ", release " + spec.release_name());
    }
    if (given) checked_positive(name, *given);
  };
  want("selection_epsilon", noise.selection_epsilon, spec.selects());
  want("release_epsilon", noise.release_epsilon, !spec.gaussian());
  want("release_sigma", noise.release_sigma, spec.gaussian());
}

}  // namespace

Calibration calibrate(const MechanismSpec& spec, double epsilon, std::optional<double> share) {
  const core::StandardFloatEnvironment standard;  // the accounting rounds up from nearest
  check(spec);
  if (share && !spec.selects()) {
    throw InvalidArgument("share: does not apply to " + spec.solver);
  }
  Calibration out{
      .spec = spec, .epsilon = epsilon, .share = share.value_or(0.8), .chosen = {}, .allowed = {}};
  const privacy::Schedule plan = plan_of(spec, out.share);
  const privacy::Budget budget{epsilon, spec.delta};
  const privacy::Calibrated certified = privacy::calibrate(plan, budget);
  out.spent = certified.spent;
  out.chosen = allowed_by("", spec, certified);
  for (const privacy::Accountant accountant : privacy::kAccountants) {
    const std::string name(name_of(accountant));
    try {
      out.allowed.push_back(
          allowed_by(name, spec, calibrate_by(accountant, plan, budget, certified)));
    } catch (const CalibrationError&) {
      out.allowed.push_back(
          {.name = name});  // no bound for these mechanisms, or none within limits
    }
  }
  if (spec.selects()) out.allowed.push_back(allowed_by_paper(spec, epsilon));
  return out;
}

std::string to_json(const Calibration& calibration) {
  const MechanismSpec& spec = calibration.spec;
  const Allowed& chosen = calibration.chosen;
  json out{{"southwell_version", kVersion},
           {"private", true},
           {"epsilon", calibration.epsilon},
           {"delta", spec.delta},
           {"solver", spec.solver},
           {"iterations", spec.iterations},
           {"relation", spec.relation},
           {"release", spec.release_name()},
           {"release_scale", chosen.scale},
           {"epsilon_spent", calibration.spent.epsilon},
           {"accountant", name_of(calibration.spent.accountant)}};
  out[spec.gaussian() ? "release_sigma" : "release_epsilon"] =
      spec.gaussian() ? chosen.scale : chosen.release;
  if (spec.selects()) {
    out["share"] = calibration.share;
    out["selection"] = spec.selection_name();
    out["selection_epsilon"] = chosen.selection;
    out["selection_scale"] = 2.0 / chosen.selection;
  }
  for (const Allowed& row : calibration.allowed) {
    json& entry = out["accountants"][row.name];
    entry = {{"selection_epsilon", model::or_null(row.selection)},
             {"release_epsilon", model::or_null(spec.gaussian() ? kNoNumber : row.release)},
             {"epsilon_spent", model::or_null(row.spent)},
             {"valid", row.valid}};
    if (spec.gaussian()) entry["release_sigma"] = model::or_null(row.scale);
  }
  return core::dumped(out, 1) + "\n";
}

Account account(const MechanismSpec& spec, const NoiseSpec& noise) {
  const core::StandardFloatEnvironment standard;
  check(spec);
  check(spec, noise);
  Account out{.spec = spec, .epsilon_by = {}};
  privacy::Composition composition;
  for (const privacy::ScheduledUse& use : plan_of(spec, 0.5)) {
    const bool is_selection =
        use.kind == privacy::Cost::Kind::bounded_range || use.kind == privacy::Cost::Kind::pure;
    privacy::Cost cost;
    if (is_selection) {
      cost = with_epsilon(use, "selection_epsilon", *noise.selection_epsilon);
      out.selection_epsilon = level_of(cost);
    } else if (noise.release_sigma) {
      cost = with_sigma(use, *noise.release_sigma);
      out.release = static_cast<double>(cost.scale) / static_cast<double>(cost.shift);
    } else {
      cost = with_epsilon(use, "release_epsilon", *noise.release_epsilon);
      out.release = level_of(cost);
    }
    out.rate = static_cast<double>(use.sampled) * 0x1p-32;
    composition.add(cost, use.count);
  }
  out.spent = privacy::spent(composition, spec.delta);
  if (!std::isfinite(out.spent.epsilon)) {
    throw CalibrationError("account: Gaussian noise has no finite epsilon at delta 0");
  }
  for (const privacy::Accountant accountant : privacy::kAccountants) {
    out.epsilon_by.emplace_back(accountant, epsilon_by(accountant, composition, spec.delta));
  }
  return out;
}

std::string to_json(const Account& account) {
  const MechanismSpec& spec = account.spec;
  json out{{"southwell_version", kVersion},
           {"private", true},
           {"delta", spec.delta},
           {"solver", spec.solver},
           {"relation", spec.relation},
           {"iterations", spec.iterations},
           {"epsilon_spent", account.spent.epsilon},
           {"accountant", name_of(account.spent.accountant)},
           {"order", model::or_null(account.spent.order)}};
  if (spec.selects()) out["selection_epsilon"] = account.selection_epsilon;
  out[spec.gaussian() ? "release_sigma" : "release_epsilon"] = account.release;
  if (account.rate > 0.0) out["sampling_rate"] = account.rate;
  for (const auto& [accountant, epsilon] : account.epsilon_by) {
    out["accountants"][std::string(name_of(accountant))] = model::or_null(epsilon);
  }
  return core::dumped(out, 1) + "\n";
}

}  // namespace southwell::fit
