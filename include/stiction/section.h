// SPDX-License-Identifier: Apache-2.0
//
// The section of a constraint: what it can carry in friction, of any kind, at once.
//
//   C ⊂ R^d     closed, convex, bounded, 0 ∈ C: forces and moments f, per unit of normal force for
//               a contact, in N and N m for a dry joint or a pad; d = 0 … 5
//   v           slip: two slips, spin about the normal, two rollings, or fewer     [m/s, rad/s]
//   h(v)        = max { f·v : f ∈ C }, the power that friction takes
//   law         f ∈ ∂h(v), the face of C with outward normal v; conversely v ∈ N_C(f)
//
//   none        d = 0: no friction
//   curve       a limit curve, d = 2: limit_curve.h
//   interval    |f| ≤ a, d = 1: a joint's dry friction
//   ellipsoid   Σ (f_k/a_k)² ≤ 1; an axis a_k = 0 carries nothing
//   product     C₁ × C₂ × …, each with a budget of its own: h = Σ h_j
//   polytope    the convex hull of points
//   body        any set that answers for itself, such as the loads of a patch: patch.h
//
// Distances are Euclidean in the numbers as they are: a newton metre counts as much as a newton.
// Semi-axes and coordinates of points are zero or from 1e-150 to 1e150 in size.  "In" and "normal"
// hold within `rounding` of the terms involved.  Arguments must be finite and of the section's
// dimension.  A Section is a value; copies share what does not change.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "stiction/law.h"
#include "stiction/limit_curve.h"
#include "stiction/types.h"

namespace stiction {

// Numbers of one constraint: its rows, six at most, or those along its section, none on the heap.
using UpTo6 = Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1>;
using UpTo6x6 = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;

// The forces that answer one slip.
struct SectionFace {
  UpTo6 point;              // one of them
  bool unique = true;       // there is no other
  bool whole = false;       // all of C does
  std::vector<UpTo6> hull;  // where not unique: what they are the convex hull of, if finite and few
};

struct SectionProjection {
  UpTo6 point;
  UpTo6x6 derivative;  // at kinks, one of the limits beside them
};

// {f : n·f ≤ offset}, n a unit vector and the offset ≥ 0.
struct HalfSpace {
  UpTo6 normal;
  double offset = 0;
};

struct Ellipsoid {
  int dimension = 0;
  std::array<double, 5> axes{};  // semi-axes a_k ≥ 0; zero beyond the dimension

  double largest() const;
  bool operator==(const Ellipsoid&) const = default;
};

// The convex hull of points in R^d, flat ones among them.
class Polytope {
 public:
  // Interior and duplicate points drop out.  Throws InvalidInput, naming the point, if they are not
  // finite or not of one dimension from 1 to 5, more than a thousand, or do not surround the
  // origin.
  explicit Polytope(const std::vector<UpTo6>& points);

  int dimension() const { return dimension_; }
  const std::vector<UpTo6>& vertices() const { return vertices_; }
  double support(const UpTo6& v) const;
  SectionFace face(const UpTo6& v) const;
  UpTo6 project(const UpTo6& f) const { return nearest(f).point; }
  SectionProjection project_with_derivative(const UpTo6& f) const;
  double gauge(const UpTo6& f) const;
  // The facets; of a flat polytope also, both ways, what is normal to it.  Work that grows with
  // their number, which in five dimensions is about the square of the number of vertices.
  std::vector<HalfSpace> half_spaces() const;

 private:
  struct Nearest {
    UpTo6 point;
    UpTo6x6 along;  // columns: an orthonormal basis of the face that the point is inside of
  };
  Nearest nearest(const UpTo6& f) const;

  int dimension_ = 0;
  double size_ = 0;  // the largest coordinate
  std::vector<UpTo6> vertices_;
};

// A set that answers for itself.
class SupportBody {
 public:
  virtual ~SupportBody() = default;
  virtual int dimension() const = 0;
  virtual double support(const UpTo6& v) const = 0;
  virtual SectionFace face(const UpTo6& v) const = 0;
  virtual SectionProjection project(const UpTo6& f) const = 0;
  virtual double gauge(const UpTo6& f) const = 0;
  virtual double reach() const = 0;  // ‖f‖ ≤ reach for every f of the set
};

class Section {
 public:
  enum class Kind { none, ellipsoid, curve, product, polytope, body };

  Section() = default;  // none
  Kind kind() const;
  int dimension() const { return dimension_; }

  double support(const UpTo6& v) const;
  UpTo6 point(const UpTo6& v) const;       // one force that answers v
  SectionFace face(const UpTo6& v) const;  // all of them
  UpTo6 project(const UpTo6& f) const;     // the nearest force of C
  SectionProjection project_with_derivative(const UpTo6& f) const;
  double gauge(const UpTo6& f) const;  // least t ≥ 0 with f ∈ tC, infinity where there is none
  bool contains(const UpTo6& f, double normal_force = 1) const;  // f ∈ normal_force · C
  double distance(const UpTo6& f) const;                         // of f from C
  bool is_normal(const UpTo6& f, const UpTo6& v) const;          // f answers v: v ∈ N_C(f)

  // ‖f‖ ≤ reach for every f of C; with equality for some f unless a product or a body.
  double reach() const;
  bool is_polyhedral() const;
  std::vector<UpTo6> vertices() const;         // both throw InvalidInput where it is not polyhedral
  std::vector<HalfSpace> half_spaces() const;  // C = {f : n_k·f ≤ b_k}

  // What it is made of; each for its kind only.
  const Ellipsoid& ellipsoid() const { return std::get<Ellipsoid>(set_); }
  const LimitCurve& curve() const { return std::get<Curve>(set_)->curve; }
  const std::optional<Law>& law() const { return std::get<Curve>(set_)->law; }  // of a curve
  const std::vector<Section>& parts() const { return *std::get<Product>(set_); }
  const Polytope& polytope() const { return *std::get<Points>(set_); }
  const SupportBody& body() const { return *std::get<Body>(set_); }

  friend Section ellipsoid_section(const std::vector<double>& axes);
  friend Section curve_section(const LimitCurve& curve);
  friend Section curve_section(const Law& law);
  friend Section product_section(const std::vector<Section>& parts);
  friend Section polytope_section(const std::vector<UpTo6>& points);
  friend Section body_section(std::shared_ptr<const SupportBody> body);

 private:
  struct NamedCurve {
    LimitCurve curve;
    std::optional<Law> law;
  };
  using Curve = std::shared_ptr<const NamedCurve>;
  using Product = std::shared_ptr<const std::vector<Section>>;
  using Points = std::shared_ptr<const Polytope>;
  using Body = std::shared_ptr<const SupportBody>;

  template <class Set>
  Section(Set set, int dimension) : set_(std::move(set)), dimension_(dimension) {}

  std::variant<Ellipsoid, Curve, Product, Points, Body> set_;
  int dimension_ = 0;
};

// Each throws InvalidInput for numbers out of range, and where the dimension is over five.
Section ellipsoid_section(const std::vector<double>& axes);  // no axis: none
Section interval_section(double size);                       // [−size, size]
Section curve_section(const LimitCurve& curve);
Section curve_section(const Law& law);  // one that remembers its name
Section product_section(const std::vector<Section>& parts);
Section polytope_section(const std::vector<UpTo6>& points);
Section body_section(std::shared_ptr<const SupportBody> body);

}  // namespace stiction
