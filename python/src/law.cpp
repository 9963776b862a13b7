// SPDX-License-Identifier: Apache-2.0
#include "bind.h"

#include <cmath>

#include "io/json.h"
#include "stiction/coulomb.h"
#include "stiction/slider_io.h"
#include "stiction/slip_law.h"

namespace stiction::python {

namespace {

Array face_rows(const Face& face) {
  if (face.kind == Face::Kind::segment) return array(std::vector<Vec2>{face.first, face.last});
  return array(std::vector<Vec2>{face.first});
}

const char* kind_name(NormalCone::Kind kind) {
  switch (kind) {
    case NormalCone::Kind::none:
      return "none";
    case NormalCone::Kind::ray:
      return "ray";
    case NormalCone::Kind::wedge:
      return "wedge";
    case NormalCone::Kind::line:
      return "line";
    case NormalCone::Kind::halfplane:
      return "halfplane";
    case NormalCone::Kind::all:
      return "all";
  }
  return "";
}

// Of numbers that compare equal, zeros of both signs among them, the hashes are equal.
std::size_t mixed(std::initializer_list<double> numbers, std::size_t seed) {
  for (const double x : numbers)
    seed ^= std::hash<double>()(x) + 0x9e3779b97f4a7c15 + (seed << 6) + (seed >> 2);
  return seed;
}
std::size_t hash_of(const Law& law) {
  std::size_t hash =
      mixed({law.mu, law.mu2, law.bearing, law.angle_deg},
            static_cast<std::size_t>(law.curve) + 16 * static_cast<std::size_t>(law.sides));
  for (const Vec2& v : law.vertices) hash = mixed({v.x(), v.y()}, hash);
  return hash;
}
std::size_t hash_of(const LimitCurve& curve) {
  const Ellipse& e = curve.ellipse();
  std::size_t hash = mixed({e.a, e.b, e.axis.x(), e.axis.y()}, curve.pieces().size());
  for (const LimitCurve::Piece& p : curve.pieces())
    hash = mixed({p.from.x(), p.from.y(), p.offset}, hash);
  return hash;
}

// One answer of a curve, which takes long only where it has many pieces.
template <class Work>
auto by_pieces(const LimitCurve& curve, const Work& work) {
  return without_gil(work, curve.pieces().size());
}

// One answer for a vector, an array of them for a batch; a batch runs without the GIL.
template <class One>
nb::object per_row(const PythonLaw& law, const ArrayLike& argument, const char* name,
                   const One& one) {
  const auto b = batch<2>(argument, name);
  if (b.single) return nb::float_(by_pieces(law.curve, [&] { return one(b.row(0)); }));
  Eigen::VectorXd out(b.size());
  {
    const nb::gil_scoped_release release;
    for (Eigen::Index i = 0; i < b.size(); ++i) out[i] = one(b.row(i));
  }
  return nb::cast(array(std::move(out)));
}

void bind_answers(nb::module_& m) {
  nb::class_<Face>(
      m, "Face",
      R"(The forces that answer one slip: a point, a segment, or at zero slip all of the curve.

>>> f = st.disc(0.5).face([0.0, 2.0])
>>> f.kind, f.unique, f.points
('point', True, array([[0. , 0.5]]))
)")
      .def_prop_ro(
          "points",
          [](const Face& f) -> nb::object {
            if (f.kind == Face::Kind::whole) return nb::none();
            return nb::cast(face_rows(f));
          },
          nb::sig("def points(self) -> numpy.typing.NDArray[numpy.float64] | None"),
          "The point, or the two ends of the segment, counter-clockwise; None at zero slip.")
      .def_prop_ro(
          "kind",
          [](const Face& f) {
            return f.kind == Face::Kind::point     ? "point"
                   : f.kind == Face::Kind::segment ? "segment"
                                                   : "whole";
          },
          "'point', 'segment' or 'whole'.")
      .def_prop_ro(
          "unique", [](const Face& f) { return f.kind == Face::Kind::point; },
          "Whether one force answers the slip.")
      .def("__repr__", [](const Face& f) {
        if (f.kind == Face::Kind::whole) return std::string("Face(whole)");
        if (f.kind == Face::Kind::point) return "Face(" + text(f.first) + ")";
        return "Face(" + text(f.first) + " to " + text(f.last) + ")";
      });
  nb::class_<NormalCone>(m, "NormalCone", R"(The slips that answer one force.

>>> cone = st.box(0.5).normals([0.5, 0.5])
>>> cone.kind, cone.directions + 0.0
('wedge', array([[1., 0.],
       [0., 1.]]))
)")
      .def_prop_ro(
          "kind", [](const NormalCone& n) { return kind_name(n.kind); },
          "'none' (only zero slip), 'ray', 'wedge', 'line', 'halfplane' or 'all'.")
      .def_prop_ro(
          "directions",
          [](const NormalCone& n) {
            std::vector<Vec2> rows;
            if (n.directions() > 0) rows.push_back(n.first);
            if (n.directions() > 1) rows.push_back(n.last);
            return array(rows);
          },
          "The unit vectors that bound the cone, counter-clockwise.")
      .def("__repr__", [](const NormalCone& n) {
        return std::string("NormalCone(") + kind_name(n.kind) + ")";
      });
}

void bind_class(nb::module_& m) {
  nb::class_<PythonLaw>(
      m, "Law", R"(A friction law: its limit curve, the forces on the ground per unit normal force.

Slips and forces are arrays of shape (2,) or, as a batch, (n, 2).

>>> st.ngon(0.5, 8)
Law('ngon:0.5,8')
>>> st.Law("rusty:0.8,0.2,90") == st.rusty_wheel(0.8, 0.2, np.pi / 2)
True
)")
      .def(
          "__init__",
          [](PythonLaw* self, const LawLike& law) {
            const Law found = python::law(law, "law");
            new (self) PythonLaw(without_gil([&] { return PythonLaw(found); }));
          },
          "law"_a, "From the text of the command line (angles in degrees), or a coefficient.")
      .def(
          "support",
          [](const PythonLaw& l, const ArrayLike& slip) {
            return per_row(l, slip, "slip", [&](const Vec2& v) { return l.curve.support(v); });
          },
          "slip"_a,
          nb::sig("def support(self, slip: numpy.typing.ArrayLike) -> float | "
                  "numpy.typing.NDArray[numpy.float64]"),
          R"(Dissipated power per unit normal force: the support function h of the curve.

>>> st.disc(0.5).support([1.0, 0.0])
0.5
>>> st.disc(0.5).support([[1.0, 0.0], [3.0, 4.0]])
array([0.5, 2.5])
)")
      .def(
          "gauge",
          [](const PythonLaw& l, const ArrayLike& force) {
            return per_row(l, force, "force", [&](const Vec2& f) { return l.curve.gauge(f); });
          },
          "force"_a,
          nb::sig("def gauge(self, force: numpy.typing.ArrayLike) -> float | "
                  "numpy.typing.NDArray[numpy.float64]"),
          R"(The least factor of the curve that holds the force; infinite where none does.

>>> st.disc(0.5).gauge([0.3, 0.4])
1.0
)")
      .def(
          "contains",
          [](const PythonLaw& l, const ArrayLike& force, double normal_force) -> nb::object {
            const auto b = batch<2>(force, "force");
            if (!std::isfinite(normal_force) || normal_force < 0)
              refuse("normal_force", text(normal_force), "zero or more");
            if (b.single)
              return nb::bool_(
                  by_pieces(l.curve, [&] { return l.curve.contains(b.row(0), normal_force); }));
            auto* out = new bool[static_cast<std::size_t>(b.size())];
            const nb::capsule owner(out, [](void* p) noexcept { delete[] static_cast<bool*>(p); });
            {
              const nb::gil_scoped_release release;
              for (Eigen::Index i = 0; i < b.size(); ++i)
                out[i] = l.curve.contains(b.row(i), normal_force);
            }
            return nb::cast(Out<bool>(out, {static_cast<std::size_t>(b.size())}, owner));
          },
          "force"_a, "normal_force"_a = 1.0,
          nb::sig("def contains(self, force: numpy.typing.ArrayLike, normal_force: float = 1.0) -> "
                  "bool | numpy.typing.NDArray[numpy.bool_]"),
          R"(Whether the contact can carry the force; the boundary belongs to it.

>>> st.pyramid(0.5).contains([0.3, 0.4])
False
)")
      .def(
          "project",
          [](const PythonLaw& l, const ArrayLike& force) -> nb::object {
            const auto b = batch<2>(force, "force");
            if (b.single)
              return nb::cast(
                  small<2>(by_pieces(l.curve, [&] { return l.curve.project(b.row(0)); })));
            Rows2 out(b.size(), 2);
            {
              const nb::gil_scoped_release release;
              for (Eigen::Index i = 0; i < b.size(); ++i) out.row(i) = l.curve.project(b.row(i));
            }
            return nb::cast(array(std::move(out)));
          },
          "force"_a,
          nb::sig("def project(self, force: numpy.typing.ArrayLike) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          R"(The nearest force of the curve.

>>> st.disc(0.5).project([3.0, 4.0])
array([0.3, 0.4])
)")
      .def(
          "face",
          [](const PythonLaw& l, const ArrayLike& slip) {
            const Vec2 v = vec<2>(slip, "slip");
            return by_pieces(l.curve, [&] { return l.curve.face(v); });
          },
          "slip"_a, R"(Every force that answers a slip.

>>> st.box(0.5).face([1.0, 0.0])
Face((0.5, -0.5) to (0.5, 0.5))
>>> st.box(0.5).face([1.0, 0.0]).points
array([[ 0.5, -0.5],
       [ 0.5,  0.5]])
)")
      .def(
          "faces",
          [](const PythonLaw& l, const ArrayLike& slips) {
            const auto b = batch<2>(slips, "slips");
            std::vector<Face> list(static_cast<std::size_t>(b.size()));
            auto* out = new Eigen::Matrix<double, Eigen::Dynamic, 4, Eigen::RowMajor>(b.size(), 4);
            const nb::capsule owner(out, [](void* p) noexcept {
              delete static_cast<Eigen::Matrix<double, Eigen::Dynamic, 4, Eigen::RowMajor>*>(p);
            });
            {
              const nb::gil_scoped_release release;
              stiction::face(l.curve, b.rows(), list);
              for (std::size_t i = 0; i < list.size(); ++i) {
                const Face& f = list[i];
                const auto row = static_cast<Eigen::Index>(i);
                if (f.kind == Face::Kind::whole)
                  out->row(row).setConstant(std::nan(""));
                else
                  out->row(row) << f.first.transpose(),
                      (f.kind == Face::Kind::segment ? f.last : f.first).transpose();
              }
            }
            return Array(out->data(), {list.size(), 2, 2}, owner);
          },
          "slips"_a,
          R"(The faces of many slips, shape (n, 2, 2): the two ends of each, equal where one force
answers, NaN at zero slip.

>>> st.pyramid(0.5).faces([[1.0, 0.0], [1.0, 1.0]])
array([[[0.5, 0. ],
        [0.5, 0. ]],
<BLANKLINE>
       [[0.5, 0. ],
        [0. , 0.5]]])
)")
      .def(
          "normals",
          [](const PythonLaw& l, const ArrayLike& force) {
            const Vec2 f = vec<2>(force, "force");
            return by_pieces(l.curve, [&] { return l.curve.normals(f); });
          },
          "force"_a, R"(Every slip that answers a force; None for a force outside.

>>> st.box(0.5).normals([0.5, 0.5])
NormalCone(wedge)
>>> st.box(0.5).normals([0.6, 0.0]) is None
True
)")
      .def(
          "rotated",
          [](const PythonLaw& l, double angle) {
            const double by = degrees(angle, "angle");
            return without_gil([&] {
              return l.law ? PythonLaw(turned(*l.law, by))
                           : PythonLaw(l.curve.rotated(Direction::degrees(by)));
            });
          },
          "angle"_a, R"(The law on a body turned counter-clockwise, in radians.

>>> st.wheel(0.8, 0.0).rotated(np.pi / 2)
Law('wheel:0.8,90')
)")
      .def(
          "clipped",
          [](const PythonLaw& l, const ArrayLike& normal, double bound) {
            if (!(std::isfinite(bound) && bound >= 0)) refuse("bound", text(bound), "zero or more");
            const Vec2 given = vec<2>(normal, "normal");
            const Direction n = about("normal", [&] { return Direction::along(given); });
            return without_gil([&] { return PythonLaw(l.curve.clipped(n, bound)); });
          },
          "normal"_a, "bound"_a, R"(Cut to the forces with n·f ≤ bound, n the unit normal.

>>> st.disc(0.5).clipped([1, 0], 0.2).support([1, 0])
0.2
)")
      .def(
          "outline",
          [](const PythonLaw& l, double step) {
            if (!(step > 1e-6 && std::isfinite(step)))
              refuse("step", text(step), "more than 1e-6 radians");
            return array(without_gil([&] { return outline(l.curve, step); }));
          },
          "step"_a = 0.05, R"(The boundary as a closed polyline, counter-clockwise, shape (n, 2).

>>> st.box(0.5).outline().shape
(4, 2)
)")
      .def_prop_ro(
          "area",
          [](const PythonLaw& l) { return by_pieces(l.curve, [&] { return l.curve.area(); }); },
          "Of the curve.")
      .def_prop_ro(
          "inscribed_radius",
          [](const PythonLaw& l) {
            return by_pieces(l.curve, [&] { return l.curve.inscribed_radius(); });
          },
          "Of the largest disc about the origin inside it.")
      .def_prop_ro(
          "circumscribed_radius",
          [](const PythonLaw& l) {
            return by_pieces(l.curve, [&] { return l.curve.circumscribed_radius(); });
          },
          "Of the smallest disc about the origin around it.")
      .def_prop_ro(
          "vertices",
          [](const PythonLaw& l) {
            return array(by_pieces(l.curve, [&] { return l.curve.vertices(); }));
          },
          "Of the boundary, counter-clockwise, shape (n, 2).")
      .def(
          "scaled",
          [](const PythonLaw& l, double factor) {
            if (!(std::isfinite(factor) && factor >= 0))
              refuse("factor", text(factor), "zero or more");
            return about("factor", [&] {
              return without_gil([&] { return PythonLaw(l.curve.scaled(factor)); });
            });
          },
          "factor"_a, R"(Every force times a factor.

>>> st.box(0.5).scaled(2.0).support([1, 0])
1.0
)")
      .def(
          "project_with_derivative",
          [](const PythonLaw& l, const ArrayLike& force) {
            const Vec2 f = vec<2>(force, "force");
            const auto p = by_pieces(l.curve, [&] { return l.curve.project_with_derivative(f); });
            return nb::make_tuple(small<2>(p.point), array(Eigen::MatrixXd(p.derivative)));
          },
          "force"_a,
          nb::sig("def project_with_derivative(self, force: numpy.typing.ArrayLike) -> "
                  "tuple[numpy.typing.NDArray[numpy.float64], "
                  "numpy.typing.NDArray[numpy.float64]]"),
          R"(The nearest force and its derivative, (2, 2); at kinks one of the one-sided ones.

>>> st.box(0.5).project_with_derivative([2.0, 0.1])[1] + 0.0
array([[0., 0.],
       [0., 1.]])
)")
      .def(
          "half_planes",
          [](const PythonLaw& l) {
            const auto found = by_pieces(l.curve, [&] { return l.curve.half_planes(); });
            std::vector<Vec2> normals;
            Eigen::VectorXd offsets(static_cast<Eigen::Index>(found.size()));
            for (const HalfPlane& half : found) {
              offsets[static_cast<Eigen::Index>(normals.size())] = half.offset;
              normals.push_back(half.normal);
            }
            return nb::make_tuple(array(normals), array(std::move(offsets)));
          },
          nb::sig("def half_planes(self) -> tuple[numpy.typing.NDArray[numpy.float64], "
                  "numpy.typing.NDArray[numpy.float64]]"),
          R"(Of a polygonal law: unit normals, (n, 2), and offsets with n·f ≤ offset.

>>> st.box(0.5).half_planes()[1]
array([0.5, 0.5, 0.5, 0.5])
)")
      .def_prop_ro(
          "extreme_points",
          [](const PythonLaw& l) {
            return array(by_pieces(l.curve, [&] { return l.curve.extreme_points(); }));
          },
          "Points of the boundary whose distance from the origin can be the least or greatest.")
      .def(
          "with_bearing",
          [](const PythonLaw& l, double roll, double bearing) {
            const Direction along = Direction::degrees(degrees(roll, "roll"));
            return without_gil([&] { return PythonLaw(with_bearing(l.curve, along, bearing)); });
          },
          "roll"_a, "bearing"_a = 0.0,
          R"(On a wheel that rolls along `roll` (radians) with some friction in its bearing.

>>> st.disc(0.8).with_bearing(0.0, 0.2).support([1.0, 0.0])
0.2
)")
      .def(
          "with_ratchet",
          [](const PythonLaw& l, double roll, double bearing) {
            const Direction along = Direction::degrees(degrees(roll, "roll"));
            return without_gil([&] { return PythonLaw(with_ratchet(l.curve, along, bearing)); });
          },
          "roll"_a, "bearing"_a = 0.0,
          R"(On a wheel that rolls towards `roll` and locks the other way.

>>> st.disc(0.8).with_ratchet(0.0).support([-1.0, 0.0])
0.8
)")
      .def_static(
          "from_json",
          [](const std::string& text) {
            return without_gil([&] {
              const io::Json json = about("text", [&] { return io::parse_json(text); });
              return PythonLaw(io::law_from_json(io::Field(json, "law")));
            });
          },
          "text"_a, R"(From a law as files hold it, angles in degrees.

>>> st.Law.from_json('{"curve": "wheel", "mu": 0.8, "roll_deg": 90}')
Law('wheel:0.8,90')
)")
      .def(
          "to_json",
          [](const PythonLaw& l) {
            const Law found = named(l, "law");
            return without_gil([&] { return io::to_json(found).dump(); });
          },
          R"(As files hold it, angles in degrees.

>>> st.wheel(0.8, np.pi / 2).to_json()
'{"curve":"wheel","mu":0.8,"roll_deg":90.0}'
)")
      .def_prop_ro(
          "polygonal", [](const PythonLaw& l) { return l.curve.is_polygonal(); },
          "Whether it has no arcs.")
      .def_prop_ro(
          "text", [](const PythonLaw& l) { return to_text(named(l, "law")); },
          "As the command line writes it, angles in degrees.")
      .def_prop_ro(
          "mu", [](const PythonLaw& l) { return reference_coefficient(named(l, "law")); },
          "The coefficient that errors are measured against.")
      .def(
          "__eq__",
          [](const PythonLaw& a, nb::handle b) {
            const PythonLaw* other = nullptr;
            if (!nb::try_cast(b, other, false) || other == nullptr) return false;
            const auto left = named(a), right = named(*other);
            return left || right ? left == right : a.curve == other->curve;
          },
          nb::sig("def __eq__(self, arg: object, /) -> bool"),
          "Whether both are the same law; of curves without a name, whether all numbers are.")
      .def("__hash__",
           [](const PythonLaw& l) {
             const auto found = named(l);
             return found ? hash_of(*found) : hash_of(l.curve);
           })
      .def("__repr__", [](const PythonLaw& l) {
        const auto found = named(l);
        return found ? "Law('" + to_text(*found) + "')" : "Law(<cut curve>)";
      });
}

}  // namespace

void bind_law(nb::module_& m) {
  bind_answers(m);
  bind_class(m);
  bind_law_makers(m);
}

}  // namespace stiction::python
