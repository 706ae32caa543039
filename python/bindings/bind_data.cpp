#include <nanobind/nanobind.h>
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
#include "given.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/quoted.hpp"
#include "southwell/data/generate.hpp"
#include "southwell/data/read.hpp"

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

nb::object design_to_python(const data::Dataset& dataset) {
  return std::visit([](const auto& d) { return to_python(d); }, dataset.design);
}

/// (design, target or None, feature names)
nb::tuple to_python(data::Dataset dataset) {
  nb::object design = design_to_python(dataset);
  nb::object target =
      dataset.has_target() ? to_array(std::move(dataset.target)) : nb::object(nb::none());
  return nb::make_tuple(design, target, dataset.feature_names);
}

data::Storage storage_from_name(const std::string& name) {
  if (name == "as_given") return data::Storage::as_given;
  if (name == "f64") return data::Storage::f64;
  if (name == "f32") return data::Storage::f32;
  throw InvalidArgument("storage: given " + core::quoted(name) +
                        ", accepted are as_given, f64 and f32");
}

using Reader = data::Dataset (*)(const std::filesystem::path&, const data::ReadOptions&);

/// A column's name or number, or a second file.
std::optional<std::string> target_in(const Given& given) {
  if (given.value.is_none()) return std::nullopt;
  std::string found = text(given);
  if (found.empty()) given.refuse_value("a column's name, its number or a path");
  return found;
}

std::optional<std::size_t> size_in(const Given& given) {
  if (given.value.is_none()) return std::nullopt;
  return static_cast<std::size_t>(whole(given, 1));
}

template <Reader kReader>
nb::tuple read(const nb::bytes& path, const nb::object& target, const nb::object& features,
               const nb::object& missing, const nb::object& storage, const nb::object& threads) {
  const std::string file(path.c_str(), path.size());  // in the file system's own encoding
  data::ReadOptions options;
  options.target = target_in({"target", target});
  options.features = size_in({"features", features});
  options.missing = word_list({"missing", missing});
  options.storage = storage_from_name(text({"storage", storage}));
  options.threads = threads_in({"threads", threads});
  options.progress = StopOnSignal{};
  data::Dataset dataset = [&] {
    const nb::gil_scoped_release released;
    return kReader(file, options);
  }();
  return to_python(std::move(dataset));
}

nb::tuple generate(const nb::object& problem, const nb::object& records, const nb::object& features,
                   const nb::object& seed, const nb::object& threads) {
  const data::Synthetic kind = data::synthetic_from_name(text({"problem", problem}));
  data::GenerateOptions options{.records = size_in({"records", records}),
                                .features = size_in({"features", features}),
                                .seed = whole({"seed", seed}),
                                .progress = StopOnSignal{}};
  const int count = threads_in({"threads", threads});
  data::Generated made = [&] {
    const nb::gil_scoped_release released;
    core::ThreadPool pool(count);
    return data::generate(kind, options, pool);
  }();
  return nb::make_tuple(to_python(std::move(made.dataset)), to_array(std::move(made.truth)));
}

template <Reader kReader>
void def_reader(nb::module_& module, const char* name) {
  const std::string signature =
      std::string("def ") + name +
      "(file: bytes, *, target: object, features: object, missing: object, storage: object, "
      "threads: object) -> tuple[object, object, list[str]]";
  module.def(name, read<kReader>, nb::sig(signature.c_str()), nb::arg("file"), nb::kw_only(),
             nb::arg("target").none(), nb::arg("features").none(), nb::arg("missing").none(),
             nb::arg("storage").none(), nb::arg("threads").none());
}

}  // namespace

void bind_data(nb::module_& module) {
  def_reader<data::read>(module, "read");
  def_reader<data::read_csv>(module, "read_csv");
  def_reader<data::read_libsvm>(module, "read_libsvm");
  def_reader<data::read_npy>(module, "read_npy");
  module.def(
      "numbers_of", [](const data::Dataset& design) { return design_to_python(design); },
      nb::arg("design"), nb::sig("def numbers_of(design: Design) -> object"));
  module.def("generate", generate,
             nb::sig("def generate(problem: object, *, records: object, features: object, seed: "
                     "object, threads: object) -> tuple[tuple[object, object, list[str]], "
                     "object]"),
             nb::arg("problem").none(), nb::kw_only(), nb::arg("records").none(),
             nb::arg("features").none(), nb::arg("seed").none(), nb::arg("threads").none());
}

}  // namespace southwell::bindings
