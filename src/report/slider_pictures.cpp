// SPDX-License-Identifier: Apache-2.0
#include "report/slider_pictures.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "report/svg.h"

namespace stiction::report {

namespace {

constexpr double pi = std::numbers::pi;
using Loop = std::vector<Vec2>;

// A round number of units between numbers on an axis, `count` of them at most.
double round_step(double range, int count) {
  const double rough = range / count, power = std::pow(10, std::floor(std::log10(rough)));
  for (const double k : {1.0, 2.0, 2.5, 5.0})
    if (k * power >= rough) return k * power;
  return 10 * power;
}

std::vector<Tick> ticks(const Range& range) {
  const double step = round_step(range.to - range.from, 6);
  std::vector<Tick> list;
  for (double k = std::ceil(range.from / step); k * step <= range.to; ++k)
    list.emplace_back(k * step + 0.0);
  return list;
}

// Displacement and turn about the origin.
struct Pose {
  Vec2 shift = Vec2::Zero();
  double angle = 0;

  Vec2 operator()(const Vec2& p) const {
    const double c = std::cos(angle), s = std::sin(angle);
    return shift + Vec2(c * p.x() - s * p.y(), s * p.x() + c * p.y());
  }
  Loop operator()(Loop loop) const {
    for (Vec2& p : loop) p = (*this)(p);
    return loop;
  }
};

// Counter-clockwise; clockwise for a negative radius.
Loop circle(const Vec2& centre, double radius) {
  Loop loop;
  for (int k = 0; k < 72; ++k)
    loop.push_back(centre +
                   Vec2(std::abs(radius) * std::cos(k * pi / 36), radius * std::sin(k * pi / 36)));
  return loop;
}

// What of a support is seen from above: its outline and holes, relative to the reference point.
std::vector<Loop> outlines(const Support& support) {
  switch (support.shape) {
    case Support::Shape::point:
      return {{support.at}};
    case Support::Shape::segment:
      return {{support.at, support.to}};
    case Support::Shape::polygon: {
      std::vector<Loop> loops{support.vertices};
      loops.insert(loops.end(), support.holes.begin(), support.holes.end());
      return loops;
    }
    case Support::Shape::disc:
    case Support::Shape::ring:
      return {circle(support.at, support.radius)};
    case Support::Shape::annulus:
      return {circle(support.at, support.radius), circle(support.at, -support.inner_radius)};
    case Support::Shape::grid: {
      const Vec2 size = support.cell * Vec2(static_cast<double>(support.pressures.cols()),
                                            static_cast<double>(support.pressures.rows()));
      const Vec2& a = support.at;
      return {{a, a + Vec2(size.x(), 0), a + size, a + Vec2(0, size.y())}};
    }
  }
  return {};
}

// Counter-clockwise, by Andrew's two chains.
Loop convex_hull(Loop points) {
  std::ranges::sort(points, [](const Vec2& a, const Vec2& b) {
    return a.x() < b.x() || (a.x() == b.x() && a.y() < b.y());
  });
  if (points.size() < 3) return points;
  Loop hull;
  for (const bool upper : {false, true}) {
    const std::size_t start = hull.size();
    for (const Vec2& p : points) {
      while (hull.size() >= start + 2 &&
             cross(hull.back() - hull[hull.size() - 2], p - hull.back()) <= 0)
        hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();
    if (!upper) std::ranges::reverse(points);
  }
  return hull;
}

Loop hull_of(const Slider& slider) {
  Loop all;
  for (const Support& support : slider.supports())
    for (const Loop& loop : outlines(support)) all.insert(all.end(), loop.begin(), loop.end());
  return convex_hull(std::move(all));
}

// Farthest place of the hull from its middle, never zero.
double size_of(const Slider& slider, const Loop& hull) {
  double size = 0;
  for (const Vec2& p : hull) size = std::max(size, (p - slider.centre_of_pressure()).norm());
  return size > 0 ? size : 1;
}

// A plan: axes in metres, one scale both ways, and a key in a strip above.
class Plan {
 public:
  // `places` are those that the frame holds, in the file's frame.
  explicit Plan(const Loop& places) : plot_(frame(places)) {}

  Plot& plot() { return plot_; }

  void key(std::string_view css, const std::string& what, bool dot = false) {
    const double wide = 34 + 5.7 * static_cast<double>(what.size());
    if (x_ > 14 && x_ + wide > plot_.width()) {
      x_ = 14;
      y_ += 18;
    }
    key_ += dot ? fmt::format("<circle class='{}' cx='{:g}' cy='{:g}' r='4'/>", css, x_ + 9, y_)
                : fmt::format("<path class='{}' d='M{:g} {:g}h18'/>", css, x_, y_);
    key_ += fmt::format("<text class='note' x='{:g}' y='{:g}'>{}</text>", x_ + 24, y_ + 4, what);
    x_ += wide;
  }

  std::string svg() const {
    const double strip = y_ + 12;
    return standalone(
        plot_.width(), plot_.height() + strip,
        key_ + fmt::format("<g transform='translate(0 {:g})'>", strip) + plot_.body() + "</g>");
  }

 private:
  static Plot frame(const Loop& places) {
    constexpr double widest = 600, highest = 460, beside = 66, above = 54;  // room of the axes
    Vec2 low = places.front(), high = low;
    for (const Vec2& p : places) {
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
    const double least =
        std::max(0.35 * (high - low).maxCoeff(), 1e-9 * high.cwiseAbs().maxCoeff());
    for (int c = 0; c < 2; ++c) {  // neither a line nor without a margin
      const double more =
          std::max(0.0, 0.5 * (least - (high[c] - low[c]))) + 0.06 * (high - low).maxCoeff();
      low[c] -= more;
      high[c] += more;
    }
    if (!((high - low).minCoeff() > 0)) {
      low -= Vec2::Ones();
      high += Vec2::Ones();
    }
    const Vec2 range = high - low;
    const double scale = std::min((widest - beside) / range.x(), (highest - above) / range.y());
    const Range x{low.x(), high.x()}, y{low.y(), high.y()};
    // A tall frame stays as wide as its key.
    const double width = std::max(beside + scale * range.x(), 380.0);
    const double spare = (width - beside) / scale - range.x();
    const Range wide{x.from - 0.5 * spare, x.to + 0.5 * spare};
    Plot plot(width, above + scale * range.y(), wide, y, true);
    plot.axes("x [m]", "y [m]", ticks(wide), ticks(y));
    return plot;
  }

  Plot plot_;
  std::string key_;
  double x_ = 14, y_ = 14;
};

void draw_supports(Plot& plot, const Slider& slider, const Pose& pose) {
  const bool many = slider.supports().size() > 60;
  for (const Support& support : slider.supports()) {
    if (support.normal_force == 0) continue;
    const bool area = support.shape != Support::Shape::point &&
                      support.shape != Support::Shape::segment &&
                      support.shape != Support::Shape::ring;
    std::vector<Loop> loops = outlines(support);
    for (Loop& loop : loops) loop = pose(std::move(loop));
    if (area) {
      plot.area_with_holes(loops, "curve");
      continue;
    }
    Loop& only = loops[0];
    if (only.size() > 2) only.push_back(only.front());
    if (only.size() == 1)
      plot.dot(only[0], many ? 1.2 : 3.5, "point");
    else
      plot.line(only, "locus");
  }
}

void draw_hull(Plot& plot, Loop hull, const Pose& pose, std::string_view css) {
  hull = pose(std::move(hull));
  if (hull.size() > 2) hull.push_back(hull.front());
  if (hull.size() > 1) plot.line(hull, css);
}

// Of the reference point, in the file's frame.
Pose at_start(const Slider& slider) { return {slider.body().reference, 0}; }

std::optional<Vec2> rotation_centre(const Slider& slider, const Motion& motion) {
  if (motion.omega == 0) return {};
  return slider.body().reference + Vec2(-motion.vy, motion.vx) / motion.omega;
}

std::string written(const Vec2& v) { return fmt::format("({:.4g}, {:.4g})", v.x(), v.y()); }

// Marks the centre where it is within the picture, and says in the key where it is else.
void add_rotation_centre(Plan& plan, const std::optional<Vec2>& centre, bool shown) {
  if (!centre) {
    plan.key("s5 full", "no rotation centre: a translation", true);
    return;
  }
  if (shown) plan.plot().dot(*centre, 4, "s5 full");
  plan.key("s5 full", "rotation centre" + (shown ? "" : " " + written(*centre) + " m, outside"),
           true);
}

// Slips of the rigid motion on a mesh over the body, and at its points.
void draw_slips(Plot& plot, const Slider& slider, const Motion& motion, const Loop& hull,
                double length) {
  const Pose start = at_start(slider);
  Loop places;
  Vec2 low = hull.front(), high = low;
  for (const Vec2& p : hull) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  const auto inside = [&](const Vec2& p) {
    for (std::size_t k = 0; k < hull.size(); ++k)
      if (cross(hull[(k + 1) % hull.size()] - hull[k], p - hull[k]) < 0) return false;
    return hull.size() > 2;
  };
  constexpr int n = 7;
  for (int i = 0; i <= n; ++i)
    for (int j = 0; j <= n; ++j) {
      const Vec2 p = low + Vec2((high - low).x() * i / n, (high - low).y() * j / n);
      if (inside(p)) places.push_back(p);
    }
  if (slider.supports().size() <= 60)
    for (const Support& support : slider.supports()) {
      if (support.shape == Support::Shape::point) places.push_back(support.at);
      if (support.shape == Support::Shape::segment)
        for (int k = 0; k <= 6; ++k)
          places.push_back(support.at + k / 6.0 * (support.to - support.at));
    }
  double fastest = 0;
  const auto slip = [&](const Vec2& p) {
    return Vec2(motion.vx - motion.omega * p.y(), motion.vy + motion.omega * p.x());
  };
  for (const Vec2& p : places) fastest = std::max(fastest, slip(p).norm());
  if (fastest == 0) return;
  for (const Vec2& p : places) plot.arrow(start(p), start(p) + length / fastest * slip(p), "slip");
}

}  // namespace

std::string motion_picture(const Slider& slider, const Motion& motion, const Load& load) {
  const Pose start = at_start(slider);
  const Loop hull = hull_of(slider);
  const double size = size_of(slider, hull);
  const Vec2 middle = start(slider.centre_of_pressure()), force(load.fx, load.fy);
  Loop places = start(hull);
  for (const Vec2& side : {Vec2(size, size), Vec2(-size, -size)})
    places.push_back(middle + 1.2 * side);
  const std::optional<Vec2> centre = rotation_centre(slider, motion);
  const bool near = centre && (*centre - middle).norm() < 2.5 * size;
  if (near) places.push_back(*centre);
  // The load acts along a line: from the place of the line next to the reference point.
  const Vec2 line =
      load.moment / std::max(force.squaredNorm(), 1e-300) * Vec2(force.y(), -force.x());
  const bool acts = force.norm() * size > 1e-9 * std::abs(load.moment) &&
                    (start(line) - middle).norm() < 2.5 * size;
  const Vec2 tip = start(line) + (acts ? Vec2(0.6 * size * force.normalized()) : Vec2::Zero());
  if (acts) places.insert(places.end(), {start(line), tip});
  Plan plan(places);
  draw_supports(plan.plot(), slider, start);
  draw_hull(plan.plot(), hull, start, "thin");
  draw_slips(plan.plot(), slider, motion, hull, 0.3 * size);
  if (acts) plan.plot().arrow(start(line), tip, "force");
  plan.key("slip", "slips over the ground");
  plan.key("force", fmt::format("load on the ground: {} N, {:.4g} N m{}", written(force),
                                load.moment, acts ? "" : ", not drawn"));
  add_rotation_centre(plan, centre, near);
  return plan.svg();
}

std::string slide_picture(const Slider& slider, const Slide& thrown) {
  const Loop hull = hull_of(slider);
  const Vec2 reference = slider.body().reference;
  const Vec2 centre = slider.body().centre_of_mass ? Vec2(*slider.body().centre_of_mass - reference)
                                                   : slider.centre_of_pressure();
  const auto pose = [&](const SlideSample& sample) {
    return Pose{reference + sample.pose.head<2>(), sample.pose[2]};
  };
  std::vector<SlideSample> samples = thrown.trajectory;
  if (samples.empty()) samples.push_back({0, Vec3::Zero(), {}});
  Loop places, path;
  for (const SlideSample& sample : samples) {
    const Loop moved = pose(sample)(hull);
    places.insert(places.end(), moved.begin(), moved.end());
    path.push_back(pose(sample)(centre));
  }
  Plan plan(places);
  const std::size_t every = std::max<std::size_t>(1, samples.size() / 12);
  for (std::size_t k = every; k + every < samples.size(); k += every)
    draw_hull(plan.plot(), hull, pose(samples[k]), "thin");
  draw_supports(plan.plot(), slider, pose(samples.front()));
  draw_supports(plan.plot(), slider, pose(samples.back()));
  draw_hull(plan.plot(), hull, pose(samples.front()), "s1");
  draw_hull(plan.plot(), hull, pose(samples.back()), "s2");
  plan.plot().line(path, "force");
  plan.key("s1", "thrown");
  plan.key("s2", thrown.rests ? fmt::format("at rest after {:.4g} s", thrown.time_to_rest)
                              : "where it was followed to");
  plan.key("force", slider.body().centre_of_mass ? "centre of mass" : "centre of pressure");
  plan.key("thin", "at equal times");
  return plan.svg();
}

std::string push_picture(const Slider& slider, const Finger& finger, const Push& push) {
  const Pose start = at_start(slider);
  const Loop hull = hull_of(slider);
  const double size = size_of(slider, hull);
  const Vec2 middle = start(slider.centre_of_pressure()), at = finger.contact;
  const Vec2 n = finger.normal.normalized(), t(-n.y(), n.x());
  const auto unit = [](const Vec2& v) { return v.isZero(0) ? v : Vec2(v.normalized()); };
  const Vec2 from = at - 0.5 * size * unit(finger.velocity);
  const Vec2 tip = at + 0.55 * size * unit(push.contact_force);
  Loop places = start(hull);
  places.insert(places.end(), {at, from, tip, at + 0.8 * size * push.motion_cone_left,
                               at + 0.8 * size * push.motion_cone_right});
  const bool near = push.rotation_centre && (*push.rotation_centre - middle).norm() < 2.5 * size;
  if (near) places.push_back(*push.rotation_centre);
  // The body a little later: turned about the reference point, moved by as much as it has gone.
  const Motion& q = push.motion;
  const double speed = std::max(std::hypot(q.vx, q.vy), std::abs(q.omega) * size);
  const double later = speed > 0 ? 0.3 * size / speed : 0;
  const Pose moved{start.shift + later * Vec2(q.vx, q.vy), later * q.omega};
  const Loop gone = moved(hull);
  places.insert(places.end(), gone.begin(), gone.end());
  Plan plan(places);
  Plot& plot = plan.plot();
  draw_supports(plot, slider, start);
  draw_hull(plot, hull, start, "s1");
  if (speed > 0) draw_hull(plot, hull, moved, "disc");
  plot.line({at - 0.25 * size * t, at + 0.25 * size * t}, "s0");
  for (const Vec2& side : {push.motion_cone_left, push.motion_cone_right})
    if (!side.isZero(0)) plot.line({at, at + 0.8 * size * side}, "s4 dashed");
  plot.arrow(at, tip, "force");
  plot.arrow(from, at, "slip bold");
  static const char* const modes[] = {"sticks", "slides left", "slides right", "separates"};
  plan.key("slip bold",
           fmt::format("the finger: it {}", modes[static_cast<std::size_t>(push.mode)]));
  if (!push.contact_force.isZero(0))
    plan.key("force", fmt::format("its force on the slider: {} N", written(push.contact_force)));
  plan.key("s4 dashed", "it sticks between these");
  if (speed > 0) {
    plan.key("disc", "a little later");
    add_rotation_centre(plan, push.rotation_centre, near);
  }
  return plan.svg();
}

std::string points_picture(const Slider& slider, const SliderPoints& points) {
  const Pose start = at_start(slider);
  const Loop hull = hull_of(slider);
  const double size = size_of(slider, hull);
  struct Mark {
    Vec2 at;
    std::string what;
  };
  std::vector<Mark> marks;
  const auto add = [&](const OrReason<Vec2>& centre, const std::string& what) {
    if (!centre.value) return;
    for (Mark& mark : marks)
      if ((mark.at - *centre.value).norm() < 1e-6 * size) {
        mark.what += ", " + what;
        return;
      }
    marks.push_back({*centre.value, "centre of " + what});
  };
  add(points.centre_of_mass, "mass");
  add(points.centre_of_pressure, "pressure");
  add(points.centre_of_friction, "friction");
  add(points.centre_of_twist, "twist");
  Loop places = start(hull);
  for (const Mark& mark : marks) places.push_back(mark.at);
  Plan plan(places);
  draw_supports(plan.plot(), slider, start);
  draw_hull(plan.plot(), hull, start, "thin");
  for (std::size_t k = 0; k < marks.size(); ++k) {
    const std::string css = fmt::format("s{} full", 5 - k);
    plan.plot().dot(marks[k].at, 4.5, css);
    plan.key(css, marks[k].what + " " + written(marks[k].at) + " m", true);
  }
  return plan.svg();
}

std::string moment_picture(const Slider& slider, const Vec2& at) {
  const Pose start = at_start(slider);
  const Loop hull = hull_of(slider);
  const double size = size_of(slider, hull);
  const Vec2 middle = start(slider.centre_of_pressure());
  const double half = std::max(1.6 * size, 1.15 * (at - middle).cwiseAbs().maxCoeff());
  Eigen::Index cells = 0;
  for (const Support& support : slider.supports()) cells += 1 + support.pressures.size();
  const int n = cells > 1000 ? 32 : 80;
  const Vec2 corner = middle - Vec2(half, half);
  const double step = 2 * half / n;
  Rows3 turns((n + 1) * (n + 1), 3), answers(turns.rows(), 3);
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) {
      const Vec2 c = corner + step * Vec2(i, j) - start.shift;
      turns.row(j * (n + 1) + i) << c.y(), -c.x(), 1;
    }
  loads(slider, turns, answers);
  const Eigen::VectorXd moment = (turns.array() * answers.array()).rowwise().sum();
  Plan plan({corner, corner + Vec2(2 * half, 2 * half)});
  Plot& plot = plan.plot();
  draw_supports(plot, slider, start);
  draw_hull(plot, hull, start, "thin");
  const double least = moment.minCoeff(), greatest = moment.maxCoeff();
  const double between = greatest > least ? round_step(greatest - least, 10) : 1;
  const auto place = [&](double i, double j) -> Vec2 { return corner + step * Vec2(i, j); };
  for (double level = between * std::ceil(least / between); level < greatest; level += between) {
    const std::vector<std::array<Vec2, 2>> pieces = level_lines(moment, n, n, level);
    std::vector<std::array<Vec2, 2>> drawn;
    for (const auto& [p, q] : pieces) drawn.push_back({place(p.x(), p.y()), place(q.x(), q.y())});
    plot.lines(drawn, "s1");
    // Where it crosses the upright through the middle, downwards.
    for (int j = n / 2; j > 0; --j) {
      const double above = moment[j * (n + 1) + n / 2], below = moment[(j - 1) * (n + 1) + n / 2];
      if ((above < level) == (below < level)) continue;
      plot.text(place(0.5 * n, j - (level - above) / (below - above)), fmt::format("{:.4g}", level),
                "tick halo mid");
      break;
    }
  }
  plot.dot(at, 4.5, "s2 full");
  plan.key("s1", "equal moment of turning about a place [N m]");
  plan.key("s2 full", "turned about " + written(at) + " m", true);
  return plan.svg();
}

Space surface_space(const std::string& title, const SurfaceMesh& mesh,
                    const std::vector<SpacePoint>& marked) {
  Space space;
  space.title = title;
  const double rho = mesh.length_scale;
  Vec3 low = mesh.vertices[0], high = low;
  for (const Vec3& P : mesh.vertices) {
    low = low.cwiseMin(P);
    high = high.cwiseMax(P);
  }
  const auto axis = [&](int c, const char* label, const char* unit, double scale) {
    const double room = 0.08 * (high[c] - low[c]);
    return SpaceAxis{label, unit, low[c] - room, high[c] + room, scale};
  };
  space.axes = {axis(0, "F_x", "N", 1), axis(1, "F_y", "N", 1), axis(2, "M", "N m", 1 / rho)};
  SpaceMesh curved{.vertices = mesh.vertices, .triangles = {}, .color = "c1"};
  curved.convex = true;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    if (mesh.facet[t] < 0) curved.triangles.push_back(mesh.triangles[t]);
  // Flats do not share vertices, so that each keeps its own normal.
  SpaceMesh apart{.vertices = {}, .triangles = {}, .color = "c2"};
  apart.convex = true;
  for (std::size_t f = 0; f < mesh.facets.size(); ++f) {
    std::vector<int> number(mesh.vertices.size(), -1);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      if (mesh.facet[t] != static_cast<int>(f)) continue;
      std::array<int, 3> corners{};
      for (std::size_t k = 0; k < 3; ++k) {
        const auto i = static_cast<std::size_t>(mesh.triangles[t][k]);
        if (number[i] < 0) {
          number[i] = static_cast<int>(apart.vertices.size());
          apart.vertices.push_back(mesh.vertices[i]);
        }
        corners[k] = number[i];
      }
      apart.triangles.push_back(corners);
    }
  }
  space.meshes = {curved};
  if (!apart.triangles.empty()) space.meshes.push_back(apart);
  space.points = marked;
  return space;
}

std::string surface_picture(const SurfaceMesh& mesh, const std::string& title) {
  return standalone(640, 480, space_svg(surface_space(title, mesh, {}), 640, 480));
}

}  // namespace stiction::report
