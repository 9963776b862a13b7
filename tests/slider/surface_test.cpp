// SPDX-License-Identifier: Apache-2.0
//
// The mesh of the limit surface: closed, convex, inside the surface and within its error bound.
#include "stiction/slider_surface.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/ellint_2.hpp>
#include <map>
#include <numbers>
#include <set>

#include "stiction/slider_points.h"
#include "support/random.h"

namespace stiction::testing {
namespace {

Slider dumbbell() { return {point({0, 1}, 0.5, disc(1)), point({0, -1}, 0.5, disc(1))}; }

std::size_t at(int i) { return static_cast<std::size_t>(i); }

Vec3 scaled(const SurfaceMesh& mesh, int vertex) {
  Vec3 p = mesh.vertices[at(vertex)];
  p[2] /= mesh.length_scale;
  return p;
}
Vec3 normal(const SurfaceMesh& mesh, std::size_t t) {
  const auto& [a, b, c] = mesh.triangles[t];
  const Vec3 p = scaled(mesh, a);
  return (scaled(mesh, b) - p).cross(scaled(mesh, c) - p).normalized();
}
double size(const SurfaceMesh& mesh) {
  double size = 0;
  for (int i = 0; i < static_cast<int>(mesh.vertices.size()); ++i)
    size = std::max(size, scaled(mesh, i).norm());
  return size;
}

// Every edge belongs to two triangles, once in each direction, and V − E + F = 2.
void expect_closed(const SurfaceMesh& mesh) {
  std::map<std::pair<int, int>, int> edges;
  std::set<int> used;
  for (const auto& [a, b, c] : mesh.triangles)
    for (const auto& edge : {std::pair(a, b), std::pair(b, c), std::pair(c, a)}) {
      ++edges[edge];
      used.insert(edge.first);
    }
  for (const auto& [edge, count] : edges) {
    ASSERT_EQ(count, 1);
    ASSERT_TRUE(edges.contains({edge.second, edge.first}));
  }
  EXPECT_EQ(used.size(), mesh.vertices.size());
  const auto V = static_cast<long>(mesh.vertices.size()), E = static_cast<long>(edges.size() / 2),
             F = static_cast<long>(mesh.triangles.size());
  EXPECT_EQ(V - E + F, 2);
  ASSERT_EQ(mesh.facet.size(), mesh.triangles.size());
  ASSERT_EQ(mesh.motions.size(), mesh.vertices.size());
}

// All vertices are behind every triangle; `stride` thins the triangles out where there are many.
void expect_convex(const SurfaceMesh& mesh) {
  const std::size_t stride = 1 + mesh.triangles.size() / 2000;
  const double tolerance = 1e-10 * size(mesh);
  for (std::size_t t = 0; t < mesh.triangles.size(); t += stride) {
    const Vec3 a = scaled(mesh, mesh.triangles[t][0]), b = scaled(mesh, mesh.triangles[t][1]),
               c = scaled(mesh, mesh.triangles[t][2]);
    const Vec3 across = (b - a).cross(c - a);
    // The rounding of a sliver's normal moves its plane by the sliver's aspect.
    const double longest = std::max({(b - a).norm(), (c - b).norm(), (a - c).norm()});
    const double aspect = longest * longest / across.norm();
    for (int i = 0; i < static_cast<int>(mesh.vertices.size()); ++i)
      ASSERT_LE((scaled(mesh, i) - a).dot(across.normalized()), tolerance * (1 + aspect));
  }
}

// Each vertex is a load of its motion, so the mesh is inside; and in any direction n the surface is
// beyond the mesh by no more than the bound.
void expect_bounded(const Slider& slider, const SurfaceMesh& mesh, unsigned seed, int directions) {
  const double rho = mesh.length_scale, tolerance = 1e-11 * size(mesh);
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
    const Vec3& q = mesh.motions[i];
    ASSERT_NEAR(q.head<2>().squaredNorm() + q[2] * q[2] * rho * rho, 1, 1e-12);
    ASSERT_NEAR(mesh.vertices[i].dot(q), load(slider, Motion::of(q)).power, tolerance);
  }
  Random random(seed);
  double largest = 0;
  for (int k = 0; k < directions; ++k) {
    const Vec3 n = random.direction3();
    const Vec3 q(n[0], n[1], n[2] / rho);
    double reached = -infinity;
    for (const Vec3& P : mesh.vertices) reached = std::max(reached, P.dot(q));
    const double gap = load(slider, Motion::of(q)).power - reached;
    ASSERT_GE(gap, -tolerance);
    ASSERT_LE(gap, mesh.max_error);
    largest = std::max(largest, gap);
  }
  // The bound is not idle: triangles are short by it, to 6 % and rounding.
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3 n = normal(mesh, t);
    if (!n.allFinite()) continue;
    const Vec3 q(n[0], n[1], n[2] / rho);
    double reached = -infinity;
    for (const Vec3& P : mesh.vertices) reached = std::max(reached, P.dot(q));
    const double gap = load(slider, Motion::of(q)).power - reached;
    ASSERT_LE(gap, mesh.max_error);
    largest = std::max(largest, gap);
  }
  EXPECT_GE(largest, mesh.max_error / 1.5 - 10 * tolerance);
}

