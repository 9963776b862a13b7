// SPDX-License-Identifier: Apache-2.0
//
// Coulomb's law as conditions and as an optimisation, and laws that may not be normal.
#include "stiction/coulomb.h"

#include <nanobind/stl/function.h>

#include <cmath>

#include "bind.h"
#include "stiction/slip_law.h"

namespace stiction::python {

namespace {

void require_mu(double mu, const char* name) {
  if (!(mu >= 0 && std::isfinite(mu))) refuse(name, text(mu), "a finite number ≥ 0");
}

void bind_conditions(nb::module_& m) {
  nb::class_<CoulombCheck>(m, "CoulombCheck",
                           "Does a slip, a friction force and a normal force obey Coulomb's law?")
      .def_prop_ro("ok", &CoulombCheck::ok, "All three conditions hold.")
      .def_ro("a", &CoulombCheck::a, "The force is in the cone.")
      .def_ro("b", &CoulombCheck::b, "It does not slip with friction to spare.")
      .def_ro("c", &CoulombCheck::c, "Friction is opposite to the slip.")
      .def_prop_ro(
          "residuals",
          [](const CoulombCheck& c) {
            return small<3>(Vec3(c.residual.a, c.residual.b, c.residual.c));
          },
          "How far each is from holding [N, W, W].")
      .def_ro("message", &CoulombCheck::message, "Which fail and by how much; empty if none does.");
  m.def(
      "check_coulomb",
      [](const ArrayLike& v, const ArrayLike& F, double f_n, double mu, double tolerance) {
        require_mu(f_n, "f_n");
        require_mu(mu, "mu");
        require_mu(tolerance, "tolerance");
        return check_coulomb(vec<2>(v, "v"), vec<2>(F, "F"), f_n, mu, tolerance);
      },
      "v"_a, "F"_a, "f_n"_a, "mu"_a, nb::kw_only(), "tolerance"_a = rounding,
      R"(Checks a slip v and a friction force F on the body against Coulomb's law.

>>> st.check_coulomb([1, 0], [-0.5, 0], 1.0, 0.5).ok
True
>>> st.check_coulomb([1, 0], [0.5, 0], 1.0, 0.5).c
False
)");
  m.def(
      "least_power",
      [](const ArrayLike& v, double f_n, double mu) {
        require_mu(f_n, "f_n");
        require_mu(mu, "mu");
        const LeastPower found = least_power(vec<2>(v, "v"), f_n, mu);
        return nb::make_tuple(small<2>(found.force), found.power, found.unique);
      },
      "v"_a, "f_n"_a, "mu"_a,
      nb::sig("def least_power(v: numpy.typing.ArrayLike, f_n: float, mu: float) -> "
              "tuple[numpy.typing.NDArray[numpy.float64], float, bool]"),
      R"(The friction force on the body that gives it the least power, that power, and whether it is unique.

>>> st.least_power([2.0, 0.0], 1.0, 0.5)
(array([-0.5, -0. ]), -1.0, True)
)");
}

// A law with its Python function, which the garbage collector is to know: it may lead back to the
// law.
struct PythonSlipLaw : SlipLaw {
  nb::object function;
};

int traverse(PyObject* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE(self));
  if (nb::inst_ready(self)) Py_VISIT(nb::inst_ptr<PythonSlipLaw>(self)->function.ptr());
  return 0;
}

int clear(PyObject* self) {
  auto* law = nb::inst_ptr<PythonSlipLaw>(self);
  law->force = [](const Vec2&) -> Vec2 { throw InvalidInput("the law was cleared"); };
  law->function.reset();
  return 0;
}

PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                       {Py_tp_clear, reinterpret_cast<void*>(clear)},
                       {0, nullptr}};

void bind_slip_laws(nb::module_& m) {
  nb::class_<PythonSlipLaw>(
      m, "SlipLaw", nb::type_slots(slots),
      R"(Any law that answers a slip with a force, normal to a convex curve or not.

>>> law = st.SlipLaw("half", lambda v: 0.5 * v / np.hypot(*v))
>>> law.force([0.0, 2.0])
array([0. , 0.5])
)")
      .def(
          "__init__",
          [](PythonSlipLaw* self, std::string name, nb::callable force) {
            const nb::handle called = force;  // kept by the law
            new (self) PythonSlipLaw{{std::move(name),
                                      [called](const Vec2& slip) -> Vec2 {
                                        const nb::object answer = called(small<2>(slip));
                                        return vec<2>({answer}, "force");
                                      }},
                                     force};
          },
          "name"_a, "force"_a,
          nb::sig("def __init__(self, name: str, force: "
                  "collections.abc.Callable[[numpy.typing.NDArray[numpy.float64]], "
                  "numpy.typing.ArrayLike]) -> None"))
      .def_ro("name", &PythonSlipLaw::name, "Of the law.")
      .def(
          "force",
          [](const PythonSlipLaw& law, const ArrayLike& slip) {
            const Vec2 v = vec<2>(slip, "slip");
            if (v.isZero(0)) refuse("slip", "zero", "a direction");
            return small<2>(law.force(v));
          },
          "slip"_a, "On the ground, per unit normal force.")
      .def_prop_ro(
          "law",
          [](const PythonSlipLaw& law) -> std::optional<PythonLaw> {
            if (!law.curve) return {};
            return PythonLaw(*law.curve);
          },
          "Its limit curve, where it is known to have one.");
  nb::class_<PowerViolation>(m, "PowerViolation", "The worst violation of maximum power by a law.")
      .def_ro("amount", &PowerViolation::amount, "Above rounding the law is not normal.")
      .def_prop_ro(
          "slip", [](const PowerViolation& p) { return small<2>(p.slip); }, "v")
      .def_prop_ro(
          "force", [](const PowerViolation& p) { return small<2>(p.force); }, "f(v)")
      .def_prop_ro(
          "other_force", [](const PowerViolation& p) { return small<2>(p.other_force); },
          "A force of the law that would take more power from v.");
  m.def(
      "worst_power_violation",
      [](const PythonSlipLaw& law, int directions) {
        if (directions < 4 || directions > 20000)
          refuse("directions", std::to_string(directions), "4 to 20000");
        return worst_power_violation(law, directions);
      },
      "law"_a, nb::kw_only(), "directions"_a = 720,
      R"(Does a law dissipate as much power as its forces can?

>>> st.worst_power_violation(st.naive_anisotropy(0.5, 0.3), directions=180).amount > 0.01
True
)");
  m.def(
      "naive_anisotropy",
      [](double mu1, double mu2, double angle) {
        require_mu(mu1, "mu1");
        require_mu(mu2, "mu2");
        if (!std::isfinite(angle)) refuse("angle", text(angle), "a finite angle in radians");
        return PythonSlipLaw{naive_anisotropy(mu1, mu2, angle), {}};
      },
      "mu1"_a, "mu2"_a, "angle"_a = 0.0,
      R"(Force along the slip, as large as the ellipse that way: not a normal law.

>>> st.naive_anisotropy(0.5, 0.3).force([1.0, 0.0])
array([0.5, 0. ])
)");
}

}  // namespace

void bind_coulomb(nb::module_& m) {
  bind_conditions(m);
  bind_slip_laws(m);
}

}  // namespace stiction::python
