#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <memory>
#include <utility>
#include <vector>

namespace southwell::bindings {

namespace nb = nanobind;

/// Keeps `owner` alive for as long as an array shows its memory.
template <class Owner>
nb::capsule keep(Owner owner) {
  return nb::capsule(new Owner(std::move(owner)),
                     [](void* pointer) noexcept { delete static_cast<Owner*>(pointer); });
}

/// An array that takes over the vector, without a copy.
template <class T>
nb::object to_array(std::vector<T> values) {
  auto owner = std::make_shared<std::vector<T>>(std::move(values));
  return nb::cast(
      nb::ndarray<nb::numpy, T, nb::ndim<1>>(owner->data(), {owner->size()}, keep(owner)));
}

/// An array of as many rows as fit, `columns` numbers each, that takes over the vector.
inline nb::object to_table(std::vector<double> values, std::size_t columns) {
  auto owner = std::make_shared<std::vector<double>>(std::move(values));
  return nb::cast(nb::ndarray<nb::numpy, double, nb::ndim<2>>(
      owner->data(), {owner->size() / columns, columns}, keep(owner)));
}

/// A core::Progress that lets Ctrl-C stop the work, and tells `listener`, unless that is None.
struct StopOnSignal {
  nb::handle listener{};

  void operator()(double share) const {
    const nb::gil_scoped_acquire acquired;
    if (PyErr_CheckSignals() != 0) throw nb::python_error();
    if (listener.is_valid() && !listener.is_none()) listener(share);
  }
};

}  // namespace southwell::bindings