void expect_sound(const Slider& slider, const SurfaceMesh& mesh, unsigned seed) {
  expect_closed(mesh);
  expect_convex(mesh);
  expect_bounded(slider, mesh, seed, 500);
}

// Two discs E₁, E₂ in planes with normals n₁, n₂: the volume of their sum is
// area(E₁) width(E₂ along n₁) + area(E₂) width(E₁ along n₂).  With half axes (½, 0, ∓½), (0, ½, 0)
// the areas are π√2/4 and the widths √2: together π.
TEST(Surface, DumbbellEnclosesItsVolume) {
  for (const int resolution : {8, 32, 128}) {
    const SurfaceMesh mesh = limit_surface(dumbbell(), {.resolution = resolution});
    expect_sound(dumbbell(), mesh, 1);
    const double missing = std::numbers::pi - enclosed_volume(mesh);
    EXPECT_GT(missing, 0);
    EXPECT_LT(missing, 12 * mesh.max_error);  // its area is below 12
    EXPECT_LE(mesh.max_error, 1.1 * (1 - std::cos(std::numbers::pi / resolution)));
  }
}

TEST(Surface, DumbbellHasFourFlatEllipses) {
  const SurfaceMesh mesh = limit_surface(dumbbell());
  ASSERT_EQ(mesh.facets.size(), 4U);
  std::vector<double> area(4, 0);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (mesh.facet[t] < 0) continue;
    const Motion motion = mesh.facets[at(mesh.facet[t])];
    const LoadSet set = load(dumbbell(), motion);
    for (const int i : mesh.triangles[t]) {
      const Vec3 from = mesh.vertices[at(i)] - set.load.vector();
      EXPECT_NEAR(from.dot(motion.vector()), 0, 1e-15);  // in the plane
      const Vec3 &a = set.terms[0].points[0], &b = set.terms[0].points[1];
      const double x = from.dot(a) / a.squaredNorm(), y = from.dot(b) / b.squaredNorm();
      EXPECT_NEAR(x * x + y * y, 1, 1e-14);  // on the rim
    }
    const auto& [a, b, c] = mesh.triangles[t];
    area[at(mesh.facet[t])] += 0.5 * (mesh.vertices[at(b)] - mesh.vertices[at(a)])
                                         .cross(mesh.vertices[at(c)] - mesh.vertices[at(a)])
                                         .norm();
  }
  const double ellipse = std::numbers::pi * std::sqrt(2) / 4;
  for (const double part : area) {
    EXPECT_LE(part, ellipse);
    EXPECT_GE(part, 0.995 * ellipse);
  }
}

