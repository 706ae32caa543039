#include "southwell/assess/figures_text.hpp"

#include <cmath>

#include "southwell/core/number_text.hpp"

namespace southwell::assess {
namespace {

/// `text` and blanks up to a width.
std::string padded(std::string text, std::size_t width) {
  text.append(text.size() < width ? width - text.size() : 0, ' ');
  return text;
}

std::string short_number(double value) {
  return std::isnan(value) ? "-" : core::rounded_text(value, 4);
}

}  // namespace

std::string to_text(const PrivateFigures& figures) {
  std::string out = "  " + padded("", 18) + padded("value", 12) + padded("95 % interval", 26) +
                    padded("noise sd", 12) + "sampling sd\n";
  for (const auto& [name, figure] : figures.figures) {
    out += "  " + padded(name, 18);
    if (!figure.is_determined()) {
      out += std::string(kNotDetermined) + "\n";
      continue;
    }
    out += padded(short_number(figure.value), 12) +
           padded(short_number(figure.low) + " to " +
                      (std::isnan(figure.high) ? "no end" : short_number(figure.high)),
                  26) +
           padded(short_number(figure.noise_sd), 12) + short_number(figure.sampling_sd) + "\n";
  }
  return out;
}

}  // namespace southwell::assess
