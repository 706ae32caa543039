#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bind.hpp"
#include "convert.hpp"
#include "given.hpp"
#include "southwell/core/error.hpp"
#include "southwell/core/quoted.hpp"
#include "southwell/data/table/dummy_table.hpp"
#include "southwell/data/table/read_arrow.hpp"
#include "southwell/data/table/table_batches.hpp"
#include "southwell/data/table/table_encoding.hpp"

namespace southwell::bindings {
namespace {

using data::TableEncoding;
using Encoding = std::shared_ptr<const TableEncoding>;
using Names = std::vector<std::string>;

void make_schema(TableEncoding* self, const std::string& text, const std::string& name) {
  auto schema = std::make_shared<const data::Schema>(data::Schema::parse(text, name));
  new (self) TableEncoding(std::move(schema), name);
}

std::optional<std::string> name_of(const TableEncoding& self, std::optional<std::size_t> field) {
  if (!field) return std::nullopt;
  return self.schema().fields()[*field].name;
}

/// The levels of a target of classes.
std::optional<Names> classes_of(const TableEncoding& self) {
  const auto target = self.schema().target();
  if (!target) return std::nullopt;
  const data::Field& field = self.schema().fields()[*target];
  return field.kind == data::FieldKind::levels ? std::optional(field.levels) : std::nullopt;
}

Names raw_features(const TableEncoding& self) {
  Names names;
  for (const data::Field& field : self.schema().fields()) {
    if (field.role == data::Role::feature) names.push_back(field.name);
  }
  return names;
}

data::TableOptions options_of(const std::string& use, int threads) {
  data::TableOptions options;
  if (use == "fit") {
    options.use = data::TableUse::fit;
  } else if (use == "assess") {
    options.use = data::TableUse::assess;
  } else if (use == "evaluate") {
    options.use = data::TableUse::evaluate;
  } else if (use == "predict") {
    options.use = data::TableUse::predict;
  } else {
    throw InvalidArgument("use: given " + core::quoted(use) +
                          ", accepted are fit, assess, evaluate and predict");
  }
  options.threads = threads;
  options.progress = StopOnSignal{};
  return options;
}

/// The names of the columns that are read.
Names needed_columns(const TableEncoding& encoding, const Names& names, const std::string& use,
                     const std::string& table) {
  const data::TableColumns columns(names, encoding, options_of(use, 1), table);
  Names needed;
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (columns.field_of[c]) needed.push_back(names[c]);
  }
  return needed;
}

/// What an Arrow capsule holds, taken over: the capsule is empty after that.
template <class T>
T& in_capsule(const nb::object& capsule, const char* name) {
  auto* const found = static_cast<T*>(PyCapsule_GetPointer(capsule.ptr(), name));
  if (found == nullptr) throw nb::python_error();
  if (found->release == nullptr) {
    throw InvalidArgument(
        "table: given an Arrow stream that was read before, accepted is a new one");
  }
  return *found;
}

data::Dataset read_arrow(const nb::object& capsule, const TableEncoding& encoding,
                         const std::string& use, int threads) {
  data::ArrowOwner<data::ArrowArrayStream> stream(
      in_capsule<data::ArrowArrayStream>(capsule, "arrow_array_stream"));
  const data::TableOptions options = options_of(use, threads);
  const nb::gil_scoped_release released;
  return data::read_arrow(stream.held(), encoding, options);
}

data::Dataset read_raw_csv(const nb::bytes& path, const TableEncoding& encoding,
                           const std::string& use, int threads, const std::string& delimiter,
                           const std::string& encoded) {
  const std::string file(path.c_str(), path.size());
  data::TableOptions options = options_of(use, threads);
  if (delimiter.size() != 1) {
    throw InvalidArgument("delimiter: given " + core::quoted(delimiter) +
                          ", accepted is a single character");
  }
  if (encoded != "utf-8" && encoded != "latin-1") {
    throw InvalidArgument("encoding: given " + core::quoted(encoded) +
                          ", accepted is utf-8 or latin-1");
  }
  options.delimiter = delimiter.front();
  options.encoding = encoded == "utf-8" ? data::Encoding::utf_8 : data::Encoding::latin_1;
  const nb::gil_scoped_release released;
  return data::read_table(file, encoding, options);
}

/// A table that is handed over in slices of columns, or in parts that are streams.
class TableReader {
 public:
  TableReader(Encoding encoding, Names names, const std::string& use, int threads)
      : encoding_(std::move(encoding)),
        batches_(std::make_unique<data::TableBatches>(*encoding_, options_of(use, threads),
                                                      std::move(names), "table")) {}

