// SPDX-License-Identifier: Apache-2.0
#include "contact/enumerate/mode_conditions.h"

#include <algorithm>

namespace stiction {

namespace {

class Pieces {
 public:
  explicit Pieces(int dimension) : d_(dimension) {}

  Form form() const { return {Eigen::VectorXd::Zero(d_), Eigen::VectorXd::Zero(d_)}; }
  Form r(int component, double factor = 1) const {
    Form f = form();
    f.of_r[component] = factor;
    return f;
  }
  Form u(int component, double factor = 1) const {
    Form f = form();
    f.of_u[component] = factor;
    return f;
  }
  // n·u_t, and −n·r_t − b r_n
  Form slip_along(const Vec2& n) const {
    Form f = form();
    for (int c = 1; c < d_; ++c) f.of_u[c] = n[c - 1];
    return f;
  }
  Form below(const Vec2& n, double b) const {  // b r_n + n·r_t ≥ 0
    Form f = form();
    f.of_r[0] = b;
    for (int c = 1; c < d_; ++c) f.of_r[c] = n[c - 1];
    return f;
  }

  Piece open() const {
    Piece piece;
    for (int c = 0; c < d_; ++c) piece.zero.push_back(r(c));
    piece.nonnegative.push_back(u(0));
    return piece;
  }
  Piece stick(const LimitCurve& curve) const {
    Piece piece;
    for (int c = 0; c < d_; ++c) piece.zero.push_back(u(c));
    piece.nonnegative.push_back(r(0));
    for (const HalfPlane& half : curve.half_planes())
      if (d_ == 3 || half.normal.x() != 0)
        piece.nonnegative.push_back(below(half.normal, half.offset));
    return piece;
  }
  Piece at_vertex(const Vec2& p, const std::vector<Form>& wedge) const {
    Piece piece;
    piece.zero.push_back(u(0));
    for (int c = 1; c < d_; ++c) {
      Form f = r(c);
      f.of_r[0] = p[c - 1];
      piece.zero.push_back(f);
    }
    piece.nonnegative = wedge;
    piece.nonnegative.push_back(r(0));
    return piece;
  }
  Piece on_flat(const Vec2& from, const Vec2& to, const Vec2& n, double b) const {
    const Vec2 e = (to - from).normalized();
    Piece piece;
    piece.zero = {u(0), slip_along(e), below(n, b)};
    // −r_t·e between from·e and to·e times r_n
    piece.nonnegative = {r(0), slip_along(n), below(e, to.dot(e)), below(-e, -from.dot(e))};
    return piece;
  }

 private:
  int d_;
};

}  // namespace

LimitCurve section(const LimitCurve& curve) {
  const double left = curve.gauge({-1, 0}), right = curve.gauge({1, 0});
  const double low = left < infinity ? -1 / left : 0, high = right < infinity ? 1 / right : 0;
  return low < high ? polygon({{low, 0}, {high, 0}}) : free_curve();
}

std::vector<Piece> pieces_of(const LimitCurve& curve, int dimension) {
  const Pieces make(dimension);
  std::vector<Piece> list{make.open(), make.stick(curve)};
  if (dimension == 2) {
    // Slip towards ±t, or without friction either way.
    double low = 0, high = 0;
    for (const Vec2& p : curve.vertices()) {
      low = std::min(low, p.x());
      high = std::max(high, p.x());
    }
    list.push_back(make.at_vertex({high, 0}, {make.u(1)}));
    list.push_back(make.at_vertex({low, 0}, {make.u(1, -1)}));
    return list;
  }
  if (curve.shape() == LimitCurve::Shape::point) {
    list.push_back(make.at_vertex({0, 0}, {}));
    return list;
  }
  const auto& pieces = curve.pieces();
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const Vec2& first = pieces[(i + pieces.size() - 1) % pieces.size()].normal;
    const Vec2& last = pieces[i].normal;
    // v in the wedge: first × v ≥ 0 and v × last ≥ 0.
    list.push_back(make.at_vertex(pieces[i].from, {make.slip_along({-first.y(), first.x()}),
                                                   make.slip_along({last.y(), -last.x()})}));
    if (curve.shape() == LimitCurve::Shape::segment && i == 1)
      continue;  // the same flat from behind
    Piece flat =
        make.on_flat(pieces[i].from, curve.piece_end(i), pieces[i].normal, pieces[i].offset);
    if (curve.shape() == LimitCurve::Shape::segment)  // slips either way across
      flat.nonnegative.erase(flat.nonnegative.begin() + 1);
    list.push_back(flat);
  }
  return list;
}

}  // namespace stiction
