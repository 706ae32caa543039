#pragma once

namespace southwell::core {

/// Several lambdas as one function, for std::visit.
template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

}  // namespace southwell::core
