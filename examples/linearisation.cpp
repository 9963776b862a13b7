// What does an engine lose with a linearised cone?
#include <stiction/stiction.h>

#include <cstdio>

int main() {
  using namespace stiction;
  const double mu = 0.5;
  std::printf("%-8s %9s %11s %9s\n", "law", "too weak", "too strong", "distance");
  const auto row = [&](const char* name, const LimitCurve& curve) {
    const ConeQuality error = cone_quality(curve, mu);
    const ThrownBlock block = throw_block(curve, mu, {2.719, 1.268}, 2000);  // 3 m/s at 25°
    std::printf("%-8s %8.2f%% %10.2f%% %7.3f m\n", name, 100 * error.under, 100 * error.over,
                block.path.back().norm());
  };
  row("disc", disc(mu));
  row("pyramid", pyramid(mu));
  row("box", box(mu));
  row("octagon", ngon(mu, 8));
}
