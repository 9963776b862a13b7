// SPDX-License-Identifier: Apache-2.0
//
// Meshes in files: what is written reads back to the same numbers.
#include "io/mesh_io.h"

#include <gtest/gtest.h>

#include <sstream>

#include "io/json.h"

namespace stiction::testing {
namespace {

SurfaceMesh mesh() {
  return limit_surface({point({0, 1}, 0.5, disc(1)), point({0, -1}, 0.5, disc(1))},
                       {.resolution = 12});
}

TEST(MeshFile, ObjHoldsVerticesAndGroups) {
  const SurfaceMesh surface = mesh();
  std::istringstream in(io::mesh_text(surface, io::MeshFormat::obj, "two\nlines"));
  std::vector<Vec3> vertices;
  std::vector<std::array<int, 3>> triangles;
  int groups = 0;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "v") {
      vertices.emplace_back();
      words >> vertices.back()[0] >> vertices.back()[1] >> vertices.back()[2];
    } else if (word == "f") {
      triangles.emplace_back();
      for (int& i : triangles.back()) words >> i;
    } else if (word == "g") {
      ++groups;
    } else {
      EXPECT_EQ(word, "#");
      continue;
    }
    EXPECT_FALSE(words.fail()) << line;
  }
  EXPECT_EQ(vertices, surface.vertices);
  EXPECT_EQ(triangles.size(), surface.triangles.size());
  for (const auto& triangle : triangles)
    for (const int i : triangle) {
      EXPECT_GE(i, 1);
      EXPECT_LE(i, static_cast<int>(vertices.size()));
    }
  EXPECT_EQ(groups, 5);
}

TEST(MeshFile, PlyHoldsTrianglesAndTheirFlats) {
  const SurfaceMesh surface = mesh();
  std::istringstream in(io::mesh_text(surface, io::MeshFormat::ply, "dumbbell"));
  std::string line;
  std::size_t vertices = 0, faces = 0;
  std::getline(in, line);
  EXPECT_EQ(line, "ply");
  while (std::getline(in, line) && line != "end_header") {
    if (line.starts_with("element vertex ")) vertices = std::stoul(line.substr(15));
    if (line.starts_with("element face ")) faces = std::stoul(line.substr(13));
  }
  ASSERT_EQ(vertices, surface.vertices.size());
  ASSERT_EQ(faces, surface.triangles.size());
  for (const Vec3& P : surface.vertices) {
    Vec3 read;
    in >> read[0] >> read[1] >> read[2];
    ASSERT_EQ(read, P);
  }
  for (std::size_t t = 0; t < faces; ++t) {
    int count = 0, facet = 0;
    std::array<int, 3> triangle{};
    in >> count >> triangle[0] >> triangle[1] >> triangle[2] >> facet;
    ASSERT_EQ(count, 3);
    ASSERT_EQ(triangle, surface.triangles[t]);
    ASSERT_EQ(facet, surface.facet[t]);
  }
  EXPECT_FALSE(in.fail());
  in >> line;
  EXPECT_TRUE(in.eof());
}

TEST(MeshFile, JsonHoldsEverything) {
  const SurfaceMesh surface = mesh();
  const io::Json read = io::parse_json(io::mesh_text(surface, io::MeshFormat::json, "dumbbell"));
  EXPECT_EQ(read["format"], "stiction/1");
  EXPECT_EQ(read["max_error"].get<double>(), surface.max_error);
  ASSERT_EQ(read["vertices"].size(), surface.vertices.size());
  for (std::size_t i = 0; i < surface.vertices.size(); ++i)
    for (int c = 0; c < 3; ++c) {
      const auto k = static_cast<std::size_t>(c);
      ASSERT_EQ(read["vertices"][i][k].get<double>(), surface.vertices[i][c]);
      ASSERT_EQ(read["motions"][i][k].get<double>(), surface.motions[i][c]);
    }
  EXPECT_EQ((read["triangles"].get<std::vector<std::array<int, 3>>>()), surface.triangles);
  EXPECT_EQ(read["facet"].get<std::vector<int>>(), surface.facet);
  EXPECT_EQ(read["facets"].size(), 4U);
}

TEST(MeshFile, OtherEndingsAreRefused) {
  EXPECT_EQ(io::mesh_format("a.obj"), io::MeshFormat::obj);
  EXPECT_THROW(io::mesh_format("a.stl"), InvalidInput);
  EXPECT_THROW(io::mesh_format("obj"), InvalidInput);
}

}  // namespace
}  // namespace stiction::testing
