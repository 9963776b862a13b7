// SPDX-License-Identifier: Apache-2.0
//
// What a slider answers beside loads and motions: moment function, points, slide, push, final
// directions.
#include "slider_bind.h"
#include "stiction/eigen_directions.h"
#include "stiction/moment_function.h"
#include "stiction/slider_points.h"
#include "stiction/slider_push.h"
#include "stiction/slider_slide.h"
#include "watch.h"

namespace stiction::python {

namespace {

const char* optional_array = "numpy.typing.NDArray[numpy.float64] | None";

nb::object value(const OrReason<Vec2>& found) { return or_none(found.value); }

void bind_moment(nb::class_<PythonSlider>& slider, nb::module_& m) {
  nb::class_<MomentAt>(m, "MomentAt", R"(The friction moment of turning about a place.

>>> m = st.Slider.from_file("scenes/dumbbell.json").moment([1, 0])
>>> m.smooth, round(m.moment, 6), m.force.round(6)
(True, 1.414214, array([ 0.      , -0.707107]))
)")
      .def_ro("moment", &MomentAt::moment, "For ω = +1 [N m].")
      .def_prop_ro(
          "force", [](const MomentAt& a) { return small<2>(a.force); },
          "From the gradient; the middle of many where not smooth [N].")
      .def_ro("smooth", &MomentAt::smooth, "Whether one force answers.")
      .def_ro("terms", &MomentAt::terms, "The other forces, about the middle, as loads.");
  slider
      .def(
          "moment",
          [](const PythonSlider& s, const ArrayLike& at) {
            const Vec2 place = vec<2>(at, "at");
            const nb::gil_scoped_release release;
            return moment_function(s.slider, place);
          },
          "at"_a, R"(The moment function: what turning about a place needs.

>>> st.Slider.from_file("scenes/dumbbell.json").moment([0, 0]).moment
1.0
)")
      .def(
          "moments",
          [](const PythonSlider& s, const ArrayLike& at, const nb::object& progress) {
            const auto b = batch<2>(at, "at");
            Eigen::VectorXd out(b.size());
            Watch watch(progress);
            const Eigen::Index done =
                in_pieces(watch, b.size(), 1, [&](Eigen::Index i, Eigen::Index) {
                  out[i] = moment_function(s.slider, b.row(i)).moment;
                });
            if (done < b.size()) out.conservativeResize(done);
            const Array reached = array(std::move(out));
            watch.finish(reached);
            return reached;
          },
          "at"_a, nb::kw_only(), "progress"_a = false,
          nb::sig("def moments(self, at: numpy.typing.ArrayLike, *, progress: bool | "
                  "collections.abc.Callable[[float], object] = False) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          R"(The moment function at many places, (n, 2) to (n,); progress as in loads.

>>> st.Slider.from_file("scenes/dumbbell.json").moments([[0, 0], [0, 1]])
array([1., 1.])
)")
      .def(
          "moment_floor",
          [](const PythonSlider& s, const nb::object& progress) {
            return watched<nb::tuple>(
                progress, [&](const Progress& report) { return moment_floor(s.slider, report); },
                [](const MomentFloor& floor) {
                  return nb::make_tuple(floor.moment, array(floor.corners));
                });
          },
          nb::kw_only(), "progress"_a = false,
          nb::sig("def moment_floor(self, *, progress: bool | collections.abc.Callable[[float], "
                  "object] = False) -> tuple[float, numpy.typing.NDArray[numpy.float64]]"),
          R"(The least moment, and the corners of the places that need no more.

`progress` as of `motion`, which it takes as long as.

>>> st.Slider.from_file("scenes/dumbbell.json").moment_floor()
(1.0, array([[ 0.,  1.],
       [ 0., -1.]]))
)")
      .def(
          "moment_corners",
          [](const PythonSlider& s) {
            return array(without_gil([&] { return moment_corners(s.slider); }));
          },
          R"(Where the moment function has corners, (n, 2).

>>> st.Slider.from_file("scenes/dumbbell.json").moment_corners()
array([[ 0.,  1.],
       [ 0., -1.]])
)");
}

void bind_points(nb::class_<PythonSlider>& slider, nb::module_& m) {
  nb::class_<Facet>(m, "Facet", R"(A flat of the limit surface: one motion, many loads.

>>> facet = st.Slider.from_file("scenes/dumbbell.json").points().facets[0]
>>> facet.loads.unique, len(facet.loads.terms)
(False, 1)
)")
      .def_prop_ro(
          "motion", [](const Facet& f) { return small<3>(f.motion.vector()); }, "vx, vy, ω.")
      .def_ro("loads", &Facet::loads, "All of its loads.");
  nb::class_<Vertex>(m, "Vertex", R"(A corner of the limit surface: one load, many motions.

>>> vertex = st.Slider.from_file("scenes/dumbbell.json").points().vertices[0]
>>> vertex.load.shape, vertex.wedge.shape[1]
((3,), 3)
)")
      .def_prop_ro(
          "load", [](const Vertex& v) { return small<3>(v.load.vector()); }, "Fx, Fy, M.")
      .def_prop_ro(
          "wedge", [](const Vertex& v) { return motions_array(v.wedge); },
          "The motions that bound its cone.");
  using P = SliderPoints;
  const auto sig = [](const char* name) {
    return std::string("def ") + name + "(self) -> " + optional_array;
  };
  static const std::string sigs[] = {sig("centre_of_mass"), sig("centre_of_pressure"),
                                     sig("centre_of_friction"), sig("centre_of_twist")};
  nb::class_<P>(
      m, "SliderPoints",
      R"(The points of a slider and the shape of its limit surface; None where there is no single answer.

>>> points = st.Slider.from_file("scenes/dumbbell.json").points()
>>> points.translation_force, points.centre_of_twist is None
(1.0, True)
>>> points.reasons["centre_of_twist"]
'turning about any place of a stretch needs the same moment'
)")
      .def_prop_ro(
          "centre_of_mass", [](const P& p) { return value(p.centre_of_mass); },
          nb::sig(sigs[0].c_str()), "[m]")
      .def_prop_ro(
          "centre_of_pressure", [](const P& p) { return value(p.centre_of_pressure); },
          nb::sig(sigs[1].c_str()), "[m]")
      .def_prop_ro(
          "centre_of_friction", [](const P& p) { return value(p.centre_of_friction); },
          nb::sig(sigs[2].c_str()), "Loads of translations pass through it [m].")
      .def_prop_ro(
          "centre_of_twist", [](const P& p) { return value(p.centre_of_twist); },
          nb::sig(sigs[3].c_str()), "Turning about it needs the least moment [m].")
      .def_prop_ro(
          "translation_force", [](const P& p) { return p.translation_force.value; },
          "None where it depends on the direction [N].")
      .def_prop_ro(
          "twist_moment", [](const P& p) { return p.twist_moment.value; },
          "Of turning about the centre of twist [N m].")
      .def_prop_ro(
          "facets", [](const P& p) { return p.facets.value; }, "Maximal two-dimensional flats.")
      .def_prop_ro(
          "vertices", [](const P& p) { return p.vertices.value; },
          "Isolated loads of non-unique motion.")
      .def_prop_ro(
          "reasons",
          [](const P& p) {
            nb::dict reasons;
            const auto add = [&](const char* name, const auto& found) {
              if (!found.value) reasons[name] = found.reason;
            };
            add("centre_of_mass", p.centre_of_mass);
            add("centre_of_pressure", p.centre_of_pressure);
            add("centre_of_friction", p.centre_of_friction);
            add("centre_of_twist", p.centre_of_twist);
            add("translation_force", p.translation_force);
            add("twist_moment", p.twist_moment);
            add("facets", p.facets);
            add("vertices", p.vertices);
            return reasons;
          },
          nb::sig("def reasons(self) -> dict[str, str]"), "Why an answer is None, by name.");
  slider.def(
      "points",
      [](const PythonSlider& s, const nb::object& progress) {
        return watched<SliderPoints>(
            progress, [&](const Progress& report) { return slider_points(s.slider, report); });
      },
      nb::kw_only(), "progress"_a = false,
      nb::sig("def points(self, *, progress: bool | collections.abc.Callable[[float], object] = "
              "False) -> SliderPoints"),
      R"(Centres of mass, pressure, friction and twist, facets and vertices.

Stopped, by a progress that returns False or by Ctrl-C (Interrupted.reached), what was not found by then
is None.

>>> points = st.Slider.from_file("scenes/dumbbell.json").points()
>>> points.centre_of_friction, len(points.facets)
(array([0., 0.]), 4)
)");
}

void bind_slide(nb::class_<PythonSlider>& slider, nb::module_& m) {
  nb::class_<Slide>(m, "Slide", R"(A throw, until friction has brought the body to rest.

>>> throw = st.Slider([st.point([0, 0], 9.81, 0.5)], mass=1.0, inertia=1.0).slide([9.81, 0, 0])
>>> round(throw.time_to_rest, 9), throw.rest_pose.round(6)  # v/μg, v²/2μg
(2.0, array([9.81, 0.  , 0.  ]))
)")
      .def_ro("rests", &Slide::rests,
              "False: it rolls on for ever, or was not followed to its end.")
      .def_ro("reason", &Slide::reason, "Which of these, where it does not rest.")
      .def_ro("time_to_rest", &Slide::time_to_rest, "[s]; infinite where it does not rest.")
      .def_prop_ro(
          "rest_pose", [](const Slide& s) { return small<3>(s.rest_pose); },
          "x, y, angle: displacement in the starting axes [m, rad].")
      .def_prop_ro(
          "final_direction", [](const Slide& s) { return small<3>(s.final_direction.vector()); },
          "vx, vy, ω at rest, normalised, in body axes; zero where none is known.")
      .def_prop_ro(
          "rates",
          [](const Slide& s) { return std::vector<double>(s.rates.begin(), s.rates.end()); },
          "How deviations from the final direction shrink with speed.")
      .def_ro("stable", &Slide::stable, "No rate is negative.")
      .def_ro("energy_error", &Slide::energy_error, "Relative.")
      .def_prop_ro(
          "times",
          [](const Slide& s) {
            Eigen::VectorXd t(static_cast<Eigen::Index>(s.trajectory.size()));
            for (Eigen::Index i = 0; i < t.size(); ++i)
              t[i] = s.trajectory[static_cast<std::size_t>(i)].time;
            return array(std::move(t));
          },
          "Of the samples [s].")
      .def_prop_ro(
          "poses",
          [](const Slide& s) {
            std::vector<Vec3> rows;
            for (const SlideSample& sample : s.trajectory) rows.push_back(sample.pose);
            return array(rows);
          },
          "x, y, angle of each sample.")
      .def_prop_ro(
          "motions",
          [](const Slide& s) {
            std::vector<Vec3> rows;
            for (const SlideSample& sample : s.trajectory) rows.push_back(sample.motion.vector());
            return array(rows);
          },
          "vx, vy, ω of each sample, in body axes.");
  slider.def(
      "slide",
      [](const PythonSlider& s, const ArrayLike& velocity, int samples, double tolerance,
         const nb::object& progress) {
        if (!(tolerance > 0 && tolerance < 1))
          refuse("tolerance", text(tolerance), "a number between 0 and 1");
        const Vec3 v = vec<3>(velocity, "velocity");
        SlideOptions options;
        options.samples = samples;
        options.tolerance = tolerance;
        Watch watch(progress);
        options.progress = watch.function();
        const Slide thrown = without_gil([&] { return slide(s.slider, Motion::of(v), options); });
        watch.finish(thrown);
        return thrown;
      },
      "velocity"_a, nb::kw_only(), "samples"_a = 0, "tolerance"_a = 1e-11, "progress"_a = false,
      nb::sig("def slide(self, velocity: numpy.typing.ArrayLike, *, samples: int = 0, tolerance: "
              "float = 1e-11, progress: bool | collections.abc.Callable[[float], object] = False) "
              "-> Slide"),
      R"(The body thrown with vx, vy, ω: when and where it rests.

Stopped, by a progress that returns False or by Ctrl-C (Interrupted.reached), it is the throw until
then.

>>> throw = st.Slider.from_file("scenes/tripod.json").slide([1.0, 0.0, 2.0], samples=50)
>>> throw.rests, throw.poses.shape, throw.energy_error < 1e-8
(True, (50, 3), True)
)");
  nb::class_<EigenDirection>(m, "EigenDirection", R"(A motion whose load is parallel to it.

>>> e = st.Slider.from_file("scenes/tripod.json").eigen_directions()[0]
>>> e.motion.shape, e.error < 1e-10
((3,), True)
)")
      .def_prop_ro(
          "motion", [](const EigenDirection& e) { return small<3>(e.motion.vector()); },
          "vx, vy, ω, normalised.")
      .def_ro("power", &EigenDirection::power, "[W]")
      .def_ro("stable", &EigenDirection::stable, "Throws end along it.")
      .def_ro("error", &EigenDirection::error, "Relative.");
  slider.def(
      "eigen_directions",
      [](const PythonSlider& s, const nb::object& progress) {
        return watched<std::vector<EigenDirection>>(
            progress, [&](const Progress& report) { return eigen_directions(s.slider, report); });
      },
      nb::kw_only(), "progress"_a = false,
      nb::sig("def eigen_directions(self, *, progress: bool | collections.abc.Callable[[float], "
              "object] = False) -> list[EigenDirection]"),
      R"(The motions along which a free slider can come to rest.

Stopped, by a progress that returns False or by Ctrl-C (Interrupted.reached), they are those found so
far.

>>> found = st.Slider.from_file("scenes/tripod.json").eigen_directions()
>>> any(e.stable for e in found)
True
)");
}

void bind_push(nb::class_<PythonSlider>& slider, nb::module_& m) {
  nb::class_<Push>(m, "Push", R"(What a pushing finger does.

>>> square = st.Slider.from_file("scenes/square.json")
>>> p = square.push(contact=[-0.5, 0.2], normal=[1, 0], mu=0.3, velocity=[1, 0])
>>> p.mode, p.motion_cone.shape, p.rotation_centre.shape
('stick', (2, 2), (2,))
)")
      .def_prop_ro(
          "mode",
          [](const Push& p) {
            static constexpr const char* names[] = {"stick", "slide_left", "slide_right",
                                                    "separate"};
            return names[static_cast<int>(p.mode)];
          },
          "'stick', 'slide_left', 'slide_right' or 'separate'.")
      .def_prop_ro(
          "motion", [](const Push& p) { return small<3>(p.motion.vector()); },
          "vx, vy, ω: the actual velocity.")
      .def_prop_ro(
          "contact_force", [](const Push& p) { return small<2>(p.contact_force); },
          "On the slider [N].")
      .def_ro("unique", &Push::unique, "Motion and force.")
      .def_prop_ro(
          "rotation_centre", [](const Push& p) { return or_none(p.rotation_centre); },
          nb::sig("def rotation_centre(self) -> numpy.typing.NDArray[numpy.float64] | None"),
          "None for a translation [m].")
      .def_prop_ro(
          "motion_cone",
          [](const Push& p) {
            return array(std::vector<Vec2>{p.motion_cone_right, p.motion_cone_left});
          },
          "The two finger velocities that bound sticking.");
  slider.def(
      "push",
      [](const PythonSlider& s, const ArrayLike& contact, const ArrayLike& normal, double mu,
         const ArrayLike& velocity, const nb::object& progress) {
        Finger finger;
        finger.contact = vec<2>(contact, "contact");
        finger.normal = vec<2>(normal, "normal");
        about("normal", [&] { return Direction::along(finger.normal); });
        finger.mu = mu;
        finger.velocity = vec<2>(velocity, "velocity");
        return watched<Push>(
            progress, [&](const Progress& report) { return push(s.slider, finger, report); });
      },
      nb::kw_only(), "contact"_a, "normal"_a, "mu"_a, "velocity"_a, "progress"_a = false,
      nb::sig("def push(self, *, contact: numpy.typing.ArrayLike, normal: numpy.typing.ArrayLike, "
              "mu: float, velocity: numpy.typing.ArrayLike, progress: bool | "
              "collections.abc.Callable[[float], object] = False) -> Push"),
      R"(A quasi-static push by a point finger; the normal points into the slider.

A finger that moves away from the face or along it, or is at rest, needs no force: its mode is 'separate' and
the motion zero.

Stopped, by a progress that returns False or by Ctrl-C, there is nothing to give yet.

>>> square = st.Slider.from_file("scenes/square.json")
>>> square.push(contact=[-0.5, 0], normal=[1, 0], mu=0.3, velocity=[1, 0]).mode
'stick'
)");
  nb::class_<EdgePush>(m, "EdgePush", R"(Is this push by a flat edge stable?

>>> square = st.Slider.from_file("scenes/square.json")
>>> e = square.push_edge(start=[-0.5, -0.5], end=[-0.5, 0.5], mu=0.3, rotation_centre=[0, 5])
>>> e.stable, e.margin > 0
(True, True)
)")
      .def_ro("stable", &EdgePush::stable, "The slider moves as if fixed to the edge.")
      .def_ro("margin", &EdgePush::margin,
              "Distance of the load from the edge's cone of loads, positive inside.")
      .def_prop_ro(
          "motion", [](const EdgePush& p) { return small<3>(p.motion.vector()); },
          "The sense of rotation pushed.");
  slider.def(
      "push_edge",
      [](const PythonSlider& s, const ArrayLike& start, const ArrayLike& end, double mu,
         const std::optional<ArrayLike>& rotation_centre, const std::optional<ArrayLike>& motion) {
        const Edge edge{vec<2>(start, "start"), vec<2>(end, "end"), mu};
        if (rotation_centre.has_value() == motion.has_value())
          throw InvalidInput("rotation_centre and motion: expected one of the two");
        const Vec2 centre =
            rotation_centre ? vec<2>(*rotation_centre, "rotation_centre") : Vec2(Vec2::Zero());
        const Vec3 q = motion ? vec<3>(*motion, "motion") : Vec3(Vec3::Zero());
        const nb::gil_scoped_release release;
        return motion ? push(s.slider, edge, Motion::of(q)) : push(s.slider, edge, centre);
      },
      nb::kw_only(), "start"_a, "end"_a, "mu"_a, "rotation_centre"_a = nb::none(),
      "motion"_a = nb::none(),
      R"(A push by an edge in contact along its length: about a rotation centre, or along a motion vx, vy, ω.

>>> square = st.Slider.from_file("scenes/square.json")
>>> square.push_edge(start=[-0.5, -0.5], end=[-0.5, 0.5], mu=0.3, motion=[1, 0, 0]).stable
True
)");
  slider.def(
      "stable_push_bounds",
      [](const PythonSlider& s, const ArrayLike& start, const ArrayLike& end, double mu,
         int samples, const nb::object& progress) {
        const Edge edge{vec<2>(start, "start"), vec<2>(end, "end"), mu};
        if (samples > 100000) refuse("samples", std::to_string(samples), "at most 100000");
        return watched<Array>(
            progress,
            [&](const Progress& report) {
              return stable_push_bounds(s.slider, edge, samples, report);
            },
            [](const std::vector<Motion>& bounds) { return motions_array(bounds); });
      },
      nb::kw_only(), "start"_a, "end"_a, "mu"_a, "samples"_a = 64, "progress"_a = false,
      nb::sig("def stable_push_bounds(self, *, start: numpy.typing.ArrayLike, end: "
              "numpy.typing.ArrayLike, mu: float, samples: int = 64, progress: bool | "
              "collections.abc.Callable[[float], object] = False) -> "
              "numpy.typing.NDArray[numpy.float64]"),
      R"(The motions that bound those an edge can push stably, a row each; stopped, those known by then.

>>> square = st.Slider.from_file("scenes/square.json")
>>> bounds = square.stable_push_bounds(start=[-0.5, -0.5], end=[-0.5, 0.5], mu=0.3, samples=8)
>>> bounds.shape[1]
3
)");
}

}  // namespace

void bind_slider_answers(nb::class_<PythonSlider>& slider, nb::module_& m) {
  bind_moment(slider, m);
  bind_points(slider, m);
  bind_slide(slider, m);
  bind_push(slider, m);
}

}  // namespace stiction::python
