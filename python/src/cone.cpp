// SPDX-License-Identifier: Apache-2.0
#include "stiction/friction_cone.h"

#include <cmath>

#include "bind.h"
#include "stiction/linearisation.h"

namespace stiction::python {

namespace {

// Reactions or velocities of shape (3,) or (n, 3), one answer a row.
template <class One>
nb::object rows_of(const ArrayLike& argument, const char* name, const One& one) {
  const auto b = batch<3>(argument, name);
  if (b.single) return nb::cast(small<3>(without_gil([&]() -> Vec3 { return one(b.row(0)); })));
  Rows3 out(b.size(), 3);
  {
    const nb::gil_scoped_release release;
    for (Eigen::Index i = 0; i < b.size(); ++i) out.row(i) = one(b.row(i));
  }
  return nb::cast(array(std::move(out)));
}

// One answer, which takes long only where the curve has many pieces.
template <class One>
auto single(const FrictionCone& cone, const ArrayLike& argument, const char* name, const One& one) {
  const Vec3 v = vec<3>(argument, name);
  return without_gil([&] { return one(v); }, cone.curve().pieces().size());
}

void bind_quality(nb::module_& m) {
  nb::class_<ConeQuality>(m, "ConeQuality", R"(A limit curve against the disc it stands for.

>>> q = st.cone_quality("box:0.5")
>>> round(q.over, 4), q.over_at_deg, q.under
(0.4142, 45.0, 0.0)
)")
      .def_ro("inscribed", &ConeQuality::inscribed, "Least radius over μ.")
      .def_ro("circumscribed", &ConeQuality::circumscribed, "Greatest radius over μ.")
      .def_ro("under", &ConeQuality::under, "Worst weakness, as a fraction.")
      .def_ro("over", &ConeQuality::over, "Worst excess, as a fraction.")
      .def_ro("under_at_deg", &ConeQuality::under_at_deg, "Where, in degrees; None for no error.")
      .def_ro("over_at_deg", &ConeQuality::over_at_deg, "Where, in degrees; None for no error.")
      .def_ro("area_ratio", &ConeQuality::area_ratio, "Area over πμ².");
  m.def(
      "cone_quality",
      [](const LawLike& law, std::optional<double> mu) {
        const double reference = mu ? *mu : reference_coefficient(python::law(law, "law"));
        if (!(reference > 0 && std::isfinite(reference)))
          refuse("mu", text(reference), "a positive coefficient");
        const LimitCurve c = curve(law, "law");
        return without_gil([&] { return cone_quality(c, reference); });
      },
      "law"_a, nb::kw_only(), "mu"_a = nb::none(),
      R"(How good a linearised cone is against the disc of radius μ.

>>> round(st.cone_quality("pyramid:0.5").under, 4)
0.2929
)");
  nb::class_<SlipError>(m, "SlipError", R"(What a law answers to a slip, against Coulomb's disc.

>>> e = st.slip_error("pyramid:0.5", 0.5, [1.0, 0.2])
>>> e.force, round(e.direction, 4)
(1.0, -0.1974)
)")
      .def_ro("direction", &SlipError::direction,
              "Angle from the slip to the force, counter-clockwise [rad].")
      .def_ro("force", &SlipError::force, "‖f‖/μ.")
      .def_ro("power", &SlipError::power, "h(v)/(μ‖v‖).");
  m.def(
      "slip_error",
      [](const LawLike& law, double mu, const ArrayLike& slip) {
        if (!(mu > 0 && std::isfinite(mu))) refuse("mu", text(mu), "a positive coefficient");
        disc(mu);  // refuses what is too small or too large
        const LimitCurve c = curve(law, "law");
        const Vec2 given = vec<2>(slip, "slip");
        const Direction along = about("slip", [&] { return Direction::along(given); });
        return without_gil([&] { return slip_error(c, mu, along); }, c.pieces().size());
      },
      "law"_a, "mu"_a, "slip"_a, R"(The error of a law for one slip.

>>> round(st.slip_error("box:0.5", 0.5, [1, 1]).power, 4)
1.4142
)");
  nb::class_<ThrownBlock>(m, "ThrownBlock", R"(The path of a block thrown under a law.

>>> t = st.throw_block("disc:0.5", 0.5, [4.905, 0.0])
>>> t.path[0], t.path[-1].round(2)  # v²/2μg
(array([0., 0.]), array([2.45, 0.  ]))
)")
      .def_prop_ro(
          "path", [](const ThrownBlock& t) { return array(t.path); },
          "Positions from (0, 0) until it rests [m].")
      .def_ro("time", &ThrownBlock::time, "To rest [s].")
      .def_ro("least_power", &ThrownBlock::least_power,
              "Least power dissipated in a step, over m.");
  m.def(
      "throw_block",
      [](const LawLike& law, double mu, const ArrayLike& velocity, int steps, double gravity) {
        const Vec2 v = vec<2>(velocity, "velocity");
        if (!(mu > 0 && std::isfinite(mu))) refuse("mu", text(mu), "a positive coefficient");
        if (steps < 1 || steps > 10000000)
          refuse("steps", std::to_string(steps), "1 to ten million");
        if (!(gravity > 0 && std::isfinite(gravity)))
          refuse("gravity", text(gravity), "a positive number");
        const LimitCurve c = curve(law, "law");
        const double time = v.norm() / (mu * gravity);
        if (!v.isZero(0) && !(time > 1e-100 && time < 1e100))
          refuse("velocity, mu and gravity", "a throw of " + text(time) + " s",
                 "one of 1e-100 to 1e100 s");
        const nb::gil_scoped_release release;
        return throw_block(c, mu, v, steps, gravity);
      },
      "law"_a, "mu"_a, "velocity"_a, nb::kw_only(), "steps"_a = 1000, "gravity"_a = 9.81,
      R"(A block thrown over the plane under a law.

>>> round(st.throw_block(0.5, 0.5, [3.0, 4.0]).time, 2)
1.02
)");
}

}  // namespace

void bind_cone(nb::module_& m) {
  nb::class_<FrictionCone>(m, "FrictionCone",
                           R"(The cone of reactions n, t1, t2 of a law, and its dual.

>>> cone = st.FrictionCone(0.5)
>>> cone.contains([1.0, 0.3, 0.4]), cone.contains([1.0, 0.6, 0.0])
(True, False)
)")
      .def(
          "__init__",
          [](FrictionCone* self, const LawLike& law) {
            new (self) FrictionCone(curve(law, "law"));
          },
          "law"_a)
      .def_prop_ro(
          "law", [](const FrictionCone& c) { return PythonLaw(c.curve()); }, "Its limit curve.")
      .def(
          "contains",
          [](const FrictionCone& c, const ArrayLike& r) {
            return single(c, r, "r", [&](const Vec3& v) { return c.contains(v); });
          },
          "r"_a, R"(Whether a reaction is possible.

>>> st.FrictionCone("pyramid:0.5").contains([1.0, 0.3, 0.1])
True
)")
      .def(
          "contains_dual",
          [](const FrictionCone& c, const ArrayLike& u) {
            return single(c, u, "u", [&](const Vec3& v) { return c.contains_dual(v); });
          },
          "u"_a, R"(Whether a velocity is in the dual cone.

>>> st.FrictionCone(0.5).contains_dual([0.5, 1.0, 0.0])
True
)")
      .def(
          "project",
          [](const FrictionCone& c, const ArrayLike& x) -> nb::object {
            const auto b = batch<3>(x, "x");
            if (b.single)
              return nb::cast(small<3>(
                  without_gil([&] { return c.project(b.row(0)); }, c.curve().pieces().size())));
            Rows3 out(b.size(), 3);
            {
              const nb::gil_scoped_release release;
              c.project(b.rows(), out);
            }
            return nb::cast(array(std::move(out)));
          },
          "x"_a,
          nb::sig("def project(self, x: numpy.typing.ArrayLike) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          R"(The nearest reaction, for shape (3,) or (n, 3).

>>> st.FrictionCone(1.0).project([0.0, 1.0, 0.0])
array([0.5, 0.5, 0. ])
)")
      .def(
          "project_with_derivative",
          [](const FrictionCone& c, const ArrayLike& x) {
            const auto p =
                single(c, x, "x", [&](const Vec3& v) { return c.project_with_derivative(v); });
            return nb::make_tuple(small<3>(p.point), array(Eigen::MatrixXd(p.derivative)));
          },
          "x"_a,
          nb::sig("def project_with_derivative(self, x: numpy.typing.ArrayLike) -> "
                  "tuple[numpy.typing.NDArray[numpy.float64], "
                  "numpy.typing.NDArray[numpy.float64]]"),
          R"(The nearest reaction and its derivative, (3, 3); at kinks one of the one-sided ones.

>>> st.FrictionCone(0.5).project_with_derivative([1.0, 0.1, 0.0])[1].diagonal()  # inside
array([1., 1., 1.])
)")
      .def(
          "project_dual",
          [](const FrictionCone& c, const ArrayLike& x) {
            return rows_of(x, "x", [&](const Vec3& v) { return c.project_dual(v); });
          },
          "x"_a,
          nb::sig("def project_dual(self, x: numpy.typing.ArrayLike) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          R"(The nearest velocity of the dual cone.

>>> st.FrictionCone(1.0).project_dual([0.0, 1.0, 0.0])
array([0.5, 0.5, 0. ])
)")
      .def(
          "shift",
          [](const FrictionCone& c, const ArrayLike& u) {
            return rows_of(u, "u", [&](const Vec3& v) { return c.shift(v); });
          },
          "u"_a,
          nb::sig(
              "def shift(self, u: numpy.typing.ArrayLike) -> numpy.typing.NDArray[numpy.float64]"),
          R"(De Saxcé's û = u + h(u_t) e_n.

>>> st.FrictionCone(0.5).shift([0.0, 3.0, 4.0])
array([2.5, 3. , 4. ])
)")
      .def(
          "distance",
          [](const FrictionCone& c, const ArrayLike& x) {
            return single(c, x, "x", [&](const Vec3& v) { return c.distance(v); });
          },
          "x"_a, R"(From the cone.

>>> st.FrictionCone(0.5).distance([-3.0, 0.0, 0.0])
3.0
)")
      .def(
          "distance_dual",
          [](const FrictionCone& c, const ArrayLike& x) {
            return single(c, x, "x", [&](const Vec3& v) { return c.distance_dual(v); });
          },
          "x"_a, R"(From the dual cone.

>>> st.FrictionCone(0.0).distance_dual([-2.0, 5.0, 0.0])  # without friction u_n alone counts
2.0
)")
      .def(
          "rows",
          [](const FrictionCone& c) { return array(without_gil([&] { return c.rows(); })); },
          R"(Of a polygonal law: a·r ≤ 0.

>>> st.FrictionCone("pyramid:1").rows().shape
(4, 3)
)")
      .def(
          "rays",
          [](const FrictionCone& c) { return array(without_gil([&] { return c.rays(); })); },
          R"(Of a polygonal law: what spans the cone.

>>> st.FrictionCone("box:0.5").rays()[:, 0]
array([1., 1., 1., 1.])
)");
  bind_quality(m);
}

}  // namespace stiction::python
