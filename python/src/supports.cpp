// SPDX-License-Identifier: Apache-2.0
#include "slider_bind.h"

namespace stiction::python {

namespace {

const char* shape_name(Support::Shape shape) {
  static constexpr const char* names[] = {"point", "segment", "polygon", "disc",
                                          "ring",  "annulus", "grid"};
  return names[static_cast<int>(shape)];
}

}  // namespace

void bind_supports(nb::module_& m) {
  nb::class_<Support>(m, "Support",
                      R"(Where a body touches the ground, with what force and which law.

>>> s = st.disc_support([1, 2], 0.5, 3.0, 0.3)
>>> s.at, s.radius, s.law
(array([1., 2.]), 0.5, Law('disc:0.3'))
)")
      .def_prop_ro(
          "shape", [](const Support& s) { return shape_name(s.shape); },
          "'point', 'segment', 'polygon', 'disc', 'ring', 'annulus' or 'grid'.")
      .def_ro("normal_force", &Support::normal_force, "Of the whole support [N].")
      .def_prop_ro(
          "law", [](const Support& s) { return PythonLaw(s.curve); },
          "Per unit normal force, turned by its heading.")
      .def_prop_ro(
          "at", [](const Support& s) { return small<2>(s.at); },
          "Point, start of a segment, centre, or corner of a grid [m].")
      .def_prop_ro(
          "to", [](const Support& s) { return small<2>(s.to); }, "End of a segment [m].")
      .def_ro("radius", &Support::radius, "Of a disc, ring or annulus [m].")
      .def_ro("inner_radius", &Support::inner_radius, "Of an annulus [m].")
      .def_ro("tangential", &Support::tangential, "Of a ring: the law's x axis runs along it.")
      .def_prop_ro(
          "vertices", [](const Support& s) { return array(s.vertices); },
          "Of a polygon, counter-clockwise [m].")
      .def_ro("cell", &Support::cell, "Side of a grid's square cells [m].")
      .def_prop_ro(
          "cells",
          [](const Support& s) { return s.cells == Support::Cells::points ? "points" : "squares"; },
          "Of a grid: 'squares' that press evenly, or 'points' at their centres.")
      .def_prop_ro(
          "pressures", [](const Support& s) { return array(s.pressures); }, "Of a grid [N/m²].")
      .def("__repr__", [](const Support& s) {
        return std::string("Support(") + shape_name(s.shape) + " at " + text(s.at) + ", " +
               text(s.normal_force) + " N)";
      });
  m.def(
      "point",
      [](const ArrayLike& at, double normal_force, const LawLike& law) {
        return point(vec<2>(at, "at"), normal_force, curve(law, "law"));
      },
      "at"_a, "normal_force"_a, "law"_a, R"(A point of contact.

>>> st.point([0, 1], 0.5, 1.0)
Support(point at (0, 1), 0.5 N)
)");
  m.def(
      "segment",
      [](const ArrayLike& start, const ArrayLike& end, double normal_force, const LawLike& law) {
        const Vec2 from = vec<2>(start, "start"), to = vec<2>(end, "end");
        const LimitCurve c = curve(law, "law");
        try {
          return segment(from, to, normal_force, c);
        } catch (const InvalidInput& error) {  // `from` is no name in Python
          const std::string said = error.what();
          const bool places = said.starts_with("from is") || said.starts_with("to is");
          throw InvalidInput(places ? "start (from), end (to): " + said : said);
        }
      },
      "start"_a, "end"_a, "normal_force"_a, "law"_a, R"(A line of contact under even pressure.

>>> st.segment([0, 0], [1, 0], 2.0, 0.5).shape
'segment'
)");
  m.def(
      "polygon_support",
      [](const ArrayLike& vertices, double normal_force, const LawLike& law,
         const std::vector<nb::object>& holes) {
        std::vector<std::vector<Vec2>> cut;
        for (std::size_t i = 0; i < holes.size(); ++i)
          cut.push_back(points({holes[i]}, ("holes[" + std::to_string(i) + "]").c_str()));
        const std::vector<Vec2> outer = points(vertices, "vertices");
        const LimitCurve c = curve(law, "law");
        return without_gil([&] { return polygon_support(outer, cut, normal_force, c); });
      },
      "vertices"_a, "normal_force"_a, "law"_a, nb::kw_only(), "holes"_a = nb::list(),
      nb::sig("def polygon_support(vertices: numpy.typing.ArrayLike, normal_force: float, law: Law "
              "| float | str, *, holes: collections.abc.Sequence[numpy.typing.ArrayLike] = []) -> "
              "Support"),
      R"(A polygon under even pressure, with holes.

>>> st.polygon_support([[0, 0], [1, 0], [1, 1], [0, 1]], 2.0, 0.3).normal_force
2.0
)");
  m.def(
      "disc_support",
      [](const ArrayLike& centre, double radius, double normal_force, const LawLike& law,
         const std::string& pressure) {
        const auto p = pressure == "uniform" ? Support::Pressure::uniform
                       : pressure == "hertz" ? Support::Pressure::hertz
                       : pressure == "boussinesq"
                           ? Support::Pressure::boussinesq
                           : throw InvalidInput("pressure is " + quoted(pressure) +
                                                ", expected 'uniform', 'hertz' or 'boussinesq'");
        return disc_support(vec<2>(centre, "centre"), radius, normal_force, curve(law, "law"), p);
      },
      "centre"_a, "radius"_a, "normal_force"_a, "law"_a, nb::kw_only(), "pressure"_a = "uniform",
      R"(A disc under 'uniform', 'hertz' or 'boussinesq' pressure.

>>> slider = st.Slider([st.disc_support([0, 0], 1.0, 1.0, 1.0)])
>>> round(slider.load([0, 0, 1]).power, 12)
0.666666666667
)");
  m.def(
      "ring",
      [](const ArrayLike& centre, double radius, double normal_force, const LawLike& law,
         bool tangential) {
        return ring(vec<2>(centre, "centre"), radius, normal_force, curve(law, "law"), tangential);
      },
      "centre"_a, "radius"_a, "normal_force"_a, "law"_a, nb::kw_only(), "tangential"_a = false,
      R"(A circle of contact; tangential: the law's x axis runs along it.

>>> st.ring([0, 0], 1.0, 1.0, 0.5).shape
'ring'
)");
  m.def(
      "annulus",
      [](const ArrayLike& centre, double radius, double inner_radius, double normal_force,
         const LawLike& law) {
        return annulus(vec<2>(centre, "centre"), radius, inner_radius, normal_force,
                       curve(law, "law"));
      },
      "centre"_a, "radius"_a, "inner_radius"_a, "normal_force"_a, "law"_a,
      R"(A disc with a round hole.

>>> st.annulus([0, 0], 1.0, 0.5, 1.0, 0.5).shape
'annulus'
)");
  m.def(
      "grid",
      [](const ArrayLike& origin, double cell, const ArrayLike& pressures, const LawLike& law,
         const std::string& cells) {
        if (cells != "squares" && cells != "points")
          throw InvalidInput("cells is " + quoted(cells) + ", expected 'squares' or 'points'");
        const auto as = cells == "points" ? Support::Cells::points : Support::Cells::squares;
        const Eigen::MatrixXd p = matrix(pressures, "pressures");
        const Vec2 corner = vec<2>(origin, "origin");
        const LimitCurve c = curve(law, "law");
        return renamed("pressure", "pressures",
                       [&] { return without_gil([&] { return grid(corner, cell, p, c, as); }); });
      },
      "origin"_a, "cell"_a, "pressures"_a, "law"_a, nb::kw_only(), "cells"_a = "squares",
      R"(Square cells, each under its own pressure [N/m²]; row i, column j is the cell at (j, i)·cell.

With cells='points' each cell presses at its centre alone: loads come about ten times sooner, with an
error of a few 1e-3 at ten cells a side and 1e-5 at a hundred.

>>> st.grid([0, 0], 0.5, [[1.0, 2.0]], 0.3).normal_force
0.75
>>> st.Slider([st.grid([0, 0], 0.5, [[1.0, 2.0]], 0.3, cells="points")]).supports[1].at
array([0.75, 0.25])
)");
}

}  // namespace stiction::python
