// SPDX-License-Identifier: Apache-2.0
//
// Mechanisms from URDF and MJCF.  A module of its own, since it needs Pinocchio's libraries.
#include <nanobind/stl/filesystem.h>

#include "bind.h"
#include "stiction/contact_map.h"
#include "stiction/multibody.h"

namespace stiction::python {

namespace {

ModelOptions model_options(const std::string& base, const std::optional<ArrayLike>& gravity) {
  ModelOptions options;
  if (base == "floating")
    options.base = Base::floating;
  else if (base != "fixed")
    refuse("base", "'" + base + "'", "'fixed' or 'floating'");
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
Array delassus(const MultibodyModel& model, const std::string& frame,
               const std::optional<ArrayLike>& q, const std::optional<ArrayLike>& normal) {
  const ContactPoint point = contact(model, frame, normal);
  MechanismState state(Mechanism{model});
  std::vector<Eigen::VectorXd> rows;
  bool single = true;
  if (q) {
    const Numbers n = numbers(*q, "q");
    single = n.ndim() != 2;
    if (n.ndim() == 0 || n.ndim() > 2 || static_cast<int>(n.shape(n.ndim() - 1)) != model.nq())
      refuse(
          "q", "an array of shape " + shape_text(n),
          "shape (" + std::to_string(model.nq()) + ",) or (n, " + std::to_string(model.nq()) + ")");
    const std::size_t count = single ? 1 : n.shape(0);
    for (std::size_t i = 0; i < count; ++i) {
      rows.emplace_back(Eigen::Map<const Eigen::VectorXd>(
          n.data() + i * static_cast<std::size_t>(model.nq()), model.nq()));
      model.check_configuration(rows.back(), single ? "q" : "q[" + std::to_string(i) + "]");
    }
  } else {
    rows.push_back(model.neutral());
  }
  auto* data = new double[9 * rows.size()];
  const nb::capsule owner(data, [](void* p) noexcept { delete[] static_cast<double*>(p); });
  {
    const nb::gil_scoped_release release;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      state.at(rows[i]);
      Eigen::Map<Eigen::Matrix3d>(data + 9 * i) = state.delassus(point);  // symmetric
    }
  }
  if (single) return Array(data, {3, 3}, owner);
  return Array(data, {rows.size(), 3, 3}, owner);
}

Array swept(const ContactMap& map, const std::vector<double>& values) {
  std::vector<std::size_t> shape;
  for (const Sweep& sweep : map.sweeps) shape.push_back(static_cast<std::size_t>(sweep.count));
  auto* data = new double[values.size()];
  std::copy(values.begin(), values.end(), data);
  return Array(data, shape.size(), shape.data(),
               nb::capsule(data, [](void* p) noexcept { delete[] static_cast<double*>(p); }));
}

nb::object point_of(const std::optional<MapPoint>& point) {
  if (!point) return nb::none();
  return nb::make_tuple(point->mu, point->at);
}

void bind_model(nb::module_& m) {
  using Q = std::optional<ArrayLike>;
  nb::class_<MultibodyModel>(m, "Model",
                             R"(A mechanism of rigid bodies and joints, from URDF or MJCF.

>>> from stiction.models import Model
>>> rod = Model.from_file("scenes/models/rod.urdf", base="floating")
>>> rod.nv
6
)")
      .def_static(
          "from_file",
          [](const std::filesystem::path& path, const std::string& base, Q gravity) {
            const ModelOptions options = model_options(base, gravity);
            const nb::gil_scoped_release release;
            return read_model(path, options);
          },
          "path"_a, nb::kw_only(), "base"_a = "fixed", "gravity"_a = nb::none(),
          "From a .urdf or MJCF file; base is 'fixed' or 'floating', gravity in m/s².")
      .def_static(
          "from_text",
          [](const std::string& text, const std::string& name, const std::string& base, Q gravity) {
            const ModelOptions options = model_options(base, gravity);
            const nb::gil_scoped_release release;
            return parse_model(text, name, options);
          },
          "text"_a, "name"_a = "text", nb::kw_only(), "base"_a = "fixed", "gravity"_a = nb::none(),
          "From the text of such a file.")
      .def_prop_ro("name", &MultibodyModel::name, "As the file says.")
      .def_prop_ro("nq", &MultibodyModel::nq, "Numbers of a configuration.")
      .def_prop_ro("nv", &MultibodyModel::nv, "Degrees of freedom.")
      .def_prop_ro("frames", &MultibodyModel::frames, "Names of links, joints and sites.")
      .def_prop_ro(
          "joints",
          [](const MultibodyModel& model) {
            std::vector<std::string> names;
            for (const ModelJoint& joint : model.joints()) names.push_back(joint.name);
            return names;
          },
          "Names, in the order of their coordinates.")
      .def_prop_ro(
          "neutral", [](const MultibodyModel& model) { return array(model.neutral()); },
          "The configuration of zero angles and displacements.")
      .def(
          "mass",
          [](const MultibodyModel& model, Q q) {
            MechanismState state(Mechanism{model});
            state.at(configuration(model, q));
            return array(state.mass());
          },
          "q"_a = nb::none(), "M, (nv, nv).")
      .def(
          "jacobian",
          [](const MultibodyModel& model, const std::string& frame, Q q, Q normal) {
            const ContactPoint point = contact(model, frame, normal);
            MechanismState state(Mechanism{model});
            state.at(configuration(model, q));
            return array(Eigen::MatrixXd(state.jacobian(point)));
          },
          "frame"_a, "q"_a = nb::none(), nb::kw_only(), "normal"_a = nb::none(),
          "Of a frame's origin, rows t1, t2, n.")
      .def(
          "delassus", &delassus, "frame"_a, "q"_a = nb::none(), nb::kw_only(),
          "normal"_a = nb::none(),
          R"(W of a frame that touches the world, order t1, t2, n; (3, 3), or (n, 3, 3) for q of shape (n, nq).

>>> from stiction.models import Model
>>> rod = Model.from_file("scenes/models/rod.urdf", base="floating")
>>> rod.delassus("tip", [rod.neutral, rod.neutral]).shape
(2, 3, 3)
)")
      .def(
          "generalized_cone",
          [](const MultibodyModel& model, const std::string& frame, const LawLike& law, Q q,
             Q normal) {
            const ContactPoint point = contact(model, frame, normal);
            const LimitCurve c = curve(law, "law");
            MechanismState state(Mechanism{model});
            state.at(configuration(model, q));
            return generalized_cone(state.delassus(point), c);
          },
          "frame"_a, "law"_a, "q"_a = nb::none(), nb::kw_only(), "normal"_a = nb::none(),
          nb::sig("def generalized_cone(self, frame: str, law: stiction._stiction.Law | float | "
                  "str, q: numpy.typing.ArrayLike | None = None, *, normal: "
                  "numpy.typing.ArrayLike | None = None) -> stiction._stiction.GeneralizedCone"),
          "Of a frame that touches the world.")
      .def(
          "contact_state",
          [](const MultibodyModel& model, const std::string& frame, Q q, Q v, Q torque, Q normal) {
            const ContactPoint point = contact(model, frame, normal);
            MechanismState state(Mechanism{model});
            state.at(configuration(model, q), velocity(model, v, "v"),
                     velocity(model, torque, "torque"));
            return nb::make_tuple(small<3>(state.position(point)), small<3>(state.velocity(point)),
                                  small<3>(state.acceleration(point)));
          },
          "frame"_a, "q"_a = nb::none(), "v"_a = nb::none(), nb::kw_only(), "torque"_a = nb::none(),
          "normal"_a = nb::none(),
          nb::sig("def contact_state(self, frame: str, q: numpy.typing.ArrayLike | None = None, "
                  "v: numpy.typing.ArrayLike | None = None, *, torque: numpy.typing.ArrayLike | "
                  "None = None, normal: numpy.typing.ArrayLike | None = None) -> "
                  "tuple[numpy.typing.NDArray[numpy.float64], "
                  "numpy.typing.NDArray[numpy.float64], numpy.typing.NDArray[numpy.float64]]"),
          "Position in the world, and velocity and acceleration without contact force, t1, t2, n.")
      .def(
          "contact_map",
          [](const MultibodyModel& model, const std::string& frame,
             const std::vector<std::string>& sweeps, Q q, Q normal, int threads) {
            const ContactPoint point = contact(model, frame, normal);
            std::vector<Sweep> parsed;
            for (const std::string& sweep : sweeps) parsed.push_back(parse_sweep(sweep, model));
            const Eigen::VectorXd at = configuration(model, q);
            if (threads < 0) refuse("threads", std::to_string(threads), "zero or more");
            MapOptions options;
            options.threads = threads;
            const nb::gil_scoped_release release;
            return contact_map(Mechanism{model}, point, at, parsed, options);
          },
          "frame"_a, "sweeps"_a, "q"_a = nb::none(), nb::kw_only(), "normal"_a = nb::none(),
          "threads"_a = 0,
          R"(μ_crit and μ_jam while one or two joints run over a grid, such as "elbow=-1:1:50".

>>> from stiction.models import Model
>>> arm = Model.from_file("scenes/models/two-link-arm.urdf")
>>> name = arm.joints[0]
>>> arm.contact_map(arm.frames[-1], [f"{name}=0.2:1.2:5"]).mu_crit.shape
(5,)
)");
}

}  // namespace

}  // namespace stiction::python

