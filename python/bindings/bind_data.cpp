#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bind.hpp"
#include "convert.hpp"
#include "southwell/core/error.hpp"
#include "southwell/data/generate.hpp"
#include "southwell/data/read.hpp"

namespace nb = nanobind;

namespace southwell::bindings {
namespace {

/// An array that shares the vector's numbers, which `owner` keeps alive, without a copy.
template <class T, class A, class Owner>
nb::object shared_array(const std::vector<T, A>& values, const Owner& owner) {
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<1>>(const_cast<T*>(values.data()),
                                                         {values.size()}, keep(owner)));
}

template <class T>
nb::object to_python(const data::DenseDesign<T>& design) {
  return nb::cast(nb::ndarray<nb::numpy, T, nb::ndim<2>>(
      const_cast<T*>(design.values().get()), {design.records(), design.features()},
      keep(design.values()), {1, static_cast<std::int64_t>(design.stride())}));
}

/// (values, indices, offsets, shape): what scipy.sparse.csc_array takes.
nb::object to_python(const data::SparseDesign& design) {
  const auto& lists = design.by_feature();
  return nb::make_tuple(
      nb::make_tuple(shared_array(lists->values, lists), shared_array(lists->indices, lists),
                     shared_array(lists->offsets, lists)),
      nb::make_tuple(design.records(), design.features()));
}

/// (design, target or None, feature names)
nb::tuple to_python(data::Dataset dataset) {
  nb::object design = std::visit([](const auto& d) { return to_python(d); }, dataset.design);
  nb::object target =
      dataset.has_target() ? to_array(std::move(dataset.target)) : nb::object(nb::none());
  return nb::make_tuple(design, target, dataset.feature_names);
}

data::Storage storage_from_name(const std::string& name) {
  if (name == "as_given") return data::Storage::as_given;
  if (name == "f64") return data::Storage::f64;
  if (name == "f32") return data::Storage::f32;
  throw InvalidArgument("storage: given '" + name + "', accepted are as_given, f64 and f32");
}

using Reader = data::Dataset (*)(const std::filesystem::path&, const data::ReadOptions&);

template <Reader kReader>
nb::tuple read(const nb::bytes& path, std::optional<std::string> target,
               std::optional<std::size_t> features, std::vector<std::string> missing,
               const std::string& storage, int threads) {
  const std::string file(path.c_str(), path.size());  // in the file system's own encoding
  data::ReadOptions options;
  options.target = std::move(target);
  options.features = features;
  options.missing = std::move(missing);
  options.storage = storage_from_name(storage);
  options.threads = threads;
  options.progress = StopOnSignal{};
  data::Dataset dataset = [&] {
    const nb::gil_scoped_release released;
    return kReader(file, options);
  }();
  return to_python(std::move(dataset));
}

nb::tuple generate(const std::string& problem, std::optional<std::size_t> records,
                   std::optional<std::size_t> features, std::uint64_t seed, int threads) {
  const data::Synthetic kind = data::synthetic_from_name(problem);
  data::Generated made = [&] {
    const nb::gil_scoped_release released;
    core::ThreadPool pool(threads);
    return data::generate(
        kind, {.records = records, .features = features, .seed = seed, .progress = StopOnSignal{}},
        pool);
  }();
  return nb::make_tuple(to_python(std::move(made.dataset)), to_array(std::move(made.truth)));
}

template <Reader kReader>
void def_reader(nb::module_& module, const char* name) {
  const std::string signature =
      std::string("def ") + name +
      "(file: bytes, *, target: str | None = None, features: int | None = None, missing: "
      "Sequence[str] = [], storage: str = 'as_given', threads: int = 0) -> tuple[object, object, "
      "list[str]]";
  module.def(name, read<kReader>, nb::sig(signature.c_str()), nb::arg("file"), nb::kw_only(),
             nb::arg("target") = nb::none(), nb::arg("features") = nb::none(),
             nb::arg("missing") = std::vector<std::string>(), nb::arg("storage") = "as_given",
             nb::arg("threads") = 0);
}

}  // namespace

void bind_data(nb::module_& module) {
  def_reader<data::read>(module, "read");
  def_reader<data::read_csv>(module, "read_csv");
  def_reader<data::read_libsvm>(module, "read_libsvm");
  def_reader<data::read_npy>(module, "read_npy");
  module.def("generate", generate,
             nb::sig("def generate(problem: str, *, records: int | None = None, features: int | "
                     "None = None, seed: int, threads: int = 0) -> tuple[tuple[object, object, "
                     "list[str]], object]"),
             nb::arg("problem"), nb::kw_only(), nb::arg("records") = nb::none(),
             nb::arg("features") = nb::none(), nb::arg("seed"), nb::arg("threads") = 0);
}

}  // namespace southwell::bindings
