// SPDX-License-Identifier: Apache-2.0
#include "models.h"
#include "pickle.h"
#include "stiction/jamming_map.h"
#include "stiction/multibody.h"

namespace stiction::python {

template <>
inline constexpr auto fields_of<Sweep> =
    std::tuple(&Sweep::name, &Sweep::coordinate, &Sweep::from, &Sweep::to, &Sweep::count);
template <>
inline constexpr auto fields_of<MapPoint> = std::tuple(&MapPoint::mu, &MapPoint::at);
template <>
inline constexpr auto fields_of<JammingMap> = std::tuple(
    &JammingMap::sweeps, &JammingMap::mu_crit, &JammingMap::mu_jam, &JammingMap::without_answer,
    &JammingMap::jamming, &JammingMap::least_jam, &JammingMap::greatest_crit);
template <>
inline constexpr auto fields_of<ContactMotions> =
    std::tuple(&ContactMotions::touches, &ContactMotions::slides, &ContactMotions::found,
               &ContactMotions::problem);

namespace {

Array swept(const JammingMap& map, const std::vector<double>& values) {
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

}  // namespace

void bind_model_answers(nb::module_& m) {
  nb::class_<ContactMotions>(m, "ContactMotions",
                             R"(What several contacts that touch do next, every possibility of it.

>>> from stiction.models import Model
>>> rod = Model.from_file("scenes/models/rod.urdf", base="floating")
>>> motions = rod.contact_motions(["tip"], 0.5, [0, 0, 0, 0, np.sqrt(0.5), 0, np.sqrt(0.5)])
>>> motions.touches, motions.slides, motions.problem.contacts
([True], [False], 1)
)")
      .def_prop_ro(
          "touches", [](const ContactMotions& c) { return c.touches; },
          "Of each contact: it does not move off the ground already.")
      .def_prop_ro(
          "slides", [](const ContactMotions& c) { return c.slides; },
          "Of each contact: it has a slip velocity.")
      .def_ro("found", &ContactMotions::found,
              nb::sig("def found(self) -> stiction._stiction.Enumeration"),
              "Reactions [N] and accelerations [m/s²] of those that touch, n, t1, t2 each.")
      .def_ro("problem", &ContactMotions::problem,
              nb::sig("def problem(self) -> stiction._stiction.ContactProblem"),
              "That was enumerated, the friction of slips in its W.");
  nb::class_<JammingMap>(m, "JammingMap", R"(The two coefficients of a contact over a grid.

>>> from stiction.models import Model
>>> arm = Model.from_file("scenes/models/two-link-arm.urdf")
>>> found = arm.jamming_map("tip", ["elbow=0.2:1.2:5"])
>>> found.coordinates[0], found.mu_jam.shape
(array([0.2 , 0.45, 0.7 , 0.95, 1.2 ]), (5,))
)")
      .def_prop_ro(
          "mu_crit", [](const JammingMap& map) { return swept(map, map.mu_crit); },
          "One a cell; NaN where there is no answer.")
      .def_prop_ro(
          "mu_jam", [](const JammingMap& map) { return swept(map, map.mu_jam); },
          "One a cell; infinite where nothing jams, NaN where there is no answer.")
      .def_prop_ro(
          "coordinates",
          [](const JammingMap& map) {
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
          "least_jam", [](const JammingMap& map) { return point_of(map.least_jam); },
          nb::sig("def least_jam(self) -> tuple[float, list[float]] | None"),
          "The least μ_jam over the ranges and where it is; None where nothing jams.")
      .def_prop_ro(
          "greatest_crit", [](const JammingMap& map) { return point_of(map.greatest_crit); },
          nb::sig("def greatest_crit(self) -> tuple[float, list[float]] | None"),
          "The greatest μ_crit over the ranges and where it is.")
      .def_prop_ro(
          "without_answer", [](const JammingMap& map) { return map.without_answer; },
          "Cells without an answer.")
      .def_prop_ro(
          "jamming", [](const JammingMap& map) { return map.jamming; },
          "Cells in which some slip jams under the law that was given.");
  m.def(
      "contact_axes",
      [](const ArrayLike& normal) {
        return array(Eigen::MatrixXd(contact_axes(vec<3>(normal, "normal"))));
      },
      "normal"_a, R"(The axes of a contact in the world, rows t1, t2, n.

>>> from stiction.models import contact_axes
>>> contact_axes([0, 0, 2]).tolist()
[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
)");
  pickled<ContactMotions>();
  pickled<JammingMap>();
}

}  // namespace stiction::python
