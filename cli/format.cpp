// {fmt} beyond its declarations, compiled here alone: in every file that prints it costs seconds.

#define FMT_HEADER_ONLY  // its functions are inline, so that they are emitted where they are used

#include <string>

#include <fmt/format.h>

namespace southwell::cli {

// What the templates of fmt/core.h call.
[[gnu::used]] std::string (*const formatting)(fmt::string_view, fmt::format_args) = &fmt::vformat;
[[gnu::used]] void (*const printing)(fmt::string_view, fmt::format_args) = &fmt::vprint;

}  // namespace southwell::cli
