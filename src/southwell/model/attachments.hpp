#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace southwell::model {

/// What a model may carry beside its coefficients. Each is JSON text, empty where there is none: it
/// is checked for its shape, kept as it is, and understood by those who write it.
struct Attachments {
  std::string schema;        ///< how a raw table becomes records
  std::string unit;          ///< whose records count as one
  std::string parts;         ///< the parts of the records that were used apart, a list
  std::string evaluation;    ///< private figures of the model
  std::string choice;        ///< among which candidates it was chosen, and how
  std::string ledger_entry;  ///< where a ledger has this fit
  /// Up to which norm of a record, in units of which scales, and which size of a feature
  /// predictions are linear: {"record_norm": number, "feature_scale" and "feature": number or one
  /// for each feature}.
  std::string input_limits;
  std::string coef_covariance;  ///< of the privacy noise (coef_covariance.hpp)

  bool operator==(const Attachments&) const = default;
};

/// Under which key a model file has an attachment.
struct AttachmentPlace {
  const char* name;
  std::string Attachments::* text;
};
inline constexpr std::array<AttachmentPlace, 8> kAttachmentPlaces{{
    {"schema", &Attachments::schema},
    {"unit", &Attachments::unit},
    {"parts", &Attachments::parts},
    {"evaluation", &Attachments::evaluation},
    {"choice", &Attachments::choice},
    {"ledger_entry", &Attachments::ledger_entry},
    {"input_limits", &Attachments::input_limits},
    {"coef_covariance", &Attachments::coef_covariance},
}};

/// Throws DataError, beginning with `name`, for what is no JSON or has another shape.
void check_attachments(const Attachments& attachments, std::size_t features,
                       const std::string& name);

}  // namespace southwell::model
