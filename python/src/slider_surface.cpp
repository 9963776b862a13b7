// SPDX-License-Identifier: Apache-2.0
//
// The limit surface as a mesh, smooth stand-ins for it, and the supports that explain measurements.
#include "stiction/slider_surface.h"

#include <nanobind/stl/filesystem.h>

#include "base/file.h"
#include "io/mesh_io.h"
#include "slider_bind.h"
#include "stiction/slider_fit.h"
#include "stiction/slider_identify.h"
#include "watch.h"

namespace stiction::python {

namespace {

void bind_fit(nb::class_<PythonSlider>& slider, nb::module_& m) {
  nb::class_<SurfaceFit>(m, "SurfaceFit", R"(A smooth stand-in for the limit surface.

>>> f = st.Slider.from_file("scenes/disc.json").fit("ellipsoid")
>>> f.monomials[0], f.convexity > 0
([2, 0, 0], True)
)")
      .def_prop_ro(
          "model",
          [](const SurfaceFit& f) {
            return f.kind == SurfaceFit::Kind::ellipsoid ? "ellipsoid" : "quartic";
          },
          "'ellipsoid' or 'quartic'.")
      .def_prop_ro(
          "monomials",
          [](const SurfaceFit& f) {
            std::vector<std::vector<int>> rows;
            for (const auto& e : f.monomials) rows.emplace_back(e.begin(), e.end());
            return rows;
          },
          "Exponents of Fx, Fy, M.")
      .def_prop_ro(
          "coefficients",
          [](const SurfaceFit& f) {
            return array(Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(
                f.coefficients.data(), static_cast<Eigen::Index>(f.coefficients.size()))));
          },
          "One for each monomial.")
      .def_ro("max_error", &SurfaceFit::max_error,
              "Largest radial error, relative to the exact surface.")
      .def_prop_ro(
          "max_error_at", [](const SurfaceFit& f) { return small<3>(f.max_error_at.vector()); },
          "The motion of the exact surface there.")
      .def_ro("convexity", &SurfaceFit::convexity,
              "Least eigenvalue of its Hessian over the greatest.")
      .def(
          "value",
          [](const SurfaceFit& f, const ArrayLike& load) {
            return f.value(Load::of(vec<3>(load, "load")));
          },
          "load"_a, R"(1 on the model's surface.

>>> f = st.Slider.from_file("scenes/disc.json").fit("ellipsoid")
>>> f.value([0, 0, 0])
0.0
)")
      .def(
          "motion",
          [](const SurfaceFit& f, const ArrayLike& load) {
            return small<3>(f.motion(Load::of(vec<3>(load, "load"))).vector());
          },
          "load"_a, R"(Outward normal there.

>>> f = st.Slider.from_file("scenes/disc.json").fit("ellipsoid")
>>> motion = f.motion([0, 0, 1.0])  # a pure moment turns it
>>> np.allclose(motion[:2], 0), bool(motion[2] > 0)
(True, True)
)");
  slider.def(
      "fit",
      [](const PythonSlider& s, const std::string& model, int samples, const nb::object& progress) {
        if (model != "ellipsoid" && model != "quartic")
          refuse("model", quoted(model), "'ellipsoid' or 'quartic'");
        if (samples > 10000000) refuse("samples", std::to_string(samples), "at most ten million");
        const auto kind =
            model == "ellipsoid" ? SurfaceFit::Kind::ellipsoid : SurfaceFit::Kind::quartic;
        return watched<SurfaceFit>(
            progress, [&](const Progress& report) { return fit(s.slider, kind, samples, report); });
      },
      "model"_a, nb::kw_only(), "samples"_a = 1000, "progress"_a = false,
      nb::sig("def fit(self, model: str, *, samples: int = 1000, progress: bool | "
              "collections.abc.Callable[[float], object] = False) -> SurfaceFit"),
      R"(The ellipsoid or convex quartic that comes nearest to the limit surface.

Stopped while it samples the surface there is no fit yet: a RuntimeError says so, and after Ctrl-C
Interrupted.reached is None.

>>> f = st.Slider.from_file("scenes/disc.json").fit("ellipsoid")
>>> len(f.coefficients), f.max_error < 0.2
(6, True)
)");
}

void bind_surface(nb::class_<PythonSlider>& slider, nb::module_& m) {
  nb::class_<SurfaceMesh>(m, "SurfaceMesh", R"(The limit surface as a convex mesh of triangles.

>>> mesh = st.Slider.from_file("scenes/tripod.json").surface(resolution=16)
>>> mesh.triangles.shape[1], mesh.max_error > 0, mesh.volume > 0
(3, True, True)
)")
      .def_prop_ro(
          "vertices", [](const SurfaceMesh& s) { return array(s.vertices); },
          "Loads Fx, Fy, M, a row each.")
      .def_prop_ro(
          "motions", [](const SurfaceMesh& s) { return array(s.motions); },
          "A motion that causes each vertex.")
      .def_prop_ro(
          "triangles",
          [](const SurfaceMesh& s) {
            const int* first = s.triangles.empty() ? nullptr : s.triangles[0].data();
            return Out<const int>(first, {s.triangles.size(), 3}, nb::find(s));
          },
          "Indices, counter-clockwise seen from outside.  Not a copy, and read-only.")
      .def_prop_ro(
          "facet",
          [](const SurfaceMesh& s) {
            return Out<const int>(s.facet.data(), {s.facet.size()}, nb::find(s));
          },
          "Of each triangle the flat it lies in, or −1.  Not a copy, and read-only.")
      .def_prop_ro(
          "facets", [](const SurfaceMesh& s) { return motions_array(s.facets); },
          "The motion of each flat.")
      .def_ro("max_error", &SurfaceMesh::max_error,
              "No load of the surface is farther from the mesh [N].")
      .def_ro("length_scale", &SurfaceMesh::length_scale, "ρ of the slider [m].")
      .def_prop_ro(
          "volume",
          [](const SurfaceMesh& s) { return without_gil([&] { return enclosed_volume(s); }); },
          "[N³ m]")
      .def(
          "section",
          [](const SurfaceMesh& s, const ArrayLike& normal, std::optional<ArrayLike> through) {
            const Vec3 n = vec<3>(normal, "normal");
            const Vec3 point = through ? vec<3>(*through, "through") : Vec3(Vec3::Zero());
            if (n.isZero(0)) refuse("normal", "zero", "a direction");
            return array(without_gil([&] { return plane_section(s, n, point); }));
          },
          "normal"_a, "through"_a = nb::none(), R"(Where a plane cuts the mesh: a closed polyline.

>>> mesh = st.Slider.from_file("scenes/tripod.json").surface(resolution=16)
>>> np.allclose(mesh.section([0, 0, 1])[:, 2], 0)  # loads without moment
True
)")
      .def(
          "write",
          [](const SurfaceMesh& s, const std::filesystem::path& path, const std::string& name) {
            const nb::gil_scoped_release release;
            write_file(path, io::mesh_text(s, io::mesh_format(path), name));
          },
          "path"_a, "name"_a = "", R"(To .obj, .ply or .json.

>>> import tempfile, os
>>> path = os.path.join(tempfile.mkdtemp(), "tripod.obj")
>>> st.Slider.from_file("scenes/tripod.json").surface(resolution=16).write(path)
>>> os.path.getsize(path) > 0
True
)");
  slider.def(
      "surface",
      [](const PythonSlider& s, int resolution, const nb::object& progress) {
        return watched<SurfaceMesh>(progress, [&](const Progress& report) {
          return limit_surface(s.slider, {.resolution = resolution, .progress = report});
        });
      },
      nb::kw_only(), "resolution"_a = 64, "progress"_a = false,
      nb::sig("def surface(self, *, resolution: int = 64, progress: bool | "
              "collections.abc.Callable[[float], object] = False) -> SurfaceMesh"),
      R"(The limit surface as a mesh with a proven error.

Stopped, by a progress that returns False or by Ctrl-C (Interrupted.reached), it is the coarser mesh
reached, its error as well proven.

>>> mesh = st.Slider.from_file("scenes/tripod.json").surface(resolution=24)
>>> mesh.vertices.shape[1], mesh.section([0, 0, 1]).shape[1]
(3, 3)
)");
}

void bind_identify(nb::module_& m) {
  m.def(
      "identify",
      [](const std::vector<Support>& candidates, const ArrayLike& loads, const ArrayLike& motions,
         double length_scale, const nb::object& progress) {
        const auto p = batch<3>(loads, "loads"), q = batch<3>(motions, "motions");
        if (p.size() != q.size())
          refuse("motions", "an array of shape " + shape_text(q.numbers),
                 "as many rows as loads has, " + std::to_string(p.size()));
        std::vector<MeasuredPush> pushes;
        for (Eigen::Index i = 0; i < p.size(); ++i)
          pushes.push_back({Load::of(p.row(i)), Motion::of(q.row(i))});
        return watched<nb::tuple>(
            progress,
            [&](const Progress& report) {
              return identify(candidates, pushes, length_scale, report);
            },
            [](const Identified& found) {
              return nb::make_tuple(array(found.strengths), found.misfit);
            });
      },
      "candidates"_a, "loads"_a, "motions"_a, nb::kw_only(), "length_scale"_a, "progress"_a = false,
      nb::sig("def identify(candidates: collections.abc.Sequence[Support], loads: "
              "numpy.typing.ArrayLike, motions: numpy.typing.ArrayLike, *, length_scale: float, "
              "progress: bool | collections.abc.Callable[[float], object] = False) -> "
              "tuple[numpy.typing.NDArray[numpy.float64], float]"),
      R"(Which of the candidate supports explain measured loads: their strengths and the misfit.

Stopped, by a progress that returns False or by Ctrl-C (Interrupted.reached), they are the best so
far; before the candidates' loads are known there is nothing yet.

>>> supports = [st.point([0, 1], 1.0, 0.5), st.point([0, -1], 1.0, 0.5), st.point([1, 0], 1.0, 0.5)]
>>> motions = [[1, 0, 0.2], [0, 1, 0.3], [0.5, 0.1, -1], [1, 1, 2]]
>>> measured = st.Slider(supports[:2]).loads(motions)
>>> strengths, misfit = st.identify(supports, measured, motions, length_scale=1.0)
>>> strengths.round(9) + 0.0
array([1., 1., 0.])
)");
  m.def(
      "non_negative_least_squares",
      [](const ArrayLike& A, const ArrayLike& b, const nb::object& progress) {
        const Eigen::MatrixXd a = matrix(A, "A");
        const Eigen::VectorXd right = vector(b, "b", a.rows());
        return watched<Array>(
            progress,
            [&](const Progress& report) { return non_negative_least_squares(a, right, report); },
            [](const Eigen::VectorXd& x) { return array(x); });
      },
      "A"_a, "b"_a, nb::kw_only(), "progress"_a = false,
      nb::sig("def non_negative_least_squares(A: numpy.typing.ArrayLike, b: "
              "numpy.typing.ArrayLike, *, progress: bool | collections.abc.Callable[[float], "
              "object] = False) -> numpy.typing.NDArray[numpy.float64]"),
      R"(x ≥ 0 with the least ‖A x − b‖.

Stopped, by a progress that returns False or by Ctrl-C (Interrupted.reached), it is the best so far.

>>> st.non_negative_least_squares(np.eye(2), [1.0, -1.0])
array([1., 0.])
)");
}

}  // namespace

void bind_slider_surface(nb::class_<PythonSlider>& slider, nb::module_& m) {
  bind_fit(slider, m);
  bind_surface(slider, m);
  bind_identify(m);
}

}  // namespace stiction::python
