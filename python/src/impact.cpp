// SPDX-License-Identifier: Apache-2.0
#include "stiction/impact.h"

#include "bind.h"

namespace stiction::python {

void bind_impact(nb::module_& m) {
  nb::class_<ImpactPhase>(m, "ImpactPhase",
                          R"(A stretch of an impact in which the contact slips or sticks.

>>> phase = st.impact(st.generalized_cone(np.eye(3), 0.5), [0.2, 0.0, -1.0]).phases[0]
>>> phase.mode, phase.slip_before, phase.slip_after
('slip', array([0.2, 0. ]), array([0., 0.]))
)")
      .def_prop_ro(
          "mode",
          [](const ImpactPhase& p) { return p.mode == ImpactPhase::Mode::slip ? "slip" : "stick"; },
          "'slip' or 'stick'.")
      .def_ro("start", &ImpactPhase::from, "Normal impulse at its start [N s].")
      .def_ro("end", &ImpactPhase::to, "Normal impulse at its end [N s].")
      .def_prop_ro(
          "slip_before", [](const ImpactPhase& p) { return small<2>(p.slip_before); }, "[m/s]")
      .def_prop_ro(
          "slip_after", [](const ImpactPhase& p) { return small<2>(p.slip_after); }, "[m/s]");
  nb::class_<Impact>(m, "Impact",
                     R"(A collision at one point, followed through its impulses; order t1, t2, n.

>>> hit = st.impact(st.generalized_cone(np.eye(3), 0.5), [2.0, 0.0, -1.0])
>>> hit.impulse, hit.friction_work
(array([-0.5,  0. ,  1. ]), -0.875)
)")
      .def_prop_ro(
          "velocity", [](const Impact& i) { return small<3>(i.velocity); }, "Afterwards [m/s].")
      .def_prop_ro(
          "impulse", [](const Impact& i) { return small<3>(i.impulse); }, "On the body [N s].")
      .def_ro("compression_impulse", &Impact::compression_impulse,
              "Normal, while the bodies approached [N s].")
      .def_ro("compression_work", &Impact::compression_work, "[J]")
      .def_ro("restitution_work", &Impact::restitution_work, "[J]")
      .def_ro("friction_work", &Impact::friction_work, "[J], never positive.")
      .def_ro("energy_change", &Impact::energy_change, "Of the system [J].")
      .def_ro("phases", &Impact::phases, "Slip and stick, in order.")
      .def_prop_ro(
          "path",
          [](const Impact& i) {
            Eigen::MatrixXd rows(static_cast<Eigen::Index>(i.path.size()), 4);
            for (std::size_t k = 0; k < i.path.size(); ++k)
              rows.row(static_cast<Eigen::Index>(k)) << i.path[k].normal_impulse,
                  i.path[k].velocity.transpose();
            return array(std::move(rows));
          },
          "Rows p, u_t1, u_t2, u_n from before to after.");
  m.def(
      "impact",
      [](const GeneralizedCone& cone, const ArrayLike& velocity, double coefficient,
         const std::string& restitution) {
        Restitution r;
        if (restitution == "newton")
          r.kind = Restitution::Kind::newton;
        else if (restitution == "poisson")
          r.kind = Restitution::Kind::poisson;
        else if (restitution != "energetic")
          refuse("restitution", quoted(restitution), "'newton', 'poisson' or 'energetic'");
        r.coefficient = coefficient;
        const Vec3 u = vec<3>(velocity, "velocity");
        const nb::gil_scoped_release release;
        return impact(cone, u, r);
      },
      "cone"_a, "velocity"_a, "coefficient"_a = 0.0, nb::kw_only(), "restitution"_a = "energetic",
      R"(A collision with velocity t1, t2, n before it, u_n ≤ 0, and a coefficient of restitution.

>>> hit = st.impact(st.generalized_cone(np.eye(3), 0.5), [0.2, 0.0, -1.0], 0.5)
>>> hit.velocity, [p.mode for p in hit.phases]
(array([0. , 0. , 0.5]), ['slip', 'stick'])
)");
}

}  // namespace stiction::python
