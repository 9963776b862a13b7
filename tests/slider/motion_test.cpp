// SPDX-License-Identifier: Apache-2.0
//
// From loads to motions: certificates over random sliders, the way back from motion to load, dense
// sampling, facets and vertices with their answers on paper.
#include "slider/motion_back.h"

namespace stiction::testing {
namespace {

Slider dumbbell() { return {point({0, 1}, 0.5, disc(1)), point({0, -1}, 0.5, disc(1))}; }

// Points in general position, on a line, coincident; one law for all or each its own.
Slider random_points(Random& random, int number) {
  const int layout = number % 4, count = random.integer(layout == 2 ? 3 : 2, 6);
  const int kinds = number / 4 % (law_kinds + 2);
  const Vec2 line = random.direction(), origin(random.uniform(-1, 1), random.uniform(-1, 1));
  const double size = random.decades(-3, 3), force = random.decades(-3, 3);
  std::vector<Support> supports;
  for (int k = 0; k < count; ++k) {
    Vec2 at(random.uniform(-1, 1), random.uniform(-1, 1));
    if (layout == 1) at = origin + random.uniform(-1, 1) * line;
    if (layout == 2 && k == 1) at = supports[0].at / size;
    LimitCurve curve = disc(random.uniform(0.1, 1));
    if (kinds > 1) curve = limit_curve(random.law(kinds - 2, -0.5, 0.5));
    if (kinds == 1) curve = limit_curve(random.law(random.integer(0, law_kinds - 1), -0.5, 0.5));
    supports.push_back(point(size * at, force * random.uniform(0.1, 1), curve));
  }
  return Slider(supports);
}

// The same on a lattice, in line with the axes of their laws: many at one place or on one line,
// flats across the slips of others.
Slider random_aligned_points(Random& random, int number) {
  const int count = random.integer(2, 6);
  const double size = random.decades(-3, 3), force = random.decades(-3, 3);
  const bool on_a_line = number % 2 == 1, diagonal = random.integer(0, 1) == 0;
  std::vector<Support> supports;
  for (int k = 0; k < count; ++k) {
    const double x = 0.5 * random.integer(-2, 2), y = 0.5 * random.integer(-2, 2);
    Law law = random.law(random.integer(0, law_kinds - 1), -0.5, 0.5);
    law.angle_deg = 45 * random.integer(0, 7);
    if (random.integer(0, 1) == 0) law.mu = 0.5, law.mu2 = 0.25, law.bearing = 0.2;
    const Vec2 at(x, on_a_line ? (diagonal ? x : 0) : y);
    supports.push_back(point(size * at, force * random.uniform(0.1, 1), limit_curve(law)));
  }
  return Slider(supports);
}

Load random_load(Random& random, const Slider& slider) {
  const Vec3 p = random.direction3();
  return {slider.normal_force() * p[0], slider.normal_force() * p[1],
          slider.normal_force() * slider.length_scale() * p[2]};
}

void prove_random_loads(unsigned seed, int count) {
  Random random(seed);
  for (int i = 0; i < count; ++i) {
    const Slider slider = random_points(random, i);
    const Load load = random_load(random, slider);
    const MotionSet set = motion(slider, load);
    expect_proven(slider, load, set, i);
    // The body is inside every half space P·Q ≤ H(Q): none may cut the scaled load off.
    if (set.gauge == infinity) continue;
    for (int k = 0; k < 20; ++k) {
      const Motion other = Motion::of(random.direction3());
      const double power = stiction::load(slider, other).power;
      EXPECT_LE(load.vector().dot(other.vector()) / set.gauge, power * (1 + 1e-11) + 1e-300) << i;
    }
  }
}

TEST(MotionOfALoad, IsProvenForRandomPointsUnderEveryLaw) { prove_random_loads(11, 30000); }

template <typename Sliders>
void return_motions(unsigned seed, int count, bool anywhere, const Sliders& sliders) {
  Random random(seed);
  for (int i = 0; i < count; ++i) {
    const Slider slider = sliders(random, i);
    Motion from = Motion::of(random.direction3());
    from.omega /= slider.length_scale();
    if (i % 3 == 0) {  // about a support: a facet
      const Vec2 at = slider.supports()[0].at;
      const double turn = i % 2 == 0 ? 1 : -1;
      from = {turn * at.y(), -turn * at.x(), turn};
    }
    if (i % 3 == 1 && i % 4 == 1) {  // about a place on the line of the supports: a vertex
      const Vec2 at = slider.supports()[0].at +
                      random.uniform(-2, 2) * (slider.supports()[1].at - slider.supports()[0].at);
      from = {at.y(), -at.x(), 1};
    }
    if (i % 7 == 0) from.omega = 0;
    const LoadSet loads = load(slider, from);
    if (!(loads.power > 1e-9 * slider.normal_force() * scaled_motion(slider, from).norm()))
      continue;
    const Load load = anywhere ? any_load(random, loads) : loads.load;
    expect_back(slider, from, loads, load, i);
  }
}

TEST(MotionOfALoad, HoldsTheMotionThatTheLoadCameFrom) {
  return_motions(12, 100000, false, random_points);
}
// Among them vertices of supports so close that the direction of their line is known to 1e-9 only.
TEST(MotionOfALoad, HoldsTheMotionsOfPointsCloseToEachOther) {
  return_motions(1002, 22000, false, random_points);
  return_motions(1003, 2400, false, random_points);
}
TEST(MotionOfALoad, HoldsTheMotionOfEveryLoadOfItsFace) {
  return_motions(201, 100000, true, random_points);
}

TEST(MotionOfALoad, HoldsTheMotionOfPointsInLineWithTheirLaws) {
  return_motions(7, 40000, true, random_aligned_points);
}

// Loads that are hard to tell from their neighbours, each with a motion of it.
void expect_back_from(const std::vector<Support>& supports, const Motion& from, const Load& load) {
  const Slider slider(supports);
  expect_back(slider, from, stiction::load(slider, from), load, 0);
}

// All shares are at vertices.  Of the four bounding motions two do next to no work: a support there
// slips almost normal to the flat of its ratchet.
TEST(MotionOfALoad, HoldsAllMotionsOfVertices) {
  expect_back_from(
      {point({-0.00096258215890131097, -0.0018778590762621662}, 0.0058716810140091637,
             disc(0.87495354182958596)
                 .clipped(Direction::along({0.6042288459185855, 0.79681083185401935}), 0)),
       point({-0.00096258215890131097, -0.0018778590762621662}, 0.0044418216153352588,
             disc(1.0904532525883548)
                 .clipped(Direction::along({-0.23072436260450577, -0.97301915114798465}), 0)),
       point({-0.017739129730876921, -0.021646244305080144}, 0.010458348480942872,
             disc(0.89143935306354105)
                 .clipped(Direction::along({0.76249149225851309, -0.64699824129079808}), 0))},
      {0.90039882174988106, -0.41283217567836294, -10.591353633639613},
      {0.014838442579863314, 0.0028869649394717449, 2.5068182136588063e-05});
}

// Half discs in a row, some with their flat across the slip: at the end of the wedge of turns about
// places of the row two of them come to rest, and how they share the load is known the least.
TEST(MotionOfALoad, HoldsTheWedgeThatEndsWhereSupportsRest) {
  const auto half = [](double x, double y) {
    return disc(0.5).clipped(Direction::along({x, y}), 0);
  };
  const double r = 0.32142004668562979, s = 0.0013128105061529268;
  expect_back_from({point({-r, 0}, 0.00070853909130321347, half(0, 1)),
                    point({0, 0}, 0.0022894292549433446, half(1, 0)), point({r, 0}, s, half(-1, 0)),
                    point({-r, 0}, s, half(1, -1)),
                    point({-0.10714001556187659, 0}, 0.0026069416179565958, half(0, 1))},
                   {0, 0.93251702151360361, 1}, {-0.0010106805987522022, 0.0024575251336245991, 0});
}

// Rotation centres on a line along which flats and arcs face: the support at the end of the line
// all but rests, so that its arc tells the direction of its slip to 1e-9 only.
TEST(MotionOfALoad, HoldsTheWedgeThatEndsBesideASupport) {
  const double a = 194.9024420272948;
  expect_back_from(
      {point({a, -a}, 0.025512085093648322, free_curve()),
       point({2 * a, 0}, 0.018635761262296168, box(3.1324417982646819)),
       point({a, 0}, 0.02392610622753015, box(1.1643847303371153)),
       point({a, -2 * a}, 0.02521216885946416, rusty_wheel(0.5, 0.2, Direction::degrees(90)))},
      {-a, -a, 1}, {-0.073628545838526099, 0.086043518781464212, 33.061520537799751});
}

// A disc's force, rounded, is what tells the plane of these motions, and in this very plane the
// slip of the other support is normal to a flat.
TEST(MotionOfALoad, HoldsTheWedgeInThePlaneOfAFlat) {
  const double a = 0.043367356822022141;
  expect_back_from(
      {point({a, 2 * a}, 297.86742512395574, free_curve()),
       point({-2 * a, 2 * a}, 421.56790002062206, rusty_wheel(0.5, 0.2, Direction::degrees(180))),
       point({2 * a, 2 * a}, 287.35377879423191, ngon(3.0850364557125003, 20))},
      {2 * a, -a, 1}, {-138.67866569369747, 664.7986855663853, 106.25394907082823});
}

// Across the ratchet's flat, but for two units of rounding: the motion is the translation itself,
// whose loads are the flat's.
TEST(MotionOfALoad, ThatOfATranslationAcrossAFlatIsExactlySo) {
  const Slider slider{point({0.26, 0.27}, 1.16, ellipse(1.036, 1.344, Direction::degrees(-90))),
                      point({-0.7, -0.96}, 0.87, ratchet(0.457, Direction::degrees(90)))};
  const MotionSet set = motion(slider, {0, 1.16 * 1.036, 1.16 * 1.036 * 0.26});
  EXPECT_EQ(set.motion.vector(), Vec3(0, 1, 0));
  EXPECT_FALSE(set.rotation_centre);
  EXPECT_FALSE(load(slider, set.motion).unique);
}

// One support slips along an arc, the other freely: along the wedge the power is level as far as
// the turn about the first, on which the load does no work and rounding is all there is.
TEST(MotionOfALoad, IsNotSoughtWhereTheLoadDoesNoWork) {
  expect_back_from(
      {point({4.6964918363575956, -1.7158275066019963}, 409.38455188870256,
             polygon({{0, 0}, {-2.2499130870985096, -1.7244644536372036}})),
       point({-2.7194636326758599, -3.8984649499997306}, 377.13766653370908,
             disc(1.2797959807672739)
                 .clipped(Direction::along({-0.074539768417432387, -0.99721804181647034}),
                          0.8120168423758662)
                 .clipped(Direction::along({0.074539768417432387, 0.99721804181647034}),
                          0.8120168423758662))},
      {0.91592302998800168, 0.34240915822779161, -0.054216191835795353},
      {396.29204211561671, 275.52239129442506, 795.65751303847208});
}

// A motion that rolls every wheel and ratchet freely, on which the load does no work.
TEST(MotionOfALoad, IsNoFreeMotionWithoutWork) {
  expect_back_from(
      {point({-0.15758596959772794, -0.074917441055566678}, 3.608682181478621,
             polygon({{0.75299632954324247, -0.81434225237666591},
                      {-0.75299632954324247, 0.81434225237666591}})),
       point({-0.16470665262952067, -0.076842307148658542}, 4.2950520740899227,
             disc(1.6936239368993002)
                 .clipped(Direction::along({-0.99526396856823141, 0.097209222143861282}), 0))},
      {0.35812197061753381, 0.27904344293248839, -242.50228977471957},
      {-2.0102048215123069, 10.178454524621683, -1.8047718962029329});
  expect_back_from({point({0.11018859537231912, 0.21183805443453085}, 0.0043770964657933627,
                          polygon({{0, 0}, {0.097303213961571863, 0.9579581958470359}})),
                    point({0.13651191613298869, 0.21797658866417141}, 0.009117659632826753,
                          polygon({{0, 0}, {2.5380023006604033, 0.55752774182295117}})),
                    point({0.03626228857800344, 0.19459861990977084}, 0.0012509015742167993,
                          polygon({{0, 0}, {-0.37448871854348725, -0.18737865338818693}}))},
                   {-0.21183805443453085, 0.11018859537231912, -1},
                   {0.023142239390968499, 0.0050990832489923622, -0.0043487851597550772});
}

// One law is inside its segment of forces: the motions are in a plane, and another condition is
// almost parallel to it; the force of that law may be zero.
TEST(MotionOfALoad, HoldsWedgesBesideOtherCreases) {
  expect_back_from({point({-0.027293782082820798, -0.0075074276533543564}, 2.8140780563224115,
                          polygon({{0.71915838320706515, -1.6015294454315896},
                                   {-0.71915838320706515, 1.6015294454315896}})),
                    point({-0.027293782082820798, -0.0075074276533543564}, 1.3191838647220238,
                          polygon({{0.52119319306460166, -1.1796373975051655},
                                   {-0.52119319306460166, 1.1796373975051655}})),
                    point({-0.0077390869580462344, 0.021776281762424909}, 7.0984081110040718,
                          polygon({{-0.86950147547474643, -0.24709554152574387},
                                   {0.86950147547474643, 0.24709554152574387}})),
                    point({-0.024248177254432242, 0.0077158866974157882}, 2.5572286920234513,
                          polygon({{-0.31347314960841971, 1.6682407431544972},
                                   {0.31347314960841971, -1.6682407431544972}})),
                    point({-0.0017690905920724588, -0.001540650658185879}, 8.0727603482493731,
                          polygon({{1.9501953411817545, 1.9737132962139434},
                                   {-1.9501953411817545, -1.9737132962139434}}))},
                   {-0.0075074276533543564, 0.027293782082820798, 1},
                   {10.793528588438472, 13.938573664983174, 0.18498923794975078});
  expect_back_from({point({-0.00066915850651632475, 0.00071076362561393815}, 132.61570417536774,
                          polygon({{0, 0}, {-0.31880281102655167, -0.082812491389697748}})),
                    point({-0.00067061186876523553, 0.00071214042175875086}, 110.98535941078038,
                          polygon({{0, 0}, {1.5858868365613332, 0.40956597017744917}})),
                    point({-0.0014543124353472803, 0.0014545540351344672}, 199.08341877309542,
                          polygon({{0, 0}, {-0.50517389460861595, -0.20016171282121789}}))},
                   {-0.00071076362561393815, -0.00066915850651632475, -1},
                   {154.87109090189867, 39.964707972488476, -0.1371278563476252});
  expect_back_from(
      {point({0.0010885018714060378, 0.00063979146376677391}, 0.014466560787784863,
             polygon({{0.20090937574490389, 1.3397116806903442},
                      {-0.20090937574490389, -1.3397116806903442}})),
       point({0.0010885018714060378, 0.00063979146376677391}, 0.0071542906620665524, free_curve()),
       point({-0.0012711590788015098, 0.0016818874190130651}, 0.017010927139979922, free_curve()),
       point({-0.00044537572506527548, -0.00081752647880694814}, 0.0052866526638107088,
             ngon_out(2.3477956329527951, 16))},
      {0.00063979146376677391, -0.0010885018714060378, 1},
      {0.0070308219130022593, -0.01052236859127398, 1.0434290622398199e-05});
  expect_back_from({point({0.015669325926524987, -0.0036458881777420332}, 389.39149425081877,
                          polygon({{-0.48771643456600217, -0.21822704455636041},
                                   {0.48771643456600217, 0.21822704455636041}})),
                    point({0.015669325926524987, -0.0036458881777420332}, 635.6189005782702,
                          polygon({{0.82684496615710767, 0.25632001539951038},
                                   {-0.82684496615710767, -0.25632001539951038}})),
                    point({-0.0015562103573326961, -0.0031734765394715644}, 697.27461410754916,
                          polygon({{0.54526950807700669, -0.015040025549422456},
                                   {-0.54526950807700669, 0.015040025549422456}}))},
                   {-0.0036458881777420332, -0.015669325926524987, 1},
                   {44.556928717887445, -88.433119429842094, -1.2222052363268698});
}

// At first all slips are at vertices and the power falls evenly: it is on the arc of the rusty
// wheel, farther on than the little it falls by, that its least is.
TEST(MotionOfALoad, IsFoundAcrossAllThatIsFlat) {
  const double a = 0.075420070196232827;
  expect_back_from(
      {point({a, 0}, 0.00045338385286630988, polygon({{0, 0}, {0.49387537482501565, 0}})),
       point({2 * a, -2 * a}, 0.00031371085764694747, free_curve()),
       point({0, -a}, 0.0010669297001673474,
             polygon({{0, 0}, {-0.43753023564391585, -0.43753023564391585}})),
       point({2 * a, a}, 0.00061515650443473558,
             rusty_wheel(0.67544410981362024, 0.46884098125051682, Direction::degrees(45))),
       point({0, 2 * a}, 0.00038607962369737489, polygon({{0, 0}, {0, -2.5308440405001527}}))},
      {-0.474678682480484, -0.67898378747444454, 4.8187709292859866},
      {-0.00088164145494128827, -0.0014202227055377006, -3.4612733040565233e-07});
}

// All four forces are vertices.  The motion found is next to the end of their wedge, where one is
// on an arc, off its vertex by what the load found is off the one sought.
TEST(MotionOfALoad, HoldsTheWedgeOfAVertexFoundBesideAnArc) {
  const auto rusty = [](double mu, double x, double y, double bearing) {
    const Direction along = Direction::along({x, y}), back = Direction::along({-x, -y});
    return disc(mu).clipped(along, bearing).clipped(back, bearing);
  };
  expect_back_from({point({120.73835805202954, 1.9534135500880803}, 0.0045395468991434457,
                          rusty(0.51507627836794889, 0.85173517579926084, 0.52397250911302806,
                                0.31142323351288048)),
                    point({-109.91036929611636, 55.568498945350662}, 0.007324582825002663,
                          rusty(2.1239217296489743, -0.72696136666345079, 0.68667836093676926,
                                0.59944398464929893)),
                    point({103.73165017150257, -102.52750220632997}, 0.006759504921118765,
                          rusty(0.35015269089175982, -0.57992957130114808, 0.81466661422355258,
                                0.15484691472205078)),
                    point({7.6190721299858284, 72.338863098870405}, 0.0073440953974675451,
                          rusty(0.57619062947804167, -0.078531112595096514, 0.99691166326539493,
                                0.22259227283070018))},
                   {-0.89072731128484961, 0.4058674319198744, -0.0017681742288117631},
                   {-0.021975902512204971, -0.0060441444930076863, 1.7363257605583158});
}

// The force of the support that the motion turns about is on the rim of its law: the power is level
// along a wedge, or the load does next to no work on the motion about the support.
TEST(MotionOfALoad, HoldsWedgesOnTheRimOfAFacet) {
  expect_back_from({point({-0.025371550163244952, -0.0099109908505710161}, 7.1546208090248928,
                          disc(0.67546263440186893)),
                    point({0.014284504744360115, -0.0075414815647359074}, 9.8847866103589528,
                          disc(1.2168635812479969)),
                    point({-0.056484764679391765, -0.011770052496515308}, 7.378006462000517,
                          disc(0.37957724310138219)),
                    point({0.011453565645461516, -0.0077106344594982017}, 11.737101156187959,
                          disc(2.7399879568625671)),
                    point({-0.034599169689607481, -0.010462355079938073}, 4.2456267670282495,
                          disc(1.8356556573738423)),
                    point({0.018843115052197414, -0.0072690977010336048}, 12.837375245204843,
                          disc(1.3272874585688212))},
                   {0.0099109908505710161, -0.025371550163244952, -1},
                   {2.9160720011097294, -55.374224631571572, -1.1444549408861713});
  expect_back_from(
      {point({3.3492705264849363, -1.2827981623150371}, 0.025660374462714977,
             ellipse(0.61475403839492537, 0.39768614632169419,
                     Direction::along({-0.98979055722903397, -0.1425294805303044}))),
       point({3.3504983968902446, -1.2824020513653795}, 0.011036873382620712,
             polygon({{-0.48220617829385415, 0},
                      {0.24110308914692707, -0.41760280026428609},
                      {0.24110308914692707, 0.41760280026428609}})),
       point({-0.10015802915201598, -2.3955836932978105}, 0.028712480695238504, free_curve())},
      {0.72721186191650933, -0.32558249380488474, -0.33592250892976744},
      {0.0055163519832040131, -0.014465966765126273, -0.041380783288250171});
  expect_back_from(
      {point({364.44877465310441, 261.27175290269116}, 0.0019007025470326694,
             disc(3.0273961981045634)),
       point({369.85404799791786, 223.92797186744491}, 0.00036610848873469955,
             disc(0.3869457877855309)
                 .clipped(Direction::along({-0.99108011611201619, -0.13326741329894795}),
                          0.18401997286698832)
                 .clipped(Direction::along({0.99108011611201619, 0.13326741329894795}),
                          0.18401997286698832)),
       point({541.94406818185439, 490.44584153905009}, 0.002315859496580956, free_curve())},
      {0.98985331342075533, 0.045359020969917938, 0.00091365688193614358},
      {0.0051892548847030963, 0.0027209822958120782, -0.36155767042021869});
}

// Two laws at the place that the motion turns about share a force too large for either.
TEST(MotionOfALoad, HoldsTurnsAboutSupportsAtOnePlace) {
  expect_back_from(
      {point({-207.09952881932801, -535.06177825942643}, 34.443717989002621,
             ellipse(0.792320751172366, 7.3852500929804661,
                     Direction::along({0.97142485884265828, -0.23734730590954992}))),
       point({-207.09952881932801, -535.06177825942643}, 53.290962829593703,
             polygon({{-0.86948333176076176, -0.22693179160811427},
                      {0.29185425284407196, -0.84989434481533754},
                      {0.22688567981807012, 0.86949536545386807},
                      {-0.37584118423023893, 0.81623691811181587}})),
       point({253.97850925730074, 619.96197820385714}, 81.861912375039495,
             ellipse(2.8299363528769206, 8.5365605152403568,
                     Direction::along({0.38252731854490196, 0.92394418152118207}))),
       point({-542.25051190910335, -256.56550719952696}, 97.988292593941281,
             polygon({{-1.1131161453256422, -1.1131161453256422},
                      {1.1131161453256422, -1.1131161453256422},
                      {1.1131161453256422, 1.1131161453256422},
                      {-1.1131161453256422, 1.1131161453256422}})),
       point({131.77446244706132, 293.88882192539882}, 15.804102304840308,
             disc(0.43386322331429966)
                 .clipped(Direction::along({0.99997977914769176, -0.0063593471153525769}), 0))},
      {-535.06177825942643, 207.09952881932801, 1},
      {-680.63335748119653, 321.07064702776057, 511424.03810420918});
}

TEST(MotionOfALoad, DumbbellTurnsAboutASupportWhileItsForceIsInTheDisc) {
  // Turning about (0, 1) with ω = 1: (0, −1) slips with (2, 0) and carries (½, 0), moment ½.
  const MotionSet set = motion(dumbbell(), {.fx = 0.5 + 0.3, .fy = 0.2, .moment = 0.5 - 0.3});
  EXPECT_EQ(set.state, MotionSet::State::slip);
  ASSERT_TRUE(set.rotation_centre);
  EXPECT_EQ(*set.rotation_centre, Vec2(0, 1));
  EXPECT_TRUE(set.unique);
  EXPECT_NEAR(set.gauge, 1, 1e-15);
}

TEST(MotionOfALoad, DumbbellHasAWedgeAtItsVertices) {
  // The bar turned about a place between its supports: forces (½, 0) at (0, −1), (−½, 0) at (0, 1).
  const MotionSet turn = motion(dumbbell(), {.fx = 0, .fy = 0, .moment = 2});
  EXPECT_EQ(turn.state, MotionSet::State::outside);
  EXPECT_NEAR(turn.gauge, 2, 1e-15);
  EXPECT_FALSE(turn.unique);
  ASSERT_EQ(turn.wedge.size(), 2U);
  for (const Motion& m : turn.wedge) {
    EXPECT_NEAR(std::abs(m.vx / m.omega), 1, 1e-15);
    EXPECT_EQ(m.vy, 0);
    EXPECT_GT(m.omega, 0);
  }
  // Pulled along x by the whole strength: a translation or a turn about a place beyond either end.
  const MotionSet pull = motion(dumbbell(), {.fx = 0.5, .fy = 0, .moment = 0});
  EXPECT_EQ(pull.state, MotionSet::State::stick);
  EXPECT_NEAR(pull.gauge, 0.5, 1e-15);
  ASSERT_EQ(pull.wedge.size(), 2U);
  for (const Motion& m : pull.wedge) EXPECT_NEAR(m.vx / std::abs(m.omega), 1, 1e-15);
}

Support random_area(Random& random, int shape, double size, const LimitCurve& curve) {
  const Vec2 at = size * Vec2(random.uniform(-1, 1), random.uniform(-1, 1));
  const double force = random.uniform(0.1, 1), radius = size * random.uniform(0.2, 1);
  const auto corner = [&](double angle) -> Vec2 {
    return at + radius * Vec2(std::cos(angle), std::sin(angle));
  };
  switch (shape % 7) {
    case 0:
      return segment(at, corner(random.uniform(0, 6)), force, curve);
    case 1:
      return polygon_support({corner(0.1), corner(2), corner(3.5), corner(5)}, {}, force, curve);
    case 2:
      return disc_support(at, radius, force, curve);
    case 3:
      return disc_support(at, radius, force, curve, Support::Pressure::hertz);
    case 4:
      return ring(at, radius, force, curve);
    case 5:
      return annulus(at, radius, 0.5 * radius, force, curve);
    default:
      return grid(at, radius / 3, Eigen::MatrixXd::Random(3, 4).cwiseAbs() / (radius * radius),
                  curve);
  }
}

// Areas of every shape, alone, with one another and with a point.
void prove_areas(unsigned seed, int count, bool isotropic) {
  Random random(seed);
  for (int i = 0; i < count; ++i) {
    const double size = random.decades(-3, 3);
    std::vector<Support> supports;
    for (int k = 0, n = random.integer(1, 3); k < n; ++k) {
      const LimitCurve curve = isotropic ? disc(random.uniform(0.1, 1))
                                         : ellipse(random.uniform(0.1, 1), random.uniform(0.1, 1),
                                                   random.uniform(-3, 3));
      supports.push_back(k == 2 ? point(size * random.direction(), 0.3, curve)
                                : random_area(random, i + k, size, curve));
    }
    const Slider slider(supports);
    const Load load = random_load(random, slider);
    expect_proven(slider, load, motion(slider, load), i);
    Motion from = Motion::of(random.direction3());
    from.omega = i % 5 == 0 ? 0 : from.omega / slider.length_scale();
    const LoadSet loads = stiction::load(slider, from);
    if (loads.power > 1e-9 * slider.normal_force() * scaled_motion(slider, from).norm())
      expect_back(slider, from, loads, loads.load, i);
  }
}

TEST(MotionOfALoad, IsProvenForAreas) { prove_areas(13, 5000, true); }
TEST(MotionOfALoad, IsProvenForAnisotropicAreas) { prove_areas(14, 1000, false); }

// Uniform pressure on a segment: turned about a place on its line beyond its ends, or drawn across.
TEST(MotionOfALoad, ASegmentHasTwoVertices) {
  const Slider bar{segment({-1, 0}, {1, 0}, 1, disc(1))};
  const MotionSet set = motion(bar, {.fx = 0, .fy = 1, .moment = 0});
  EXPECT_EQ(set.state, MotionSet::State::slip);
  ASSERT_EQ(set.wedge.size(), 2U);
  for (const Motion& m : set.wedge) EXPECT_NEAR(m.vy / std::abs(m.omega), 1, 1e-12);
}

// Finite, but not over the size of a slider of a millimetre.
TEST(MotionOfALoad, RefusesALoadThatOverflows) {
  const Slider small({point({0, 1e-3}, 0.5, disc(1)), point({0, -1e-3}, 0.5, disc(1))});
  EXPECT_THROW(motion(small, {0, 0, 1e307}), InvalidInput);
  EXPECT_EQ(motion(small, {0, 0, 1e300}).state, MotionSet::State::outside);
}

}  // namespace
}  // namespace stiction::testing
