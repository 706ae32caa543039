#pragma once

#include <string>

namespace southwell::audit {

/// What the row is called in which two programs compare their fits.
inline constexpr const char* kSameFits = "same fits as this program";

/// A digest of models that are fitted on made-up records with a seed: two programs that have the
/// same one were made of the same fits, to the last bit.
std::string digest_of_fits();

}  // namespace southwell::audit
