#pragma once

#include <string>
#include <string_view>

namespace southwell::core {

/// Text from a file or a user, fit for a terminal or a page, on one line: characters that command
/// (control characters, line and paragraph separators), that change the direction of what stands
/// around them, or that are no UTF-8 are written out, as <U+202E> or <0xFF>.
std::string printable(std::string_view text);

}  // namespace southwell::core
