#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "convert.hpp"
#include "southwell/core/error.hpp"
#include "southwell/data/dataset.hpp"

namespace southwell::bindings {
namespace {

using Table = nb::ndarray<nb::ro, nb::ndim<2>, nb::device::cpu>;
using List = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Names = std::vector<std::string>;

/// Lets go of an array, whichever thread is the last to need it.
struct LetGo {
  std::unique_ptr<Table> table;

  void operator()(const void*) {
    const nb::gil_scoped_acquire acquired;
    table.reset();
  }
};

/// The numbers of an array as they lie, which stays alive as long as they are needed.
template <class T>
std::shared_ptr<const T[]> shared_numbers(const Table& table) {
  auto held = std::make_shared<LetGo>(LetGo{std::make_unique<Table>(table)});
  return {static_cast<const T*>(table.data()), [held](const T* numbers) { (*held)(numbers); }};
}

template <class T>
data::DenseDesign<T> dense(const Table& table, int threads) {
  const std::size_t records = table.shape(0);
  const std::size_t features = table.shape(1);
  const auto* numbers = static_cast<const T*>(table.data());
  const std::int64_t down = table.stride(0);
  const std::int64_t across = table.stride(1);
  // What is not stepped over has no stride that matters.
  const bool by_column = records <= 1 || down == 1;
  const bool apart = features <= 1 || across >= static_cast<std::int64_t>(records);
  if (by_column && apart) {  // Fortran order, or a block of it: no copy
    const std::size_t stride = features <= 1 ? records : static_cast<std::size_t>(across);
    return {shared_numbers<T>(table), records, features, stride};
  }
  const nb::gil_scoped_release released;
  if (across == 1 && down >= static_cast<std::int64_t>(features)) {
    core::ThreadPool pool(threads);
    return data::DenseDesign<T>::from_row_major(numbers, records, features,
                                                static_cast<std::size_t>(down), pool);
  }
  auto copy = std::make_shared_for_overwrite<T[]>(records * features);
  for (std::size_t j = 0; j < features; ++j) {
    for (std::size_t i = 0; i < records; ++i) {
      copy[static_cast<std::ptrdiff_t>(j * records + i)] =
          numbers[static_cast<std::int64_t>(i) * down + static_cast<std::int64_t>(j) * across];
    }
  }
  return {std::move(copy), records, features};
}

data::Dataset named(data::AnyDesign design, Names names) {
  data::Dataset dataset{.design = std::move(design), .target = {}, .feature_names = {}};
  if (!names.empty() && names.size() != dataset.features()) {
    throw InvalidArgument("feature_names: given " + std::to_string(names.size()) +
                          ", accepted is one for each of " + std::to_string(dataset.features()) +
                          " features");
  }
  dataset.feature_names = std::move(names);
  return dataset;
}

data::Dataset dense_design(const Table& table, Names names, int threads) {
  if (table.dtype() == nb::dtype<double>()) {
    return named(dense<double>(table, threads), std::move(names));
  }
  if (table.dtype() == nb::dtype<float>()) {
    return named(dense<float>(table, threads), std::move(names));
  }
  throw nb::type_error("design: accepted are arrays of float64 and float32");
}

template <class From, class Out>
void copy(const List& list, Out& out) {
  const auto* first = static_cast<const From*>(list.data());
  out.assign(first, first + list.size());
}

data::LargeVector<double> values_of(const List& list) {
  data::LargeVector<double> out;
  if (list.dtype() == nb::dtype<double>()) {
    copy<double>(list, out);
  } else if (list.dtype() == nb::dtype<float>()) {
    copy<float>(list, out);
  } else {
    throw nb::type_error("sparse design: accepted are values of float64 and float32");
  }
  return out;
}

std::vector<std::int64_t> whole_of(const List& list) {
  std::vector<std::int64_t> out;
  if (list.dtype() == nb::dtype<std::int64_t>()) {
    copy<std::int64_t>(list, out);
  } else if (list.dtype() == nb::dtype<std::int32_t>()) {
    copy<std::int32_t>(list, out);
  } else {
    throw nb::type_error("sparse design: accepted are indices of int32 and int64");
  }
  return out;
}

/// Indices as the design keeps them; none is cut off. The design looks at their range.
data::LargeVector<std::int32_t> indices_of(const List& list) {
  data::LargeVector<std::int32_t> out;
  if (list.dtype() == nb::dtype<std::int32_t>()) {
    copy<std::int32_t>(list, out);
    return out;
  }
  const std::vector<std::int64_t> wide = whole_of(list);
  out.reserve(wide.size());
  for (const std::int64_t index : wide) {
    if (index < 0 || index > std::numeric_limits<std::int32_t>::max()) {
      throw InvalidArgument("sparse design: given index " + std::to_string(index) +
                            ", accepted are 0 to 2^31 exclusive");
    }
    out.push_back(static_cast<std::int32_t>(index));
  }
  return out;
}

/// What scipy.sparse calls csr (lists by record) and csc (by feature).
data::Dataset sparse_design(const std::string& layout, const List& values, const List& indices,
                            const List& offsets, std::pair<std::size_t, std::size_t> shape,
                            Names names, int threads) {
  const bool by_record = layout == "csr";
  if (!by_record && layout != "csc") {
    throw InvalidArgument("layout: given '" + layout + "', accepted are csr and csc");
  }
  const auto [records, features] = shape;
  if (offsets.size() != (by_record ? records : features) + 1) {
    throw InvalidArgument("sparse design: given " + std::to_string(offsets.size()) +
                          " offsets, accepted is one more than there are " +
                          (by_record ? "records" : "features"));
  }
  data::Compressed lists{whole_of(offsets), indices_of(indices), values_of(values)};
  data::AnyDesign design = [&]() -> data::AnyDesign {
    const nb::gil_scoped_release released;
    if (by_record) {
      core::ThreadPool pool(threads);
      return data::SparseDesign::from_records(std::move(lists), features, pool);
    }
    return data::SparseDesign::from_features(std::move(lists), records);
  }();
  return named(std::move(design), std::move(names));
}

}  // namespace

void bind_design(nb::module_& module) {
  nb::class_<data::Dataset>(module, "Design")
      .def_prop_ro("records", &data::Dataset::records)
      .def_prop_ro("features", &data::Dataset::features)
      .def_ro("feature_names", &data::Dataset::feature_names)
      .def_prop_ro(
          "target",
          [](const data::Dataset& self) {
            return self.has_target() ? to_array(self.target) : nb::object(nb::none());
          },
          nb::sig("def target(self) -> object"));
  module.def("dense_design", dense_design,
             nb::sig("def dense_design(table: object, *, feature_names: list[str] = [], threads: "
                     "int = 0) -> Design"),
             nb::arg("table").noconvert(), nb::kw_only(), nb::arg("feature_names") = Names(),
             nb::arg("threads") = 0);
  module.def("sparse_design", sparse_design,
             nb::sig("def sparse_design(layout: str, values: object, indices: object, offsets: "
                     "object, shape: tuple[int, int], *, feature_names: list[str] = [], threads: "
                     "int = 0) -> Design"),
             nb::arg("layout"), nb::arg("values").noconvert(), nb::arg("indices").noconvert(),
             nb::arg("offsets").noconvert(), nb::arg("shape"), nb::kw_only(),
             nb::arg("feature_names") = Names(), nb::arg("threads") = 0);
}

}  // namespace southwell::bindings
