// SPDX-License-Identifier: Apache-2.0
//
// What must hold for every limit curve, on a hundred thousand random cases each.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <numbers>

#include "support/random.h"

namespace stiction::testing {
namespace {

// Curves are made once; a case draws one of them and its vectors.
std::vector<std::pair<Law, LimitCurve>> sample_curves(Random& random) {
  std::vector<std::pair<Law, LimitCurve>> curves;
  for (int i = 0; i < 40 * law_kinds; ++i) {
    const Law law = random.law(i);
    curves.emplace_back(law, limit_curve(law));
  }
  return curves;
}

Vec2 vector(Random& random) { return random.decades(-2, 2) * random.direction(); }

TEST(LimitCurveProperty, ProjectionIsIdempotentAndInside) {
  Random random(11);
  const auto curves = sample_curves(random);
  for (int i = 0; i < cases; ++i) {
    const auto& [law, curve] = curves[static_cast<std::size_t>(i) % curves.size()];
    const Vec2 f = vector(random), p = curve.project(f);
    ASSERT_LE((curve.project(p) - p).norm(), 4e-15 * f.norm()) << to_text(law);
    ASSERT_LE(curve.support(Vec2(f - p)), (f - p).dot(p) + 1e-14 * f.norm() * (f.norm() + 1))
        << to_text(law);  // the residual is normal at p
  }
}

TEST(LimitCurveProperty, ProjectionDoesNotExpand) {
  Random random(12);
  const auto curves = sample_curves(random);
  for (int i = 0; i < cases; ++i) {
    const auto& [law, curve] = curves[static_cast<std::size_t>(i) % curves.size()];
    const Vec2 f = vector(random),
               g = i % 2 == 0 ? vector(random) : Vec2(f + 1e-7 * vector(random));
    ASSERT_LE((curve.project(f) - curve.project(g)).norm(),
              (f - g).norm() + 1e-14 * (f.norm() + g.norm()))
        << to_text(law);
  }
}

TEST(LimitCurveProperty, SupportIsTheMaximumOverVertices) {
  Random random(13);
  const auto curves = sample_curves(random);
  int compared = 0;
  for (int i = 0; compared < cases; ++i) {
    const auto& [law, curve] = curves[static_cast<std::size_t>(i) % curves.size()];
    if (!curve.is_polygonal()) continue;
    const Vec2 v = vector(random);
    double h = -infinity;
    for (const Vec2& f : curve.vertices()) h = std::max(h, f.dot(v));
    ASSERT_NEAR(curve.support(v), h, 1e-15 * curve.circumscribed_radius() * v.norm())
        << to_text(law);
    ++compared;
  }
}

// Members of a face attain the support and lie in the curve: the law dissipates the most it can.
TEST(LimitCurveProperty, FaceAttainsTheSupport) {
  Random random(14);
  const auto curves = sample_curves(random);
  for (int i = 0; i < cases; ++i) {
    const auto& [law, curve] = curves[static_cast<std::size_t>(i) % curves.size()];
    Vec2 v = vector(random);
    if (i % 3 == 0 && !curve.pieces().empty() && !curve.pieces()[0].arc)
      v = random.decades(-2, 2) * curve.pieces()[0].normal;  // meet flats too
    const Face face = curve.face(v);
    for (const Vec2& f : {face.first, face.last}) {
      ASSERT_NEAR(f.dot(v), curve.support(v), 1e-14 * curve.circumscribed_radius() * v.norm())
          << to_text(law);
      ASSERT_TRUE(curve.contains(f)) << to_text(law) << ' ' << text(f);
    }
    // The middle is as exact as the ends it was computed from.
    const Vec2 middle = (face.first + face.last) / 2;
    ASSERT_NEAR(middle.dot(v), curve.support(v), 1e-14 * curve.circumscribed_radius() * v.norm());
    ASSERT_LE((curve.project(middle) - middle).norm(), 1e-15 * curve.circumscribed_radius());
  }
}

// v ∈ N(f) exactly if f ∈ face(v): the two set-valued maps are inverse to each other.
TEST(LimitCurveProperty, NormalsInvertFaces) {
  Random random(15);
  const auto curves = sample_curves(random);
  for (int i = 0; i < cases; ++i) {
    const auto& [law, curve] = curves[static_cast<std::size_t>(i) % curves.size()];
    const Vec2 v = random.direction();
    const Vec2 f = curve.face(v).first;
    const auto normals = curve.normals(f);
    ASSERT_TRUE(normals.has_value()) << to_text(law);
    ASSERT_NE(normals->kind, NormalCone::Kind::none) << to_text(law) << ' ' << text(v);
    if (normals->kind == NormalCone::Kind::all) continue;
    // v lies between the bounding directions, or along the only one.
    const double past_first = cross(normals->first, v), before_last = cross(v, normals->last);
    const double curvature = curve.has_arcs() ? curve.ellipse().a / curve.ellipse().b : 1;
    const double slack = 1e-13 * std::max(curvature, 1 / curvature);
    ASSERT_GE(past_first, -slack) << to_text(law) << ' ' << text(v);
    ASSERT_GE(before_last, -slack) << to_text(law) << ' ' << text(v);
  }
}

// gauge(f) h(v) ≥ f·v, with equality for f in face(v): polarity.
TEST(LimitCurveProperty, GaugeAndSupportAreDual) {
  Random random(16);
  const auto curves = sample_curves(random);
  for (int i = 0; i < cases; ++i) {
    const auto& [law, curve] = curves[static_cast<std::size_t>(i) % curves.size()];
    const Vec2 v = vector(random), f = vector(random);
    const double g = curve.gauge(f);
    if (g < infinity) {
      ASSERT_LE(f.dot(v), g * curve.support(v) + 1e-13 * f.norm() * v.norm()) << to_text(law);
    }
    const Vec2 on = curve.face(v).first;
    if (curve.support(v) > 1e-3 * curve.circumscribed_radius() * v.norm()) {
      ASSERT_NEAR(curve.gauge(on), 1, 1e-12) << to_text(law);
    }
  }
}

TEST(LimitCurveProperty, MaximumPower) {
  Random random(17);
  const auto curves = sample_curves(random);
  for (int i = 0; i < cases; ++i) {
    const auto& [law, curve] = curves[static_cast<std::size_t>(i) % curves.size()];
    const Vec2 v = vector(random), f = curve.face(v).first;
    const Vec2 other = curve.project(vector(random));
    ASSERT_GE((f - other).dot(v), -1e-14 * curve.circumscribed_radius() * v.norm()) << to_text(law);
  }
}

TEST(LimitCurveProperty, TurningTheCurveTurnsTheAnswers) {
  Random random(18);
  const auto curves = sample_curves(random);
  for (int i = 0; i < cases; ++i) {
    const auto& [law, curve] = curves[static_cast<std::size_t>(i) % curves.size()];
    const double angle = random.uniform(-4, 4), scale = random.decades(-3, 3);
    const Eigen::Matrix2d R = Eigen::Rotation2Dd(angle).toRotationMatrix();
    const LimitCurve turned = curve.rotated(angle).scaled(scale);
    const Vec2 v = vector(random);
    const double size = curve.circumscribed_radius() * v.norm() * scale;
    ASSERT_NEAR(turned.support(R * v), scale * curve.support(v), 2e-15 * size) << to_text(law);
    const Vec2 f = scale * vector(random);
    ASSERT_LE((turned.project(R * f) - R * (scale * curve.project(f / scale))).norm(),
              1e-14 * (f.norm() + curve.circumscribed_radius() * scale))
        << to_text(law);
  }
}

// The inscribed N-gon is short by exactly 1 − cos(π/N).
TEST(LimitCurveProperty, NgonTendsToTheDisc) {
  for (int n = 3; n <= 4096; n *= 2) {
    const double c = std::cos(std::numbers::pi / n);
    EXPECT_NEAR(ngon(0.7, n).inscribed_radius(), 0.7 * c, 1e-15) << n;
    EXPECT_NEAR(ngon_out(0.7, n).circumscribed_radius(), 0.7 / c, 1e-15) << n;
  }
  Random random(19);
  std::vector<LimitCurve> inside;
  std::vector<double> bound;
  for (int n = 3; n <= 48; ++n) {
    inside.push_back(ngon(1, n));
    bound.push_back(1 - std::cos(std::numbers::pi / n));
  }
  for (int i = 0; i < cases; ++i) {
    const auto k = static_cast<std::size_t>(i) % inside.size();
    const double gap = 1 - inside[k].support(random.direction());
    ASSERT_GE(gap, -4e-16);
    ASSERT_LE(gap, bound[k] + 4e-16);
  }
}

TEST(LimitCurveBatch, GivesTheSameBitsAsSingleCalls) {
  Random random(20);
  Rows2 slips(200, 2);
  for (Eigen::Index i = 0; i < slips.rows(); ++i) slips.row(i) = vector(random).transpose();
  slips.row(7).setZero();
  Eigen::VectorXd powers(200);
  std::vector<Face> faces(200);
  for (int kind = 0; kind < law_kinds; ++kind) {
    const LimitCurve curve = limit_curve(random.law(kind));
    support(curve, slips, powers);
    face(curve, slips, faces);
    for (Eigen::Index i = 0; i < slips.rows(); ++i) {
      const Face one = curve.face(slips.row(i).transpose());
      const Face& other = faces[static_cast<std::size_t>(i)];
      ASSERT_EQ(powers[i], curve.support(slips.row(i).transpose()));
      ASSERT_EQ(one.kind, other.kind);
      ASSERT_EQ(one.first, other.first);
      ASSERT_EQ(one.last, other.last);
    }
  }
  Eigen::VectorXd wrong(3);
  EXPECT_THROW(support(disc(1), slips, wrong), InvalidInput);
}

}  // namespace
}  // namespace stiction::testing