// The widest angle between normals of triangles at a vertex.
double opening(const SurfaceMesh& mesh, int vertex) {
  std::vector<Vec3> normals;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (const int i : mesh.triangles[t])
      if (i == vertex) normals.push_back(normal(mesh, t));
  double widest = 0;
  for (const Vec3& a : normals)
    for (const Vec3& b : normals)
      widest = std::max(widest, std::atan2(a.cross(b).norm(), a.dot(b)));
  return widest;
}

// Motions about the points of the axis outside the supports share the loads (±1, 0, 0), those about
// the points between (0, 0, ±1): a right angle of motions each.  Elsewhere the surface is smooth.
TEST(Surface, DumbbellHasFourCorners) {
  const SurfaceMesh mesh = limit_surface(dumbbell(), {.resolution = 128});
  const std::vector<Vec3> corners{{1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};
  std::set<int> found;
  for (const Vec3& corner : corners)
    for (int i = 0; i < static_cast<int>(mesh.vertices.size()); ++i)
      if ((mesh.vertices[at(i)] - corner).norm() <= 1e-15) {
        found.insert(i);
        EXPECT_GE(opening(mesh, i), 1.5);
      }
  EXPECT_EQ(found.size(), 4U);
  for (int i = 0; i < static_cast<int>(mesh.vertices.size()); i += 7) {
    double nearest = infinity;
    for (const Vec3& corner : corners)
      nearest = std::min(nearest, (mesh.vertices[at(i)] - corner).norm());
    if (nearest > 0.3) {
      EXPECT_LE(opening(mesh, i), 0.5) << mesh.vertices[at(i)].transpose();
    }
  }
}

// The surface of a line of points that is not along an axis has its corners too: loads of
// translations across the line, +w at every support.
TEST(Surface, CornersOfAnyLine) {
  const Vec2 along = Direction::degrees(33).unit(), across(-along.y(), along.x());
  std::vector<Support> supports;
  for (const double t : {-1.0, 0.25, 2.0}) supports.push_back(point(t * along, 1, disc(0.5)));
  const Slider slider(supports);
  const SurfaceMesh mesh = limit_surface(slider, {.resolution = 24});
  expect_sound(slider, mesh, 2);
  EXPECT_EQ(mesh.facets.size(), 6U);
  // Signs of the three forces along the line: +++, ++−, +−−, −−− and so on: six corners.
  for (const auto& [a, b, c] : std::vector<std::array<int, 3>>{
           {1, 1, 1}, {-1, 1, 1}, {-1, -1, 1}, {-1, -1, -1}, {1, -1, -1}, {1, 1, -1}}) {
    const Vec2 force = 0.5 * (a + b + c) * across;
    const Vec3 corner(force.x(), force.y(), 0.5 * (-1.0 * a + 0.25 * b + 2.0 * c));
    double nearest = infinity;
    for (const Vec3& P : mesh.vertices) nearest = std::min(nearest, (P - corner).norm());
    EXPECT_LE(nearest, 1e-14);
  }
}

// Ideal wheels carry segments, and the sum of segments ±g_i is a zonotope of volume
// 8 Σ |det(g_i, g_j, g_k)|, every face of which is flat.
TEST(Surface, WheelsMakeAZonotope) {
  Random random(3);
  for (int n = 3; n <= 7; ++n) {
    std::vector<Support> supports;
    std::vector<Vec3> g;
    for (int k = 0; k < n; ++k) {
      const Vec2 place(random.uniform(-1, 1), random.uniform(-1, 1));
      const Direction roll(random.uniform(0, 6));
      supports.push_back(point(place, 1, wheel(0.8, roll)));
      const Vec2 f = 0.8 * roll.left().unit();
      g.emplace_back(f.x(), f.y(), cross(place, f));
    }
    const Slider slider(supports);
    const SurfaceMesh mesh = limit_surface(slider);
    expect_closed(mesh);
    expect_convex(mesh);
    double volume = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j)
        for (int k = 0; k < j; ++k) volume += 8 * std::abs(g[at(i)].dot(g[at(j)].cross(g[at(k)])));
    EXPECT_NEAR(enclosed_volume(mesh), volume, 1e-9 * volume);
    EXPECT_LE(mesh.max_error, 1e-9);
    EXPECT_EQ(mesh.vertices.size(), at(n * (n - 1) + 2));
  }
}

