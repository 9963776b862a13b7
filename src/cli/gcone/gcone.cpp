// SPDX-License-Identifier: Apache-2.0
//
// `gcone`: the generalized friction cone of one contact.
#include "cli/gcone/gcone.h"

#include <fmt/core.h>

#include <memory>
#include <numbers>

#include "cli/slider/slider.h"
#include "stiction/law.h"

namespace stiction::cli {

namespace {

constexpr double degrees = 180 / std::numbers::pi;

struct Arguments {
  std::optional<std::string> mu, law, slip, normal_acceleration, change, apex, impact, restitution;
  std::vector<GconeSource> sources;
  const CLI::App* command = nullptr;
};

InvalidInput no_law() { return InvalidInput("gcone needs either --mu MU or --law LAW"); }

GconeCall parse(const Arguments& arguments) {
  GconeCall call;
  if (arguments.mu && arguments.law) throw no_law();
  if (arguments.mu || arguments.law) {
    call.law = arguments.mu ? "disc:" + *arguments.mu : *arguments.law;
    if (arguments.mu && parse_number(*arguments.mu, "--mu") < 0)
      throw InvalidInput("--mu is " + *arguments.mu + ", expected a number ≥ 0");
    call.curve = limit_curve(parse_law(call.law));
  }
  if (arguments.slip) {
    call.slip = parse_two(*arguments.slip, "--slip");
    if (call.slip->isZero(0))
      throw InvalidInput("--slip is " + *arguments.slip +
                         ", expected a direction: a contact at rest is not classified");
  }
  if (arguments.normal_acceleration)
    call.normal_acceleration =
        parse_number(*arguments.normal_acceleration, "--normal-acceleration");
  if (arguments.change) call.change = parse_three(*arguments.change, "--change");
  if (arguments.apex) {
    if (!arguments.change)
      throw InvalidInput("--apex shifts the cone that --change is held against");
    call.apex = parse_three(*arguments.apex, "--apex");
  }
  if (arguments.impact) {
    if (!arguments.restitution)
      throw InvalidInput("--impact needs --restitution newton:E, poisson:E or energetic:E");
    call.impact = parse_three(*arguments.impact, "--impact");
    call.restitution = parse_restitution(*arguments.restitution);
  } else if (arguments.restitution) {
    throw InvalidInput("--restitution needs --impact T1,T2,N, the velocity before");
  }
  return call;
}

std::string meaning(Regime regime) {
  switch (regime) {
    case Regime::separate:
      return "it lifts off";
    case Regime::slide:
      return "it slides on";
    case Regime::indeterminate:
      return "it may slide on, lift off or jam: Painlevé's paradox";
    case Regime::inconsistent:
      return "it jams, no finite force will do: Painlevé's paradox";
    case Regime::jam_point:
      return "on the verge of jamming";
  }
  return "";
}

Json rows_of(const std::vector<Vec3>& vectors) {
  Json list = Json::array();
  for (const Vec3& v : vectors) list.push_back(array(v));
  return list;
}

// The cone as a set: line and plane it lies between, axes, rows and rays.
void add_shape(Json& object, const GeneralizedCone& cone) {
  object["plane_cut"] = cone.plane_cut;
  if (!cone.massless.isZero(0)) {
    for (const char* key : {"line", "plane_normal", "principal_axes", "rows", "rays"})
      object[key] = nullptr;
    return;
  }
  object["line"] = array(frictionless_line(cone.delassus));
  object["plane_normal"] = array(bounding_normal(cone.delassus));
  object["principal_axes"] = nullptr;
  if (cone.regular && cone.curve.shape() == LimitCurve::Shape::ellipse) {
    const PrincipalAxes p = principal_axes(cone);
    object["principal_axes"] = {{"axes", array(Eigen::Matrix3d(p.axes.transpose()))},
                                {"slopes", array(p.slopes)}};
  }
  object["rows"] = object["rays"] = nullptr;
  if (cone.curve.is_polygonal()) {
    object["rays"] = rows_of(rays(cone));
    if (cone.regular) object["rows"] = rows_of(rows(cone));
  }
}

GeneralizedCone cone_of(const GconeCall& call, const GconeContact& contact) {
  GeneralizedCone cone;
  try {
    cone = generalized_cone(DelassusLimit{contact.delassus, contact.massless}, call.curve);
  } catch (const InvalidInput& error) {
    if (contact.origin.empty()) throw;
    throw InvalidInput(contact.origin + ": " + error.what());
  }
  cone.apex = call.apex.value_or(Vec3::Zero());
  return cone;
}

// W, infinite where a massless direction makes it so.
Eigen::Matrix3d whole_delassus(const GeneralizedCone& cone) {
  Eigen::Matrix3d W = cone.delassus;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (std::abs(cone.massless(i, j)) > rounding)
        W(i, j) = std::copysign(infinity, cone.massless(i, j));
  return W;
}

// Why the limit is not the only one; empty where it is.
std::string dependence(const GeneralizedCone& cone) {
  if (!cone.crit_depends && !cone.jam_depends) return "";
  const std::string what = cone.crit_depends && cone.jam_depends ? "mu_crit and mu_jam depend"
                           : cone.crit_depends                   ? "mu_crit depends"
                                                                 : "mu_jam depends";
  return what + " on how the mass vanishes: here as a point at the contact";
}

void show_matrix(const Eigen::Matrix3d& m, const char* what) {
  fmt::print("\n  {:>12} {:>12} {:>12}   {}\n", "t1", "t2", "n", what);
  for (int i = 0; i < 3; ++i)
    fmt::print("  {:>12} {:>12} {:>12}\n", shown(m(i, 0)), shown(m(i, 1)), shown(m(i, 2)));
}

}  // namespace

Json array(const Eigen::Matrix3d& m) {
  Json list = Json::array();
  for (int i = 0; i < 3; ++i) list.push_back(array(Vec3(m.row(i).transpose())));
  return list;
}

namespace {

// What is known of the contact's slip, and in words what is not.
struct Sliding {
  std::optional<NormalCompliance> compliance;
  std::optional<double> acceleration;  // normal, without contact force                     [m/s²]
  std::optional<Regime> regime;
  std::string wanted;  // the options that would tell the regime
};

Sliding sliding_of(const GeneralizedCone& cone, const GconeCall& call,
                   const GconeContact& contact) {
  Sliding known;
  const std::optional<Vec2> slip = call.slip ? call.slip : contact.slip;
  known.acceleration =
      call.normal_acceleration ? call.normal_acceleration : contact.normal_acceleration;
  known.wanted =
      "--normal-acceleration B" + (contact.wanted.empty() ? "" : " or " + contact.wanted);
  if (slip) known.compliance = normal_compliance(cone, *slip);
  if (slip && known.acceleration) known.regime = regime(cone, *slip, *known.acceleration);
  return known;
}

// Sentences, one after the other.
class Reason {
 public:
  void because(const std::string& why) {
    if (!why.empty()) text_ += (text_.empty() ? "" : "; ") + why;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void add_cone(Json& object, Reason& reason, const GeneralizedCone& cone) {
  const std::vector<Vec3> massless = massless_directions(cone.massless);
  object["delassus"] = array(whole_delassus(cone));
  object["effective_mass"] = cone.has_mass ? array(cone.effective_mass) : Json(nullptr);
  object["quadric"] = cone.has_quadric ? array(cone.quadric) : Json(nullptr);
  if (!massless.empty()) {
    object["massless"] = rows_of(massless);
    reason.because("the contact can move without moving mass: limits as its mass vanishes");
  }
  reason.because(dependence(cone));
  if (!cone.has_mass)
    reason.because("the Delassus matrix is singular: no effective mass, no quadric");
  else if (!cone.has_quadric)
    reason.because("the cone of this law is no quadric");
  object["mu_crit"] = number(cone.mu_crit);
  object["mu_jam"] = number(cone.mu_jam);
  object["stick_inside"] = cone.stick_inside;
  object["jam"] = nullptr;
  if (cone.jam)
    object["jam"] = {{"direction_deg", number(angle_degrees(cone.jam->direction))},
                     {"half_width_deg", number(cone.jam->half_width * degrees)}};
  add_shape(object, cone);
}

void add_sliding(Json& object, Reason& reason, const GconeCall& call, const Sliding& known) {
  object["regime"] = nullptr;
  if (known.compliance)
    object["normal_compliance"] =
        Json::array({number(known.compliance->least), number(known.compliance->greatest)});
  if (known.acceleration) object["normal_acceleration"] = number(*known.acceleration);
  if (known.regime)
    object["regime"] = to_text(*known.regime);
  else if (known.compliance)
    reason.because("no regime without " + known.wanted);
  else if (call.normal_acceleration)
    reason.because("no regime without --slip T1,T2");
}

void show_cone(const GeneralizedCone& cone) {
  row("mu_crit", shown(cone.mu_crit),
      cone.stick_inside ? "this law can hold the contact" : "this law cannot hold the contact");
  row("mu_jam", shown(cone.mu_jam),
      cone.jam ? "this law jams some slips" : "this law jams no slip");
  if (cone.jam)
    row("jam",
        fmt::format("{:.6g}° ± {:.6g}°", angle_degrees(cone.jam->direction),
                    cone.jam->half_width * degrees),
        "slip directions in the tangent plane");
}

void show_sliding(const Sliding& known) {
  if (const auto& p = known.compliance)
    row("compliance",
        p->least == p->greatest ? shown(p->least)
                                : fmt::format("{} to {}", shown(p->least), shown(p->greatest)),
        "1/kg, normal, along this slip");
  if (known.acceleration)
    row("acceleration", shown(*known.acceleration), "m/s², normal, without contact force");
  if (known.regime)
    row("regime", to_text(*known.regime), meaning(*known.regime));
  else if (known.compliance)
    row("regime", "unknown", "give " + known.wanted);
}

void show_matrices(const GeneralizedCone& cone) {
  show_matrix(whole_delassus(cone), "Delassus matrix [1/kg]");
  if (cone.has_mass) show_matrix(cone.effective_mass, "effective mass [kg]");
  if (cone.has_quadric) show_matrix(cone.quadric, "quadric [kg²]");
  if (!cone.has_mass) fmt::print("\n  The matrix is singular: no effective mass, no quadric.\n");
}

}  // namespace

void answer_gcone(const Shared& shared, const GconeCall& call, const GconeContact& contact) {
  const GeneralizedCone cone = cone_of(call, contact);
  const Sliding known = sliding_of(cone, call, contact);
  Reason reason;
  Json object;
  add_cone(object, reason, cone);
  add_sliding(object, reason, call, known);
  if (call.change) {
    object["contains"] = contains(cone, *call.change);
    object["distance"] = number(distance(cone, *call.change));
    object["nearest"] = array(nearest(cone, *call.change));
  }
  std::optional<Impact> collision;
  if (call.impact) {
    collision = impact(cone, *call.impact, call.restitution);
    object["impact"] = impact_json(*collision);
  }
  for (const auto& [key, value] : contact.more.items()) object[key] = value;
  if (!reason.text().empty()) object["reason"] = reason.text();
  shared.answer(object, [&] {
    heading(contact.title + ", " + call.law);
    show_cone(cone);
    show_sliding(known);
    if (call.change)
      row("change", contains(cone, *call.change) ? "in the cone" : "outside",
          fmt::format("{} m/s, nearest {}", shown(distance(cone, *call.change)),
                      shown(nearest(cone, *call.change))));
    for (const Vec3& d : massless_directions(cone.massless))
      row("massless", fmt::format("({}, {}, {})", shown(d.x()), shown(d.y()), shown(d.z())),
          "along t1, t2, n the contact moves no mass: limits as its mass vanishes");
    if (const std::string why = dependence(cone); !why.empty()) row("", why);
    if (contact.people) contact.people();
    if (collision) show_impact(*collision);
    show_matrices(cone);
  });
}

namespace {

void run(const Shared& shared, const Arguments& arguments) {
  const GconeSource* chosen = nullptr;
  std::string options;
  int given = 0;
  for (const GconeSource& source : arguments.sources) {
    options += (options.empty() ? "" : ", ") + source.option;
    if (!source.given()) continue;
    chosen = &source;
    ++given;
  }
  if (given != 1) throw InvalidInput("gcone needs exactly one of " + options);
  require_body(*arguments.command, chosen->option);
  const GconeCall call = parse(arguments);
  if (chosen->instead && chosen->instead(shared, call)) return;
  if (call.law.empty()) throw no_law();
  answer_gcone(shared, call, chosen->contact(call));
}

}  // namespace

void add_gcone(CLI::App& app, const Shared& shared) {
  auto* command = app.add_subcommand(
      "gcone",
      "The generalized friction cone: what friction can do to the velocity of one contact, and "
      "where it jams.\n"
      "Example: stiction gcone --rod 60 --mu 2 --slip 1,0 --normal-acceleration -9.81");
  auto arguments = std::make_shared<Arguments>();
  command->add_option("--mu", arguments->mu, "Coefficient of friction");
  command->add_option("--law", arguments->law, "Or any friction law, as for `curve`");
  command->add_option("--slip", arguments->slip, "Slip direction T1,T2, to classify");
  command->add_option("--normal-acceleration", arguments->normal_acceleration,
                      "Normal acceleration without contact force [m/s²]");
  command->add_option("--change", arguments->change,
                      "A change of velocity T1,T2,N [m/s]: is it in the cone?");
  command->add_option("--apex", arguments->apex, "What other forces add to it, T1,T2,N [m/s]");
  command->add_option("--impact", arguments->impact,
                      "A collision: the contact's velocity before, T1,T2,N [m/s]");
  command->add_option("--restitution", arguments->restitution,
                      "Of the collision: newton:E, poisson:E or energetic:E");
  arguments->command = command;
  arguments->sources = {add_gcone_matrix(*command)};
  for (GconeSource& source : add_gcone_bodies(*command)) arguments->sources.push_back(source);
  arguments->sources.push_back(add_gcone_model(*command));
  command->callback([arguments, &shared] { run(shared, *arguments); });
}

}  // namespace stiction::cli
