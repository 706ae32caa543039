#include "southwell/core/exp.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "southwell/core/exp.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace southwell::core::HWY_NAMESPACE {
// The one scalar text, compiled once per instruction set and vectorised by the compiler.
void exp_all(const double* in, double* out, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) out[i] = core::exp(in[i]);
}
}  // namespace southwell::core::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "southwell/core/error.hpp"
#include "southwell/core/float_environment.hpp"

namespace southwell::core {
HWY_EXPORT(exp_all);

void exp(std::span<const double> in, std::span<double> out) {
  if (in.size() != out.size()) throw InvalidArgument("exp: in and out must have the same length");
  const StandardFloatEnvironment standard;
  HWY_DYNAMIC_DISPATCH(exp_all)(in.data(), out.data(), in.size());
}
}  // namespace southwell::core
#endif
