// SPDX-License-Identifier: Apache-2.0
//
// What is said of a contact problem beside its solution: certificates, whether there is one, and
// all of them.
#include "contact.h"
#include "stiction/enumerate.h"
#include "watch.h"

namespace stiction::python {

void bind_certificate(nb::module_& m) {
  nb::class_<Certificate>(
      m, "Certificate", R"(How far reactions are from a solution, recomputed from the problem alone.

>>> c = st.solve(np.eye(3), [-1.0, 2.0, 0.0], 0.5).certificate
>>> c.penetration, c.complementarity, c.dissipation
(0.0, 0.0, 0.75)
)")
      .def_ro("natural_map", &Certificate::natural_map, "‖r − proj_K(r − û)‖ [N s]")
      .def_ro("relative", &Certificate::relative, "natural_map over ‖q‖, FCLib's error")
      .def_ro("scaled", &Certificate::scaled, "The same, independent of units.")
      .def_ro("cone_violation", &Certificate::cone_violation,
              "Greatest distance of a reaction from its cone [N s]")
      .def_ro("penetration", &Certificate::penetration, "Greatest approach −u_n [m/s]")
      .def_ro("complementarity", &Certificate::complementarity, "Greatest |r_n u_n| [J]")
      .def_ro("slip_alignment", &Certificate::slip_alignment, "Greatest r_n h(u_t) + r_t·u_t [J]")
      .def_ro("dissipation", &Certificate::dissipation, "Power taken by friction [J]")
      .def_ro("slip_dissipation", &Certificate::slip_dissipation, "Of it, by slip.")
      .def_ro("spin_dissipation", &Certificate::spin_dissipation, "Of it, by spin.")
      .def_ro("rolling_dissipation", &Certificate::rolling_dissipation, "Of it, by rolling.")
      .def_ro("joint_dissipation", &Certificate::joint_dissipation, "Of it, by fixed sets.")
      .def("within", &Certificate::within, "tolerance"_a = 1e-8,
           R"(Whether both errors are at most the tolerance.

>>> st.certify(st.ContactProblem(np.eye(3), [-1.0, 2.0, 0.0], 0.5), [[1.0, 0.0, 0.0]]).within(1e-8)
False
)")
      .def("__repr__", [](const Certificate& c) {
        return "Certificate(relative=" + text(c.relative) + ", scaled=" + text(c.scaled) + ")";
      });
}

void bind_existence(nb::module_& m) {
  nb::class_<Separation>(m, "Separation", R"(A direction s in K with Wᵀs = 0 and q·s ≤ 0.

>>> p = st.ContactProblem(np.zeros((3, 3)), [-1.0, 0, 0], 0.5)
>>> s = st.solve(p).separation
>>> s.proves, s.direction
('no_solution', array([1., 0., 0.]))
)")
      .def(
          "__init__",
          [](Separation* self, const ArrayLike& direction, const std::string& proves) {
            Separation made{vector(direction, "direction"), parse_proves(proves)};
            new (self) Separation(std::move(made));
          },
          "direction"_a, "proves"_a = "existence_not_guaranteed")
      .def_prop_ro(
          "direction", [](const Separation& s) { return array(s.direction); },
          "s, of unit length, flat.")
      .def_prop_ro(
          "proves", [](const Separation& s) { return to_text(s.proves); },
          "'no_solution' or 'existence_not_guaranteed'.");
  m.def(
      "find_separation",
      [](const ContactProblem& p, const std::string& model, const nb::object& progress) {
        const Model parsed = parse_friction_model(model);
        return watched<std::optional<Separation>>(
            progress, [&](const Progress& report) { return find_separation(p, parsed, report); });
      },
      "problem"_a, nb::kw_only(), "model"_a = "coulomb", "progress"_a = false,
      nb::sig("def find_separation(problem: ContactProblem, *, model: str = 'coulomb', progress: "
              "bool | collections.abc.Callable[[float], object] = False) -> Separation | None"),
      R"(A direction that shows that a solution need not exist, or None.

Stopped, by a progress that returns False or by Ctrl-C (Interrupted.reached), it is one that proves less
if it has found that by then.

>>> p = st.ContactProblem(np.zeros((3, 3)), [-1.0, 0, 0], 0.5)
>>> st.find_separation(p).proves
'no_solution'
)");
  m.def(
      "verify_separation",
      [](const ContactProblem& p, const Separation& separation, const std::string& model) {
        const Model parsed = parse_friction_model(model);
        const nb::gil_scoped_release release;
        return verify_separation(p, separation, parsed);
      },
      "problem"_a, "separation"_a, nb::kw_only(), "model"_a = "coulomb",
      R"(Whether a separation is what it claims to be, recomputed from the problem alone.

>>> p = st.ContactProblem(np.zeros((3, 3)), [-1.0, 0, 0], 0.5)
>>> st.verify_separation(p, st.Separation([1.0, 0, 0], "no_solution"))
True
>>> st.verify_separation(p, st.Separation([0.0, 1, 0], "no_solution"))
False
)");
  m.def("matrix_free_pays", &matrix_free_pays, nb::call_guard<nb::gil_scoped_release>(),
        "problem"_a,
        R"(Whether bodies have so many contacts that solving without W pays.

>>> st.matrix_free_pays(st.read_problem("scenes/ladder.json"))
False
)");
  m.def("bodies_pay", &bodies_pay, nb::call_guard<nb::gil_scoped_release>(), "problem"_a,
        R"(Whether method='auto' solves a global problem in the space of its bodies.

>>> st.bodies_pay(st.read_problem("scenes/ladder.json"))
False
)");
  nb::class_<EnumeratedSolution>(
      m, "EnumeratedSolution",
      R"(One solution of a small problem, or a point inside a continuum of them.

>>> p = st.ContactProblem(np.eye(3), [-1.0, 2.0, 0.0], 0.5)
>>> s = st.enumerate(p).solutions[0]
>>> s.modes, s.dimension, s.reactions
(['slip'], 0, array([ 1. , -0.5,  0. ]))
)")
      .def_prop_ro(
          "reactions", [](const EnumeratedSolution& s) { return array(s.reactions); }, "r, flat.")
      .def_prop_ro(
          "velocities", [](const EnumeratedSolution& s) { return array(s.velocities); }, "u, flat.")
      .def_prop_ro(
          "modes",
          [](const EnumeratedSolution& s) {
            std::vector<std::string> names;
            for (const Mode mode : s.modes)
              names.emplace_back(mode == Mode::open    ? "open"
                                 : mode == Mode::stick ? "stick"
                                                       : "slip");
            return names;
          },
          "'open', 'stick' or 'slip', one a contact.")
      .def_ro("dimension", &EnumeratedSolution::dimension,
              "0 for a single solution, more for a continuum.")
      .def_ro("certificate", &EnumeratedSolution::certificate, "Of the reactions.");
  nb::class_<Enumeration>(m, "Enumeration", R"(Every solution found.

>>> e = st.enumerate(st.ContactProblem(np.eye(3), [-1.0, 2.0, 0.0], 0.5))
>>> len(e.solutions), e.complete, e.reason
(1, True, '')
)")
      .def_ro("solutions", &Enumeration::solutions, "Each a solution or a continuum of them.")
      .def_ro("complete", &Enumeration::complete, "Proven: there are no others.")
      .def_ro("proves_none", &Enumeration::proves_none,
              "There is none, and rounding had no part in that.")
      .def_ro("reason", &Enumeration::reason, "Why not complete, if not.");
  m.def(
      "enumerate",
      [](const ContactProblem& p, double max_seconds, const nb::object& progress) {
        if (!(max_seconds > 0)) refuse("max_seconds", text(max_seconds), "a number > 0");
        return watched<Enumeration>(
            progress, [&](const Progress& report) { return enumerate(p, max_seconds, report); });
      },
      "problem"_a, nb::kw_only(), "max_seconds"_a = 60.0, "progress"_a = false,
      nb::sig("def enumerate(problem: ContactProblem, *, max_seconds: float = 60.0, progress: bool "
              "| collections.abc.Callable[[float], object] = False) -> Enumeration"),
      R"(Every solution of a problem of up to a dozen contacts.

Stopped, by a progress that returns False or by Ctrl-C (Interrupted.reached), it holds those found so
far and is not complete.

>>> p = st.ContactProblem(np.eye(3), [-1.0, 0.2, 0.0], 0.5)
>>> found = st.enumerate(p)
>>> [s.modes for s in found.solutions], found.complete
([['stick']], True)
)");
  m.def(
      "certify",
      [](const std::variant<ContactProblem*, GlobalProblem*>& problem, const ArrayLike& reactions,
         const std::string& model, const nb::object& progress) {
        const Model parsed = parse_friction_model(model);
        return std::visit(
            [&](const auto* p) {
              const Eigen::VectorXd r =
                  reactions_of(reactions, "reactions", p->contacts(), p->dimension);
              return watched<Certificate>(progress, [&](const Progress& report) {
                if constexpr (std::is_same_v<decltype(p), const ContactProblem*>) {
                  if (!p->bilateral) return certify(*p, r, parsed);
                }
                return certify(Condensed(*p, report).local(), r, parsed);
              });
            },
            problem);
      },
      "problem"_a, "reactions"_a, nb::kw_only(), "model"_a = "coulomb", "progress"_a = false,
      nb::sig("def certify(problem: ContactProblem | GlobalProblem, reactions: "
              "numpy.typing.ArrayLike, *, model: str = 'coulomb', progress: bool | "
              "collections.abc.Callable[[float], object] = False) -> Certificate"),
      R"(Is this a solution?  Recomputed from the problem and the reactions alone.

Problems in global form and those with bilateral rows are condensed for it, which `progress` follows.

>>> p = st.ContactProblem(np.eye(3), [-1.0, 0.2, 0.0], 0.5)
>>> st.certify(p, [[1.0, -0.2, 0.0]]).relative
0.0
)");
  m.def(
      "dissipated_power",
      [](const ContactProblem& p, const ArrayLike& reactions) {
        const Eigen::VectorXd r = reactions_of(reactions, "reactions", p.contacts(), p.dimension);
        return array(without_gil([&] { return dissipated_power(p, r); }));
      },
      "problem"_a, "reactions"_a, R"(Power dissipated by friction at each contact [J].

>>> p = st.ContactProblem(np.eye(3), [-1.0, 2.0, 0.0], 0.5)
>>> st.dissipated_power(p, st.solve(p).reactions)
array([0.75])
)");
}

}  // namespace stiction::python