// Boxes on a slanted grid: about each crossing of a column with a line along a row turns both ways
// are normal to flats of the two, and so are the four translations along the axes.
TEST(Surface, HasEveryFacetOfManyFlats) {
  constexpr int columns = 8, rows = 7;
  std::vector<Support> supports;
  for (int i = 0; i < columns; ++i)
    for (int j = 0; j < rows; ++j) supports.push_back(point({i, j + 0.1 * i}, 1, box(0.5)));
  const Slider slider(supports);
  const SurfaceMesh mesh = limit_surface(slider, {.resolution = 48});
  expect_closed(mesh);
  expect_convex(mesh);
  const std::vector<Facet> facets = *slider_points(slider).facets.value;
  EXPECT_EQ(facets.size(), 2U * columns * columns * rows + 4U);
  EXPECT_EQ(mesh.facets.size(), facets.size());
  std::vector<int> triangles(mesh.facets.size(), 0);
  for (const int f : mesh.facet)
    if (f >= 0) ++triangles[at(f)];
  for (const Facet& facet : facets) {
    const auto same = [&](const Motion& m) {
      return (m.vector().normalized() - facet.motion.vector().normalized()).norm() <= 1e-9;
    };
    const auto found = std::ranges::find_if(mesh.facets, same);
    ASSERT_NE(found, mesh.facets.end());
    EXPECT_GE(triangles[static_cast<std::size_t>(found - mesh.facets.begin())], 2);
  }
}

// More flats than the mesh has vertices for: it is as good as with few.
TEST(Surface, IsSoundWithTooManyFlats) {
  Random random(5);
  std::vector<Support> supports;
  for (int k = 0; k < 60; ++k) {
    const double angle = random.uniform(0, 3);
    std::vector<Vec2> corners;
    for (int i = 0; i < 4; ++i)
      corners.push_back(Direction(angle + i * std::numbers::pi / 2).unit());
    supports.push_back(point({random.uniform(-1, 1), random.uniform(-1, 1)}, random.uniform(0.1, 1),
                             polygon(corners)));
  }
  const SurfaceMesh mesh = limit_surface(Slider(supports), {.resolution = 16});
  expect_closed(mesh);
  expect_convex(mesh);
  EXPECT_LE(mesh.max_error, 0.03 * size(mesh));
  EXPECT_GT(mesh.facets.size(), 100U);
}

TEST(Surface, IsSoundForEveryLaw) {
  for (int kind = 0; kind < law_kinds; ++kind) {
    Random random(static_cast<unsigned>(kind));
    std::vector<Support> supports;
    for (int k = 0; k < 5; ++k)
      supports.push_back(point(random.direction(), random.uniform(0.2, 1),
                               limit_curve(random.law(kind, -0.3, 0.3))));
    supports.push_back(point({0.2, 0.1}, 1, disc(0.5)));
    supports.push_back(point({0.1, -0.4}, 1, disc(0.7)));
    const Slider slider(supports);
    const SurfaceMesh mesh = limit_surface(slider, {.resolution = 24});
    SCOPED_TRACE(kind);
    expect_sound(slider, mesh, 5);
  }
}

