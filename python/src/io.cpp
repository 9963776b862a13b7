// SPDX-License-Identifier: Apache-2.0
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/variant.h>

#include "base/file.h"
#include "base/part_of.h"
#include "bind.h"
#include "io/mesh_io.h"
#include "stiction/delassus_io.h"
#include "stiction/problem_io.h"
#include "watch.h"

namespace stiction::python {

namespace {

std::optional<ProblemKind> parse_kind(const std::optional<std::string>& text) {
  if (!text) return {};
  if (*text == "local") return ProblemKind::local;
  if (*text == "global") return ProblemKind::global;
  if (*text == "rolling") return ProblemKind::rolling;
  refuse("kind", quoted(*text), "'local', 'global' or 'rolling'");
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
      [](const std::filesystem::path& path, const std::optional<std::string>& kind,
         const nb::object& progress) {
        const auto parsed = parse_kind(kind);
        return watched<AnyProblem>(
            progress, [&](const Progress& report) { return read_problem(path, parsed, report); });
      },
      "path"_a, nb::kw_only(), "kind"_a = nb::none(), "progress"_a = false,
      nb::sig(
          "def read_problem(path: str | os.PathLike[str], *, kind: str | None = None, progress: "
          "bool | "
          "collections.abc.Callable[[float], object] = False) -> ContactProblem | GlobalProblem"),
      R"(A contact problem from .hdf5 (FCLib), .dat (Siconos) or .json.

With progress=True a bar is shown for long files; a callable is given the share done, and stops the
work, which then raises RuntimeError, by returning False.

>>> st.read_problem("scenes/ladder.json")
GlobalProblem(contacts=2, velocities=3)
)");
  m.def(
      "write_problem",
      [](const std::filesystem::path& path,
         const std::variant<ContactProblem, GlobalProblem>& problem, const nb::object& progress) {
        watched<nb::object>(
            progress,
            [&](const Progress& report) {
              write_problem(path, problem, report);
              return 0;
            },
            [](int) { return nb::none(); });
      },
      "path"_a, "problem"_a, nb::kw_only(), "progress"_a = false,
      nb::sig("def write_problem(path: str | os.PathLike[str], problem: ContactProblem | "
              "GlobalProblem, "
              "*, progress: bool | collections.abc.Callable[[float], object] = False) -> None"),
      R"(Writes a problem; the file's ending says how.  Stopped, it writes nothing.

>>> import tempfile, os
>>> path = os.path.join(tempfile.mkdtemp(), "one.json")
>>> st.write_problem(path, st.ContactProblem(np.eye(3), [-1.0, 0, 0], 0.5))
>>> st.read_problem(path).contacts
1
)");
  m.def(
      "convert",
      [](const std::filesystem::path& source, const std::filesystem::path& target,
         const std::optional<std::string>& kind, const nb::object& progress) {
        const auto parsed = parse_kind(kind);
        return watched<std::vector<std::string>>(progress, [&](const Progress& report) {
          return write_problem_file(target,
                                    read_problem_file(source, parsed, part_of(report, 0, 0.7)),
                                    part_of(report, 0.7, 1));
        });
      },
      "source"_a, "target"_a, nb::kw_only(), "kind"_a = nb::none(), "progress"_a = false,
      nb::sig(
          "def convert(source: str | os.PathLike[str], target: str | os.PathLike[str], *, kind: "
          "str | None = "
          "None, progress: bool | collections.abc.Callable[[float], object] = False) -> list[str]"),
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
      [](const std::filesystem::path& path, const std::optional<std::string>& kind,
         const nb::object& progress) {
        const auto parsed = parse_kind(kind);
        return watched<ProblemFile>(progress, [&](const Progress& report) {
          return read_problem_file(path, parsed, report);
        });
      },
      "path"_a, nb::kw_only(), "kind"_a = nb::none(), "progress"_a = false,
      nb::sig("def read_problem_file(path: str | os.PathLike[str], *, kind: str | None = None, "
              "progress: bool | collections.abc.Callable[[float], object] = False) -> ProblemFile"),
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
      "_write_file",
      [](const std::filesystem::path& path, const std::string& content) {
        without_gil([&] {
          write_file(path, content);
          return 0;
        });
      },
      "path"_a, "content"_a, "Text, whole; what the package's own Python writes.");
  m.def(
      "read_siconos_text",
      [](const std::string& text, const std::optional<std::string>& kind,
         const nb::object& progress) {
        const auto parsed = parse_kind(kind);
        return watched<AnyProblem>(progress, [&](const Progress& report) {
          return about("text", [&] { return read_siconos_text(text, parsed, report); });
        });
      },
      "text"_a, nb::kw_only(), "kind"_a = nb::none(), "progress"_a = false,
      nb::sig(
          "def read_siconos_text(text: str, *, kind: str | None = None, progress: bool | "
          "collections.abc.Callable[[float], object] = False) -> ContactProblem | GlobalProblem"),
      R"(A contact problem from the text of a Siconos file.

>>> p = st.ContactProblem(np.eye(3), [-1.0, 0, 0], 0.5)
>>> st.read_siconos_text(st.write_siconos_text(p), kind="local").contacts
1
)");
  m.def(
      "write_siconos_text",
      [](const std::variant<ContactProblem, GlobalProblem>& problem, const nb::object& progress) {
        return watched<std::string>(
            progress, [&](const Progress& report) { return write_siconos_text(problem, report); });
      },
      "problem"_a, nb::kw_only(), "progress"_a = false,
      nb::sig("def write_siconos_text(problem: ContactProblem | GlobalProblem, *, progress: bool | "
              "collections.abc.Callable[[float], object] = False) -> str"),
      R"(The text of a Siconos file; its laws are discs.

>>> st.write_siconos_text(st.ContactProblem(np.eye(3), [-1.0, 0, 0], 0.5)).split()[0]
'3'
)");
}

}  // namespace stiction::python
