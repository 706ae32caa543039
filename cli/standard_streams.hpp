#pragma once

#include <string_view>

namespace southwell::cli {

/// Descriptors 0, 1 and 2 that were closed when the program began stay unusable, but are taken: a
/// file that is opened later must not get one of them, or messages would be written into it.
void hold_standard_streams();

/// Writes to standard error, all of it or as much as goes. Never fails: a message that nobody can
/// read is no reason to lose a fit.
void tell(std::string_view text);

}  // namespace southwell::cli
