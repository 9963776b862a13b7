// SPDX-License-Identifier: Apache-2.0
#include "watch.h"

namespace stiction::python {

namespace {

// Python's own True or False, or that of an array's library, as comparisons of its numbers give.
bool is_bool(nb::handle object, bool value) {
  if (PyBool_Check(object.ptr())) return object.is(nb::bool_(value));
  if (object.is_none() || !nb::hasattr(object, "dtype")) return false;
  const auto type = nb::cast<std::string>(nb::str(nb::object(object.attr("dtype"))));
  const int truth = type.ends_with("bool") ? PyObject_IsTrue(object.ptr()) : -1;
  if (truth < 0) PyErr_Clear();  // an array of several
  return truth == static_cast<int>(value);
}

}  // namespace

Watch::Watch(const nb::object& progress, const char* bar, nb::object argument) {
  if (progress.is_none() || is_bool(progress, false)) return;
  call_ = progress;
  every_ = std::chrono::milliseconds(0);
  if (is_bool(progress, true)) {
    const nb::object type = nb::module_::import_("stiction._progress").attr(bar);
    call_ = argument.is_none() ? type() : type(argument);
    every_ = std::chrono::milliseconds(50);
  } else if (!PyCallable_Check(progress.ptr())) {
    const auto said = nb::cast<std::string>(nb::repr(progress));
    const nb::handle type(reinterpret_cast<PyObject*>(Py_TYPE(progress.ptr())));
    const bool one_line = said.size() <= 80 && said.find('\n') == std::string::npos;
    refuse("progress", one_line ? said : "a " + nb::cast<std::string>(type.attr("__name__")),
           "a bool or something to call");
  }
}

bool Watch::due() {
  if (stopped_) return false;
  const Clock::rep now = Clock::now().time_since_epoch().count();
  if (now - last_ < every_.count()) return false;
  last_ = now;
  return true;
}

bool Watch::say(const std::function<nb::object()>& call) {
  if (PyErr_CheckSignals() != 0) {
    error_.emplace();
    stopped_ = true;
  } else if (call_.is_valid()) {
    try {
      if (is_bool(call(), false)) stopped_ = true;
    } catch (nb::python_error& error) {
      error_.emplace(std::move(error));
      stopped_ = true;
    }
  }
  return !stopped_;
}

void Watch::close() {
  if (call_.is_valid() && nb::hasattr(call_, "close")) call_.attr("close")();
}

void Watch::raise(const std::function<nb::object()>& reached) {
  if (!error_->matches(PyExc_KeyboardInterrupt)) throw nb::python_error(std::move(*error_));
  error_.reset();
  const nb::object type = nb::module_::import_("stiction").attr("Interrupted");
  const nb::object raised = type(reached());
  PyErr_SetObject(type.ptr(), raised.ptr());
  throw nb::python_error();
}

}  // namespace stiction::python
