// SPDX-License-Identifier: Apache-2.0
#include "io/mesh_io.h"

#include "base/one_line.h"
#include "io/json.h"

namespace stiction::io {

namespace {

std::string spaced(const Vec3& v) { return text(v[0]) + " " + text(v[1]) + " " + text(v[2]); }

std::string obj(const SurfaceMesh& mesh, const std::string& name) {
  std::string out = "# stiction/1 limit surface of " + one_line(name) +
                    "\n# x y z: F_x [N], F_y [N], M [N m]\n# max_error " + text(mesh.max_error) +
                    " N\n";
  for (const Vec3& P : mesh.vertices) out += "v " + spaced(P) + "\n";
  for (int group = -1; group < static_cast<int>(mesh.facets.size()); ++group) {
    out += group < 0 ? "g curved\n" : "g facet_" + std::to_string(group) + "\n";
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      if (mesh.facet[t] != group) continue;
      out += "f";
      for (const int i : mesh.triangles[t]) out += " " + std::to_string(i + 1);
      out += "\n";
    }
  }
  return out;
}

std::string ply(const SurfaceMesh& mesh, const std::string& name) {
  std::string out = "ply\nformat ascii 1.0\ncomment stiction/1 limit surface of " + one_line(name) +
                    "\ncomment x y z: F_x [N], F_y [N], M [N m]\ncomment max_error " +
                    text(mesh.max_error) + " N\nelement vertex " +
                    std::to_string(mesh.vertices.size()) +
                    "\nproperty double x\nproperty double y\nproperty double z\nelement face " +
                    std::to_string(mesh.triangles.size()) +
                    "\nproperty list uchar int vertex_indices\nproperty int facet\nend_header\n";
  for (const Vec3& P : mesh.vertices) out += spaced(P) + "\n";
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    out += "3";
    for (const int i : mesh.triangles[t]) out += " " + std::to_string(i);
    out += " " + std::to_string(mesh.facet[t]) + "\n";
  }
  return out;
}

Json row(const Vec3& v) { return Json::array({number(v[0]), number(v[1]), number(v[2])}); }

std::string json(const SurfaceMesh& mesh, const std::string& name) {
  Json vertices = Json::array(), motions = Json::array(), facets = Json::array();
  for (const Vec3& P : mesh.vertices) vertices.push_back(row(P));
  for (const Vec3& q : mesh.motions) motions.push_back(row(q));
  for (const Motion& motion : mesh.facets) facets.push_back({{"motion", row(motion.vector())}});
  const Json object = {{"format", "stiction/1"},
                       {"name", name},
                       {"axes", {"Fx", "Fy", "M"}},
                       {"units", {"N", "N", "N m"}},
                       {"length_scale", number(mesh.length_scale)},
                       {"max_error", number(mesh.max_error)},
                       {"vertices", vertices},
                       {"motions", motions},
                       {"triangles", mesh.triangles},
                       {"facet", mesh.facet},
                       {"facets", facets}};
  return object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

MeshFormat mesh_format(const std::filesystem::path& path) {
  const std::string ending = path.extension().string();
  if (ending == ".obj") return MeshFormat::obj;
  if (ending == ".ply") return MeshFormat::ply;
  if (ending == ".json") return MeshFormat::json;
  throw InvalidInput(path.string() + ": the ending is '" + ending +
                     "', expected .obj, .ply or .json");
}

std::string mesh_text(const SurfaceMesh& mesh, MeshFormat format, const std::string& name) {
  switch (format) {
    case MeshFormat::obj:
      return obj(mesh, name);
    case MeshFormat::ply:
      return ply(mesh, name);
    case MeshFormat::json:
      return json(mesh, name);
  }
  return {};
}

}  // namespace stiction::io
