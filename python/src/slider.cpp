// SPDX-License-Identifier: Apache-2.0
#include "stiction/slider.h"

#include <nanobind/stl/filesystem.h>

#include "base/file.h"
#include "slider_bind.h"
#include "stiction/slider_io.h"
#include "stiction/slider_motion.h"
#include "watch.h"

namespace stiction::python {

namespace {

// Rows of a batch between two looks at the clock.
constexpr Eigen::Index batch_piece = 1024;

SliderBody body_of(const std::string& name, const std::optional<ArrayLike>& reference,
                   std::optional<double> length_scale, std::optional<double> mass,
                   std::optional<double> inertia, const std::optional<ArrayLike>& centre_of_mass) {
  SliderBody body;
  body.name = name;
  if (reference) body.reference = vec<2>(*reference, "reference");
  body.length_scale = length_scale;
  body.mass = mass;
  body.inertia = inertia;
  if (centre_of_mass) body.centre_of_mass = vec<2>(*centre_of_mass, "centre_of_mass");
  return body;
}

nb::object batch_loads(const PythonSlider& self, const ArrayLike& motions, nb::object out,
                       const nb::object& progress) {
  const auto b = batch<3>(motions, "motions", false);
  if (b.single) refuse("motions", "an array of shape (3,)", "shape (n, 3)");
  const auto rows = static_cast<std::size_t>(b.size());
  nb::ndarray<double, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu> target;
  if (out.is_none())  // numpy asks for large pages, which are filled sooner
    out = nb::module_::import_("numpy").attr("empty")(nb::make_tuple(rows, 3));
  if (!is_numpy(out) || !nb::try_cast(out, target, false) || target.shape(0) != rows)
    refuse("out", "another kind of array",
           "a C-contiguous array of doubles of shape (" + std::to_string(rows) + ", 3)");
  Watch watch(progress);
  Eigen::Map<Rows3> answer(target.data(), b.size(), 3);
  Eigen::Index done = 0;
  try {
    done = in_pieces(watch, b.size(), batch_piece, [&](Eigen::Index first, Eigen::Index count) {
      loads(self.slider, b.rows().middleRows(first, count), answer.middleRows(first, count));
    });
  } catch (const InvalidInput&) {
    numbers(motions, "motions");  // says which of all rows is not finite
    throw;
  }
  const nb::object reached = done == b.size() ? out : out[nb::slice(done)];
  watch.finish(reached);
  return reached;
}

void bind_answers(nb::module_& m) {
  nb::class_<FaceTerm>(
      m, "FaceTerm",
      R"(One support's part of a face of loads; the face is their Minkowski sum about its centre.

>>> term = st.Slider([st.point([0, 0], 1.0, 0.5)]).load([0, 0, 1]).terms[0]
>>> term.support, term.kind, term.points.shape
(0, 'ellipse', (2, 3))
)")
      .def_ro("support", &FaceTerm::support, "Its index.")
      .def_prop_ro(
          "kind",
          [](const FaceTerm& t) {
            static constexpr const char* names[] = {"ellipse", "segment", "polygon", "curve"};
            return names[static_cast<int>(t.kind)];
          },
          "'ellipse' (two conjugate half axes), 'segment' (its half), 'polygon' or 'curve' "
          "(points).")
      .def_prop_ro(
          "points", [](const FaceTerm& t) { return array(t.points); }, "Rows Fx, Fy, M.");
  nb::class_<LoadSet>(m, "LoadSet", R"(The loads of one motion.

>>> loads = st.Slider([st.point([0, 0], 1.0, 0.5)]).load([0, 0, 1])  # it turns on the spot
>>> loads.load, loads.unique, len(loads.terms)
(array([0., 0., 0.]), False, 1)
)")
      .def_prop_ro(
          "load", [](const LoadSet& l) { return small<3>(l.load.vector()); },
          "Fx, Fy, M on the ground; the face's centre where not unique [N, N, N m].")
      .def_ro("power", &LoadSet::power, "Dissipated [W].")
      .def_ro("unique", &LoadSet::unique, "Whether one load answers.")
      .def_ro("terms", &LoadSet::terms, "What the face is the sum of, where not unique.")
      .def("__repr__", [](const LoadSet& l) {
        return "LoadSet((" + text(l.load.fx) + ", " + text(l.load.fy) + ", " + text(l.load.moment) +
               ")" + (l.unique ? ")" : ", not unique)");
      });
  nb::class_<MotionCertificate>(m, "MotionCertificate",
                                R"(Recomputed from the slider, the load and the motion alone.

>>> c = st.Slider.from_file("scenes/tripod.json").motion([0.3, 0.1, 0.02]).certificate
>>> c.distance < 1e-9
True
)")
      .def_ro("power", &MotionCertificate::power, "H(Q) [W].")
      .def_ro("work", &MotionCertificate::work, "P·Q [W].")
      .def_ro("distance", &MotionCertificate::distance,
              "Of the scaled load from the motion's loads, relative.");
  nb::class_<MotionSet>(m, "MotionSet", R"(The motions that one load causes.

>>> m = st.Slider.from_file("scenes/dumbbell.json").motion([2.0, 0, 0])
>>> m.state, m.gauge, m.motion
('outside', 2.0, array([1., 0., 0.]))
)")
      .def_prop_ro(
          "state",
          [](const MotionSet& s) {
            return s.state == MotionSet::State::stick  ? "stick"
                   : s.state == MotionSet::State::slip ? "slip"
                                                       : "outside";
          },
          "'stick', 'slip' (on the limit surface) or 'outside'.")
      .def_ro("gauge", &MotionSet::gauge,
              "The load over the limit surface; infinite where no friction resists.")
      .def_prop_ro(
          "motion", [](const MotionSet& s) { return small<3>(s.motion.vector()); },
          "vx, vy, ω that the load scaled to the surface causes, with vx² + vy² + (ρω)² = 1.")
      .def_ro("unique", &MotionSet::unique, "Whether one motion answers.")
      .def_prop_ro(
          "wedge", [](const MotionSet& s) { return motions_array(s.wedge); },
          "The motions that bound the others, a row each.")
      .def_prop_ro(
          "rotation_centre", [](const MotionSet& s) { return or_none(s.rotation_centre); },
          nb::sig("def rotation_centre(self) -> numpy.typing.NDArray[numpy.float64] | None"),
          "None for a translation [m].")
      .def_ro("certificate", &MotionSet::certificate, "Proof of the answer.")
      .def("__repr__", [](const MotionSet& s) {
        return "MotionSet((" + text(s.motion.vx) + ", " + text(s.motion.vy) + ", " +
               text(s.motion.omega) + "), gauge=" + (std::isinf(s.gauge) ? "inf" : text(s.gauge)) +
               ")";
      });
}

}  // namespace

Array motions_array(const std::vector<Motion>& motions) {
  std::vector<Vec3> rows;
  rows.reserve(motions.size());
  for (const Motion& motion : motions) rows.push_back(motion.vector());
  return array(rows);
}

void bind_slider(nb::module_& m) {
  bind_supports(m);
  bind_answers(m);
  nb::class_<PythonSlider> c(m, "Slider",
                             R"(A rigid body that slides on a plane under known pressure.

>>> bar = st.Slider([st.point([0, -1], 0.5, 1.0), st.point([0, 1], 0.5, 1.0)])
>>> bar.load([1, 0, 0]).load
array([1., 0., 0.])
)");
  c.def(
       "__init__",
       [](PythonSlider* self, const std::vector<Support>& supports, const std::string& name,
          std::optional<ArrayLike> reference, std::optional<double> length_scale,
          std::optional<double> mass, std::optional<double> inertia,
          std::optional<ArrayLike> centre_of_mass) {
         const SliderBody body =
             body_of(name, reference, length_scale, mass, inertia, centre_of_mass);
         new (self) PythonSlider{without_gil([&] { return Slider(supports, body); }),
                                 {body, supports, {}, {}}};
       },
       "supports"_a, nb::kw_only(), "name"_a = "", "reference"_a = nb::none(),
       "length_scale"_a = nb::none(), "mass"_a = nb::none(), "inertia"_a = nb::none(),
       "centre_of_mass"_a = nb::none(),
       "Motions and moments refer to `reference`; inertia is about the centre of mass.")
      .def_static(
          "from_file",
          [](const std::filesystem::path& path) {
            const nb::gil_scoped_release release;
            SliderFile file = read_slider_file(path);
            Slider slider = file.slider();
            return PythonSlider{std::move(slider), std::move(file)};
          },
          "path"_a, R"(From a slider file.

>>> st.Slider.from_file("scenes/tripod.json").name
'tripod'
)")
      .def_static(
          "from_json",
          [](const std::string& text) {
            const nb::gil_scoped_release release;
            SliderFile file = parse_slider_file(text, "text");
            Slider slider = file.slider();
            return PythonSlider{std::move(slider), std::move(file)};
          },
          "text"_a, R"(From the text of a slider file.

>>> st.Slider.from_json('{"supports": [{"type": "point", "at": [0, 1], "normal_force": 1, "law": {"curve": "disc", "mu": 0.5}}]}')
Slider('', 1 supports)
)")
      .def(
          "to_json",
          [](const PythonSlider& s) {
            return without_gil([&] {
              SliderFile file = s.file;
              if (file.laws.empty()) file.headings_deg.assign(file.supports.size(), 0.0);
              for (std::size_t i = file.laws.size(); i < file.supports.size(); ++i)
                file.laws.push_back(named(PythonLaw(file.supports[i].curve),
                                          ("supports[" + std::to_string(i) + "].law").c_str()));
              return slider_json(file);
            });
          },
          R"(The text of a slider file, laws by name; a ValueError where a curve has none.

>>> s = st.Slider([st.point([0, 1], 1.0, 0.5)], name="foot")
>>> st.Slider.from_json(s.to_json())
Slider('foot', 1 supports)
)")
      .def(
          "load",
          [](const PythonSlider& s, const ArrayLike& motion) {
            const Vec3 q = vec<3>(motion, "motion");
            const nb::gil_scoped_release release;
            return load(s.slider, Motion::of(q));
          },
          "motion"_a, R"(The loads on the ground that a motion vx, vy, ω causes, all of them.

>>> st.Slider.from_file("scenes/dumbbell.json").load([1, 0, 0.5]).unique
True
)")
      .def(
          "power_derivatives",
          [](const PythonSlider& s, const ArrayLike& motion) {
            const Vec3 q = vec<3>(motion, "motion");
            const PowerDerivatives d =
                without_gil([&] { return power_derivatives(s.slider, Motion::of(q)); });
            return nb::make_tuple(d.power, small<3>(d.load), array(Eigen::MatrixXd(d.hessian)));
          },
          "motion"_a,
          nb::sig("def power_derivatives(self, motion: numpy.typing.ArrayLike) -> tuple[float, "
                  "numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]"),
          R"(The dissipated power, the load and ∂load/∂motion.

>>> power, load, hessian = st.Slider.from_file("scenes/dumbbell.json").power_derivatives([1, 0, 0])
>>> power, load, hessian.shape
(1.0, array([1., 0., 0.]), (3, 3))
)")
      .def("loads", &batch_loads, "motions"_a, nb::kw_only(), "out"_a = nb::none(),
           "progress"_a = false,
           nb::sig("def loads(self, motions: numpy.typing.ArrayLike, *, out: "
                   "numpy.typing.NDArray[numpy.float64] | None = None, progress: bool | "
                   "collections.abc.Callable[[float], object] = False) -> "
                   "numpy.typing.NDArray[numpy.float64]"),
           R"(The loads of many motions, (n, 3) to (n, 3), into `out` where it is given.

With progress=True a bar is shown; a callable is given the share done, and stops the work by
returning False: the rows that are done are returned.  Ctrl-C raises Interrupted, whose `reached` are
those rows.

>>> st.Slider.from_file("scenes/dumbbell.json").loads([[1, 0, 0], [0, 2, 0]])
array([[1., 0., 0.],
       [0., 1., 0.]])
)")
      .def(
          "motion",
          [](const PythonSlider& s, const ArrayLike& load, const nb::object& progress) {
            const Vec3 p = vec<3>(load, "load");
            return watched<MotionSet>(progress, [&](const Progress& report) {
              return motion(s.slider, Load::of(p), report);
            });
          },
          "load"_a, nb::kw_only(), "progress"_a = false,
          nb::sig("def motion(self, load: numpy.typing.ArrayLike, *, progress: bool | "
                  "collections.abc.Callable[[float], object] = False) -> MotionSet"),
          R"(The motions that a load Fx, Fy, M causes, all of them.

Of a million cells of pressure it takes seconds: with progress=True a bar is shown; a callable is
given the share done, and stops the work, which then raises RuntimeError, by returning False.

>>> m = st.Slider.from_file("scenes/tripod.json").motion([0.3, 0.1, 0.02])
>>> m.state, round(m.gauge, 6)
('stick', 0.105853)
)")
      .def(
          "motions",
          [](const PythonSlider& s, const ArrayLike& loads, const nb::object& progress) {
            const auto b = batch<3>(loads, "loads");
            Rows3 out(b.size(), 3);
            Eigen::VectorXd gauges(b.size());
            Watch watch(progress);
            const auto rows = static_cast<double>(b.size());
            const Eigen::Index done =
                in_pieces(watch, b.size(), 1, [&](Eigen::Index i, Eigen::Index) {
                  const MotionSet set = motion(s.slider, Load::of(b.row(i)), [&](double share) {
                    return watch((static_cast<double>(i) + share) / rows);
                  });
                  out.row(i) = set.motion.vector();
                  gauges[i] = set.gauge;
                });
            if (done < b.size()) {
              out.conservativeResize(done, 3);
              gauges.conservativeResize(done);
            }
            const nb::object reached =
                nb::make_tuple(array(std::move(out)), array(std::move(gauges)));
            watch.finish(reached);
            return reached;
          },
          "loads"_a, nb::kw_only(), "progress"_a = false,
          nb::sig(
              "def motions(self, loads: numpy.typing.ArrayLike, *, progress: bool | "
              "collections.abc.Callable[[float], object] = False) -> "
              "tuple[numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]"),
          R"(The motions of many loads, shape (n, 3), and their gauges, shape (n,); progress as in loads.

>>> motions, gauges = st.Slider.from_file("scenes/dumbbell.json").motions([[0.5, 0, 0], [2, 0, 0]])
>>> gauges
array([0.5, 2. ])
)")
      .def_prop_ro(
          "name", [](const PythonSlider& s) { return s.slider.body().name; }, "As its file says.")
      .def_prop_ro(
          "supports", [](const PythonSlider& s) { return s.slider.supports(); },
          "With places relative to the reference point.")
      .def_prop_ro(
          "reference", [](const PythonSlider& s) { return small<2>(s.slider.body().reference); },
          "To which motions and moments refer [m].")
      .def_prop_ro(
          "centre_of_pressure",
          [](const PythonSlider& s) { return small<2>(s.slider.centre_of_pressure()); },
          "Relative to the reference point [m].")
      .def_prop_ro(
          "length_scale", [](const PythonSlider& s) { return s.slider.length_scale(); },
          "ρ that weighs ω [m].")
      .def_prop_ro(
          "mass", [](const PythonSlider& s) { return s.slider.body().mass; }, "[kg]")
      .def_prop_ro(
          "inertia", [](const PythonSlider& s) { return s.slider.body().inertia; }, "[kg m²]")
      .def_prop_ro(
          "normal_force", [](const PythonSlider& s) { return s.slider.normal_force(); },
          "Of all supports [N].")
      .def_prop_ro(
          "reach", [](const PythonSlider& s) { return s.slider.reach(); },
          "Distance of the farthest support point [m].")
      .def("__repr__", [](const PythonSlider& s) {
        return "Slider(" + quoted(s.slider.body().name) + ", " +
               std::to_string(s.slider.supports().size()) + " supports)";
      });
  bind_slider_answers(c, m);
  bind_slider_surface(c, m);
}

}  // namespace stiction::python
