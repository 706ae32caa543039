// Included once per instruction set, after <hwy/highway.h> and inside no namespace.
#if defined(SOUTHWELL_PROBLEM_LOAD_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef SOUTHWELL_PROBLEM_LOAD_INL_HPP
#undef SOUTHWELL_PROBLEM_LOAD_INL_HPP
#else
#define SOUTHWELL_PROBLEM_LOAD_INL_HPP
#endif

#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace southwell::problem::HWY_NAMESPACE {

/// The next features as doubles, however they are stored.
template <class D>
hwy::HWY_NAMESPACE::Vec<D> load(D d, const double* x) {
  return hwy::HWY_NAMESPACE::LoadU(d, x);
}
template <class D>
hwy::HWY_NAMESPACE::Vec<D> load(D d, const float* x) {
  namespace hn = hwy::HWY_NAMESPACE;
  return hn::PromoteTo(d, hn::LoadU(hn::Rebind<float, D>(), x));
}

}  // namespace southwell::problem::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
