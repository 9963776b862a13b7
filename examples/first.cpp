// Which force answers this slip, and which reactions can the contact give?
#include <stiction/stiction.h>

#include <cstdio>

int main() {
  using namespace stiction;
  const LimitCurve wheel = rusty_wheel(0.8, 0.2, Direction::degrees(30));  // μ, bearing, roll
  const Face force = wheel.face({1, 0});                                   // slip to the right
  std::printf("force on the ground (%.4f, %.4f) per newton\n", force.first.x(), force.first.y());
  std::printf("power dissipated    %.4f W per newton\n", wheel.support({1, 0}));

  const FrictionCone cone(wheel);
  const Vec3 wanted(1, 0.5, 0.5);  // a reaction in the order n, t1, t2
  const Vec3 nearest = cone.project(wanted);
  std::printf("can it react with (1, 0.5, 0.5)? %s; nearest (%.4f, %.4f, %.4f)\n",
              cone.contains(wanted) ? "yes" : "no", nearest[0], nearest[1], nearest[2]);
}
