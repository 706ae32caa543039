#include "southwell/fit/table_inputs.hpp"

#include <string>
#include <string_view>

#include "southwell/core/error.hpp"
#include "southwell/core/quoted.hpp"
#include "southwell/data/table/table_assembler.hpp"
#include "southwell/data/table/table_encoding.hpp"
#include "southwell/fit/input_check.hpp"
#include "southwell/fit/inputs.hpp"

namespace southwell::fit {
namespace {

/// Of a target within bounds, as a part of half their range.
constexpr double kTypicalTarget = 0.5;

/// Fills in what the schema says; what was given may say the same.
template <class T>
void settle(std::string_view input, T& member, const T& declared, const FitSpec& spec) {
  if (is_given(input_named(input), spec) && member != declared) {
    throw InvalidArgument(std::string(input) + ": given " + given_text(input_named(input), spec) +
                          ", and the schema says something else; accepted is one of them");
  }
  member = declared;
}

void settle_regression(const data::Field& target, FitSpec& spec) {
  if (problem::classifies(problem::loss_of(spec.objective))) {
    refuse(
        "loss", spec.objective.loss,
        "a loss for regression: the schema's target " + core::quoted(target.name) + " is a number");
  }
  // Declared by the caller, it is better than what follows from bounds.
  if (!is_given(input_named("target_scale"), spec)) {
    spec.target_scale = declared_target(spec)->scale;
  }
}

void settle_classes(const data::Field& target, FitSpec& spec) {
  if (!problem::classifies(problem::loss_of(spec.objective))) {
    refuse("loss", spec.objective.loss,
           "a loss that classifies: the schema's target " + core::quoted(target.name) +
               " is one of " + std::to_string(target.levels.size()) + " classes");
  }
  settle("classes", spec.classes, data::class_values(target), spec);
  settle("class_names", spec.class_names, target.levels, spec);
  if (!target.class_weights.empty()) {
    settle("class_weight", spec.class_weight, target.class_weights, spec);
  }
}

}  // namespace

std::optional<DeclaredTarget> declared_target(const FitSpec& spec) {
  if (!spec.table || !spec.table->schema().target()) return std::nullopt;
  const data::Schema& schema = spec.table->schema();
  const data::Field& target = schema.fields()[*schema.target()];
  if (target.kind != data::FieldKind::number) return std::nullopt;
  if (!target.bounds) return DeclaredTarget{target.typical->center, target.typical->scale};
  const double half = 0.5 * (target.bounds->high - target.bounds->low);
  return DeclaredTarget{target.bounds->low + half, kTypicalTarget * half};
}

FitSpec with_table_inputs(FitSpec spec) {
  if (!spec.table) return spec;
  const data::TableEncoding& table = *spec.table;
  settle("features", spec.features, std::optional(table.features()), spec);
  settle("feature_scale", spec.feature_scale, table.feature_scales(), spec);
  const data::Schema& schema = table.schema();
  if (schema.unit()) {
    settle("unit", spec.unit, std::optional(schema.fields()[*schema.unit()].name), spec);
  }
  // Without a target of the schema's it comes from elsewhere, and without a loss all is refused.
  if (!schema.target() || spec.objective.loss.empty()) return spec;
  const data::Field& target = schema.fields()[*schema.target()];
  target.kind == data::FieldKind::levels ? settle_classes(target, spec)
                                         : settle_regression(target, spec);
  return spec;
}

}  // namespace southwell::fit
