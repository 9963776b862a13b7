// SPDX-License-Identifier: Apache-2.0
//
// Every function object of nanobind holds the address of the C function that calls it; there are
// seven of these, by the kinds of arguments.  That address is replaced by one that calls the same
// and looks at what went wrong, if anything did.
#include "refusal.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace stiction::python {

namespace {

constexpr std::size_t most_ways = 8;
std::array<vectorcallfunc, most_ways> ways{};

// The positional arguments as Python gives them to vectorcall; nanobind has a flag of its own
// there.
std::size_t count_of(std::size_t flags_and_count) {
  return flags_and_count &
         ~(PY_VECTORCALL_ARGUMENTS_OFFSET | (PY_VECTORCALL_ARGUMENTS_OFFSET >> 1));
}

// The error to raise in place of nanobind's page, if it is one.
nb::object refusal(const nb::python_error& error, nb::handle function, PyObject* const* args,
                   std::size_t count, PyObject* names) {
  const auto said = nb::cast<std::string>(nb::str(error.value()));
  if (said.find("incompatible function arguments") == std::string::npos) return {};
  nb::list given;
  for (std::size_t i = 0; i < count; ++i) given.append(nb::handle(args[i]));
  nb::dict named;
  for (Py_ssize_t i = 0; names != nullptr && i < PyTuple_GET_SIZE(names); ++i)
    named[nb::handle(PyTuple_GET_ITEM(names, i))] =
        nb::handle(args[count + static_cast<std::size_t>(i)]);
  return nb::module_::import_("stiction._refusal").attr("refusal")(function, given, named);
}

void shorten(nb::handle function, PyObject* const* args, std::size_t count, PyObject* names) {
  if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) return;
  nb::python_error error;  // which takes it
  try {
    const nb::object shorter = refusal(error, function, args, count, names);
    if (shorter.is_valid())
      return PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(shorter.ptr())), shorter.ptr());
  } catch (std::exception&) {  // nanobind's own words stay
  }
  error.restore();
}

template <std::size_t K>
PyObject* by_way(PyObject* self, PyObject* const* args, std::size_t count, PyObject* names) {
  PyObject* result = ways[K](self, args, count, names);
  if (result == nullptr) [[unlikely]]
    shorten(self, args, count_of(count), names);
  return result;
}

template <std::size_t... K>
constexpr std::array<vectorcallfunc, most_ways> ways_with_a_look(std::index_sequence<K...>) {
  return {by_way<K>...};
}

void look_at(nb::handle function) {
  PyTypeObject* type = Py_TYPE(function.ptr());
  const std::string_view name = type->tp_name;
  if (!name.ends_with("nb_func") && !name.ends_with("nb_method")) return;
  static constexpr auto looking = ways_with_a_look(std::make_index_sequence<most_ways>());
  auto& call = *reinterpret_cast<vectorcallfunc*>(reinterpret_cast<char*>(function.ptr()) +
                                                  type->tp_vectorcall_offset);
  if (std::find(looking.begin(), looking.end(), call) != looking.end()) return;
  const auto known = std::find_if(
      ways.begin(), ways.end(), [&](vectorcallfunc way) { return way == call || way == nullptr; });
  if (known == ways.end()) return;  // more ways than there are: these keep their pages
  *known = call;
  call = looking[static_cast<std::size_t>(known - ways.begin())];
}

}  // namespace

void refuse_in_one_line(nb::module_& module) {
  for (const nb::handle item : module.attr("__dict__").attr("values")()) {
    look_at(item);
    if (!PyType_Check(item.ptr())) continue;
    for (const nb::handle member : item.attr("__dict__").attr("values")()) look_at(member);
  }
}

}  // namespace stiction::python
