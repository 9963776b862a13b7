// SPDX-License-Identifier: Apache-2.0
#include "stiction/generalized_cone.h"

#include <cmath>
#include <numbers>

#include "bind.h"
#include "stiction/free_bodies.h"

namespace stiction::python {

namespace {

nb::object matrix_or_none(bool there, const Eigen::Matrix3d& m) {
  return there ? nb::cast(array(Eigen::MatrixXd(m))) : nb::object(nb::none());
}

Eigen::MatrixXd three_rows(const ArrayLike& argument, const char* name) {
  Eigen::MatrixXd m = matrix(argument, name);
  if (m.rows() != 3)
    refuse(name,
           "an array of shape (" + std::to_string(m.rows()) + ", " + std::to_string(m.cols()) + ")",
           "shape (3, n)");
  return m;
}

// (n, 3, 3), symmetric; what `mu_crit` and `mu_jam` say of each.
template <class Of>
nb::object each_matrix(const ArrayLike& argument, const Of& of) {
  const Numbers n = numbers(argument, "W");
  if (n.ndim() < 2 || n.ndim() > 3 || n.shape(n.ndim() - 1) != 3 || n.shape(n.ndim() - 2) != 3)
    refuse("W", "an array of shape " + shape_text(n), "shape (3, 3) or (n, 3, 3)");
  const auto count = static_cast<Eigen::Index>(n.size() / 9);
  Eigen::VectorXd out(count);
  {
    const nb::gil_scoped_release release;
    for (Eigen::Index i = 0; i < count; ++i) {
      const Eigen::Matrix3d W = Eigen::Map<const Eigen::Matrix3d>(n.data() + 9 * i);
      const std::string name = n.ndim() == 2 ? "W" : "W[" + std::to_string(i) + "]";
      const GeneralizedCone checked =
          renamed("delassus", name.c_str(), [&] { return generalized_cone(W, 0); });
      out[i] = of(checked);
    }
  }
  if (n.ndim() == 2) return nb::float_(out[0]);
  return nb::cast(array(std::move(out)));
}

// Symmetric and positive semidefinite, or refused as what it is.
Eigen::Matrix3d delassus_of(const ArrayLike& argument, const char* name) {
  const Eigen::Matrix3d W = matrix3(argument, name);
  return renamed("delassus", name, [&] { return generalized_cone(W, 0).delassus; });
}

void bind_class(nb::module_& m) {
  nb::class_<JamSector>(m, "JamSector",
                        R"(The slip directions that jam: those within half_width of the middle one.

>>> jam = st.generalized_cone(st.rod_delassus(np.pi / 3), 2.0).jam
>>> jam.direction, 0 < jam.half_width < np.pi / 2
(array([1., 0.]), True)
)")
      .def_prop_ro(
          "direction", [](const JamSector& j) { return small<2>(j.direction); },
          "Unit vector t1, t2.")
      .def_ro("half_width", &JamSector::half_width, "Radians.");
  nb::class_<GeneralizedCone>(
      m, "GeneralizedCone",
      R"(What friction at one contact can do to the velocity there; all of it in the order t1, t2, n.

>>> g = st.generalized_cone(st.rod_delassus(np.pi / 3), 2.0)
>>> g.stick_inside, g.jam is not None, g.effective_mass.shape
(True, True, (3, 3))
)")
      .def_prop_ro(
          "delassus", [](const GeneralizedCone& g) { return array(Eigen::MatrixXd(g.delassus)); },
          "W [1/kg]")
      .def_prop_ro(
          "effective_mass",
          [](const GeneralizedCone& g) { return matrix_or_none(g.has_mass, g.effective_mass); },
          nb::sig("def effective_mass(self) -> numpy.typing.NDArray[numpy.float64] | None"),
          "W⁻¹ [kg]; None for singular W.")
      .def_prop_ro(
          "massless",
          [](const GeneralizedCone& g) { return array(massless_directions(g.massless)); },
          "The directions in which the contact moves no mass, a row each; W is infinite along "
          "them, "
          "and delassus its part across.")
      .def_ro("crit_depends", &GeneralizedCone::crit_depends,
              "Whether another vanishing mass than one at the contact gives another mu_crit.")
      .def_ro("jam_depends", &GeneralizedCone::jam_depends, "The same of mu_jam.")
      .def_prop_ro(
          "quadric",
          [](const GeneralizedCone& g) { return matrix_or_none(g.has_quadric, g.quadric); },
          nb::sig("def quadric(self) -> numpy.typing.NDArray[numpy.float64] | None"),
          "Γ with δuᵀΓδu ≤ 0; None for singular W, and for laws that are no ellipse.")
      .def_ro("mu_crit", &GeneralizedCone::mu_crit, "From it on a disc holds the contact.")
      .def_ro("mu_jam", &GeneralizedCone::mu_jam,
              "Beyond it some slips jam (Painlevé); infinite where none does.")
      .def_ro("stick_inside", &GeneralizedCone::stick_inside,
              "Whether friction can keep the contact from slipping.")
      .def_ro("plane_cut", &GeneralizedCone::plane_cut,
              "Whether the cone reaches below the tangent plane.")
      .def_ro("holding_gauge", &GeneralizedCone::holding_gauge,
              "How much of the curve holding needs.")
      .def_ro("jam_ratio", &GeneralizedCone::jam_ratio, "Above 1 some slips jam.")
      .def_prop_ro(
          "holding", [](const GeneralizedCone& g) { return small<2>(g.holding); },
          "The friction, over the normal force, that holds.")
      .def_ro("jam", &GeneralizedCone::jam, "The sector of slips that jam, or None.")
      .def_ro("regular", &GeneralizedCone::regular, "Whether W has an inverse.")
      .def_prop_ro(
          "apex", [](const GeneralizedCone& g) { return small<3>(g.apex); },
          "What other forces add to every velocity change [m/s].")
      .def(
          "with_apex",
          [](GeneralizedCone g, const ArrayLike& apex) {
            g.apex = vec<3>(apex, "apex");
            return g;
          },
          "apex"_a, R"(The same cone moved to what other forces add, t1, t2, n.

>>> st.generalized_cone(np.eye(3), 0.5).with_apex([1.0, 0, 0]).contains([1.2, 0.0, 1.0])
True
)")
      .def(
          "regime",
          [](const GeneralizedCone& g, const ArrayLike& slip, double b) {
            if (!std::isfinite(b)) refuse("b", text(b), "a finite normal acceleration");
            const Vec2 v = vec<2>(slip, "slip");
            return to_text(without_gil([&] { return regime(g, v, b); }));
          },
          "slip"_a, "b"_a,
          R"(What a contact that slides does next: 'separate', 'slide', 'indeterminate', 'inconsistent' or 'jam_point'.

`b` is the normal acceleration without contact force [m/s²].

>>> st.generalized_cone(st.rod_delassus(np.pi / 3), 2.0).regime([1, 0], -9.8)
'inconsistent'
)")
      .def(
          "normal_compliance",
          [](const GeneralizedCone& g, const ArrayLike& slip) {
            const Vec2 v = vec<2>(slip, "slip");
            const NormalCompliance p = without_gil([&] { return normal_compliance(g, v); });
            return std::pair(p.least, p.greatest);
          },
          "slip"_a,
          R"(Least and greatest growth of normal acceleration with normal force while sliding along slip [1/kg].

>>> st.generalized_cone(np.eye(3), 0.5).normal_compliance([1, 0])
(1.0, 1.0)
)")
      .def(
          "contains",
          [](const GeneralizedCone& g, const ArrayLike& du) {
            const Vec3 change = vec<3>(du, "du");
            return without_gil([&] { return contains(g, change); });
          },
          "du"_a,
          R"(Whether contact impulses can cause the velocity change t1, t2, n.

>>> st.generalized_cone(np.eye(3), 0.5).contains([0.4, 0.0, 1.0])
True
)")
      .def(
          "nearest",
          [](const GeneralizedCone& g, const ArrayLike& du) -> nb::object {
            const auto b = batch<3>(du, "du");
            if (b.single)
              return nb::cast(small<3>(without_gil([&] { return nearest(g, b.row(0)); })));
            Rows3 out(b.size(), 3);
            {
              const nb::gil_scoped_release release;
              for (Eigen::Index i = 0; i < b.size(); ++i) out.row(i) = nearest(g, b.row(i));
            }
            return nb::cast(array(std::move(out)));
          },
          "du"_a,
          nb::sig("def nearest(self, du: numpy.typing.ArrayLike) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          R"(The velocity change of the cone nearest to du, of shape (3,) or (n, 3).

>>> st.generalized_cone(np.eye(3), 1.0).nearest([1.0, 0.0, 0.0])
array([0.5, 0. , 0.5])
)")
      .def(
          "distance",
          [](const GeneralizedCone& g, const ArrayLike& du) {
            const Vec3 change = vec<3>(du, "du");
            return without_gil([&] { return distance(g, change); });
          },
          "du"_a, R"(How far du is from the cone.

>>> st.generalized_cone(np.eye(3), 0.5).distance([0.0, 0.0, -2.0])
2.0
)")
      .def(
          "section_support",
          [](const GeneralizedCone& g, const ArrayLike& y) {
            const Vec3 normal = vec<3>(y, "y");
            return without_gil([&] { return section_support(g, normal); });
          },
          "y"_a, R"(Greatest y·δu over the changes of unit normal impulse.

>>> st.generalized_cone(np.eye(3), 0.5).section_support([1.0, 0.0, 0.0])
0.5
)")
      .def(
          "rows",
          [](const GeneralizedCone& g) { return array(without_gil([&] { return rows(g); })); },
          R"(Of a polygonal law: a·δu ≤ 0.

>>> st.generalized_cone(np.eye(3), "pyramid:1").rows().shape
(4, 3)
)")
      .def(
          "rays",
          [](const GeneralizedCone& g) { return array(without_gil([&] { return rays(g); })); },
          R"(Of a polygonal law: what spans the cone.

>>> st.generalized_cone(2 * np.eye(3), "box:0.5").rays()[:, 2]
array([2., 2., 2., 2.])
)")
      .def(
          "principal_axes",
          [](const GeneralizedCone& g) {
            const PrincipalAxes p = without_gil([&] { return principal_axes(g); });
            return nb::make_tuple(array(Eigen::MatrixXd(p.axes)), small<2>(p.slopes));
          },
          nb::sig("def principal_axes(self) -> tuple[numpy.typing.NDArray[numpy.float64], "
                  "numpy.typing.NDArray[numpy.float64]]"),
          R"(Of an ellipse: the axes as columns, the third that of the cone, and the two slopes.

>>> axes, slopes = st.generalized_cone(np.eye(3), "ellipse:0.5,0.3,0").principal_axes()
>>> slopes
array([0.5, 0.3])
)")
      .def_prop_ro(
          "law", [](const GeneralizedCone& g) { return PythonLaw(g.curve); }, "The limit curve.")
      .def("__repr__", [](const GeneralizedCone& g) {
        return "GeneralizedCone(mu_crit=" + text(g.mu_crit) +
               ", mu_jam=" + (std::isinf(g.mu_jam) ? "inf" : text(g.mu_jam)) + ")";
      });
}

}  // namespace

void bind_generalized_cone(nb::module_& m) {
  bind_class(m);
  m.def(
      "generalized_cone",
      [](const ArrayLike& W, const LawLike& law, const std::optional<ArrayLike>& massless) {
        DelassusLimit limit{.finite = matrix3(W, "W")};
        const LimitCurve c = curve(law, "law");
        return renamed("delassus", "W", [&] {
          if (!massless) return without_gil([&] { return generalized_cone(limit.finite, c); });
          limit.massless = matrix3(*massless, "massless");
          return without_gil([&] { return generalized_cone(limit, c); });
        });
      },
      "W"_a, "law"_a, nb::kw_only(), "massless"_a = nb::none(),
      nb::sig("def generalized_cone(W: numpy.typing.ArrayLike, law: Law | float | str, *, "
              "massless: numpy.typing.ArrayLike | None = None) -> GeneralizedCone"),
      R"(The generalized friction cone of a contact's 3×3 Delassus matrix, in the order t1, t2, n.

`massless` is the projector onto directions in which the contact moves no mass: the answer is the limit of
W + massless/ε as ε → 0.

>>> g = st.generalized_cone(st.rod_delassus(np.pi / 4), 0.5)
>>> round(g.mu_crit, 12), round(g.mu_jam, 12)
(0.6, 1.666666666667)
>>> g.quadric.shape
(3, 3)
>>> d = np.array([0.6, 0, 0.8])
>>> limit = st.generalized_cone(np.zeros((3, 3)), 0.5, massless=np.outer(d, d))
>>> bool(np.isclose(limit.mu_jam, 0.8 / 0.6)), len(limit.massless)
(True, 1)
)");
  m.def(
      "mu_crit",
      [](const ArrayLike& W) {
        return each_matrix(W, [](const GeneralizedCone& g) { return g.mu_crit; });
      },
      "W"_a,
      nb::sig(
          "def mu_crit(W: numpy.typing.ArrayLike) -> float | numpy.typing.NDArray[numpy.float64]"),
      R"(μ_crit of matrices of shape (3, 3) or (n, 3, 3).

>>> st.mu_crit([np.eye(3), np.eye(3)])
array([0., 0.])
)");
  m.def(
      "mu_jam",
      [](const ArrayLike& W) {
        return each_matrix(W, [](const GeneralizedCone& g) { return g.mu_jam; });
      },
      "W"_a,
      nb::sig(
          "def mu_jam(W: numpy.typing.ArrayLike) -> float | numpy.typing.NDArray[numpy.float64]"),
      R"(μ_jam of matrices of shape (3, 3) or (n, 3, 3).

>>> st.mu_jam(np.eye(3))
inf
)");
  m.def(
      "rod_delassus",
      [](double angle, double mass) {
        if (!std::isfinite(angle)) refuse("angle", text(angle), "a finite angle in radians");
        if (!(mass > 0 && std::isfinite(mass))) refuse("mass", text(mass), "a positive number");
        return array(Eigen::MatrixXd(rod_delassus(angle * 180 / std::numbers::pi, mass)));
      },
      "angle"_a, nb::kw_only(), "mass"_a = 1.0,
      R"(W of the tip of a thin rod at an angle (radians) to the ground.

>>> st.rod_delassus(np.pi / 4).diagonal()
array([2.5, 4. , 2.5])
)");
  nb::class_<FreeBody>(m, "FreeBody",
                       R"(One rigid body that touches the ground at a point; axes t1, t2, n.

>>> body = st.box_on_edge(0.2, 0.2, 0.4, tilt=0.3)
>>> st.generalized_cone(body.delassus, 0.5).mu_crit > 0
True
)")
      .def_ro("mass", &FreeBody::mass, "[kg]")
      .def_prop_ro(
          "inertia", [](const FreeBody& b) { return array(Eigen::MatrixXd(b.inertia)); },
          "About the centre of mass [kg m²].")
      .def_prop_ro(
          "to_contact", [](const FreeBody& b) { return small<3>(b.to_contact); },
          "From the centre of mass to the contact [m].")
      .def_prop_ro(
          "delassus", [](const FreeBody& b) { return array(Eigen::MatrixXd(delassus(b))); },
          "W, order t1, t2, n.")
      .def(
          "normal_acceleration",
          [](const FreeBody& b, const ArrayLike& angular_velocity, double gravity) {
            if (!std::isfinite(gravity)) refuse("gravity", text(gravity), "a finite number");
            return normal_acceleration(b, vec<3>(angular_velocity, "angular_velocity"), gravity);
          },
          "angular_velocity"_a, "gravity"_a = standard_gravity,
          R"(Without contact force [m/s²], for `regime`.

>>> st.rod(np.pi / 3).normal_acceleration([0, 0, 0], gravity=9.8)
-9.8
)");
  const auto positive = [](double value, const char* name) {
    if (!(value > 0 && std::isfinite(value))) refuse(name, text(value), "a positive number");
  };
  const auto angle = [](double value, const char* name) {
    if (!std::isfinite(value)) refuse(name, text(value), "a finite angle in radians");
    return Direction(value);
  };
  m.def(
      "rod",
      [=](double tilt, double mass, double half_length) {
        positive(mass, "mass");
        positive(half_length, "half_length");
        return rod(angle(tilt, "angle"), mass, half_length);
      },
      "angle"_a, nb::kw_only(), "mass"_a = 1.0, "half_length"_a = 1.0,
      R"(A thin rod at an angle to the ground; slip along +t1 can jam it.

>>> np.allclose(st.rod(0.7).delassus, st.rod_delassus(0.7))
True
)");
  m.def(
      "box_on_edge",
      [=](double length, double depth, double height, double tilt, double mass) {
        positive(length, "length");
        positive(depth, "depth");
        positive(height, "height");
        positive(mass, "mass");
        return box_on_edge(length, depth, height, angle(tilt, "tilt"), mass);
      },
      "length"_a, "depth"_a, "height"_a, nb::kw_only(), "tilt"_a, "mass"_a = 1.0,
      R"(A box that touches with the middle of an edge along t2, its bottom face rising behind it.

>>> st.box_on_edge(0.2, 0.2, 0.4, tilt=0.3, mass=2.0).mass
2.0
)");
  m.def(
      "wheel_with_bar",
      [=](double radius, double wheel_mass, double bar_length, double bar_mass, double bar_angle) {
        positive(radius, "radius");
        positive(wheel_mass, "wheel_mass");
        positive(bar_length, "bar_length");
        positive(bar_mass, "bar_mass");
        return wheel_with_bar(radius, wheel_mass, bar_length, bar_mass, angle(bar_angle, "angle"));
      },
      nb::kw_only(), "radius"_a, "wheel_mass"_a, "bar_length"_a, "bar_mass"_a, "angle"_a,
      R"(A wheel in the plane of t1 and n with a thin bar fixed to its hub, at an angle from t1.

>>> st.wheel_with_bar(radius=0.3, wheel_mass=1.0, bar_length=0.2, bar_mass=1.0, angle=0.5).mass
2.0
)");
  m.def(
      "frictionless_line",
      [](const ArrayLike& W) { return small<3>(frictionless_line(delassus_of(W, "W"))); }, "W"_a,
      R"(The velocity changes of a contact without friction: a unit vector; zero for W_nn = 0.

>>> st.frictionless_line(np.eye(3))
array([0., 0., 1.])
)");
  m.def(
      "bounding_normal",
      [](const ArrayLike& W) { return small<3>(bounding_normal(delassus_of(W, "W"))); }, "W"_a,
      R"(With infinite friction the changes fill a half space; its unit normal, inwards.

>>> st.bounding_normal(np.eye(3))
array([0., 0., 1.])
)");
  nb::class_<ConfigurationCone>(
      m, "ConfigurationCone",
      R"(The velocity changes M⁻¹Aᵀλ of a whole system, λ in the friction cone.

>>> cone = st.configuration_cone(2 * np.eye(3), np.eye(3), 0.5)
>>> cone.map.diagonal(), cone.contact.mu_crit
(array([0.5, 0.5, 0.5]), 0.0)
)")
      .def_prop_ro(
          "jacobian", [](const ConfigurationCone& c) { return array(Eigen::MatrixXd(c.jacobian)); },
          "A, rows t1, t2, n.")
      .def_prop_ro(
          "map", [](const ConfigurationCone& c) { return array(Eigen::MatrixXd(c.map)); }, "M⁻¹Aᵀ.")
      .def_ro("contact", &ConfigurationCone::contact, "The cone at the contact, of W = A M⁻¹Aᵀ.")
      .def(
          "nearest",
          [](const ConfigurationCone& c, const ArrayLike& dv) {
            const Eigen::VectorXd change = vector(dv, "dv", c.map.rows());
            return array(without_gil([&] { return Eigen::VectorXd(c.nearest(change)); }));
          },
          "dv"_a, R"(The change nearest to dv in the kinetic metric.

>>> st.configuration_cone(np.eye(3), np.eye(3), 1.0).nearest([1.0, 0.0, 0.0])
array([0.5, 0. , 0.5])
)");
  m.def(
      "configuration_cone",
      [](const ArrayLike& M, const ArrayLike& A, const LawLike& law) {
        const Eigen::MatrixXd mass = matrix(M, "M"), rows = three_rows(A, "A");
        const LimitCurve c = curve(law, "law");
        return renamed("delassus", "A M⁻¹ Aᵀ", [&] {
          return without_gil([&] { return configuration_cone(mass, rows, c); });
        });
      },
      "M"_a, "A"_a, "law"_a,
      R"(The cone of a system with mass matrix M and contact Jacobian A, rows t1, t2, n.

>>> st.configuration_cone(2 * np.eye(3), np.eye(3), 0.5).contact.delassus.diagonal()
array([0.5, 0.5, 0.5])
)");
}

}  // namespace stiction::python
