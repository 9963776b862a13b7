// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/variant.h>

#include "bind.h"
#include "io/mesh_io.h"
#include "stiction/delassus_io.h"
#include "stiction/file.h"
#include "stiction/problem_io.h"

namespace stiction::python {

namespace {

std::optional<ProblemKind> parse_kind(const std::optional<std::string>& text) {
  if (!text) return {};
  if (*text == "local") return ProblemKind::local;
  if (*text == "global") return ProblemKind::global;
  if (*text == "rolling") return ProblemKind::rolling;
  refuse("kind", "'" + *text + "'", "'local', 'global' or 'rolling'");
}

// Empty: not known.
nb::object rows_or_none(const Eigen::VectorXd& v, int dimension) {
  if (v.size() == 0) return nb::none();
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return nb::cast(array(
      Eigen::MatrixXd(Eigen::Map<const RowMajor>(v.data(), v.size() / dimension, dimension))));
}

int dimension_of(const ProblemFile& file) {
  return std::visit([](const auto& p) { return p.dimension; }, file.problem);
}

}  // namespace

void bind_io(nb::module_& m) {
  m.def(
      "read_problem",
      [](const std::filesystem::path& path, const std::optional<std::string>& kind) {
        const auto parsed = parse_kind(kind);
        const nb::gil_scoped_release release;
        return read_problem(path, parsed);
      },
      "path"_a, nb::kw_only(), "kind"_a = nb::none(),
      R"(A contact problem from .hdf5 (FCLib), .dat (Siconos) or .json.

>>> st.read_problem("scenes/ladder.json")
GlobalProblem(contacts=2, velocities=3)
)");
  m.def(
      "write_problem",
      [](const std::filesystem::path& path,
         const std::variant<ContactProblem, GlobalProblem>& problem) {
        const nb::gil_scoped_release release;
        write_problem(path, problem);
      },
      "path"_a, "problem"_a, R"(Writes a problem; the file's ending says how.

>>> import tempfile, os
>>> path = os.path.join(tempfile.mkdtemp(), "one.json")
>>> st.write_problem(path, st.ContactProblem(np.eye(3), [-1.0, 0, 0], 0.5))
>>> st.read_problem(path).contacts
1
)");
  m.def(
      "convert",
      [](const std::filesystem::path& source, const std::filesystem::path& target,
         const std::optional<std::string>& kind) {
        const auto parsed = parse_kind(kind);
        const nb::gil_scoped_release release;
        return write_problem_file(target, read_problem_file(source, parsed));
      },
      "source"_a, "target"_a, nb::kw_only(), "kind"_a = nb::none(),
      R"(Converts a problem file and all that stands beside it; returns what the format could not hold.

>>> import tempfile, os
>>> st.convert("scenes/ladder.json", os.path.join(tempfile.mkdtemp(), "ladder.dat"))
[]
)");
  nb::class_<ProblemFile>(m, "ProblemFile", R"(All that a problem file holds.

>>> file = st.read_problem_file("scenes/ladder.json")
>>> file.problem.contacts, file.title is None
(2, True)
)")
      .def_ro("problem", &ProblemFile::problem, "The problem itself.")
      .def_prop_ro(
          "reactions",
          [](const ProblemFile& f) {
            return rows_or_none(f.solution ? f.solution->reactions : Eigen::VectorXd(),
                                dimension_of(f));
          },
          nb::sig("def reactions(self) -> numpy.typing.NDArray[numpy.float64] | None"),
          "Of the stored solution, a row a contact; None where there is none.")
      .def_prop_ro(
          "start",
          [](const ProblemFile& f) {
            const StoredSolution* start = start_of(f);
            return rows_or_none(start != nullptr ? start->reactions : Eigen::VectorXd(),
                                dimension_of(f));
          },
          nb::sig("def start(self) -> numpy.typing.NDArray[numpy.float64] | None"),
          "Reactions to start from: the solution, else the first guess.")
      .def_prop_ro(
          "title", [](const ProblemFile& f) { return f.info.title; }, "As the file says.")
      .def_prop_ro(
          "description", [](const ProblemFile& f) { return f.info.description; },
          "As the file says.");
  m.def(
      "read_problem_file",
      [](const std::filesystem::path& path, const std::optional<std::string>& kind) {
        const auto parsed = parse_kind(kind);
        const nb::gil_scoped_release release;
        return read_problem_file(path, parsed);
      },
      "path"_a, nb::kw_only(), "kind"_a = nb::none(),
      R"(The problem with its solution, guesses and title, which FCLib's files hold.

>>> st.read_problem_file("scenes/ladder.json").reactions is None
True
)");
  m.def(
      "read_delassus",
      [](const std::filesystem::path& path) {
        return array(without_gil([&] { return Eigen::MatrixXd(read_delassus(path)); }));
      },
      "path"_a, R"(The Delassus matrix of one contact, order t1, t2, n.

>>> st.read_delassus("scenes/rod-delassus.json").shape
(3, 3)
)");
  m.def(
      "parse_delassus",
      [](const std::string& text) {
        return array(without_gil([&] { return Eigen::MatrixXd(parse_delassus(text, "text")); }));
      },
      "text"_a, R"(The same from the text of such a file.

>>> st.parse_delassus('{"delassus": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}').shape
(3, 3)
)");
  m.def(
      "read_siconos_text",
      [](const std::string& text, const std::optional<std::string>& kind) {
        const auto parsed = parse_kind(kind);
        const nb::gil_scoped_release release;
        return about("text", [&] { return read_siconos_text(text, parsed); });
      },
      "text"_a, nb::kw_only(), "kind"_a = nb::none(),
      R"(A contact problem from the text of a Siconos file.

>>> p = st.ContactProblem(np.eye(3), [-1.0, 0, 0], 0.5)
>>> st.read_siconos_text(st.write_siconos_text(p), kind="local").contacts
1
)");
  m.def(
      "write_siconos_text",
      [](const std::variant<ContactProblem, GlobalProblem>& problem) {
        const nb::gil_scoped_release release;
        return write_siconos_text(problem);
      },
      "problem"_a, R"(The text of a Siconos file; its laws are discs.

>>> st.write_siconos_text(st.ContactProblem(np.eye(3), [-1.0, 0, 0], 0.5)).split()[0]
'3'
)");
}

}  // namespace stiction::python
