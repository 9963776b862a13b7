// SPDX-License-Identifier: Apache-2.0
//
// Loads of random motions of areas under every law, back to the motions: discs of every pressure,
// rings, also with laws that turn with them, annuli, polygons, segments and grids, alone, with one
// another and with points; turns about places of them, translations, among these along normals of
// flats.
#include "slider/motion_back.h"

namespace stiction::testing {
namespace {

// Each number in a statement of its own: the order of arguments is the compiler's.
Vec2 random_place(Random& random) {
  const double x = random.uniform(-1, 1);
  return {x, random.uniform(-1, 1)};
}

Support random_support(Random& random, int shape, double size, const LimitCurve& curve) {
  const Vec2 at = size * random_place(random);
  const double force = random.uniform(0.1, 1);
  const double r = size * random.uniform(0.2, 1);
  const Vec2 along = random.direction(), across(-along.y(), along.x());
  const auto corner = [&](double x, double y) -> Vec2 { return at + r * (x * along + y * across); };
  switch (shape) {
    case 0:
      return segment(at, corner(1, 0), force, curve);
    case 1:
      return polygon_support(
          {corner(1, 0.1), corner(-0.4, 0.9), corner(-0.9, -0.3), corner(0.3, -1)}, {}, force,
          curve);
    case 2:
      return disc_support(at, r, force, curve);
    case 3:
      return disc_support(at, r, force, curve, Support::Pressure::hertz);
    case 4:
      return disc_support(at, r, force, curve, Support::Pressure::boussinesq);
    case 5:
      return ring(at, r, force, curve);
    case 6:
      return ring(at, r, force, curve, true);
    case 7:
      return annulus(at, r, 0.5 * r, force, curve);
    case 8:  // not convex
      return polygon_support({corner(0, 0), corner(1, 0), corner(1, 0.4), corner(0.4, 0.4),
                              corner(0.4, 1), corner(0, 1)},
                             {}, force, curve);
    case 9: {
      Eigen::MatrixXd pressures(3, 4);
      for (double& pressure : pressures.reshaped())
        pressure = random.integer(0, 4) == 0 ? 0 : random.uniform(0, 1) / (r * r);
      pressures(1, 1) = 1 / (r * r);
      return grid(at, r / 3, pressures, curve);
    }
    default:
      return point(at, force, curve);
  }
}

Slider random_areas(Random& random, int number) {
  constexpr int shapes = 10, a_point = shapes;
  const double size = random.decades(-1, 1);
  const int count = random.integer(1, 3), first = random.integer(0, shapes - 1);
  std::vector<Support> supports;
  Law law;
  for (int k = 0; k < count; ++k) {
    const bool the_same = k > 0 && random.integer(0, 2) == 0;
    if (!the_same) law = random.law(number % law_kinds, -0.5, 0.5);
    int shape = first;
    if (k > 0 && random.integer(0, 1) == 0) shape = random.integer(0, shapes - 1);
    if (k == 2 || (k == 1 && random.integer(0, 2) == 0)) shape = a_point;
    supports.push_back(random_support(random, shape, size, limit_curve(law)));
  }
  return Slider(supports);
}

// The same in line with the axes of their laws and with one another, on a lattice: edges along
// flats, creases along edges and through corners.
Slider random_aligned_areas(Random& random, int number) {
  const int count = random.integer(1, 3);
  const Law law = random.law(number % law_kinds, -0.5, 0.5);
  std::vector<Support> supports;
  for (int k = 0; k < count; ++k) {
    Law own = k > 0 && random.integer(0, 2) == 0 ? law : random.law(number % law_kinds, -0.5, 0.5);
    own.angle_deg = 90 * random.integer(0, 3);
    if (own.curve == Law::Curve::ngon || own.curve == Law::Curve::ngon_out) own.sides = 8;
    const LimitCurve curve = limit_curve(own);
    const double x = random.integer(-4, 4), y = random.integer(-4, 4);
    const double r = random.integer(1, 4), force = random.uniform(0.1, 1);
    const Vec2 at(x, y);
    switch (k == 2 ? 7 : random.integer(0, 7)) {
      case 0:
        supports.push_back(segment(at, at + Vec2(r, 0), force, curve));
        break;
      case 1:
        supports.push_back(segment(at, at + Vec2(0, r), force, curve));
        break;
      case 2:
        supports.push_back(polygon_support(
            {at, at + Vec2(r, 0), at + Vec2(r, 2 * r), at + Vec2(0, 2 * r)}, {}, force, curve));
        break;
      case 3: {
        Eigen::MatrixXd pressures(3, 4);
        for (double& pressure : pressures.reshaped()) pressure = random.uniform(0, 1);
        supports.push_back(grid(at, r / 4, pressures, curve));
        break;
      }
      case 4:
        supports.push_back(disc_support(at, r, force, curve));
        break;
      case 5:
        supports.push_back(ring(at, r, force, curve, random.integer(0, 1) == 0));
        break;
      default:
        supports.push_back(point(at, force, curve));
    }
  }
  return Slider(supports);
}

Motion random_motion(Random& random, const Slider& slider) {
  const auto& supports = slider.supports();
  const auto which = random.integer(0, static_cast<int>(supports.size()) - 1);
  const Support& support = supports[static_cast<std::size_t>(which)];
  const double turn = random.integer(0, 1) == 0 ? 1 : -1;
  Motion motion = Motion::of(random.direction3());
  motion.omega /= slider.length_scale();
  Vec2 centre = support.at;
  switch (random.integer(0, 11)) {
    case 0:
      return {turn * centre.y(), -turn * centre.x(), turn};
    case 1:
      centre += support.radius * random.uniform(0, 1.2) * random.direction();
      return {turn * centre.y(), -turn * centre.x(), turn};
    case 2: {
      const auto& pieces = support.curve.pieces();
      if (pieces.empty()) return motion;
      const auto& piece =
          pieces[static_cast<std::size_t>(random.integer(0, static_cast<int>(pieces.size()) - 1))];
      if (!piece.arc) motion = {piece.normal.x(), piece.normal.y(), 0};
      return motion;
    }
    case 3:
      motion.omega = 0;
      return motion;
    case 4:
      motion.omega *= random.decades(-6, 0);
      return motion;
    default:
      return motion;
  }
}

// A turn about a place next to a corner, an end or a rim of a support, or next to a point.
Motion random_turn_beside(Random& random, const Slider& slider) {
  const auto& supports = slider.supports();
  const auto which = random.integer(0, static_cast<int>(supports.size()) - 1);
  const Support& support = supports[static_cast<std::size_t>(which)];
  const double turn = random.integer(0, 1) == 0 ? 1 : -1;
  Vec2 centre = support.at;
  if (support.shape == Support::Shape::segment && random.integer(0, 1) == 0) centre = support.to;
  if (support.shape == Support::Shape::polygon) centre = support.vertices[0];
  if (support.shape == Support::Shape::grid) centre += support.cell * Vec2(random.integer(0, 4), 0);
  if (support.radius > 0) centre += support.radius * random.direction();
  const double off = slider.length_scale() * random.decades(-14, -1);
  if (random.integer(0, 3) > 0) centre += off * random.direction();
  return {turn * centre.y(), -turn * centre.x(), turn};
}

// Every bounding motion has the load; and where the motion is said to be unique, another at a
// distance of a tenth has not: H(Q) − P·Q is convex along the sides of a square around it.
void expect_all_motions(const Slider& slider, const Load& load, int number) {
  const MotionSet set = motion(slider, load);
  const double size = strength(slider), rho = slider.length_scale();
  const Vec2 c = slider.centre_of_pressure();
  const Vec3 P = load.vector() / set.gauge;
  const Vec3 p(P[0], P[1], (P[2] - c.x() * P[1] + c.y() * P[0]) / rho);
  const auto gap = [&](const Vec3& q) {  // of a motion about the centre of pressure
    const double omega = q[2] / rho;
    const Motion m{q[0] + omega * c.y(), q[1] - omega * c.x(), omega};
    return power_derivatives(slider, m).power - p.dot(q);
  };
  for (const Motion& bound : set.wedge)
    EXPECT_LE(gap(direction(slider, bound)), 1e-12 * size) << number;
  if (!set.unique) return;
  const Vec3 a = p.unitOrthogonal(), b = p.normalized().cross(a);
  double least = infinity;
  for (int side = 0; side < 4; ++side) {
    const Vec3 from =
        direction(slider, set.motion) + (side < 2 ? 0.1 : -0.1) * (side % 2 == 0 ? a : b);
    const Vec3 along = 0.1 * (side % 2 == 0 ? b : a);
    const double golden = 0.6180339887498949;
    double low = -1, high = 1;
    const auto at = [&](double t) { return gap(from + t * along); };
    double x = -golden + (1 - golden), y = -x, first = at(x), last = at(y);
    for (int k = 0; k < 30; ++k) {
      least = std::min({least, first, last});
      if (first < last) {
        high = y, y = x, last = first;
        first = at(x = high - golden * (high - low));
      } else {
        low = x, x = y, first = last;
        last = at(y = low + golden * (high - low));
      }
    }
  }
  EXPECT_GT(least, 1e-15 * size) << number;
}

template <typename Sliders, typename Motions>
void return_motions(unsigned seed, int count, const Sliders& sliders, const Motions& motions) {
  Random random(seed);
  for (int i = 0; i < count; ++i) {
    const Slider slider = sliders(random, i);
    const Motion from = motions(random, slider);
    const LoadSet loads = load(slider, from);
    const Load sought = random.integer(0, 1) == 0 ? loads.load : any_load(random, loads);
    if (!(loads.power > 1e-9 * slider.normal_force() * scaled_motion(slider, from).norm()))
      continue;
    expect_back(slider, from, loads, sought, i);
    if (i % 4 == 0) expect_all_motions(slider, sought, i);
  }
}

TEST(MotionOfALoad, HoldsTheMotionThatTheLoadOfAnAreaCameFrom) {
  return_motions(21, 8000, random_areas, random_motion);
}

TEST(MotionOfALoad, HoldsTheMotionOfAreasInLineWithTheirLaws) {
  return_motions(1, 6000, random_aligned_areas, random_motion);
}

// There the load changes with the motion within tiny parts of it, or jumps.
TEST(MotionOfALoad, HoldsTurnsNextToCornersAndRims) {
  return_motions(1, 500, random_areas, random_turn_beside);
  return_motions(3, 1000, random_areas, random_turn_beside);
}

LimitCurve law(const char* text) { return limit_curve(parse_law(text)); }

// The load of the segment is steep across its line, and kinks where the centre comes to its end.
TEST(MotionOfALoad, HoldsTheTurnOfASegmentAboutItsEnd) {
  const Vec2 end(0.55185587225320876, 0.61648751116107048);
  const Slider slider{
      segment(end, {0.19019338635219879, 0.25587050739927009}, 0.15728060657047585,
              law("ellipse:0.8988051206382929,1.479279658493278,-328.1056331094804")),
      point({0.16898750455832384, 0.13949512726913538}, 0.97422263325609093,
            law("ellipse:0.7170005185113255,0.10424768718039641,329.69555293907763"))};
  const Motion from{-end.y(), end.x(), -1};
  const LoadSet loads = load(slider, from);
  expect_back(slider, from, loads, loads.load, 0);
}

// Turned about a place of itself, a segment under a law with flats has slips of two vertices, one
// on either side of it, or of all between where those are next to each other.
TEST(MotionOfALoad, HoldsTheTurnOfASegmentAboutAPlaceOfIt) {
  Random random(33);
  for (int k = 0; k < 2000; ++k) {
    const Vec2 end = random_place(random), other = random_place(random);
    Law own = random.law(k, -0.5, 0.5);
    if (k % 2 == 0) own.angle_deg = 90 * random.integer(0, 3);
    std::vector<Support> supports{
        segment(end, k % 4 == 0 ? Vec2(end.x() + 1, end.y()) : other, 0.65, limit_curve(own))};
    if (k % 3 == 0) supports.push_back(random_support(random, 10, 1, disc(0.5)));
    const Slider slider(supports);
    const double share = k % 5 == 0 ? 0.5 : random.uniform(0.1, 0.9);
    const Vec2 at = end + share * (supports[0].to - end);
    const Motion from{at.y(), -at.x(), 1};
    const LoadSet loads = load(slider, from);
    if (!(loads.power > 1e-6)) continue;
    expect_back(slider, from, loads, loads.load, k);
    expect_all_motions(slider, loads.load, k);
  }
}

// One segment turned about its end is at the end of a wedge: centres beyond it have the same load.
// A support without friction moves the centre of pressure off its line.
TEST(MotionOfALoad, KnowsTheWedgeOfASegmentFromItsEnd) {
  Random random(31);
  for (int k = 0; k < 1000; ++k) {
    const Vec2 end = random_place(random), other = random_place(random), at = random_place(random);
    const Slider slider{segment(end, other, 0.65, disc(1.5)), disc_support(at, 0.4, 0.9, disc(0))};
    const Motion from{-end.y(), end.x(), -1};
    EXPECT_FALSE(motion(slider, load(slider, from).load).unique) << k;
    expect_all_motions(slider, load(slider, from).load, k);
  }
}

// Under a box along it, a segment that is turned about a place of its line, beyond its ends, pushes
// across with all of its friction and along with any: all those turns have each of these loads.
TEST(MotionOfALoad, OfASegmentAlongAFlatIsAnyTurnInLineWithIt) {
  const Slider slider{segment({-1, 0}, {1, 0}, 2, box(0.5))};
  for (const double share : {0.0, 0.3, -0.9, 0.995}) {
    const MotionSet set = motion(slider, {share, 1, 0});
    EXPECT_NEAR(set.gauge, 1, 1e-14);
    EXPECT_LE(set.certificate.distance, 1e-14);
    ASSERT_EQ(set.wedge.size(), 2U) << share;
    for (const Motion& bound : set.wedge) {
      EXPECT_NEAR(bound.vx, 0, 1e-14);
      EXPECT_NEAR(std::abs(bound.omega), std::abs(bound.vy), 1e-12);  // about an end
    }
    EXPECT_NEAR(set.wedge[0].omega, -set.wedge[1].omega, 1e-12);
  }
}

// The rim of the first disc touches a crease: the search ends there, where the power is curved, but
// only on one side of it; on the other, so little of the disc is on an arc that motions a tenth
// apart have the load within rounding.
TEST(MotionOfALoad, IsNotUniqueForTheCurvatureOnOneSideOfACrease) {
  const LimitCurve a = law("rusty:2.872871855733978,0.5303738010484902,-194.9716275962427"),
                   b = law("rusty:1.481676461486151,0.8210098523826478,-66.47131185304573");
  const Slider discs{
      ring({-1.2350814525423903, 2.6410984653718423}, 1.6605917607581246, 0.32289139089685581, a),
      disc_support({-5.889524119483915, -1.8280676510838871}, 2.3820637943545964,
                   0.18488624052184754, b),
      point({-0.12922588374007657, -4.2180859675082649}, 0.45643999109087696, a)};
  const Motion slow{0.53690554315544392, -0.77506084249720208, -0.085115667339833612};
  expect_back(discs, slow, load(discs, slow), load(discs, slow).load, 0);
  // One segment turns about a place of itself at the end of the wedge: beyond, another of its flats
  // is faced.
  const Slider segments{
      segment({1.2988615012596314, -0.95278335827325988}, {1.390222584172097, -1.7647608698980086},
              0.95510026266459536,
              law("polygon:0.5874631623443238,0.82253213983829;-0.9332068781703752,"
                  "0.38832590785840204;-0.8547544415421108,-0.5395061935164266;0.9668123241453096,"
                  "-0.2948661019162666")),
      segment({-0.48086162173495389, -0.56821010783621739},
              {-1.0572131357919079, 0.43054152124919409}, 0.78576922262311411,
              law("polygon:1.1509315863242908,0.34357982174572294;0.2887927611464117,"
                  "1.1658856510907074;-0.17766338958012506,1.1879083846461695;-1.1301706588470706,"
                  "0.40670000269356954;-0.9512320445717939,-0.7333813521555724;-0.4061334561576409,"
                  "-1.1303743743111043;0.6263939703224748,-1.024851796238567;0.9213654490673338,"
                  "-0.7705688285771244"))};
  const Motion from{0.63743176421576608, 0.36598002611384417, -0.53623495038974167};
  expect_back(segments, from, load(segments, from), load(segments, from).load, 1);
}

// Loads that do almost no work: the search runs off to where they do none.
TEST(MotionOfALoad, IsFiniteWhereTheLoadDoesNoWork) {
  const LimitCurve free = law("ratchet-free:2.690763623921143,147.01594321651982");
  const Slider slider{disc_support({-0.82281007535761652, 1.9398337974501654}, 2.9328364183212097,
                                   0.88316909357426654, free),
                      point({-1.0187490741048244, -1.391694483805225}, 0.42367584922760571, free)};
  const Load P{0.95760324435057742, -0.62149604633685374, 1.9658598254950874};
  const MotionSet set = motion(slider, P);
  EXPECT_NEAR(set.gauge, 1, 1e-9);
  EXPECT_LE(set.certificate.distance, 1e-10);
}

// Where the rotation centre comes next to the line of a segment the load changes like a logarithm,
// and along the line hardly at all: no curvature tells both.
TEST(MotionOfALoad, HoldsTurnsNextToTheLineOfASegment) {
  Random random(41);
  for (int k = 0; k < 300; ++k) {
    const Vec2 end = random_place(random), other = random_place(random);
    const Law own = random.law(1, -0.5, 0.5);  // ellipses
    const Slider slider{segment(end, other, random.uniform(0.1, 1), limit_curve(own))};
    const double off = (other - end).norm() * random.decades(-12, -6);
    const Vec2 centre = end + off * random.direction();
    const Motion from{centre.y(), -centre.x(), 1};
    const MotionSet set = motion(slider, load(slider, from).load);
    EXPECT_NEAR(set.gauge, 1, 1e-12) << k;
    EXPECT_LE(set.certificate.distance, 1e-10) << k;
    EXPECT_LE(distance_to(slider, set, from), 1e-7) << k;
  }
}

// Turned about a place beside the end of a segment, which slips along itself but for the last of
// its length: that tells the motion from those about places beyond, though it is 1e-12 of the load.
TEST(MotionOfALoad, HoldsTurnsNextToTheEndOfASegment) {
  const Slider alone{segment({5.6103500809136344, -6.3716691616812655},
                             {2.8798088152607635, -10.149840123290584}, 0.54459145093892947,
                             disc(0.70872039556420896))};
  const Motion about{-6.3716691616826235, -5.6103500809092308, 1};
  expect_back(alone, about, load(alone, about), load(alone, about).load, 0);
  const Slider two{segment({3, 1}, {5, 1}, 0.47747042022283048, disc(0.32662130612531148)),
                   point({-4, 1}, 0.94716264245228576, disc(0.44170330031683508))};
  const Motion aligned{1.0000000000006317, -5.0000000000002514, 1};
  expect_back(two, aligned, load(two, aligned), load(two, aligned).load, 1);
}

// A line of slips normal to a flat cuts so little of a disc off that the load is within 1e-12 of
// those of a wedge: what is cut off tells the motion all the same.
TEST(MotionOfALoad, IsToldByTheLeastPartOfADiscBeyondACrease) {
  const LimitCurve diamond =
      law("polygon:-2.0088891758969254,0;0,-2.0088891758969254;2.0088891758969254,0;"
          "0,2.0088891758969254");
  const Motion from{-0.0066250484480469898, 0.26809439878903601, 1};
  for (const auto pressure : {Support::Pressure::uniform, Support::Pressure::hertz}) {
    const Slider slider{disc_support({-0.33012600572035622, 0.055294516108004094},
                                     0.087646749701816032, 0.7259567844036372, diamond, pressure)};
    const LoadSet loads = load(slider, from);
    expect_back(slider, from, loads, loads.load, static_cast<int>(pressure));
  }
}

// Turned about a place of its rim, the load of a ring under a law that turns with it changes like
// the root of the distance from there, on one side.
TEST(MotionOfALoad, HoldsTurnsAboutTheRimOfARing) {
  Random random(43);
  for (int k = 0; k < 100; ++k) {
    const Slider slider{ring({0.22, 0.77}, 1.7, 0.57, box(0.96), true)};
    const Vec2 centre = Vec2(0.22, 0.77) + 1.7 * random.direction();
    const Motion from{-centre.y(), centre.x(), -1};
    const LoadSet loads = load(slider, from);
    expect_back(slider, from, loads, loads.load, k);
  }
}

// Two ratchets that hold against each other, their directions a few millionths apart: translations
// between them are free, and turn by as little.
TEST(MotionOfALoad, BoundsTheMotionsBetweenRatchetsAlmostAlike) {
  const Eigen::MatrixXd pressures = Eigen::MatrixXd::Ones(3, 4);
  const Slider slider{grid({0.4, -0.2}, 0.1, pressures, law("ratchet-free:1.95,285.0643339")),
                      grid({-0.24, 0.36}, 0.1, pressures, law("ratchet-free:0.89,285.0646276")),
                      point({-0.275, -0.105}, 0.54, law("ratchet-free:0.92,17.784"))};
  const Vec2 along = law("ratchet-free:1.95,285.0643339").pieces()[0].normal;
  for (const double turn : {1.0, -1.0}) {
    const LoadSet loads = load(slider, {turn * along.x(), turn * along.y(), 0});
    Random random(5);
    for (int k = 0; k < 20; ++k) {
      const Load sought = any_load(random, loads);
      if (sought.vector().norm() > 1e-9) expect_all_motions(slider, sought, k);
    }
  }
}

// Through the centre of friction, to rounding: no turn, rather than one about a place far away.
TEST(MotionOfALoad, ThatOfATranslationIsATranslation) {
  Random random(23);
  for (int k = 0; k < 400; ++k) {
    std::vector<Support> supports;
    for (int i = random.integer(1, 3); i >= 0; --i) {
      const double mu = random.uniform(0.1, 1);
      supports.push_back(random_support(random, random.integer(1, 10), 1, disc(mu)));
    }
    const Slider slider(supports);
    const Vec2 v = random.direction();
    const MotionSet set = motion(slider, load(slider, {v.x(), v.y(), 0}).load);
    EXPECT_EQ(set.motion.omega, 0) << k;
    EXPECT_FALSE(set.rotation_centre) << k;
  }
}

}  // namespace
}  // namespace stiction::testing