// A ring's surface is a body of revolution: with ε = v/(Rω) and m = 4ε/(1+ε)², H = (2/π)(1+ε)E(m),
// F = ((1+ε)E(m) − (1−ε)K(m))/(πε), T = H − εF, all for μN = R = 1.
TEST(Surface, RingEnclosesItsVolume) {
  const auto force_and_moment = [](double e) {
    const double k = 2 * std::sqrt(e) / (1 + e), pi = std::numbers::pi;
    const double E = boost::math::ellint_2(k), K = boost::math::ellint_1(k);
    const double F = ((1 + e) * E - (1 - e) * K) / (pi * e);
    return std::pair(F, 2 / pi * (1 + e) * E - e * F);
  };
  double volume = 0;  // 2 ∫ π F² dT
  std::pair<double, double> last(0, 1);
  constexpr int steps = 20001;  // odd: ε = 1 is none of them
  for (int i = 1; i <= steps; ++i) {
    const auto now = i < steps ? force_and_moment(std::tan(0.5 * std::numbers::pi * i / steps))
                               : std::pair(1.0, 0.0);
    volume += std::numbers::pi * (now.first * now.first + last.first * last.first) *
              (last.second - now.second);
    last = now;
  }
  const Slider slider{ring({0.3, -0.2}, 1, 1, disc(1))};
  const SurfaceMesh mesh = limit_surface(slider);
  expect_sound(slider, mesh, 8);
  EXPECT_TRUE(mesh.facets.empty());
  const double missing = volume - enclosed_volume(mesh);
  EXPECT_GT(missing, 0);
  EXPECT_LT(missing, 12 * mesh.max_error * mesh.length_scale);
}

TEST(Surface, IsSoundForSupportsWithAnExtent) {
  const LimitCurve law = ellipse(0.6, 0.3, Direction::degrees(20));
  const std::vector<Slider> sliders{
      {segment({-1, 0}, {1, 0.5}, 1, disc(0.5))},
      {polygon_support({{0, 0}, {1, 0}, {0, 1}}, {}, 2, disc(0.3))},
      {disc_support({1, 0}, 0.5, 1, disc(1), Support::Pressure::hertz), point({-1, 0}, 1, disc(1))},
      {segment({0, 0}, {0, 1}, 1, rusty_wheel(0.8, 0.2, Direction::degrees(0))),
       point({1, 0}, 1, law)},
      {ring({0, 0}, 1, 1, ratchet(1, Direction::degrees(0)), true)}};
  for (std::size_t i = 0; i < sliders.size(); ++i) {
    SCOPED_TRACE(i);
    const SurfaceMesh mesh = limit_surface(sliders[i], {.resolution = 16});
    expect_sound(sliders[i], mesh, 9);
  }
}

// Corners of a square: the surface is its own image under quarter turns and mirrors.
TEST(Surface, HasTheSymmetryOfTheSupports) {
  const Slider slider{point({1, 1}, 1, disc(1)), point({-1, 1}, 1, disc(1)),
                      point({-1, -1}, 1, disc(1)), point({1, -1}, 1, disc(1))};
  const SurfaceMesh mesh = limit_surface(slider, {.resolution = 48});
  expect_sound(slider, mesh, 6);
  EXPECT_EQ(mesh.facets.size(), 8U);
  // A turned vertex is outside the mesh by no more than the error.
  std::vector<Vec3> normals;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) normals.push_back(normal(mesh, t));
  for (std::size_t i = 0; i < mesh.vertices.size(); i += 11) {
    const Vec3 P = scaled(mesh, static_cast<int>(i));
    for (const Vec3& image : {Vec3(-P[1], P[0], P[2]), Vec3(-P[0], P[1], -P[2]), Vec3(-P)})
      for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        ASSERT_LE((image - scaled(mesh, mesh.triangles[t][0])).dot(normals[t]), mesh.max_error);
  }
}

