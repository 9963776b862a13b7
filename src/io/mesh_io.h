// SPDX-License-Identifier: Apache-2.0
//
// Meshes of limit surfaces as files, by ending:
//   .obj   Wavefront: a group for the curved part and one for each flat
//   .ply   Stanford polygons, ASCII, with a property `facet` of each triangle
//   .json  everything: vertices with their motions, triangles, flats, the error
// Coordinates are (F_x, F_y, M) in N, N, N m.
#pragma once

#include <filesystem>
#include <string>

#include "stiction/slider_surface.h"

namespace stiction::io {

enum class MeshFormat { obj, ply, json };

// Throws InvalidInput for any other ending.
MeshFormat mesh_format(const std::filesystem::path& path);

// `name` is that of the slider, for a comment.
std::string mesh_text(const SurfaceMesh& mesh, MeshFormat format, const std::string& name);

}  // namespace stiction::io
