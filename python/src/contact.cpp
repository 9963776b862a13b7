// SPDX-License-Identifier: Apache-2.0
#include "contact.h"

#include "io/problem_json.h"
#include "watch.h"

namespace stiction::python {

namespace {

// The blocks of W as they lie in memory, each column by column, as scipy's block rows.
nb::object scipy_W(const ContactProblem& problem) {
  const nb::object self = nb::find(problem);
  const BlockMatrix& W = problem.W;
  const auto d = static_cast<std::size_t>(W.block);
  const std::int64_t strides[] = {static_cast<std::int64_t>(d * d), 1,
                                  static_cast<std::int64_t>(d)};
  const std::size_t shape[] = {W.column.size(), d, d};
  using Blocks = nb::ndarray<nb::numpy, const double, nb::ndim<3>>;
  using Indices = nb::ndarray<nb::numpy, const int, nb::ndim<1>>;
  const Blocks blocks(W.value.data(), 3, shape, self, strides);
  const Indices columns(W.column.data(), {W.column.size()}, self);
  const Indices starts(W.start.data(), {W.start.size()}, self);
  const std::size_t n = d * static_cast<std::size_t>(W.rows());
  return nb::module_::import_("scipy.sparse")
      .attr("bsr_array")(nb::make_tuple(blocks, columns, starts), "shape"_a = nb::make_tuple(n, n));
}

nb::object scipy_csc(const Eigen::SparseMatrix<double>& source) {
  const Eigen::SparseMatrix<double> m = without_gil([&] {
    Eigen::SparseMatrix<double> copy = source;
    copy.makeCompressed();
    return copy;
  });
  const auto count = static_cast<std::size_t>(m.nonZeros());
  const auto integers = [](const int* from, std::size_t n) {
    auto* copy = new int[n];
    std::copy(from, from + n, copy);
    return nb::ndarray<nb::numpy, int, nb::ndim<1>>(
        copy, {n}, nb::capsule(copy, [](void* p) noexcept { delete[] static_cast<int*>(p); }));
  };
  const Eigen::VectorXd values = Eigen::Map<const Eigen::VectorXd>(m.valuePtr(), m.nonZeros());
  return nb::module_::import_("scipy.sparse")
      .attr("csc_array")(
          nb::make_tuple(array(values), integers(m.innerIndexPtr(), count),
                         integers(m.outerIndexPtr(), static_cast<std::size_t>(m.cols()) + 1)),
          "shape"_a = nb::make_tuple(m.rows(), m.cols()));
}

template <class Problem>
std::vector<PythonLaw> laws_of(const Problem& problem) {
  std::vector<PythonLaw> list;
  list.reserve(problem.laws.size());
  for (const Law& law : problem.laws) list.emplace_back(law);
  return list;
}

template <class Problem>
Problem with_laws(const Problem& problem, const LawsLike& law) {
  Problem changed = without_gil([&] { return Problem(problem); });
  changed.laws = laws(law, "law", problem.contacts());
  return changed;
}

template <class Problem>
ContactProblem condensed(const Problem& problem, const nb::object& progress) {
  return watched<ContactProblem>(
      progress, [&](const Progress& report) { return Condensed(problem, report).local(); });
}

template <class Problem>
void bind_json(nb::class_<Problem>& type, const char* from, const char* to) {
  static const std::string signature =
      "def from_json(text: str, *, progress: bool | collections.abc.Callable[[float], object] = "
      "False) -> " +
      std::string(std::is_same_v<Problem, GlobalProblem> ? "GlobalProblem" : "ContactProblem");
  type.def_static(
      "from_json",
      [](const std::string& text, const nb::object& progress) {
        AnyProblem found = watched<AnyProblem>(progress, [&](const Progress& report) {
          return about("text", [&] { return read_problem_json(text, report); });
        });
        if (auto* problem = std::get_if<Problem>(&found)) return std::move(*problem);
        refuse(
            "text", "a problem of the other form",
            std::is_same_v<Problem, GlobalProblem> ? "one with M, H, f and w" : "one with W and q");
      },
      "text"_a, nb::kw_only(), "progress"_a = false, nb::sig(signature.c_str()), from);
  type.def(
      "to_json",
      [](const Problem& problem, const nb::object& progress) {
        return watched<std::string>(
            progress, [&](const Progress& report) { return write_problem_json(problem, report); });
      },
      nb::kw_only(), "progress"_a = false,
      nb::sig("def to_json(self, *, progress: bool | collections.abc.Callable[[float], object] = "
              "False) -> str"),
      to);
}

template <class Problem>
Array bilateral_forces(const Problem& problem, const ArrayLike& reactions,
                       const nb::object& progress) {
  const Eigen::VectorXd r =
      reactions_of(reactions, "reactions", problem.contacts(), problem.dimension);
  return array(watched<Eigen::VectorXd>(progress, [&](const Progress& report) {
    return Condensed(problem, report).bilateral_forces(r);
  }));
}

void require_columns(const Eigen::SparseMatrix<double>& matrix, const char* name,
                     Eigen::Index columns, const char* as) {
  if (matrix.cols() != columns)
    refuse(name,
           "a matrix of shape (" + std::to_string(matrix.rows()) + ", " +
               std::to_string(matrix.cols()) + ")",
           "as many columns as " + std::string(as) + ", " + std::to_string(columns));
}

GlobalProblem global_problem(const MatrixLike& M, const MatrixLike& H, const ArrayLike& f,
                             const ArrayLike& w, const LawsLike& law, int dimension,
                             const std::optional<MatrixLike>& G,
                             const std::optional<ArrayLike>& b) {
  GlobalProblem p;
  p.dimension = dimension;
  if (dimension != 2 && dimension != 3) refuse("dimension", std::to_string(dimension), "2 or 3");
  p.M = sparse(M, "M");
  require_columns(p.M, "M", p.M.rows(), "its rows");
  p.H = sparse(H, "H");
  require_columns(p.H, "H", p.M.cols(), "those of M");
  if (p.H.rows() % dimension != 0)
    refuse("H", "a matrix of " + std::to_string(p.H.rows()) + " rows",
           "a multiple of " + std::to_string(dimension));
  p.f = vector(f, "f", p.M.rows());
  p.w = vector(w, "w", p.H.rows());
  p.laws = laws(law, "law", p.H.rows() / dimension);
  if (G.has_value() != b.has_value()) throw InvalidInput("G and b come together");
  if (G) {
    Eigen::SparseMatrix<double> joints = sparse(*G, "G");
    require_columns(joints, "G", p.M.cols(), "those of M");
    Eigen::VectorXd drift = vector(*b, "b", joints.rows());
    p.joints = {std::move(joints), std::move(drift)};
  }
  without_gil([&] { validate(p); });
  return p;
}

nb::list places(const std::vector<ContactPlace>& places, bool frames) {
  nb::list list;
  for (const ContactPlace& place : places)
    if (frames)
      list.append(place.frame ? nb::cast(array(Eigen::MatrixXd(*place.frame)))
                              : nb::object(nb::none()));
    else
      list.append(place.position ? nb::cast(small<3>(*place.position)) : nb::object(nb::none()));
  return list;
}

void bind_local(nb::module_& m) {
  nb::class_<ContactProblem> type(
      m, "ContactProblem",
      R"(u = W r + q under exact Coulomb friction: one law a contact, components n, t1, t2.

>>> p = st.ContactProblem(np.eye(3), [-1.0, 0.2, 0.0], 0.5)
>>> p.contacts, p.dimension
(1, 3)
)");
  type.def(
          "__init__",
          [](ContactProblem* self, const MatrixLike& W, const ArrayLike& q, const LawsLike& law,
             const std::optional<MatrixLike>& V, const std::optional<MatrixLike>& R,
             const std::optional<ArrayLike>& s, int dimension) {
            ContactProblem made = local_problem(W, q, law, dimension);
            if (V.has_value() != R.has_value() || V.has_value() != s.has_value())
              throw InvalidInput("V, R and s come together");
            if (V) {
              made.bilateral = Bilateral{sparse(*V, "V"), sparse(*R, "R"), {}};
              require_columns(made.bilateral->R, "R", made.bilateral->R.rows(), "its rows");
              made.bilateral->s = vector(*s, "s", made.bilateral->R.rows());
              without_gil([&] { validate(made); });
            }
            new (self) ContactProblem(std::move(made));
          },
          "W"_a, "q"_a, "law"_a, nb::kw_only(), "V"_a = nb::none(), "R"_a = nb::none(),
          "s"_a = nb::none(), "dimension"_a = 3,
          "With bilateral rows Vᵀr + Rλ + s = 0, whose forces λ add Vλ to u.")
      .def_prop_ro("W", &scipy_W, nb::sig("def W(self) -> scipy.sparse.bsr_array"),
                   "The Delassus matrix as scipy.sparse blocks; not a copy, and read-only.")
      .def_prop_ro(
          "q", [](const ContactProblem& p) { return view(p.q, p.dimension, nb::find(p)); },
          "Velocities without reactions, a row a contact.  Not a copy, and read-only.")
      .def_prop_ro("laws", &laws_of<ContactProblem>, "One a contact.")
      .def_prop_ro("contacts", &ContactProblem::contacts, "How many.")
      .def_ro("dimension", &ContactProblem::dimension, "Components a contact.")
      .def_prop_ro(
          "positions", [](const ContactProblem& p) { return places(p.places, false); },
          nb::sig("def positions(self) -> list[numpy.typing.NDArray[numpy.float64] | None]"),
          "Where contacts are, None where not known; empty if none is.")
      .def_prop_ro(
          "frames", [](const ContactProblem& p) { return places(p.places, true); },
          nb::sig("def frames(self) -> list[numpy.typing.NDArray[numpy.float64] | None]"),
          "Rows n, t1, t2 of each contact, None where not known; empty if none is.")
      .def("with_laws", &with_laws<ContactProblem>, "law"_a, R"(The same problem under other laws.

>>> p = st.ContactProblem(np.eye(3), [-1.0, 2.0, 0.0], 0.5)
>>> p.with_laws("box:0.3").laws
[Law('box:0.3')]
)")
      .def("condensed", &condensed<ContactProblem>, nb::kw_only(), "progress"_a = false,
           nb::sig("def condensed(self, *, progress: bool | collections.abc.Callable[[float], "
                   "object] = False) -> ContactProblem"),
           R"(The same problem, its bilateral rows eliminated.

With progress=True a bar is shown; a callable is given the share done, and stops the work, which then
raises RuntimeError, by returning False.

>>> p = st.ContactProblem(2 * np.eye(3), [-1.0, 0, 0], 0.5, V=[[0], [1], [0]], R=[[1]], s=[0])
>>> p.condensed().W.toarray().diagonal()
array([2., 1., 2.])
)")
      .def("bilateral_forces", &bilateral_forces<ContactProblem>, "reactions"_a, nb::kw_only(),
           "progress"_a = false,
           nb::sig("def bilateral_forces(self, reactions: numpy.typing.ArrayLike, *, progress: "
                   "bool | collections.abc.Callable[[float], object] = False) -> "
                   "numpy.typing.NDArray[numpy.float64]"),
           R"(λ, one a bilateral row; the least where redundant rows leave it open.

>>> p = st.ContactProblem(2 * np.eye(3), [-1.0, 0, 0], 0.5, V=[[0], [1], [0]], R=[[1]], s=[0])
>>> p.bilateral_forces([[0.5, 0.1, 0.0]])
array([-0.1])
)")
      .def("__repr__", [](const ContactProblem& p) {
        return "ContactProblem(contacts=" + std::to_string(p.contacts()) +
               ", dimension=" + std::to_string(p.dimension) + ")";
      });
  bind_json(type, R"(From the text of a problem file in JSON.

>>> st.ContactProblem.from_json(st.ContactProblem(np.eye(3), [-1.0, 0, 0], 0.5).to_json()).q
array([[-1.,  0.,  0.]])
)",
            R"(The text of a problem file in JSON, which reads back to the same numbers.

>>> st.ContactProblem(np.eye(3), [-1.0, 0, 0], 0.5).to_json()[:24]
'{"format":"stiction/1","'
)");
}

void bind_global(nb::module_& m) {
  nb::class_<GlobalProblem> type(
      m, "GlobalProblem",
      R"(M v = Hᵀ r + Gᵀ λ + f, u = H v + w, G v + b = 0: a contact problem in the system's velocities.

>>> p = st.GlobalProblem(2 * np.eye(3), np.eye(3), [-2.0, 0, 0], [0.0, 0, 0], 0.5)
>>> p.condensed().q
array([[-1.,  0.,  0.]])
)");
  type.def(
          "__init__",
          [](GlobalProblem* self, const MatrixLike& M, const MatrixLike& H, const ArrayLike& f,
             const ArrayLike& w, const LawsLike& law, std::optional<MatrixLike> G,
             std::optional<ArrayLike> b, int dimension) {
            new (self) GlobalProblem(global_problem(M, H, f, w, law, dimension, G, b));
          },
          "M"_a, "H"_a, "f"_a, "w"_a, "law"_a, nb::kw_only(), "G"_a = nb::none(),
          "b"_a = nb::none(), "dimension"_a = 3)
      .def_prop_ro(
          "M", [](const GlobalProblem& p) { return scipy_csc(p.M); },
          nb::sig("def M(self) -> scipy.sparse.csc_array"), "Mass matrix.")
      .def_prop_ro(
          "H", [](const GlobalProblem& p) { return scipy_csc(p.H); },
          nb::sig("def H(self) -> scipy.sparse.csc_array"), "A row a contact component.")
      .def_prop_ro(
          "f", [](const GlobalProblem& p) { return array(p.f); },
          "Impulses other than those of contacts.")
      .def_prop_ro(
          "w", [](const GlobalProblem& p) { return array(p.w); },
          "Velocities at the contacts that are not the system's.")
      .def_prop_ro("laws", &laws_of<GlobalProblem>, "One a contact.")
      .def_prop_ro("contacts", &GlobalProblem::contacts, "How many.")
      .def_ro("dimension", &GlobalProblem::dimension, "Components a contact.")
      .def("with_laws", &with_laws<GlobalProblem>, "law"_a, R"(The same problem under other laws.

>>> p = st.read_problem("scenes/ladder.json")
>>> p.with_laws([0.2, "free"]).laws
[Law('disc:0.2'), Law('free')]
)")
      .def("condensed", &condensed<GlobalProblem>, nb::kw_only(), "progress"_a = false,
           nb::sig("def condensed(self, *, progress: bool | collections.abc.Callable[[float], "
                   "object] = False) -> ContactProblem"),
           R"(The same problem in local form, joints eliminated.

With progress=True a bar is shown; a callable is given the share done, and stops the work, which then
raises RuntimeError, by returning False.

>>> st.read_problem("scenes/ladder.json").condensed()
ContactProblem(contacts=2, dimension=2)
)")
      .def(
          "generalized_velocities",
          [](const GlobalProblem& p, const ArrayLike& reactions, const nb::object& progress) {
            const Eigen::VectorXd r =
                reactions_of(reactions, "reactions", p.contacts(), p.dimension);
            return array(watched<Eigen::VectorXd>(progress, [&](const Progress& report) {
              return Condensed(p, report).generalized_velocities(r);
            }));
          },
          "reactions"_a, nb::kw_only(), "progress"_a = false,
          nb::sig("def generalized_velocities(self, reactions: numpy.typing.ArrayLike, *, "
                  "progress: bool | collections.abc.Callable[[float], object] = False) -> "
                  "numpy.typing.NDArray[numpy.float64]"),
          R"(v = M⁻¹(f + Hᵀr + Gᵀλ).

>>> p = st.GlobalProblem(2 * np.eye(3), np.eye(3), [-2.0, 0, 0], [0.0, 0, 0], 0.5)
>>> p.generalized_velocities([[2.0, 0.0, 0.0]])
array([0., 0., 0.])
)")
      .def("bilateral_forces", &bilateral_forces<GlobalProblem>, "reactions"_a, nb::kw_only(),
           "progress"_a = false,
           nb::sig("def bilateral_forces(self, reactions: numpy.typing.ArrayLike, *, progress: "
                   "bool | collections.abc.Callable[[float], object] = False) -> "
                   "numpy.typing.NDArray[numpy.float64]"),
           R"(λ of the joints, one a row of G; the least where redundant rows leave it open.

>>> p = st.GlobalProblem(np.eye(3), np.eye(3), [-1.0, 2.0, 0], [0.0, 0, 0], 0.5, G=[[0, 1, 0]], b=[0])
>>> p.bilateral_forces([[1.0, 0.0, 0.0]])  # holds back what f pushes
array([-2.])
)")
      .def("__repr__", [](const GlobalProblem& p) {
        return "GlobalProblem(contacts=" + std::to_string(p.contacts()) +
               ", velocities=" + std::to_string(p.M.rows()) + ")";
      });
  bind_json(type, R"(From the text of a problem file in JSON.

>>> import pathlib
>>> text = pathlib.Path("scenes/ladder.json").read_text()
>>> st.GlobalProblem.from_json(text).contacts
2
)",
            R"(The text of a problem file in JSON, which reads back to the same numbers.

>>> p = st.read_problem("scenes/ladder.json")
>>> np.array_equal(st.GlobalProblem.from_json(p.to_json()).f, p.f)
True
)");
}

}  // namespace