// The same body in micrometres and meganewtons, and about a far reference, has the same mesh.
TEST(Surface, DoesNotDependOnUnitsOrTheReference) {
  const SurfaceMesh one = limit_surface(dumbbell(), {.resolution = 32});
  for (const double length : {1e-6, 1e3})
    for (const double force : {1e-9, 1e6}) {
      const Slider slider{point({0, length}, 0.5 * force, disc(1)),
                          point({0, -length}, 0.5 * force, disc(1))};
      const SurfaceMesh mesh = limit_surface(slider, {.resolution = 32});
      EXPECT_NEAR(mesh.max_error / force, one.max_error, 1e-3 * one.max_error);
      EXPECT_NEAR(enclosed_volume(mesh) / (force * force * force * length), enclosed_volume(one),
                  1e-4);
    }
  SliderBody body;
  body.reference = {100, -30};
  const Slider far({point({0, 1}, 0.5, disc(1)), point({0, -1}, 0.5, disc(1))}, body);
  const SurfaceMesh mesh = limit_surface(far, {.resolution = 32});
  expect_closed(mesh);
  expect_bounded(far, mesh, 7, 500);
  // A shear keeps volumes; rounding chooses between triangles that are equally short.
  EXPECT_NEAR(enclosed_volume(mesh), enclosed_volume(one), 0.1 * one.max_error);
}

// The dumbbell's sections: a square |F_x| + |M| = 1, unit circles with F_x = 0 and with M = 0.
TEST(Surface, SectionsOfTheDumbbell) {
  const SurfaceMesh mesh = limit_surface(dumbbell(), {.resolution = 64});
  const auto expect_cut = [&](int axis, auto radius) {
    const std::vector<Vec3> cut = plane_section(mesh, Vec3::Unit(axis));
    EXPECT_GE(cut.size(), 4U);
    double turned = 0;
    for (std::size_t k = 0; k < cut.size(); ++k) {
      EXPECT_NEAR(cut[k][axis], 0, 1e-15);
      EXPECT_LE(radius(cut[k]), 1 + 1e-12);
      EXPECT_GE(radius(cut[k]), 1 - 2 * mesh.max_error);
      const Vec3 &a = cut[k], &b = cut[(k + 1) % cut.size()];
      const double sine = a.cross(b)[axis];
      EXPECT_GT(sine, 0);
      turned += std::atan2(sine, a.dot(b));
    }
    EXPECT_NEAR(turned, 2 * std::numbers::pi, 1e-9);
  };
  expect_cut(0, [](const Vec3& P) { return P.norm(); });
  expect_cut(1, [](const Vec3& P) { return std::abs(P[0]) + std::abs(P[2]); });
  expect_cut(2, [](const Vec3& P) { return P.norm(); });
  EXPECT_TRUE(plane_section(mesh, Vec3::UnitX(), {2, 0, 0}).empty());
}

TEST(Surface, WithoutVolumeIsRefused) {
  const auto refuses = [](const Slider& slider, const std::string& with) {
    try {
      limit_surface(slider);
    } catch (const InvalidInput& error) {
      EXPECT_NE(std::string(error.what()).find(with), std::string::npos) << error.what();
      return true;
    }
    return false;
  };
  EXPECT_TRUE(refuses({point({1, 2}, 1, disc(1))}, "a flat region"));
  EXPECT_TRUE(refuses({point({1, 2}, 1, free_curve())}, "a single point"));
  // Wheels side by side roll freely; one wheel carries a line of loads.
  EXPECT_TRUE(refuses({point({0, 1}, 1, wheel(1, 0.0)), point({0, -1}, 1, wheel(1, 0.0)),
                       point({1, 0}, 1, wheel(1, 0.0))},
                      "a flat region"));
  EXPECT_TRUE(refuses({point({0, 1}, 1, wheel(1, 0.3))}, "flat region"));
  EXPECT_THROW(limit_surface(dumbbell(), {.resolution = 3}), InvalidInput);
  EXPECT_THROW(limit_surface(dumbbell(), {.resolution = 1001}), InvalidInput);
}

}  // namespace
}  // namespace stiction::testing
