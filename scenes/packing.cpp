// SPDX-License-Identifier: Apache-2.0
//
// Heaps of balls.  Each ball in turn falls at a random place and rolls down without friction until
// it rests on three others, on walls or on the ground.
#include "packing.h"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "uniform.h"

namespace stiction::scenes {

namespace {

constexpr double largest = 0.0525, smallest = 0.0475;  // radii [m]
constexpr double touching = 1e-3 * largest;            // gaps below this are contacts

struct Ball {
  Vec3 centre;
  double radius;
  int body = ground;  // a ball of the ground itself does not move
};

// Balls above the ground z = 0, found by the cell they are in.  With `walls` they stay within
// |x|, |y| ≤ reach.
class Packing {
 public:
  Packing(double reach, bool walls) : reach_(reach), walls_(walls) {
    side_ = static_cast<int>(2 * reach / cell) + 3;
    tops_.assign(static_cast<std::size_t>(side_) * static_cast<std::size_t>(side_), 0.0);
  }

  const std::vector<Ball>& balls() const { return balls_; }
  void add(const Ball& ball) {
    const auto level = static_cast<std::size_t>(ball.centre.z() / cell);
    const std::size_t column = column_of(ball.centre);
    if (levels_.size() <= level) levels_.resize(level + 1);
    if (levels_[level].empty()) levels_[level].resize(tops_.size());
    levels_[level][column].push_back(static_cast<int>(balls_.size()));
    tops_[column] = std::max(tops_[column], ball.centre.z() + ball.radius);
    balls_.push_back(ball);
  }

  // Calls visit(index) for every ball whose cell is next to the place's.
  template <class Visit>
  void near(const Vec3& place, Visit&& visit) const {
    const int level = static_cast<int>(place.z() / cell);
    const auto column = static_cast<int>(column_of(place));
    for (int l = std::max(level - 1, 0);
         l <= std::min(level + 1, static_cast<int>(levels_.size()) - 1); ++l) {
      const auto& columns = levels_[static_cast<std::size_t>(l)];
      if (columns.empty()) continue;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) {
          const int c = column + dy * side_ + dx;
          if (c < 0 || c >= static_cast<int>(columns.size())) continue;
          for (const int k : columns[static_cast<std::size_t>(c)]) visit(k);
        }
    }
  }

  // Where a ball dropped at (x, y) comes to rest.
  Vec3 drop(double x, double y, double radius) const {
    Vec3 p(x, y, 0);
    const auto column = static_cast<int>(column_of(p));
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const int c = column + dy * side_ + dx;
        if (c >= 0 && c < static_cast<int>(tops_.size()))
          p.z() = std::max(p.z(), tops_[static_cast<std::size_t>(c)]);
      }
    p.z() += radius;
    return settle(p, radius);
  }

  // A ball at p that lies on two others, in a valley too flat for steps down, rolls about the line
  // through their centres, to either side, until it meets a third that is lower.
  Vec3 roll(const Vec3& p, double radius) const {
    std::vector<const Ball*> under;
    near(p, [&](int k) {
      const Ball& ball = balls_[static_cast<std::size_t>(k)];
      if ((p - ball.centre).norm() < radius + ball.radius + touching) under.push_back(&ball);
    });
    if (under.size() != 2) return p;
    const Vec3 axis = (under[1]->centre - under[0]->centre).normalized();
    const Vec3 middle = under[0]->centre + axis * axis.dot(p - under[0]->centre);
    const Vec3 arm = p - middle, across = axis.cross(arm);
    for (const double sense : {-1.0, 1.0}) {
      const auto at = [&](double angle) -> Vec3 {
        return middle + std::cos(angle) * arm + sense * std::sin(angle) * across;
      };
      double free = 0, step = 0.05;
      while (step > 1e-9 && free < 1) {
        if (overlaps(at(free + step), radius, 1e-9))
          step /= 2;
        else
          free += step;
      }
      if (step <= 1e-9 && at(free).z() < p.z()) return at(free);
    }
    return p;
  }

 private:
  static constexpr double cell = 2 * largest;

  std::size_t column_of(const Vec3& p) const {
    const auto index = [&](double x) {
      return std::clamp(static_cast<int>((x + reach_) / cell) + 1, 0, side_ - 1);
    };
    return static_cast<std::size_t>(index(p.y()) * side_ + index(p.x()));
  }
  // Down from p, by steps that are pushed out of what is in the way.
  Vec3 settle(Vec3 p, double radius) const {
    for (double step = 0.2 * radius; step > 1e-8 * radius;) {
      Vec3 next = p - Vec3(0, 0, step);
      for (int i = 0; i < 12; ++i) push_out(next, radius);
      if (next.z() < p.z() - 1e-4 * step && !overlaps(next, radius)) {
        p = next;
        step = std::min(1.3 * step, 0.2 * radius);
      } else {
        step *= 0.5;
      }
    }
    return p;
  }
  void push_out(Vec3& p, double radius) const {
    near(p, [&](int k) {
      const Ball& ball = balls_[static_cast<std::size_t>(k)];
      const Vec3 apart = p - ball.centre;
      const double distance = apart.norm(), least = radius + ball.radius;
      if (distance < least && distance > 0) p = ball.centre + apart * (least / distance);
    });
    if (walls_)
      for (int c = 0; c < 2; ++c) p[c] = std::clamp(p[c], radius - reach_, reach_ - radius);
    p.z() = std::max(p.z(), radius);
  }
  bool overlaps(const Vec3& p, double radius, double allowed = 1e-4) const {
    bool found = false;
    near(p, [&](int k) {
      const Ball& ball = balls_[static_cast<std::size_t>(k)];
      found = found || (p - ball.centre).norm() < (radius + ball.radius) * (1 - allowed);
    });
    return found;
  }

