// SPDX-License-Identifier: Apache-2.0
//
// Quadrature: Gauss–Legendre rules, panels graded towards a singular place, and an adaptive rule
// for integrands that are smooth between given breaks.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace stiction {

inline constexpr int most_gauss_nodes = 16;

// Nodes on [0, 1] and weights that sum to 1; 1 ≤ count ≤ most_gauss_nodes.
struct GaussRule {
  int count = 0;
  std::array<double, most_gauss_nodes> node{}, weight{};
};
const GaussRule& gauss_rule(int count);

// How many nodes integrate, to rounding, over a line what is analytic but for a place at
// `distance` from it; `length` is the line's.
inline int nodes_for(double distance, double length) {
  const double y = 2 * distance / length;  // the foci of Bernstein's ellipse are the line's ends
  if (!(y < 1e8)) return 2;
  return std::clamp(static_cast<int>(std::ceil(1 + 17 / std::asinh(y))), 2, most_gauss_nodes);
}

// ∫ f over [low, high] for f with a logarithm or a jump of slope at `place`, in or beside it.
template <typename Value, typename F>
void add_graded(double low, double high, double place, const F& f, Value& sum, int depth = 45) {
  const double length = high - low, middle = 0.5 * (low + high);
  if (!(length > 0)) return;
  const double distance = std::max({0.0, low - place, place - high});
  if (distance >= length || depth == 0) {
    const GaussRule& rule = gauss_rule(nodes_for(std::max(distance, length), length));
    for (int i = 0; i < rule.count; ++i)
      sum += (length * rule.weight[static_cast<std::size_t>(i)]) *
             f(low + length * rule.node[static_cast<std::size_t>(i)]);
    return;
  }
  const double at = place > low && place < high ? place : middle;
  add_graded(low, at, place, f, sum, depth - 1);
  add_graded(at, high, place, f, sum, depth - 1);
}

// Kronrod's 15 nodes around Gauss's 7, on [−1, 1], the positive half.
inline constexpr std::array<double, 8> kronrod_node{
    0.991455371120812639206854697526329, 0.949107912342758524526189684047851,
    0.864864423359769072789712788640926, 0.741531185599394439863864773280788,
    0.586087235467691130294144691693300, 0.405845151377397166906606412076961,
    0.207784955007898467600689403773245, 0.0};
inline constexpr std::array<double, 8> kronrod_weight{
    0.022935322010529224963732008058970, 0.063092092629978553290700663189204,
    0.104790010322250183839876322541518, 0.140653259715525918745189590510238,
    0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
    0.204432940075298892414161999234649, 0.209482141084727828012999174891714};
inline constexpr std::array<double, 4> gauss7_weight{
    0.129484966168869693270611432679082, 0.279705391489276667901467771423780,
    0.381830050505118944950369775488975, 0.417959183673469387755102040816327};

// ∫ f over [low, high], halved until each panel's estimated error is below `tolerance`.
template <typename Value, typename F>
void add_adaptive(double low, double high, const F& f, double tolerance, Value& sum,
                  int depth = 50) {
  const double half = 0.5 * (high - low), middle = 0.5 * (low + high);
  if (!(half > 0)) return;
  Value value = f(middle), error = value;
  value *= kronrod_weight[7];
  error *= kronrod_weight[7] - gauss7_weight[3];
  for (std::size_t i = 0; i < 7; ++i) {
    Value pair = f(middle - half * kronrod_node[i]);
    pair += f(middle + half * kronrod_node[i]);
    const double gauss = i % 2 == 1 ? gauss7_weight[i / 2] : 0;
    value += kronrod_weight[i] * pair;
    error += (kronrod_weight[i] - gauss) * pair;
  }
  // The difference from Gauss's rule far overstates the error of Kronrod's.
  if (depth == 0 || half * error.cwiseAbs().maxCoeff() <= tolerance) {
    sum += half * value;
    return;
  }
  add_adaptive(low, middle, f, tolerance, sum, depth - 1);
  add_adaptive(middle, high, f, tolerance, sum, depth - 1);
}

}  // namespace stiction
