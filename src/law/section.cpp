// SPDX-License-Identifier: Apache-2.0
//
// What can be asked of a section, handed to what it is made of.  The kinds are told apart by a
// variant: an ellipsoid is answered where it stands.
#include "stiction/section.h"

#include <algorithm>
#include <cmath>

#include "law/ellipsoid.h"

namespace stiction {

namespace {

template <class... F>
struct Cases : F... {
  using F::operator()...;
};
template <class... F>
Cases(F...) -> Cases<F...>;

Vec2 plane_of(const UpTo6& f) { return {f[0], f[1]}; }

// Calls part(section, its slice of the vectors) for each part of a product.
template <class Each>
void for_parts(const std::vector<Section>& parts, const Each& each) {
  Eigen::Index from = 0;
  for (const Section& part : parts) {
    each(part, from, static_cast<Eigen::Index>(part.dimension()));
    from += part.dimension();
  }
}

bool attains(const UpTo6& f, const UpTo6& v, double power, double h) {
  return h - power <= rounding * (h + f.cwiseAbs().dot(v.cwiseAbs()));
}

SectionFace ellipsoid_face(const Ellipsoid& e, const UpTo6& v, const UpTo6& point) {
  SectionFace face{.point = point, .hull = {}};
  int axes = 0, last = 0;
  for (int k = 0; k < e.dimension; ++k)
    if (e.axes[static_cast<std::size_t>(k)] > 0) {
      ++axes;
      last = k;
    }
  face.whole = true;
  for (int k = 0; k < e.dimension; ++k)
    face.whole = face.whole && (v[k] == 0 || e.axes[static_cast<std::size_t>(k)] == 0);
  face.unique = axes == 0 || !face.whole;
  if (axes == 1 && face.whole) {
    face.hull.assign(2, UpTo6::Zero(e.dimension));
    face.hull[0][last] = e.axes[static_cast<std::size_t>(last)];
    face.hull[1][last] = -face.hull[0][last];
  }
  return face;
}

SectionFace curve_face(const LimitCurve& curve, const UpTo6& v) {
  const Face face = curve.face(plane_of(v));
  SectionFace result{.point = face.first, .hull = {}};
  if (face.kind == Face::Kind::whole) {
    result.point = Vec2::Zero();
    result.unique = false;
    result.whole = true;
    if (curve.is_polygonal())
      for (const Vec2& f : curve.vertices()) result.hull.emplace_back(f);
  } else if (face.kind == Face::Kind::segment) {
    result.unique = false;
    result.hull = {face.first, face.last};
  }
  return result;
}

// The product of the parts' faces; their corners up to this many.
constexpr std::size_t most_corners = 1000;

SectionFace product_face(const std::vector<Section>& parts, const UpTo6& v) {
  SectionFace face{.point = UpTo6(v.size()), .whole = true, .hull = {UpTo6(v.size())}};
  bool finite = true;
  for_parts(parts, [&](const Section& part, Eigen::Index from, Eigen::Index d) {
    const SectionFace one = part.face(v.segment(from, d));
    face.point.segment(from, d) = one.point;
    face.unique = face.unique && one.unique;
    face.whole = face.whole && (one.whole || (one.unique && d == 0));
    const std::vector<UpTo6> corners = one.unique ? std::vector<UpTo6>{one.point} : one.hull;
    finite = finite && !corners.empty() && face.hull.size() * corners.size() <= most_corners;
    if (!finite) return;
    std::vector<UpTo6> all;
    for (const UpTo6& before : face.hull)
      for (const UpTo6& corner : corners) {
        all.push_back(before);
        all.back().segment(from, d) = corner;
      }
    face.hull = std::move(all);
  });
  if (!finite || face.unique) face.hull.clear();
  return face;
}

SectionProjection ellipsoid_projection(const Ellipsoid& e, const UpTo6& f) {
  SectionProjection result{UpTo6(e.dimension), UpTo6x6(e.dimension, e.dimension)};
  ellipsoid::with_dimension(e.dimension, [&](auto d) {
    const auto at = ellipsoid::project<d()>(e.axes.data(), f.data(), result.point.data());
    ellipsoid::derivative<d()>(e.axes.data(), at, result.point.data(), result.derivative);
  });
  return result;
}

}  // namespace

double Ellipsoid::largest() const { return *std::max_element(axes.begin(), axes.end()); }

Section::Kind Section::kind() const {
  if (dimension_ == 0 && set_.index() == 0) return Kind::none;
  static constexpr Kind kinds[] = {Kind::ellipsoid, Kind::curve, Kind::product, Kind::polytope,
                                   Kind::body};
  return kinds[set_.index()];
}

double Section::support(const UpTo6& v) const {
  return std::visit(Cases{[&](const Ellipsoid& e) {
                            return ellipsoid::with_dimension(e.dimension, [&](auto d) {
                              return ellipsoid::support<d()>(e.axes.data(), v.data());
                            });
                          },
                          [&](const Curve& c) { return c->curve.support(plane_of(v)); },
                          [&](const Product& parts) {
                            double h = 0;
                            for_parts(*parts,
                                      [&](const Section& part, Eigen::Index from, Eigen::Index d) {
                                        h += part.support(v.segment(from, d));
                                      });
                            return h;
                          },
                          [&](const Points& p) { return p->support(v); },
                          [&](const Body& b) { return b->support(v); }},
                    set_);
}

UpTo6 Section::point(const UpTo6& v) const {
  if (const auto* e = std::get_if<Ellipsoid>(&set_)) {
    UpTo6 f(e->dimension);
    ellipsoid::with_dimension(
        e->dimension, [&](auto d) { ellipsoid::point<d()>(e->axes.data(), v.data(), f.data()); });
    return f;
  }
  if (const auto* parts = std::get_if<Product>(&set_)) {
    UpTo6 f(dimension_);
    for_parts(**parts, [&](const Section& part, Eigen::Index from, Eigen::Index d) {
      f.segment(from, d) = part.point(v.segment(from, d));
    });
    return f;
  }
  return face(v).point;
}

SectionFace Section::face(const UpTo6& v) const {
  return std::visit(
      Cases{[&](const Ellipsoid& e) { return ellipsoid_face(e, v, point(v)); },
            [&](const Curve& c) { return curve_face(c->curve, v); },
            [&](const Product& parts) { return product_face(*parts, v); },
            [&](const Points& p) { return p->face(v); }, [&](const Body& b) { return b->face(v); }},
      set_);
}

UpTo6 Section::project(const UpTo6& f) const {
  return std::visit(Cases{[&](const Ellipsoid& e) {
                            UpTo6 p(e.dimension);
                            ellipsoid::with_dimension(e.dimension, [&](auto d) {
                              ellipsoid::project<d()>(e.axes.data(), f.data(), p.data());
                            });
                            return p;
                          },
                          [&](const Curve& c) { return UpTo6(c->curve.project(plane_of(f))); },
                          [&](const Product& parts) {
                            UpTo6 p(dimension_);
                            for_parts(*parts,
                                      [&](const Section& part, Eigen::Index from, Eigen::Index d) {
                                        p.segment(from, d) = part.project(f.segment(from, d));
                                      });
                            return p;
                          },
                          [&](const Points& p) { return p->project(f); },
                          [&](const Body& b) { return b->project(f).point; }},
                    set_);
}

SectionProjection Section::project_with_derivative(const UpTo6& f) const {
  return std::visit(
      Cases{[&](const Ellipsoid& e) { return ellipsoid_projection(e, f); },
            [&](const Curve& c) {
              const auto at = c->curve.project_with_derivative(plane_of(f));
              return SectionProjection{at.point, at.derivative};
            },
            [&](const Product& parts) {
              SectionProjection result{UpTo6(dimension_), UpTo6x6::Zero(dimension_, dimension_)};
              for_parts(*parts, [&](const Section& part, Eigen::Index from, Eigen::Index d) {
                const SectionProjection at = part.project_with_derivative(f.segment(from, d));
                result.point.segment(from, d) = at.point;
                result.derivative.block(from, from, d, d) = at.derivative;
              });
              return result;
            },
            [&](const Points& p) { return p->project_with_derivative(f); },
            [&](const Body& b) { return b->project(f); }},
      set_);
}

double Section::gauge(const UpTo6& f) const {
  return std::visit(Cases{[&](const Ellipsoid& e) {
                            return ellipsoid::with_dimension(e.dimension, [&](auto d) {
                              return ellipsoid::gauge<d()>(e.axes.data(), f.data());
                            });
                          },
                          [&](const Curve& c) { return c->curve.gauge(plane_of(f)); },
                          [&](const Product& parts) {
                            double t = 0;
                            for_parts(*parts,
                                      [&](const Section& part, Eigen::Index from, Eigen::Index d) {
                                        t = std::max(t, part.gauge(f.segment(from, d)));
                                      });
                            return t;
                          },
                          [&](const Points& p) { return p->gauge(f); },
                          [&](const Body& b) { return b->gauge(f); }},
                    set_);
}

bool Section::contains(const UpTo6& f, double normal_force) const {
  if (!(normal_force >= 0) || !f.allFinite()) return false;
  if (dimension_ == 0) return true;
  if (const auto* c = std::get_if<Curve>(&set_))
    return (*c)->curve.contains(plane_of(f), normal_force);
  if (f.isZero(0)) return true;
  if (normal_force == 0) return false;
  if (const auto* parts = std::get_if<Product>(&set_)) {
    bool all = true;
    for_parts(**parts, [&](const Section& part, Eigen::Index from, Eigen::Index d) {
      all = all && part.contains(f.segment(from, d), normal_force);
    });
    return all;
  }
  if (std::holds_alternative<Ellipsoid>(set_)) return gauge(f) <= normal_force * (1 + rounding);
  // Of points and bodies the distance tells, which is at home where they are flat, too.
  const UpTo6 scaled = f / normal_force;
  return scaled.allFinite() && distance(scaled) <= rounding * (scaled.norm() + reach());
}

double Section::distance(const UpTo6& f) const { return (f - project(f)).stableNorm(); }

bool Section::is_normal(const UpTo6& f, const UpTo6& v) const {
  if (!contains(f)) return false;
  if (v.isZero(0)) return true;
  const UpTo6 w = v / v.cwiseAbs().maxCoeff();
  return attains(f, w, f.dot(w), support(w));
}

double Section::reach() const {
  return std::visit(Cases{[&](const Ellipsoid& e) { return e.largest(); },
                          [&](const Curve& c) { return c->curve.circumscribed_radius(); },
                          [&](const Product& parts) {
                            double r = 0;
                            for (const Section& part : *parts) r = std::hypot(r, part.reach());
                            return r;
                          },
                          [&](const Points& p) {
                            double r = 0;
                            for (const UpTo6& f : p->vertices()) r = std::max(r, f.stableNorm());
                            return r;
                          },
                          [&](const Body& b) { return b->reach(); }},
                    set_);
}

bool Section::is_polyhedral() const {
  return std::visit(Cases{[&](const Ellipsoid& e) {
                            return std::count_if(e.axes.begin(), e.axes.end(),
                                                 [](double a) { return a > 0; }) <= 1;
                          },
                          [&](const Curve& c) { return c->curve.is_polygonal(); },
                          [&](const Product& parts) {
                            return std::all_of(parts->begin(), parts->end(),
                                               [](const Section& s) { return s.is_polyhedral(); });
                          },
                          [&](const Points&) { return true; }, [&](const Body&) { return false; }},
                    set_);
}

std::vector<UpTo6> Section::vertices() const {
  if (!is_polyhedral())
    throw InvalidInput("the section is curved, expected a polytope to list its vertices");
  SectionFace all = face(UpTo6::Zero(dimension_));
  if (all.unique) return {all.point};
  if (all.hull.empty())
    throw InvalidInput("the section has more than " + std::to_string(most_corners) +
                       " vertices, expected fewer to list them");
  return std::move(all.hull);
}

std::vector<HalfSpace> Section::half_spaces() const {
  if (!is_polyhedral())
    throw InvalidInput("the section is curved, expected a polytope to list its half spaces");
  std::vector<HalfSpace> result;
  if (const auto* e = std::get_if<Ellipsoid>(&set_)) {
    for (int k = 0; k < e->dimension; ++k)
      for (const double sign : {1.0, -1.0})
        result.push_back(
            {sign * UpTo6::Unit(e->dimension, k), e->axes[static_cast<std::size_t>(k)]});
  } else if (const auto* c = std::get_if<Curve>(&set_)) {
    for (const HalfPlane& half : (*c)->curve.half_planes())
      result.push_back({half.normal, half.offset});
  } else if (const auto* parts = std::get_if<Product>(&set_)) {
    for_parts(**parts, [&](const Section& part, Eigen::Index from, Eigen::Index d) {
      for (const HalfSpace& half : part.half_spaces()) {
        UpTo6 normal = UpTo6::Zero(dimension_);
        normal.segment(from, d) = half.normal;
        result.push_back({normal, half.offset});
      }
    });
  } else {
    result = polytope().half_spaces();
  }
  return result;
}

Section ellipsoid_section(const std::vector<double>& axes) {
  if (axes.size() > 5)
    throw InvalidInput("mu has " + std::to_string(axes.size()) + " semi-axes, expected at most 5");
  Ellipsoid e;
  e.dimension = static_cast<int>(axes.size());
  for (std::size_t k = 0; k < axes.size(); ++k) {
    if (!(axes[k] == 0 || (axes[k] >= 1e-150 && axes[k] <= 1e150)))
      throw InvalidInput("mu[" + std::to_string(k) + "] is " + text(axes[k]) +
                         ", expected zero or a number from 1e-150 to 1e150");
    e.axes[k] = axes[k] + 0.0;
  }
  return {e, e.dimension};
}

Section interval_section(double size) {
  if (!(size == 0 || (size >= 1e-150 && size <= 1e150)))
    throw InvalidInput("size is " + text(size) +
                       ", expected zero or a number from 1e-150 to 1e150");
  return ellipsoid_section({size});
}

Section curve_section(const LimitCurve& curve) {
  return {Section::Curve(std::make_shared<Section::NamedCurve>(Section::NamedCurve{curve, {}})), 2};
}

Section curve_section(const Law& law) {
  return {Section::Curve(
              std::make_shared<Section::NamedCurve>(Section::NamedCurve{limit_curve(law), law})),
          2};
}

Section product_section(const std::vector<Section>& parts) {
  int dimension = 0;
  for (const Section& part : parts) dimension += part.dimension();
  if (dimension > 5)
    throw InvalidInput("of has " + std::to_string(dimension) + " dimensions, expected at most 5");
  return {Section::Product(std::make_shared<std::vector<Section>>(parts)), dimension};
}

Section polytope_section(const std::vector<UpTo6>& points) {
  auto polytope = std::make_shared<Polytope>(points);
  const int dimension = polytope->dimension();
  return {Section::Points(std::move(polytope)), dimension};
}

Section body_section(std::shared_ptr<const SupportBody> body) {
  const int dimension = body->dimension();
  return {Section::Body(std::move(body)), dimension};
}

}  // namespace stiction