  void add_columns(const std::vector<data::SharedColumn>& columns) {
    if (columns.size() != batches_->names().size()) {
      throw InvalidArgument("columns: accepted is one for each name");
    }
    const std::size_t records = columns.empty() ? 0 : columns.front()->size();
    for (const data::SharedColumn& column : columns) {
      if (column->size() != records) {
        throw DataError(
            "table: given columns of different lengths, accepted is one cell for each "
            "record in every column");
      }
    }
    const nb::gil_scoped_release released;
    batches_->add(records, columns);
  }

  void add_stream(const nb::object& capsule) {
    data::ArrowOwner<data::ArrowArrayStream> stream(
        in_capsule<data::ArrowArrayStream>(capsule, "arrow_array_stream"));
    const nb::gil_scoped_release released;
    data::add_arrow(stream.held(), *batches_);
  }

  data::Dataset take() {
    const nb::gil_scoped_release released;
    return batches_->take();
  }

 private:
  Encoding encoding_;
  std::unique_ptr<data::TableBatches> batches_;
};

/// Made-up records as CSV.
std::string dummy(const TableEncoding& self, const nb::object& records, const nb::object& seed) {
  const data::DummyOptions options{
      .records = static_cast<std::size_t>(whole({"records", records}, 0)),
      .seed = whole({"seed", seed})};
  std::string text;
  const nb::gil_scoped_release released;
  data::write_dummy_table(self.schema(), options, [&](std::string_view piece) { text += piece; });
  return text;
}

void bind_schema(nb::module_& module) {
  nb::class_<TableEncoding>(module, "Schema")
      .def("__init__", make_schema, nb::arg("text"), nb::arg("name"))
      .def_prop_ro("text", [](const TableEncoding& self) { return self.schema().text(); })
      .def_prop_ro("features", &TableEncoding::features)
      .def_prop_ro("feature_names", &TableEncoding::feature_names)
      .def_prop_ro("feature_scales",
                   [](const TableEncoding& self) { return to_array(self.feature_scales()); })
      .def_prop_ro("record_norm", &TableEncoding::record_norm)
      .def_prop_ro("is_sparse", &TableEncoding::is_sparse)
      .def_prop_ro("raw_features", raw_features)
      .def_prop_ro("target",
                   [](const TableEncoding& self) { return name_of(self, self.schema().target()); })
      .def_prop_ro("unit",
                   [](const TableEncoding& self) { return name_of(self, self.schema().unit()); })
      .def("dummy", dummy, nb::arg("records").none(), nb::arg("seed").none(),
           nb::sig("def dummy(self, records: object, seed: object) -> str"))
      .def_prop_ro("classes", classes_of);
}

}  // namespace

void bind_table(nb::module_& module) {
  bind_schema(module);
  module.def("needed_columns", needed_columns, nb::arg("schema"), nb::arg("names"), nb::arg("use"),
             nb::arg("table"));
  module.def("read_arrow", read_arrow, nb::arg("stream"), nb::arg("schema"), nb::arg("use"),
             nb::arg("threads"),
             nb::sig("def read_arrow(stream: object, schema: Schema, use: str, threads: int) -> "
                     "Design"));
  module.def("read_raw_csv", read_raw_csv, nb::arg("file"), nb::arg("schema"), nb::arg("use"),
             nb::arg("threads"), nb::arg("delimiter"), nb::arg("encoding"));
  nb::class_<TableReader>(module, "TableReader")
      .def(nb::init<Encoding, Names, const std::string&, int>(), nb::arg("schema"),
           nb::arg("names"), nb::arg("use"), nb::arg("threads"))
      .def("add_columns", &TableReader::add_columns, nb::arg("columns"))
      .def("add_stream", &TableReader::add_stream, nb::arg("stream"),
           nb::sig("def add_stream(self, stream: object) -> None"))
      .def("take", &TableReader::take);
}

}  // namespace southwell::bindings
