// SPDX-License-Identifier: Apache-2.0
//
// Coulomb's law as conditions and as an optimisation, and laws that may not be normal.
#include "stiction/coulomb.h"

#include <nanobind/stl/function.h>

#include <cmath>
#include <memory>

#include "bind.h"
#include "stiction/slip_law.h"

namespace stiction::python {

namespace {

void require_mu(double mu, const char* name) {
  if (!(mu >= 0 && std::isfinite(mu))) refuse(name, text(mu), "a finite number ≥ 0");
}

void bind_conditions(nb::module_& m) {
  nb::class_<CoulombCheck>(m, "CoulombCheck",
                           R"(Does a slip, a friction force and a normal force obey Coulomb's law?

>>> c = st.check_coulomb([1, 0], [-0.2, 0], 1.0, 0.5)  # slips with friction to spare
>>> c.a, c.b, c.c, c.residuals
(True, False, True, array([0. , 0.3, 0. ]))
)")
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
  m.def(
      "optimality_residual",
      [](const ArrayLike& v, const ArrayLike& F, double f_n, double mu,
         std::optional<double> multiplier) {
        require_mu(f_n, "f_n");
        require_mu(mu, "mu");
        const Vec2 slip = vec<2>(v, "v");
        const double lambda = multiplier ? *multiplier : slip.norm();
        require_mu(lambda, multiplier ? "multiplier" : "the length of v");
        const OptimalityResidual r = optimality_residual(slip, vec<2>(F, "F"), f_n, mu, lambda);
        return small<3>(Vec3(r.feasibility, r.stationarity, r.complementarity));
      },
      "v"_a, "F"_a, "f_n"_a, "mu"_a, nb::kw_only(), "multiplier"_a = nb::none(),
      R"(How far the first-order conditions of least power are from holding: feasibility [N],
stationarity [m/s] and complementarity [W].  The multiplier ‖v‖ will always do.

>>> st.optimality_residual([2.0, 0.0], [-0.5, 0.0], 1.0, 0.5)
array([0., 0., 0.])
)");
  m.def(
      "friction_response",
      [](const LawLike& law, const ArrayLike& v, double f_n) {
        require_mu(f_n, "f_n");
        const LimitCurve c = curve(law, "law");
        const Vec2 slip = vec<2>(v, "v");
        return without_gil([&] { return friction_response(c, slip, f_n); }, c.pieces().size());
      },
      "law"_a, "v"_a, "f_n"_a, R"(The forces on the ground that answer a slip under a normal force.

>>> st.friction_response("box:0.5", [1, 0], 10.0)
Face((5, -5) to (5, 5))
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

// A Python function that C++ keeps, let go with the GIL.
struct Kept {
  explicit Kept(nb::object function) : object(std::move(function)) {}
  ~Kept() {
    const nb::gil_scoped_acquire acquire;
    object.reset();
  }
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;

  nb::object object;
};

PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(traverse)},
                       {Py_tp_clear, reinterpret_cast<void*>(clear)},
                       {0, nullptr}};

// Laws that are real but not normal, and one that is.
void bind_examples(nb::module_& m) {
  m.def(
      "slip_law",
      [](const LawLike& law, std::string name) {
        return PythonSlipLaw{slip_law(curve(law, "law"), std::move(name)), {}};
      },
      "law"_a, "name"_a = "", R"(A law with a limit curve, as one that answers a slip with a force.

>>> st.slip_law("disc:0.5").force([0.0, 2.0])
array([0. , 0.5])
)");
  m.def(
      "orthotropic_tensor",
      [](const ArrayLike& T) {
        const Eigen::MatrixXd given = matrix(T, "T");
        if (given.rows() != 2 || given.cols() != 2)
          refuse("T",
                 "an array of shape (" + std::to_string(given.rows()) + ", " +
                     std::to_string(given.cols()) + ")",
                 "shape (2, 2)");
        return about("T", [&] { return PythonSlipLaw{orthotropic_tensor(given), {}}; });
      },
      "T"_a, R"(f = T v/‖v‖: its forces fill an ellipse to which the slip is not normal.

>>> st.orthotropic_tensor([[0.5, 0.0], [0.0, 0.3]]).force([3.0, 4.0])
array([0.3 , 0.24])
)");
  m.def(
      "wedge_asperities",
      [](double slope, double mu) {
        require_mu(mu, "mu");
        if (!std::isfinite(slope)) refuse("slope", text(slope), "a finite angle in radians");
        return PythonSlipLaw{wedge_asperities(slope, mu), {}};
      },
      "slope"_a, "mu"_a,
      R"(Wedge-shaped asperities with ridges along y and slopes ±`slope` (radians), climbed with friction.

>>> st.wedge_asperities(0.0, 0.5).force([1.0, 0.0])
array([0.5, 0. ])
)");
  nb::class_<Castor>(m, "Castor",
                     R"(A foot that trails behind a free pivot on a massless arm.

`foot` is its law in axes that turn with the arm, x from the foot to the pivot; `strength` a factor
that depends on the arm's angle (radians).

>>> castor = st.Castor("ellipse:0.5,0.3,20")
>>> st.worst_power_violation(castor.relaxed()).amount > 0.01  # not a normal law
True
)")
      .def(
          "__init__",
          [](Castor* self, const LawLike& foot, std::optional<nb::callable> strength) {
            Castor made{curve(foot, "foot"), {}};
            if (strength) {
              const auto kept = std::make_shared<Kept>(*strength);
              made.strength = [kept](double angle) {
                const nb::gil_scoped_acquire acquire;
                double factor = 0;
                if (!nb::try_cast(kept->object(angle), factor) || !std::isfinite(factor))
                  throw InvalidInput("strength gave no finite number, expected one");
                return factor;
              };
            }
            new (self) Castor(std::move(made));
          },
          "foot"_a, "strength"_a = nb::none(),
          nb::sig("def __init__(self, foot: Law | float | str, strength: "
                  "collections.abc.Callable[[float], float] | None = None) -> None"))
      .def(
          "instantaneous",
          [](const Castor& c, double arm_angle) {
            if (!std::isfinite(arm_angle))
              refuse("arm_angle", text(arm_angle), "a finite angle in radians");
            return PythonLaw(without_gil([&] { return c.instantaneous(arm_angle); }));
          },
          "arm_angle"_a, R"(Before it relaxes: an ideal wheel that rolls across the arm.

>>> st.Castor(0.5).instantaneous(0.0).support([0.0, 1.0])
0.0
)")
      .def(
          "relaxed",
          [](const Castor& c) {
            return PythonSlipLaw{without_gil([&] { return c.relaxed(); }), {}};
          },
          R"(After it relaxes: the force keeps a fixed angle to the slip.

>>> st.Castor(0.5).relaxed().force([0.0, 2.0]).round(12)
array([0. , 0.5])
)");
}

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
                                        const nb::gil_scoped_acquire acquire;
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
          "slip"_a, R"(On the ground, per unit normal force.

>>> st.orthotropic_tensor([[0.5, 0.0], [0.0, 0.3]]).force([0.0, 2.0])
array([0. , 0.3])
)")
      .def(
          "limit_curve",
          [](const PythonSlipLaw& law) {
            return PythonLaw(without_gil([&] { return limit_curve(law); }));
          },
          R"(The curve of a normal law; a ValueError with the witness for any other.

>>> st.slip_law("disc:0.5").limit_curve().support([1, 0])
0.5
)")
      .def_prop_ro(
          "law",
          [](const PythonSlipLaw& law) -> std::optional<PythonLaw> {
            if (!law.curve) return {};
            return PythonLaw(*law.curve);
          },
          "Its limit curve, where it is known to have one.");
  nb::class_<PowerViolation>(m, "PowerViolation", R"(The worst violation of maximum power by a law.

>>> w = st.worst_power_violation(st.naive_anisotropy(0.5, 0.3))
>>> bool(np.isclose((w.other_force - w.force) @ w.slip, w.amount))
True
)")
      .def_ro("amount", &PowerViolation::amount, "Above rounding the law is not normal.")
      .def_prop_ro(
          "slip", [](const PowerViolation& p) { return small<2>(p.slip); }, "v")
      .def_prop_ro(
          "other_slip", [](const PowerViolation& p) { return small<2>(p.other_slip); },
          "Whose force is the other one.")
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
        return without_gil([&] { return worst_power_violation(law, directions); });
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
  bind_examples(m);
}

}  // namespace

void bind_coulomb(nb::module_& m) {
  bind_conditions(m);
  bind_slip_laws(m);
}

}  // namespace stiction::python