NB_MODULE(_models, m) {
  using namespace stiction;
  using namespace stiction::python;
  m.doc() = "The compiled part of stiction.models.";
  bind_model(m);
  nb::class_<ContactMap>(m, "ContactMap", "The two coefficients of a contact over a grid.")
      .def_prop_ro(
          "mu_crit", [](const ContactMap& map) { return swept(map, map.mu_crit); },
          "One a cell; NaN where there is no answer.")
      .def_prop_ro(
          "mu_jam", [](const ContactMap& map) { return swept(map, map.mu_jam); },
          "One a cell; infinite where nothing jams, NaN where there is no answer.")
      .def_prop_ro(
          "coordinates",
          [](const ContactMap& map) {
            std::vector<Array> lists;
            for (const Sweep& sweep : map.sweeps) {
              Eigen::VectorXd values(sweep.count);
              for (int i = 0; i < sweep.count; ++i) values[i] = sweep.at(i);
              lists.push_back(array(std::move(values)));
            }
            return lists;
          },
          "The values of each sweep.")
      .def_prop_ro(
          "least_jam", [](const ContactMap& map) { return point_of(map.least_jam); },
          nb::sig("def least_jam(self) -> tuple[float, list[float]] | None"),
          "The least μ_jam over the ranges and where it is; None where nothing jams.")
      .def_prop_ro(
          "greatest_crit", [](const ContactMap& map) { return point_of(map.greatest_crit); },
          nb::sig("def greatest_crit(self) -> tuple[float, list[float]] | None"),
          "The greatest μ_crit over the ranges and where it is.")
      .def_prop_ro(
          "without_answer", [](const ContactMap& map) { return map.without_answer; },
          "Cells without an answer.");
}
