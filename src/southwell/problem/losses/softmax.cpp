#include "southwell/problem/losses/softmax.hpp"

#include <algorithm>
#include <cmath>

#include "southwell/core/exp.hpp"
#include "southwell/core/log.hpp"

namespace southwell::problem {

void softmax_slopes(std::span<const double> margins, std::size_t own, std::span<double> out) {
  const double most = *std::max_element(margins.begin(), margins.end());
  double sum = 0.0;
  for (std::size_t h = 0; h < out.size(); ++h) sum += out[h] = core::exp(margins[h] - most);
  for (double& slope : out) slope /= sum;
  out[own] -= 1.0;
}

double log_sum_exp(std::span<const double> margins) {
  const double most = *std::max_element(margins.begin(), margins.end());
  double sum = 0.0;
  for (const double z : margins) sum += core::exp(z - most);
  return most + core::log(sum);
}

double softmax_value(std::span<const double> margins, std::size_t own) {
  return log_sum_exp(margins) - margins[own];
}

}  // namespace southwell::problem
