#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>

#include <CLI/CLI.hpp>

namespace southwell::cli {

/// Accepts whole numbers from `least` to `most`, in decimal, and says so; nothing is rounded or
/// wrapped. For `transform`: it rewrites the text, because CLI11 would read 010 as octal.
inline CLI::Validator whole_number(std::uint64_t least, std::uint64_t most = UINT64_MAX) {
  return {[least, most](std::string& text) -> std::string {
            std::uint64_t value = 0;
            const char* const last = text.data() + text.size();
            const auto [end, error] = std::from_chars(text.data(), last, value);
            if (error == std::errc() && end == last && value >= least && value <= most) {
              text = std::to_string(value);
              return {};
            }
            return "given '" + text + "', accepted is a whole number from " +
                   std::to_string(least) + " to " + std::to_string(most);
          },
          "WHOLE"};
}

/// Accepts finite numbers above 0, and says so.
inline CLI::Validator positive_number() {
  return {[](std::string& text) -> std::string {
            double value = 0.0;
            const char* const last = text.data() + text.size();
            const auto [end, error] = std::from_chars(text.data(), last, value);
            const bool is_number = error == std::errc() && end == last;
            if (is_number && value > 0.0 && std::isfinite(value)) return {};
            return "given '" + text + "', accepted is a number > 0";
          },
          "POSITIVE"};
}

/// More threads than any machine of today has are a slip.
inline CLI::Validator thread_count() { return whole_number(1, 4096); }

}  // namespace southwell::cli
