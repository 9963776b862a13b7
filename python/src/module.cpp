// SPDX-License-Identifier: Apache-2.0
#include <stdexcept>

#include "base/one_line.h"
#include "bind.h"
#include "refusal.h"

NB_MODULE(_stiction, m) {
  using namespace stiction::python;
  m.doc() = "The compiled part of stiction.";
  // What the caller's program still holds when Python ends is no concern of its user.
  nb::set_leak_warnings(false);
  // Paths and texts are told as they are, whose lines would be the message's.
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::invalid_argument& error) {
      PyErr_SetString(PyExc_ValueError, stiction::one_line(error.what()).c_str());
    }
  });
  m.attr("version") = STICTION_VERSION;
  bind_law(m);
  bind_coulomb(m);
  bind_cone(m);
  bind_contact(m);
  bind_solver(m);
  bind_io(m);
  bind_slider(m);
  bind_generalized_cone(m);
  bind_impact(m);
  bind_pickles();
  refuse_in_one_line(m);
}
