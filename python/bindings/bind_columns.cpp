#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "southwell/core/error.hpp"
#include "southwell/data/table/arrow_columns.hpp"
#include "southwell/data/table/cell_column.hpp"
#include "southwell/data/table/typed_column.hpp"

namespace southwell::bindings {
namespace {

namespace nb = nanobind;
using data::Cell;
using data::CellStore;
using data::SharedColumn;
using List = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Bits = nb::ndarray<const std::uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// Keeps something of Python's alive; whichever thread is the last to need it lets go of it.
template <class T>
std::shared_ptr<const void> kept(T thing) {
  return {new T(std::move(thing)), [](const T* held) {
            const nb::gil_scoped_acquire acquired;
            delete held;
          }};
}

/// A cell of one of Python's own types by its value; nothing where it is of another type.
std::optional<Cell> plain_cell(nb::handle cell) {
  PyObject* const object = cell.ptr();
  if (object == Py_None) return std::optional<Cell>(std::in_place);  // the cell that is missing
  if (object == Py_True || object == Py_False) return Cell(object == Py_True);
  if (PyFloat_CheckExact(object)) return Cell(PyFloat_AsDouble(object));
  if (PyLong_CheckExact(object)) {
    int overflow = 0;
    const long long whole = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow == 0) return Cell(static_cast<std::int64_t>(whole));
  } else if (PyUnicode_CheckExact(object)) {
    Py_ssize_t size = 0;
    const char* const text = PyUnicode_AsUTF8AndSize(object, &size);
    if (text != nullptr) return Cell(std::string(text, static_cast<std::size_t>(size)));
    PyErr_Clear();  // half of a pair
  } else if (PyBytes_CheckExact(object)) {
    return Cell(
        std::string(PyBytes_AsString(object), static_cast<std::size_t>(PyBytes_Size(object))));
  }
  return std::nullopt;
}

/// What southwell._cells makes of any other cell: one of those types, or a moment in a tuple.
Cell other_cell(nb::handle cell, const nb::object& value_of) {
  const nb::object value = value_of(cell);
  if (nb::isinstance<nb::tuple>(value)) {
    return data::Moment{nb::cast<std::int64_t>(nb::borrow<nb::tuple>(value)[0])};
  }
  return plain_cell(value).value_or(Cell());
}

SharedColumn mixed_column(const nb::list& list) {
  const nb::object value_of = nb::module_::import_("southwell._cells").attr("value_of");
  std::vector<Cell> cells;
  cells.reserve(list.size());
  for (const nb::handle cell : list) {
    std::optional<Cell> plain = plain_cell(cell);
    cells.push_back(plain ? *std::move(plain) : other_cell(cell, value_of));
  }
  return std::make_shared<const data::MixedColumn>(std::move(cells));
}

CellStore store_of(const List& values) {
  const nb::dlpack::dtype type = values.dtype();
  const auto is = [&]<class T>(T) { return type == nb::dtype<T>(); };
  if (is(double())) return CellStore::f64;
  if (is(float())) return CellStore::f32;
  if (is(std::int64_t())) return CellStore::i64;
  if (is(std::int32_t())) return CellStore::i32;
  if (is(std::int16_t())) return CellStore::i16;
  if (is(std::int8_t())) return CellStore::i8;
  if (is(std::uint64_t())) return CellStore::u64;
  if (is(std::uint32_t())) return CellStore::u32;
  if (is(std::uint16_t())) return CellStore::u16;
  if (is(std::uint8_t())) return CellStore::u8;
  if (is(bool())) return CellStore::truth_bytes;
  throw nb::type_error("column: accepted are arrays of numbers and truth values");
}

/// The cells of an array; `valid` has a bit for each, and 0 where one is missing.
data::CellMemory memory_of(const List& values, const std::optional<Bits>& valid) {
  data::CellMemory memory;
  memory.size = values.shape(0);
  memory.values = values.data();
  if (valid) {
    if (valid->size() * 8 < memory.size) throw InvalidArgument("valid: accepted is a bit for each");
    memory.validity = valid->data();
  }
  memory.owner = kept(std::pair(values, valid));
  return memory;
}

SharedColumn typed_column(const List& values, const std::optional<Bits>& valid,
                          const SharedColumn& levels) {
  return std::make_shared<const data::TypedColumn>(data::CellType{.store = store_of(values)},
                                                   memory_of(values, valid), levels);
}

SharedColumn moment_column(const List& values, std::int64_t per_second) {
  if (store_of(values) != CellStore::i64) throw nb::type_error("column: accepted is int64");
  return std::make_shared<const data::TypedColumn>(
      data::CellType{.store = CellStore::moments, .per_second = per_second},
      memory_of(values, std::nullopt));
}

/// From the two capsules of `__arrow_c_array__`.
SharedColumn column_of_arrow(const nb::tuple& capsules, const std::string& name) {
  auto* const schema =
      static_cast<data::ArrowSchema*>(PyCapsule_GetPointer(capsules[0].ptr(), "arrow_schema"));
  if (schema == nullptr) throw nb::python_error();
  auto* const array =
      static_cast<data::ArrowArray*>(PyCapsule_GetPointer(capsules[1].ptr(), "arrow_array"));
  if (array == nullptr) throw nb::python_error();
  const data::ArrowType type(*schema, name);
  const auto owner = std::make_shared<data::ArrowOwner<data::ArrowArray>>(*array);
  return data::arrow_column(type, **owner, owner);
}

}  // namespace

void bind_columns(nb::module_& module) {
  nb::class_<data::CellColumn>(module, "Column").def("__len__", &data::CellColumn::size);
  module.def("mixed_column", mixed_column, nb::arg("cells"),
             nb::sig("def mixed_column(cells: list[object]) -> Column"));
  module.def("typed_column", typed_column, nb::arg("values").noconvert(),
             nb::arg("valid").none() = nb::none(), nb::arg("levels").none() = nb::none(),
             nb::sig("def typed_column(values: object, valid: object = None, levels: Column | None "
                     "= None) -> Column"));
  module.def("moment_column", moment_column, nb::arg("values").noconvert(), nb::arg("per_second"),
             nb::sig("def moment_column(values: object, per_second: int) -> Column"));
  module.def("column_of_arrow", column_of_arrow, nb::arg("capsules"), nb::arg("name"),
             nb::sig("def column_of_arrow(capsules: tuple[object, object], name: str) -> Column"));
}

}  // namespace southwell::bindings
