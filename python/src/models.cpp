// SPDX-License-Identifier: Apache-2.0
//
// Mechanisms from URDF and MJCF.  A module of its own, since it needs Pinocchio's libraries.
#include <nanobind/stl/filesystem.h>

#include <array>

#include "bind.h"
#include "models.h"
#include "refusal.h"
#include "stiction/jamming_map.h"
#include "stiction/multibody.h"
#include "watch.h"

namespace stiction::python {

namespace {

ModelOptions model_options(const std::string& base, const std::optional<ArrayLike>& gravity) {
  ModelOptions options;
  if (base == "floating")
    options.base = Base::floating;
  else if (base != "fixed")
    refuse("base", quoted(base), "'fixed' or 'floating'");
  if (gravity) options.gravity = vec<3>(*gravity, "gravity");
  return options;
}

Eigen::VectorXd configuration(const MultibodyModel& model, const std::optional<ArrayLike>& q) {
  Eigen::VectorXd found = q ? vector(*q, "q") : model.neutral();
  model.check_configuration(found, "q");
  return found;
}

Eigen::VectorXd velocity(const MultibodyModel& model, const std::optional<ArrayLike>& v,
                         const char* name) {
  Eigen::VectorXd found = v ? vector(*v, name) : Eigen::VectorXd(Eigen::VectorXd::Zero(model.nv()));
  model.check_velocity(found, name);
  return found;
}

ContactPoint contact(const MultibodyModel& model, const std::string& frame,
                     const std::optional<ArrayLike>& normal) {
  ContactPoint point{model.frame(frame)};
  if (normal) point.normal = vec<3>(*normal, "normal");
  contact_axes(point.normal);  // says what is wrong with it
  return point;
}

// W of one configuration, or of rows of them.
Array delassus(const Mechanism& self, const std::string& frame, const std::optional<ArrayLike>& q,
               const std::optional<ArrayLike>& normal, const nb::object& progress) {
  const MultibodyModel& model = self.model;
  const ContactPoint point = contact(model, frame, normal);
  const Eigen::VectorXd neutral = model.neutral();
  Numbers given;
  Eigen::Index count = 1;
  bool single = true;
  if (q) {
    given = numbers(*q, "q");
    single = given.ndim() != 2;
    if (given.ndim() == 0 || given.ndim() > 2 ||
        static_cast<int>(given.shape(given.ndim() - 1)) != model.nq())
      refuse(
          "q", "an array of shape " + shape_text(given),
          "shape (" + std::to_string(model.nq()) + ",) or (n, " + std::to_string(model.nq()) + ")");
    if (!single) count = static_cast<Eigen::Index>(given.shape(0));
  }
  const double* first = q ? given.data() : neutral.data();
  const auto row = [&](Eigen::Index i) -> Eigen::VectorXd {
    return Eigen::Map<const Eigen::VectorXd>(first + i * model.nq(), model.nq());
  };
  auto* data = new double[9 * static_cast<std::size_t>(count)];
  const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  Watch watch(progress);
  MechanismState state = without_gil([&] {
    for (Eigen::Index i = 0; i < count; ++i)
      model.check_configuration(row(i), single ? "q" : "q[" + std::to_string(i) + "]");
    return MechanismState(self);
  });
  const Eigen::Index done = in_pieces(watch, count, 1, [&](Eigen::Index i, Eigen::Index) {
    state.at(row(i));
    Eigen::Map<Eigen::Matrix3d>(data + 9 * i) = state.delassus(point);  // symmetric
  });
  const Array reached = single ? Array(data, {3, 3}, owner)
                               : Array(data, {static_cast<std::size_t>(done), 3, 3}, owner);
  watch.finish(reached);
  return reached;
}

// What work(state) says of the mechanism at a configuration, without the GIL.
template <class Work>
auto at_configuration(const Mechanism& self, const std::optional<ArrayLike>& q, const Work& work) {
  const Eigen::VectorXd at = configuration(self.model, q);
  return without_gil([&] {
    MechanismState state(self);
    state.at(at);
    return work(state);
  });
}

// The same, moving.
template <class Work>
auto in_motion(const Mechanism& self, const std::optional<ArrayLike>& q,
               const std::optional<ArrayLike>& v, const std::optional<ArrayLike>& torque,
               const Work& work) {
  const Eigen::VectorXd at = configuration(self.model, q), speed = velocity(self.model, v, "v"),
                        forces = velocity(self.model, torque, "torque");
  return without_gil([&] {
    MechanismState state(self);
    state.at(at, speed, forces);
    return work(state);
  });
}

std::vector<ContactPoint> contacts_of(const MultibodyModel& model,
                                      const std::vector<std::string>& frames,
                                      const std::optional<ArrayLike>& normals) {
  std::vector<ContactPoint> points;
  std::optional<Batch<3>> given;
  if (normals) given = batch<3>(*normals, "normals");
  if (given && !given->single && given->size() != static_cast<Eigen::Index>(frames.size()))
    refuse("normals", "an array of shape " + shape_text(given->numbers),
           "shape (3,) or (" + std::to_string(frames.size()) + ", 3)");
  for (std::size_t i = 0; i < frames.size(); ++i) {
    points.push_back({model.frame(frames[i])});
    if (given) points[i].normal = given->row(given->single ? 0 : static_cast<Eigen::Index>(i));
    renamed("the normal", ("normals[" + std::to_string(i) + "]").c_str(),
            [&] { return contact_axes(points[i].normal); });  // says what is wrong with it
  }
  return points;
}

void bind_model(nb::module_& m) {
  using Q = std::optional<ArrayLike>;
  nb::class_<Mechanism> model(m, "Model",
                              R"(A mechanism of rigid bodies and joints, from URDF or MJCF.

>>> from stiction.models import Model
>>> rod = Model.from_file("scenes/models/rod.urdf", base="floating")
>>> rod.nv
6
)");
  model
      .def_static(
          "from_file",
          [](const std::filesystem::path& path, const std::string& base, Q gravity) {
            const ModelOptions options = model_options(base, gravity);
            const nb::gil_scoped_release release;
            return Mechanism{read_model(path, options)};
          },
          "path"_a, nb::kw_only(), "base"_a = "fixed", "gravity"_a = nb::none(),
          R"(From a .urdf or MJCF file; base is 'fixed' or 'floating', gravity in m/s².

>>> from stiction.models import Model
>>> Model.from_file("scenes/models/two-link-arm.urdf", gravity=[0, 0, -9.81]).joints
['shoulder', 'elbow']
)")
      .def_static(
          "from_text",
          [](const std::string& text, const std::string& name, const std::string& base, Q gravity) {
            const ModelOptions options = model_options(base, gravity);
            const nb::gil_scoped_release release;
            return Mechanism{parse_model(text, name, options)};
          },
          "text"_a, "name"_a = "text", nb::kw_only(), "base"_a = "fixed", "gravity"_a = nb::none(),
          R"(From the text of such a file.

>>> from stiction.models import Model
>>> import pathlib
>>> text = pathlib.Path("scenes/models/two-link-arm.urdf").read_text()
>>> Model.from_text(text, base="floating").nv
8
)")
      .def_prop_ro(
          "name", [](const Mechanism& self) { return self.model.name(); }, "As the file says.")
      .def_prop_ro(
          "nq", [](const Mechanism& self) { return self.model.nq(); },
          "Numbers of a configuration.")
      .def_prop_ro(
          "nv", [](const Mechanism& self) { return self.model.nv(); }, "Degrees of freedom.")
      .def_prop_ro(
          "frames", [](const Mechanism& self) { return self.model.frames(); },
          "Names of links, joints and sites.")
      .def_prop_ro(
          "joints",
          [](const Mechanism& self) {
            std::vector<std::string> names;
            for (const ModelJoint& joint : self.model.joints()) names.push_back(joint.name);
            return names;
          },
          "Names, in the order of their coordinates.")
      .def_prop_ro(
          "neutral", [](const Mechanism& self) { return array(self.model.neutral()); },
          "The configuration of zero angles and displacements.")
      .def_prop_ro(
          "loops",
          [](const Mechanism& self) {
            using Name = std::optional<std::string>;
            const auto& frames = self.model.frames();
            const auto name = [&](int frame) -> Name {
              const auto i = static_cast<std::size_t>(frame);
              return i < frames.size() ? Name(frames[i]) : Name();
            };
            std::vector<std::pair<Name, Name>> names;
            for (const auto* list : {&self.model.loops(), &self.loops})
              for (const Loop& loop : *list)
                names.emplace_back(name(loop.first), name(loop.second));
            return names;
          },
          "Pairs of frames that stay together, those of the file first; None for a place that has "
          "no "
          "name.")
      .def_prop_ro(
          "sticking",
          [](const Mechanism& self) {
            std::vector<std::string> names;
            for (const int frame : self.sticking)
              names.push_back(self.model.frames()[static_cast<std::size_t>(frame)]);
            return names;
          },
          "Frames whose origin sticks to the world.")
      .def(
          "joint_place",
          [](const Mechanism& self, const std::string& joint) {
            const ModelJoint& found = self.model.joint(joint);
            return std::pair(std::pair(found.q, found.nq), std::pair(found.v, found.nv));
          },
          "joint"_a,
          R"(Where a joint is in a configuration, first and count, and in a velocity likewise.

>>> from stiction.models import Model
>>> Model.from_file("scenes/models/two-link-arm.urdf").joint_place("elbow")
((1, 1), (1, 1))
)")
      .def(
          "with_loop",
          [](const Mechanism& self, const std::string& first, const std::string& second,
             bool rigid) {
            Mechanism closed = self;
            closed.loops.push_back({self.model.frame(first), self.model.frame(second), rigid});
            return closed;
          },
          "first"_a, "second"_a, nb::kw_only(), "rigid"_a = false,
          R"(The mechanism with the origins of two frames kept together; if rigid, their axes too.

>>> from stiction.models import Model
>>> arm = Model.from_file("scenes/models/two-link-arm.urdf")
>>> arm.with_loop(arm.frames[-1], arm.frames[1]).loops == [(arm.frames[-1], arm.frames[1])]
True
)")
      .def(
          "with_sticking",
          [](const Mechanism& self, const std::vector<std::string>& frames) {
            Mechanism held = self;
            for (const std::string& frame : frames)
              held.sticking.push_back(self.model.frame(frame));
            return held;
          },
          "frames"_a,
          R"(The mechanism with the origins of frames held to the world by other contacts.

>>> from stiction.models import Model
>>> rod = Model.from_file("scenes/models/rod.urdf", base="floating")
>>> bool(np.abs(rod.with_sticking(["tip"]).delassus("tip")).max() < 1e-9)
True
)")
      .def(
          "close_loops",
          [](const Mechanism& self, Q q, const std::vector<std::string>& held) {
            return array(at_configuration(
                self, q, [&, at = configuration(self.model, q)](MechanismState& state) {
                  return close_loops(state, at, held);
                }));
          },
          "q"_a = nb::none(), nb::kw_only(), "held"_a = nb::list(),
          nb::sig("def close_loops(self, q: numpy.typing.ArrayLike | None = None, *, held: "
                  "collections.abc.Sequence[str] = []) -> numpy.typing.NDArray[numpy.float64]"),
          R"(The nearest configuration with every loop closed, the joints `held` kept where they are.

>>> from stiction.models import Model
>>> bar = Model.from_file("scenes/models/four-bar.xml")
>>> bar.loop_gap(bar.close_loops(held=["crank"])) < 1e-9
True
)")
      .def(
          "loop_gap",
          [](const Mechanism& self, Q q) {
            return at_configuration(self, q, [](MechanismState& s) { return s.loop_gap(); });
          },
          "q"_a = nb::none(), R"(The largest of the loops' open distances [m, rad].

>>> from stiction.models import Model
>>> Model.from_file("scenes/models/two-link-arm.urdf").loop_gap()  # it has none
0.0
)")
      .def(
          "mass",
          [](const Mechanism& self, Q q) {
            return array(at_configuration(self, q, [](MechanismState& s) { return s.mass(); }));
          },
          "q"_a = nb::none(), R"(M, (nv, nv).

>>> from stiction.models import Model
>>> Model.from_file("scenes/models/two-link-arm.urdf").mass([0.3, 0.5]).shape
(2, 2)
)")
      .def(
          "jacobian",
          [](const Mechanism& self, const std::string& frame, Q q, Q normal) {
            const ContactPoint point = contact(self.model, frame, normal);
            return array(at_configuration(
                self, q, [&](MechanismState& s) { return Eigen::MatrixXd(s.jacobian(point)); }));
          },
          "frame"_a, "q"_a = nb::none(), nb::kw_only(), "normal"_a = nb::none(),
          R"(Of a frame's origin, rows t1, t2, n.

>>> from stiction.models import Model
>>> Model.from_file("scenes/models/two-link-arm.urdf").jacobian("tip", [0.3, 0.5]).shape
(3, 2)
)")
      .def(
          "delassus", &delassus, "frame"_a, "q"_a = nb::none(), nb::kw_only(),
          "normal"_a = nb::none(), "progress"_a = false,
          nb::sig("def delassus(self, frame: str, q: numpy.typing.ArrayLike | None = None, *, "
                  "normal: numpy.typing.ArrayLike | None = None, progress: bool | "
                  "collections.abc.Callable[[float], object] = False) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          R"(W of a frame that touches the world, order t1, t2, n; (3, 3), or (n, 3, 3) for q of shape (n, nq).

Stopped, by a progress that returns False or by Ctrl-C (Interrupted.reached), it is the matrices done.

>>> from stiction.models import Model
>>> rod = Model.from_file("scenes/models/rod.urdf", base="floating")
>>> rod.delassus("tip", [rod.neutral, rod.neutral]).shape
(2, 3, 3)
)")
      .def(
          "generalized_cone",
          [](const Mechanism& self, const std::string& frame, const LawLike& law, Q q, Q normal) {
            const ContactPoint point = contact(self.model, frame, normal);
            const LimitCurve c = curve(law, "law");
            return at_configuration(self, q, [&](MechanismState& s) {
              return generalized_cone(s.delassus_limit(point), c);
            });
          },
          "frame"_a, "law"_a, "q"_a = nb::none(), nb::kw_only(), "normal"_a = nb::none(),
          nb::sig("def generalized_cone(self, frame: str, law: stiction._stiction.Law | float | "
                  "str, q: numpy.typing.ArrayLike | None = None, *, normal: "
                  "numpy.typing.ArrayLike | None = None) -> stiction._stiction.GeneralizedCone"),
          R"(Of a frame that touches the world; the limit where it can move without moving mass.

>>> from stiction.models import Model
>>> arm = Model.from_file("scenes/models/two-link-arm.urdf")
>>> g = arm.generalized_cone("tip", 0.5, [0.3, 0.5])
>>> np.allclose(g.delassus, arm.delassus("tip", [0.3, 0.5]))
True
)")
      .def(
          "contact_state",
          [](const Mechanism& self, const std::string& frame, Q q, Q v, Q torque, Q normal) {
            const ContactPoint point = contact(self.model, frame, normal);
            const auto found = in_motion(self, q, v, torque, [&](MechanismState& s) {
              return std::array<Vec3, 3>{s.position(point), s.velocity(point),
                                         s.acceleration(point)};
            });
            return nb::make_tuple(small<3>(found[0]), small<3>(found[1]), small<3>(found[2]));
          },
          "frame"_a, "q"_a = nb::none(), "v"_a = nb::none(), nb::kw_only(), "torque"_a = nb::none(),
          "normal"_a = nb::none(),
          nb::sig("def contact_state(self, frame: str, q: numpy.typing.ArrayLike | None = None, "
                  "v: numpy.typing.ArrayLike | None = None, *, torque: numpy.typing.ArrayLike | "
                  "None = None, normal: numpy.typing.ArrayLike | None = None) -> "
                  "tuple[numpy.typing.NDArray[numpy.float64], "
                  "numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]"),
          R"(Position in the world, and velocity and acceleration without contact force, t1, t2, n.

>>> from stiction.models import Model
>>> arm = Model.from_file("scenes/models/two-link-arm.urdf")
>>> place, velocity, acceleration = arm.contact_state("tip", [0.3, 0.5], [1.0, 0.0])
>>> place.shape, np.allclose(velocity, arm.jacobian("tip", [0.3, 0.5]) @ [1.0, 0.0])
((3,), True)
)")
      .def(
          "jamming_map",
          [](const Mechanism& self, const std::string& frame,
             const std::vector<std::string>& sweeps, Q q, Q normal,
             const std::optional<LawLike>& law, int threads, const nb::object& progress) {
            const ContactPoint point = contact(self.model, frame, normal);
            std::vector<Sweep> parsed;
            for (const std::string& sweep : sweeps)
              parsed.push_back(
                  parse_sweep(sweep, self.model, "sweeps[" + std::to_string(parsed.size()) + "]"));
            const Eigen::VectorXd at = configuration(self.model, q);
            if (threads < 0) refuse("threads", std::to_string(threads), "zero or more");
            MapOptions options;
            options.threads = threads;
            if (law) options.curve = curve(*law, "law");
            return watched<JammingMap>(progress, [&](const Progress& report) {
              options.progress = report;
              return jamming_map(self, point, at, parsed, options);
            });
          },
          "frame"_a, "sweeps"_a, "q"_a = nb::none(), nb::kw_only(), "normal"_a = nb::none(),
          "law"_a = nb::none(), "threads"_a = 0, "progress"_a = false,
          nb::sig("def jamming_map(self, frame: str, sweeps: collections.abc.Sequence[str], q: "
                  "numpy.typing.ArrayLike | None = None, *, normal: numpy.typing.ArrayLike | None "
                  "= None, law: stiction._stiction.Law | float | str | None = None, threads: int = "
                  "0, progress: bool | collections.abc.Callable[[float], object] = False) -> "
                  "JammingMap"),
          R"(μ_crit and μ_jam while one or two joints run over a grid, such as "elbow=-1:1:50".

With a law the cells are counted in which some slip jams.  Stopped, by a progress that returns False
or by Ctrl-C (Interrupted.reached), the cells that were not reached are NaN.

>>> from stiction.models import Model
>>> arm = Model.from_file("scenes/models/two-link-arm.urdf")
>>> name = arm.joints[0]
>>> arm.jamming_map(arm.frames[-1], [f"{name}=0.2:1.2:5"]).mu_crit.shape
(5,)
)")
      .def(
          "free_acceleration",
          [](const Mechanism& self, Q q, Q v, Q torque) {
            return array(in_motion(self, q, v, torque, [](MechanismState& s) {
              return Eigen::VectorXd(s.free_acceleration());
            }));
          },
          "q"_a = nb::none(), "v"_a = nb::none(), nb::kw_only(), "torque"_a = nb::none(),
          R"(v̇ without contact force, loops and sticking points obeyed.

>>> from stiction.models import Model
>>> rod = Model.from_file("scenes/models/rod.urdf", base="floating", gravity=[0, 0, -9.81])
>>> np.allclose(rod.free_acceleration(), [0, 0, -9.81, 0, 0, 0])
True
)")
      .def(
          "contacts_delassus",
          [](const Mechanism& self, const std::vector<std::string>& frames, Q q, Q normals) {
            const std::vector<ContactPoint> points = contacts_of(self.model, frames, normals);
            return array(
                at_configuration(self, q, [&](MechanismState& s) { return s.delassus(points); }));
          },
          "frames"_a, "q"_a = nb::none(), nb::kw_only(), "normals"_a = nb::none(),
          R"(W of several frames at once, order t1, t2, n of the first, then of the next; `normals` one for all or one each.

>>> from stiction.models import Model
>>> arm = Model.from_file("scenes/models/two-link-arm.urdf")
>>> arm.contacts_delassus(arm.frames[-2:]).shape
(6, 6)
)")
      .def(
          "contact_motions",
          [](const Mechanism& self, const std::vector<std::string>& frames, const LawsLike& law,
             Q q, Q v, Q torque, Q normals) {
            const std::vector<ContactPoint> points = contacts_of(self.model, frames, normals);
            const std::vector<Law> given =
                laws(law, "law", static_cast<Eigen::Index>(points.size()));
            std::vector<TouchingContact> touching;
            for (std::size_t i = 0; i < points.size(); ++i)
              touching.push_back({points[i], given[i]});
            return in_motion(self, q, v, torque,
                             [&](MechanismState& s) { return contact_motions(s, touching); });
          },
          "frames"_a, "law"_a, "q"_a = nb::none(), "v"_a = nb::none(), nb::kw_only(),
          "torque"_a = nb::none(), "normals"_a = nb::none(),
          nb::sig(
              "def contact_motions(self, frames: collections.abc.Sequence[str], law: "
              "stiction._stiction.Law | float | str | "
              "collections.abc.Sequence[stiction._stiction.Law | float | str] | "
              "numpy.typing.ArrayLike, q: numpy.typing.ArrayLike | None = None, v: "
              "numpy.typing.ArrayLike | None = None, *, torque: numpy.typing.ArrayLike | None = "
              "None, normals: numpy.typing.ArrayLike | None = None) -> ContactMotions"),
          R"(What several contacts that touch do next: every solution between forces and accelerations.

>>> from stiction.models import Model
>>> rod = Model.from_file("scenes/models/rod.urdf", base="floating")
>>> upright = [0, 0, 0, 0, np.sqrt(0.5), 0, np.sqrt(0.5)]
>>> [s.modes for s in rod.contact_motions(["tip"], 0.5, upright).found.solutions]
[['stick']]
)");
}

}  // namespace

}  // namespace stiction::python

NB_MODULE(_models, m) {
  using namespace stiction;
  using namespace stiction::python;
  m.doc() = "The compiled part of stiction.models.";
  bind_model_answers(m);
  bind_model(m);
  refuse_in_one_line(m);
}