Eigen::VectorXd reactions_of(const ArrayLike& reactions, const char* name, int contacts,
                             int dimension) {
  const Numbers n = numbers(reactions, name);
  const auto rows = static_cast<std::size_t>(contacts), d = static_cast<std::size_t>(dimension);
  const bool table = n.ndim() == 2 && n.shape(0) == rows && n.shape(1) == d;
  const bool flat = n.ndim() == 1 && n.shape(0) == rows * d;
  if (!table && !flat)
    refuse(name, "an array of shape " + shape_text(n),
           "shape (" + std::to_string(rows) + ", " + std::to_string(d) + ") or (" +
               std::to_string(rows * d) + ",)");
  return Eigen::Map<const Eigen::VectorXd>(n.data(), static_cast<Eigen::Index>(n.size()));
}

ContactProblem local_problem(const MatrixLike& W, const ArrayLike& q, const LawsLike& law,
                             int dimension) {
  if (dimension != 2 && dimension != 3) refuse("dimension", std::to_string(dimension), "2 or 3");
  ContactProblem p;
  p.dimension = dimension;
  Eigen::Index rows = 0, cols = 0;
  const auto require_square = [&] {
    if (rows != cols || rows % dimension != 0)
      refuse("W", "a matrix of shape (" + std::to_string(rows) + ", " + std::to_string(cols) + ")",
             "a square one, its rows a multiple of the dimension " + std::to_string(dimension));
  };
  if (!is_numpy(W.value) && nb::hasattr(W.value, "tocsc")) {
    const Eigen::SparseMatrix<double> matrix = sparse(W, "W");
    rows = matrix.rows();
    cols = matrix.cols();
    require_square();
    p.W = without_gil([&] { return block_matrix(matrix, dimension); });
  } else {
    const Eigen::MatrixXd m = matrix({W.value}, "W");
    rows = m.rows();
    cols = m.cols();
    require_square();
    p.W =
        without_gil([&] { return block_matrix(m, dimension); }, static_cast<std::size_t>(m.size()));
  }
  const Eigen::Index contacts = rows / dimension;
  p.q = reactions_of(q, "q", static_cast<int>(contacts), dimension);
  p.laws = laws(law, "law", contacts);
  return p;
}

void bind_contact(nb::module_& m) {
  bind_certificate(m);
  bind_local(m);
  bind_global(m);
  bind_existence(m);
}

}  // namespace stiction::python
