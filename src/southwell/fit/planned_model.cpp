#include "southwell/fit/planned_model.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>

#include "southwell/fit/figure_mechanisms.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/model/coef_covariance.hpp"
#include "southwell/model/input_limits.hpp"
#include "southwell/model/json_format.hpp"
#include "southwell/model/json_packed.hpp"

namespace southwell::fit {
namespace {

// As save_json.cpp writes them where they are few enough to be read, but for digits.
constexpr std::string_view kCoefficient = R"({"index":,"noise_sd":,"value":},)";
constexpr std::string_view kStep = R"({"gradient":,"head":,"index":,"value":},)";
/// -2.2250738585072014e-308: no double has more.
constexpr std::uint64_t kDigits = 24;
/// What is settled of a statement after the plan: the target's scale, the clip and the penalty that
/// follow from it, a guarantee that scripted bits take away, what the fit finds amiss.
constexpr std::uint64_t kSettledLater = 2048;
/// "path": and what is around its list.
constexpr std::uint64_t kPath = 16;

/// What takes the room of a file.
struct Room {
  std::uint64_t coefficients = 0;  ///< how many
  std::uint64_t steps = 0;
  std::uint64_t of_coefficients = 0;  ///< bytes
  std::uint64_t of_steps = 0;
  std::uint64_t of_rest = 0;

  std::uint64_t all() const { return of_coefficients + of_steps + of_rest; }
};

/// Of `count` things or less, each as text of `each` bytes while they are few, and packed after.
std::uint64_t room_of_list(std::uint64_t count, std::uint64_t each, std::uint64_t packed) {
  const std::uint64_t as_text = std::min<std::uint64_t>(count, model::kReadable) * each;
  return count > model::kReadable ? std::max(as_text, packed) : as_text;
}

Room room_of(const Decisions& plan) {
  const problem::Coordinates all(plan.coordinates);
  const Extent extent =
      std::visit([&](const auto& fit) { return fit.extent(all, plan.iterations); }, plan.algorithm);
  const auto started = static_cast<std::uint64_t>(
      std::count_if(plan.start.begin(), plan.start.end(), [](double w) { return w != 0.0; }));
  const std::uint64_t index = std::to_string(all.features()).size();
  const std::uint64_t head = std::to_string(all.heads()).size();
  Room room;
  room.coefficients = std::min<std::uint64_t>(all.heads() * all.features(), extent.moved + started);
  room.steps = extent.steps;
  room.of_coefficients =
      room_of_list(room.coefficients, kCoefficient.size() + index + 2 * kDigits,
                   model::longest_packed_coef(all.heads(), all.features(), room.coefficients));
  room.of_steps = room_of_list(room.steps, kStep.size() + head + index + 2 * kDigits,
                               model::longest_packed_path(all.heads(), room.steps));
  // An intercept and its noise are there already, as 0.0.
  room.of_rest = text_length(empty_model(plan)) + all.heads() * 2 * kDigits + kSettledLater + kPath;
  if (plan.held_out) room.of_rest += longest_figures_text(plan.classes.size());
  if (extent.together > 0 && extent.together <= model::kMostTogether) {
    room.of_rest += model::longest_covariance_text(extent.together);
  }
  return room;
}

std::string mebibytes(std::uint64_t bytes) {
  constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
  return std::to_string((bytes + kMebibyte - 1) / kMebibyte) + " MiB";
}

/// What to change, by what takes the most room.
std::string advice(const Room& room) {
  if (room.of_steps >= std::max(room.of_coefficients, room.of_rest)) {
    return "take fewer iterations, each of which is a step of the path";
  }
  if (room.of_coefficients >= room.of_rest) {
    return "take fewer features, or the solver gcd, whose models hold what it has chosen and "
           "nothing else";
  }
  return "take fewer features or shorter names for them";
}

}  // namespace

LinearModel empty_model(const Decisions& plan) {
  LinearModel model;
  model.objective = plan.spec.objective;
  model.features = plan.coordinates.features;
  model.feature_names = plan.feature_names;
  model.classes = plan.classes;
  model.class_names = plan.spec.class_names;
  model.multiclass = plan.multiclass;
  model.heads.resize(plan.coordinates.heads);
  model.privacy = plan.statement;
  if (plan.spec.table) model.attachments.schema = plan.spec.table->schema().text();
  model.attachments.input_limits = model::input_limits_text(plan.record_limit);
  return model;
}

std::uint64_t longest_text(const Decisions& plan) { return room_of(plan).all(); }

void check_planned_model(const Decisions& plan) {
  check_form(empty_model(plan), "model");
  const Room room = room_of(plan);
  if (room.all() <= model::kLargestFile) return;
  refuse("features, iterations",
         std::to_string(plan.coordinates.features) + " and " + std::to_string(plan.iterations) +
             ", for a model file of up to " + mebibytes(room.all()) + " (" +
             mebibytes(room.of_coefficients) + " for " + std::to_string(room.coefficients) +
             " coefficients, " + mebibytes(room.of_steps) + " for " + std::to_string(room.steps) +
             " steps of the path, " + mebibytes(room.of_rest) + " for names and the statement)",
         "what makes a file of at most " + mebibytes(model::kLargestFile) +
             ", the longest that can be read back: " + advice(room));
}

}  // namespace southwell::fit
