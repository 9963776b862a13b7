// Which force answers this slip, and which reactions can the contact give?
#include <stiction/stiction.h>

#include <iostream>

int main() {
  using namespace stiction;
  const LimitCurve wheel = rusty_wheel(0.8, 0.2, Direction::degrees(30));  // μ, bearing, roll
  const Face force = wheel.face({1, 0});                                   // slip to the right
  std::cout << "force on the ground " << text(force.first) << " per newton\n";
  std::cout << "power dissipated    " << wheel.support({1, 0}) << " W per newton\n";

  const FrictionCone cone(wheel);
  const Vec3 wanted(1, 0.5, 0.5);  // a reaction in the order n, t1, t2
  std::cout << "can it react with   " << wanted.transpose() << "? " << std::boolalpha
            << cone.contains(wanted) << "; nearest it can: " << cone.project(wanted).transpose()
            << '\n';
}
