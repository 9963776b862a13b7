// SPDX-License-Identifier: Apache-2.0
//
// `slider FILE surface`: the limit surface as a mesh, in a file that other programs read.
#include <fmt/core.h>

#include "base/file.h"
#include "cli/slider/slider.h"
#include "io/mesh_io.h"
#include "report/slider_pictures.h"
#include "stiction/slider_surface.h"

namespace stiction::cli {

namespace {

void run(const SliderCall& call, const std::optional<std::string>& out, int resolution,
         const FigureOption& figure) {
  if (!out && !figure.wanted())
    throw InvalidInput("--out is missing, expected the name of a mesh, or --figure");
  std::optional<io::MeshFormat> format;
  if (out) format = io::mesh_format(*out);
  figure.require_name();
  if (resolution < 4 || resolution > 1000)
    throw InvalidInput("--resolution is " + std::to_string(resolution) +
                       ", expected a number from 4 to 1000");
  ProgressBar bar;
  const SurfaceMesh mesh = of_file(call, [&] {
    return limit_surface(call.slider, {.resolution = resolution, .progress = std::ref(bar)});
  });
  bar.clear();
  if (out) write_file(*out, io::mesh_text(mesh, *format, title(call)));
  Json object;
  object["vertices"] = mesh.vertices.size();
  object["triangles"] = mesh.triangles.size();
  object["max_error"] = number(mesh.max_error);
  object["facets"] = mesh.facets.size();
  object["volume"] = number(enclosed_volume(mesh));
  if (out) object["out"] = *out;
  figure.write(object, [&] { return report::surface_picture(mesh, title(call)); });
  call.shared.answer(object, [&] {
    heading(out ? fmt::format("{}, limit surface written to {}", title(call), *out)
                : fmt::format("{}, limit surface", title(call)));
    row("vertices", fmt::format("{}", mesh.vertices.size()));
    row("triangles", fmt::format("{}", mesh.triangles.size()));
    row("flats", fmt::format("{}", mesh.facets.size()), "meshed as themselves");
    row("largest gap", shown(mesh.max_error), "N, in (F_x, F_y, M/ρ)");
    row("volume", shown(enclosed_volume(mesh)), "N³ m");
    figure.tell();
  });
}

}  // namespace

void add_slider_surface(SliderCommands& commands) {
  auto out = std::make_shared<std::optional<std::string>>();
  const FigureOption figure;
  auto resolution = std::make_shared<int>(SurfaceOptions{}.resolution);
  auto* command = commands.add(
      "surface",
      "The limit surface as a closed mesh of triangles in (F_x, F_y, M).\n"
      "Example: stiction slider scenes/dumbbell.json surface --out dumbbell.obj",
      [out, resolution, figure](const SliderCall& call) { run(call, *out, *resolution, figure); });
  command->add_option("--out", *out, "Mesh to write: .obj, .ply or .json");
  figure.add_to(command, "The surface in space");
  command
      ->add_option("--resolution", *resolution,
                   "As fine as a sphere with so many points around, from 4 to 1000")
      ->capture_default_str();
}

}  // namespace stiction::cli
