#include "southwell/assess/tuning.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <utility>

#include "southwell/assess/held_out_fit.hpp"
#include "southwell/assess/loss_scores.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/fault.hpp"
#include "southwell/core/float_environment.hpp"
#include "southwell/core/json_parse.hpp"
#include "southwell/core/number_text.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/ledger/charge.hpp"
#include "southwell/model/backing.hpp"
#include "southwell/model/guarantee.hpp"
#include "southwell/privacy/accounting/calibrate.hpp"
#include "southwell/privacy/mechanisms/exponential_mechanism.hpp"
#include "southwell/problem/gradient/contribution.hpp"

namespace southwell::assess {
namespace {

constexpr auto kSensitivity = static_cast<std::uint64_t>(problem::ProductClip::kBound);
constexpr std::size_t kMostSettings = 1000;

/// The least noise of one choice that the budget allows: it runs on a part of its own.
privacy::Cost choice_within(const privacy::Budget& budget) {
  const privacy::Schedule schedule{{.kind = privacy::Cost::Kind::bounded_range,
                                    .shift = 2 * kSensitivity,
                                    .largest = privacy::ExponentialMechanism::kMaxScale,
                                    .weight = 1.0,
                                    .count = 1}};
  return privacy::calibrate(schedule, budget).costs.at(0);
}

/// Adds uses; what is the same as one that is there already is counted with it.
void add_uses(std::vector<model::MechanismUse>& to, const model::MechanismUse& use) {
  const auto same = std::find_if(to.begin(), to.end(), [&](const model::MechanismUse& there) {
    return there.step == use.step && there.name == use.name && there.cost == use.cost &&
           there.part == use.part;
  });
  if (same == to.end()) {
    to.push_back(use);
  } else {
    same->count += use.count;
  }
}

}  // namespace

Tuning::Tuning(const TuningSpec& spec, const fit::DataShape& shape)
    : spec_(spec), budget_{spec.epsilon, spec.delta} {
  budget_.check();
  check_settings();
  const core::StandardFloatEnvironment standard;
  choice_ = choice_within(budget_);
  calibrate(shape);
}

void Tuning::check_settings() const {
  const std::vector<fit::FitSpec>& settings = spec_.settings;
  if (settings.empty() || settings.size() > kMostSettings ||
      spec_.names.size() != settings.size()) {
    fit::refuse("settings", std::to_string(settings.size()),
                "1 to " + std::to_string(kMostSettings) + ", each with a name");
  }
  const std::set<std::string> names(spec_.names.begin(), spec_.names.end());
  if (names.size() != settings.size()) {
    fit::refuse("settings", "the same one twice", "settings that are all different");
  }
  const fit::FitSpec& first = settings.front();
  if (!first.target_scale && !problem::classifies(problem::loss_of(first.objective))) {
    fit::refuse("target_scale", first.target_scale_private ? "private" : "nothing",
                "a number where settings are tuned: losses of all models are compared in one unit");
  }
  for (const fit::FitSpec& each : settings) {
    if (each.start) fit::refuse("start", each.start_name, "none where settings are tuned");
    if (each.mode.value_or("certified") != "certified") {
      fit::refuse("mode", *each.mode, "certified where settings are tuned");
    }
    const bool is_one_fit =
        each.objective.loss == first.objective.loss &&
        each.objective.huber_width == first.objective.huber_width &&
        each.classes == first.classes && each.target_scale == first.target_scale &&
        each.relation == first.relation && each.records == first.records &&
        each.unit == first.unit && each.table == first.table && each.features == first.features &&
        each.seed_for_tests == first.seed_for_tests && each.allow_leaks == first.allow_leaks &&
        each.classes_from_data == first.classes_from_data;
    if (!is_one_fit) {
      fit::refuse("settings", "settings that differ in what is fitted",
                  "one loss, target, relation and unit, and the same classes and target_scale, in "
                  "all of them");
    }
  }
}

/// Plans every setting with this epsilon; whether all of it together is within the budget.
bool Tuning::plan_within(double epsilon, const fit::DataShape& shape) {
  std::vector<fit::FitPlan> plans;
  for (fit::FitSpec setting : spec_.settings) {
    setting.epsilon = epsilon;
    setting.delta = spec_.delta;
    setting.test_share = spec_.test_share;
    setting.one_plan = true;
    plans.push_back(fit::plan_fit(setting, shape));
  }
  std::swap(plans_, plans);
  model::Statement all;
  all.delta = budget_.delta;
  all.mechanisms = mechanisms_of(0);
  if (all.spent().epsilon <= budget_.epsilon) {
    epsilon_of_each_ = epsilon;
    return true;
  }
  std::swap(plans_, plans);
  return false;
}

/// The largest epsilon of each fit, by bisection. What is kept was checked.
void Tuning::calibrate(const fit::DataShape& shape) {
  double high = budget_.epsilon;
  if (plan_within(high, shape)) return;
  const auto fits = static_cast<double>(spec_.settings.size());
  double low = budget_.epsilon / (2.0 * fits);
  while (!plan_within(low, shape)) {
    high = low;
    low /= 2.0;
    if (low < 1e-9 * budget_.epsilon) {
      throw CalibrationError("settings: the budget does not reach for " +
                             std::to_string(spec_.settings.size()) +
                             " fits; ask for fewer settings or a larger epsilon");
    }
  }
  while (high > 1.01 * low) {
    const double middle = std::sqrt(low * high);
    (plan_within(middle, shape) ? low : high) = middle;
  }
}

/// What ran: the fits of the other settings, the chosen one's, and the choice. All of it follows
/// from public inputs and from which setting was chosen.
std::vector<model::MechanismUse> Tuning::mechanisms_of(std::size_t chosen) const {
  std::vector<model::MechanismUse> out;
  const auto add = [&](const fit::FitPlan& plan, const std::string& whose) {
    for (model::MechanismUse use : plan->statement.mechanisms) {
      if (use.part != model::kFitPart) continue;  // the test part is for the choice
      use.step = whose + use.step;
      if (whose.empty()) {
        out.push_back(std::move(use));
      } else {
        add_uses(out, use);
      }
    }
  };
  for (std::size_t k = 0; k < plans_.size(); ++k) {
    if (k != chosen) add(plans_[k], model::kOfOtherSettings);
  }
  add(plans_[chosen], "");
  if (!fault(Fault::choice_is_not_charged)) {
    out.push_back({"choose", "exponential_mechanism", choice_, 1, model::kTestPart});
  }
  return out;
}

model::Statement Tuning::statement_of(std::size_t chosen, const model::Statement& of_fit) const {
  using model::Source;
  model::Statement out = of_fit;
  out.mechanisms = mechanisms_of(chosen);
  out.epsilon = budget_.epsilon;
  out.delta = budget_.delta;
  for (model::PublicInput& input : out.public_inputs) {
    if (input.name == "epsilon") input.value = budget_.epsilon;
  }
  std::string settings;
  for (const std::string& name : spec_.names) settings += (settings.empty() ? "" : "; ") + name;
  out.public_inputs.push_back({"settings", settings, Source::user});
  out.public_inputs.push_back({"epsilon_of_each_fit", epsilon_of_each_, Source::standard});
  out.public_inputs.push_back({"chosen_setting", spec_.names[chosen], Source::mechanism});
  std::erase_if(out.covers,
                [](const std::string& words) { return words.starts_with("the figures"); });
  out.covers.emplace_back("the choice of its setting, with the fits of all settings");
  const core::StandardFloatEnvironment standard;
  model::settle_spent(out);
  if (out.is_private) model::settle_guarantee(out, {});
  return out;
}

/// What a loss counts at most: several times that of a model that says nothing.
double Tuning::loss_cap() const {
  const fit::Decisions& plan = *plans_.front();
  const bool is_softmax = plan.multiclass == problem::Multiclass::softmax;
  const double classes = static_cast<double>(std::max<std::size_t>(2, plan.classes.size()));
  return problem::typical_cap(plan.loss, plan.target_scale) *
         (is_softmax ? std::log2(classes) : 1.0);
}

model::LinearModel Tuning::find_on_parts(const data::Dataset& dataset,
                                         const std::vector<bool>& is_held_out,
                                         const fit::RunOptions& options,
                                         privacy::RandomBits& bits) const {
  std::vector<model::LinearModel> candidates;
  {
    const data::Dataset fitted = part_of(dataset, is_held_out, false);
    for (std::size_t k = 0; k < plans_.size(); ++k) {
      // Bits of its own for each fit, which draws streams of them.
      const auto own = bits.stream(privacy::Purpose::figures, static_cast<std::uint32_t>(k));
      fit::RunOptions run;
      run.shards = options.shards;
      run.progress = [&](double share) {
        if (options.progress) {
          options.progress((static_cast<double>(k) + share) / static_cast<double>(plans_.size()));
        }
      };
      candidates.push_back(fit::fit_part(fitted, plans_[k], run, *own));
    }
  }
  const core::StandardFloatEnvironment standard;
  const data::Dataset held_out = part_of(dataset, is_held_out, true);
  const std::uint64_t scale = fault(Fault::choice_without_noise) ? 1 : choice_.scale;
  const privacy::ExponentialMechanism mechanism(kSensitivity, scale);
  const std::size_t chosen = mechanism.release(loss_scores(candidates, held_out, loss_cap()),
                                               *bits.stream(privacy::Purpose::iterate, 0));
  model::LinearModel model = std::move(candidates[chosen]);
  model.privacy = statement_of(chosen, model.privacy);
  nlohmann::json choice{{"settings", spec_.names}, {"chosen", spec_.names[chosen]}};
  if (!model.attachments.choice.empty()) {
    choice["iterate"] = nlohmann::json::parse(model.attachments.choice);
  }
  model.attachments.choice = core::dumped(choice, -1);
  return model;
}

model::LinearModel Tuning::find(const data::Dataset& dataset, fit::RunOptions options) const {
  check_form(dataset, plans_.front());
  const std::unique_ptr<privacy::RandomBits> bits = fit::bits_of(plans_.front(), options);
  ledger::Charge charge(options.ledger, "tune", statement());
  const std::vector<bool> split = drawn_split(*plans_.front()->held_out, dataset.units(),
                                              *bits->stream(privacy::Purpose::split, 0));
  model::LinearModel model = find_on_parts(dataset, split, options, *bits);
  charge.commit(model);
  return model;
}

}  // namespace southwell::assess
