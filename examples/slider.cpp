// Where does a tray with one rubber foot go?
#include <stiction/stiction.h>

#include <cstdio>

int main() {
  using namespace stiction;
  const Slider tray{
      polygon_support({{-0.2, -0.15}, {0.2, -0.15}, {0.2, 0.15}, {-0.2, 0.15}}, {}, 15, disc(0.2)),
      point({0.15, 0.1}, 4.62, disc(0.9))};

  const LoadSet straight = load(tray, {.vx = 0, .vy = 1, .omega = 0});
  std::printf("moving along y takes    %.3f N and %.4f N m\n", straight.load.fy,
              straight.load.moment);

  const MotionSet pushed = motion(tray, {.fx = 0, .fy = 3, .moment = 0});
  std::printf("3 N at the middle       %.1f %% of what friction holds\n", 100 * pushed.gauge);
  std::printf("it would turn about     (%.2f, %.2f), its foot\n", pushed.rotation_centre->x(),
              pushed.rotation_centre->y());

  const LoadSet turning = load(tray, pushed.motion);
  std::printf("a turn about its foot   has %s load\n", turning.unique ? "one" : "more than one");
}