  double reach_;
  bool walls_;
  int side_;
  std::vector<Ball> balls_;
  std::vector<double> tops_;  // of the balls of each column
  std::vector<std::vector<std::vector<int>>> levels_;
};

class Heap {
 public:
  // Without walls the grains are rougher, so that the heap stands.
  Heap(double reach, bool walls, unsigned seed)
      : random(seed),
        reach_(reach),
        walls_(walls),
        extra_mu_(walls ? 0.0 : 0.2),
        packing_(reach, walls) {}

  Uniform random;
  int contacts() const { return static_cast<int>(scene_.contacts.size()); }
  const Scene& scene() const { return scene_; }
  void fix(const Vec3& centre, double radius) { packing_.add({centre, radius}); }

  // False, and nothing added, if the ball came to rest on fewer than three others, as on the ground
  // and in valleys that hardly slope.  Where many in a row did, it is rolled on: else all that
  // follow may end in the same valley.
  bool drop(double x, double y, double radius) {
    const Vec3 rest = packing_.drop(x, y, radius);
    const bool stays =
        place(rest, radius) || (lost_ > 30 && place(packing_.roll(rest, radius), radius));
    lost_ = stays ? 0 : lost_ + 1;
    return stays;
  }
  int lost() const { return lost_; }  // drops in a row

 private:
  bool place(const Vec3& centre, double radius) {
    const Ball ball{centre, radius, static_cast<int>(scene_.bodies.size())};
    const auto before = scene_.contacts.size();
    const auto touch = [&](int other, const Vec3& normal) {
      scene_.contacts.push_back(
          {ball.body, other, ball.centre - radius * normal, normal, random(0.8, 1.0) + extra_mu_});
    };
    if (ball.centre.z() < radius + touching) touch(ground, Vec3::UnitZ());
    if (walls_)
      for (int c = 0; c < 2; ++c)
        for (const double sign : {-1.0, 1.0})
          if (reach_ - radius + sign * ball.centre[c] < touching)
            touch(ground, sign * Vec3::Unit(c));
    packing_.near(ball.centre, [&](int k) {
      const Ball& other = packing_.balls()[static_cast<std::size_t>(k)];
      const Vec3 apart = ball.centre - other.centre;
      if (apart.norm() < radius + other.radius + touching) touch(other.body, apart.normalized());
    });
    const bool lies = walls_ && ball.centre.z() < radius + touching;  // on the floor of a box
    if (!lies && scene_.contacts.size() < before + 3) {
      scene_.contacts.resize(before);
      return false;
    }
    packing_.add(ball);
    constexpr double density = 2500;
    Body body;
    body.mass = density * 4 / 3 * std::numbers::pi * std::pow(radius, 3);
    body.inertia = 0.4 * body.mass * radius * radius * Eigen::Matrix3d::Identity();
    body.centre = ball.centre;
    scene_.bodies.push_back(body);
    return true;
  }

  double reach_;
  bool walls_;
  double extra_mu_;
  Packing packing_;
  Scene scene_;
  int lost_ = 0;
};

}  // namespace

// On a rough floor, a round layer of balls that do not move; a ball that rolls off it is taken
// away.
Scene pile(int contacts, unsigned seed) {
  const double reach = 5.0 * std::cbrt(contacts / 3.0) * largest + 3 * largest;
  Heap heap(reach, false, seed);
  const double pitch = 2.02 * largest, between_rows = pitch * std::sqrt(0.75);
  for (int j = 0; j * between_rows <= 2 * reach; ++j)
    for (int i = 0; i * pitch <= 2 * reach; ++i) {
      const Vec3 at((i + 0.5 * (j % 2)) * pitch - reach, j * between_rows - reach, largest);
      if (at.head<2>().norm() < reach - largest) heap.fix(at, largest);
    }
  while (heap.contacts() < contacts && heap.lost() < 1000) {
    const double away = reach * heap.random(0, 0.9) * heap.random(0, 1);
    const double angle = heap.random(0, 2 * std::numbers::pi);
    heap.drop(away * std::cos(angle), away * std::sin(angle), heap.random(smallest, largest));
  }
  return heap.scene();
}

// As wide as it is high.
Scene granular(int contacts, unsigned seed) {
  const double volume = contacts / 3.0 * 4 / 3 * std::numbers::pi * std::pow(0.05, 3) / 0.56;
  const double reach = std::max(0.5 * std::cbrt(volume), 2 * largest);
  Heap heap(reach, true, seed);
  while (heap.contacts() < contacts && heap.lost() < 1000) {
    const double radius = heap.random(smallest, largest), within = reach - radius;
    const double x = heap.random(-within, within), y = heap.random(-within, within);
    heap.drop(x, y, radius);
  }
  return heap.scene();
}

}  // namespace stiction::scenes
