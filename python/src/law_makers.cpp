// SPDX-License-Identifier: Apache-2.0
//
// The named laws.
#include "bind.h"

namespace stiction::python {

namespace {

PythonLaw make(Law::Curve curve, double mu, double angle_deg = 0) {
  Law law;
  law.curve = curve;
  law.mu = mu;
  law.angle_deg = angle_deg;
  return PythonLaw(law);
}

PythonLaw make_ngon(Law::Curve curve, double mu, int sides) {
  Law law;
  law.curve = curve;
  law.mu = mu;
  law.sides = sides;
  return without_gil([&] { return PythonLaw(law); });
}

}  // namespace

void bind_law_makers(nb::module_& m) {
  using C = Law::Curve;
  m.def(
      "disc", [](double mu) { return make(C::disc, mu); }, "mu"_a,
      R"(Coulomb's isotropic disc, ‖f‖ ≤ μ.

>>> st.disc(0.5).support([1.0, 0.0])
0.5
)");
  m.def(
      "ellipse",
      [](double mu1, double mu2, double angle) {
        Law law;
        law.curve = C::ellipse;
        law.mu = mu1;
        law.mu2 = mu2;
        law.angle_deg = degrees(angle, "angle");
        return PythonLaw(law);
      },
      "mu1"_a, "mu2"_a, "angle"_a = 0.0,
      R"(An ellipse with semi-axis μ1 at `angle` (radians) and μ2 across it.

>>> st.ellipse(0.5, 0.3).support([0.0, 1.0])
0.3
)");
  m.def(
      "wheel", [](double mu, double roll) { return make(C::wheel, mu, degrees(roll, "roll")); },
      "mu"_a, "roll"_a = 0.0, R"(An ideal wheel or skate that rolls freely along `roll` (radians).

>>> st.wheel(0.8).support([1.0, 0.0])
0.0
)");
  m.def(
      "rusty_wheel",
      [](double mu, double bearing, double roll) {
        Law law;
        law.curve = C::rusty_wheel;
        law.mu = mu;
        law.bearing = bearing;
        law.angle_deg = degrees(roll, "roll");
        return PythonLaw(law);
      },
      "mu"_a, "bearing"_a, "roll"_a = 0.0,
      R"(A wheel with friction in its bearing, over the normal force.

>>> st.rusty_wheel(0.8, 0.2).support([1.0, 0.0])
0.2
)");
  m.def(
      "ratchet", [](double mu, double roll) { return make(C::ratchet, mu, degrees(roll, "roll")); },
      "mu"_a, "roll"_a = 0.0, R"(A wheel that rolls freely towards `roll` and locks the other way.

>>> st.ratchet(0.8).support([-1.0, 0.0])
0.8
)");
  m.def(
      "free", [] { return make(C::free, 0); }, R"(Carries nothing.

>>> st.free().support([1.0, 2.0])
0.0
)");
  m.def(
      "ratchet_free",
      [](double mu, double roll) { return make(C::ratchet_free, mu, degrees(roll, "roll")); },
      "mu"_a, "roll"_a = 0.0, R"(Resists only motion against `roll`.

>>> st.ratchet_free(0.8).support([0.0, 1.0])
0.0
)");
  m.def(
      "pyramid", [](double mu) { return make(C::pyramid, mu); }, "mu"_a, R"(|f1| + |f2| ≤ μ.

>>> st.pyramid(0.5).support([1.0, 1.0])
0.5
)");
  m.def(
      "box", [](double mu) { return make(C::box, mu); }, "mu"_a, R"(|f1|, |f2| ≤ μ.

>>> st.box(0.5).support([1.0, 1.0])
1.0
)");
  m.def(
      "scaled_box", [](double mu) { return make(C::scaled_box, mu); }, "mu"_a,
      R"(|f1|, |f2| ≤ μ/√2: a box inside the disc.

>>> round(st.scaled_box(1.0).support([1.0, 0.0]), 4)
0.7071
)");
  m.def(
      "ngon", [](double mu, int sides) { return make_ngon(C::ngon, mu, sides); }, "mu"_a, "sides"_a,
      R"(A regular polygon inside the disc.

>>> round(st.ngon(0.5, 4).support([1.0, 0.0]), 4)
0.3536
)");
  m.def(
      "ngon_out", [](double mu, int sides) { return make_ngon(C::ngon_out, mu, sides); }, "mu"_a,
      "sides"_a,
      R"(A regular polygon around the disc.

>>> st.ngon_out(0.5, 8).support([1.0, 0.0])
0.5
)");
  m.def(
      "polygon",
      [](const ArrayLike& vertices) {
        Law law;
        law.curve = C::polygon;
        law.vertices = points(vertices, "vertices");
        return renamed("polygon", "vertices",
                       [&] { return without_gil([&] { return PythonLaw(law); }); });
      },
      "vertices"_a, R"(The convex hull of points of shape (n, 2), the origin in it.

>>> st.polygon([[1, 0], [0, 1], [-1, 0], [0, -1]]).support([1.0, 0.0])
1.0
)");
}

}  // namespace stiction::python
