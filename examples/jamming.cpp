// Can a rod that is pushed over the floor jam?
#include <stiction/stiction.h>

#include <cstdio>

int main() {
  using namespace stiction;
  for (const double angle : {45., 63.4349, 80.}) {
    const GeneralizedCone cone = generalized_cone(rod_delassus(angle), 1.5);
    std::printf("%7.4f degrees: holds from %.3f, jams from %.3f%s\n", angle, cone.mu_crit,
                cone.mu_jam, cone.jam ? ", so it can jam" : "");
  }
  const GeneralizedCone steep = generalized_cone(rod_delassus(63.4349), 1.5);
  std::printf("sliding, pressed down: %s\n", to_text(regime(steep, {1, 0}, -9.81)).c_str());
  std::printf("sliding, spun up:      %s\n", to_text(regime(steep, {1, 0}, 2.0)).c_str());
}
