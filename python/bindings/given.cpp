#include "given.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <utility>

#include "southwell/core/error.hpp"

namespace southwell::bindings {
namespace {

nb::object words() { return nb::module_::import_("southwell._words"); }

std::string refusal(const Given& given, const std::string& accepted) {
  const nb::object shown = words().attr("shown")(given.value);
  return std::string(given.name) + ": given " + nb::cast<std::string>(shown) + ", accepted is " +
         accepted + given.otherwise;
}

/// True, False and NumPy's own two, which are no bool to Python.
bool is_truth_value(const nb::handle& value) {
  if (nb::isinstance<nb::bool_>(value)) return true;
  const nb::handle type = value.type();
  const std::string name = nb::str(type.attr("__name__")).c_str();
  // Since NumPy 2, and before.
  return (name == "bool" || name == "bool_") &&
         std::string(nb::str(type.attr("__module__")).c_str()) == "numpy";
}

/// In UTF-8; nothing for text that has none.
std::optional<std::string> utf8(const nb::handle& text) {
  Py_ssize_t size = 0;
  const char* const bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr) {
    PyErr_Clear();
    return std::nullopt;
  }
  return std::string(bytes, static_cast<std::size_t>(size));
}

}  // namespace

void Given::refuse(const std::string& accepted) const {
  throw nb::type_error(refusal(*this, accepted).c_str());
}

void Given::refuse_value(const std::string& accepted) const {
  throw InvalidArgument(refusal(*this, accepted));
}

bool Given::is(const char* word) const {
  return nb::isinstance<nb::str>(value) && utf8(value) == word;
}

std::string text(const Given& given) {
  if (!nb::isinstance<nb::str>(given.value)) given.refuse("a word");
  const std::optional<std::string> found = utf8(given.value);
  if (!found) given.refuse_value("a word");
  return *found;
}

bool yes_or_no(const Given& given) {
  if (!is_truth_value(given.value)) given.refuse("True or False");
  return PyObject_IsTrue(given.value.ptr()) == 1;
}

std::optional<double> number_in(const nb::handle& value) {
  if (is_truth_value(value) || PyComplex_Check(value.ptr())) return std::nullopt;
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1.0 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    return std::nullopt;
  }
  return number;
}

double number(const Given& given) {
  const std::optional<double> found = number_in(given.value);
  if (!found) given.refuse("a number");
  return *found;
}

std::uint64_t whole(const Given& given, std::uint64_t least, std::uint64_t most) {
  const bool none = is_truth_value(given.value) || PyIndex_Check(given.value.ptr()) == 0;
  const nb::object index = nb::steal(none ? nullptr : PyNumber_Index(given.value.ptr()));
  if (!index.is_valid()) {
    PyErr_Clear();
    given.refuse("a whole number");
  }
  const std::uint64_t found = PyLong_AsUnsignedLongLong(index.ptr());
  const bool outside = found == static_cast<std::uint64_t>(-1) && PyErr_Occurred() != nullptr;
  PyErr_Clear();
  if (outside || found < least || found > most) {
    constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();
    given.refuse_value("a whole number from " + std::to_string(least) + " to " +
                       (most == kAll ? "2^64 exclusive" : std::to_string(most)));
  }
  return found;
}

int threads_in(const Given& given) { return static_cast<int>(whole(given, 0, 4096)); }

std::vector<double> numbers(const Given& given) {
  std::vector<double> out;
  if (nb::isinstance<nb::str>(given.value) ||
      !nb::try_cast<std::vector<double>>(given.value, out)) {
    given.refuse("numbers");
  }
  if (out.empty()) given.refuse_value("at least one number");
  return out;
}

std::vector<std::string> word_list(const Given& given) {
  std::vector<std::string> out;
  if (nb::isinstance<nb::str>(given.value) ||
      !nb::try_cast<std::vector<std::string>>(given.value, out)) {
    given.refuse("a list of words");
  }
  return out;
}

std::vector<std::string> texts(const Given& given) {
  std::vector<std::string> out = word_list(given);
  if (out.empty()) given.refuse_value("at least one word");
  return out;
}

void refuse_unknown(nb::handle name, const char* of, const std::vector<std::string>& known) {
  const nb::object error = words().attr("unknown")(name, of, known);
  throw nb::type_error(nb::str(error).c_str());
}

Keywords::Keywords(const char* of, nb::dict given, std::vector<std::string> known)
    : given_(std::move(given)) {
  for (const auto& [key, value] : given_) {
    const std::optional<std::string> name = utf8(key);
    if (!name || std::find(known.begin(), known.end(), *name) == known.end()) {
      refuse_unknown(key, of, known);
    }
  }
}

Given Keywords::required(const char* name, const char* accepted) const {
  const std::optional<Given> found = find(name);
  if (found) return *found;
  throw nb::type_error(
      (std::string(name) + ": given nothing, accepted is " + accepted + " (it has no default)")
          .c_str());
}

std::optional<Given> Keywords::find(const char* name) const {
  if (!given_.contains(name)) return std::nullopt;
  const nb::object value = given_[name];  // which keeps it alive for as long as this
  return Given{name, value};
}

std::optional<Given> Keywords::find_or_none(const char* name) const {
  const std::optional<Given> found = find(name);
  return found && !found->value.is_none() ? found : std::nullopt;
}

}  // namespace southwell::bindings
