// SPDX-License-Identifier: Apache-2.0
#include "cli/gcone/mechanism.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/contact.h"
#include "stiction/enumerate.h"

namespace stiction::cli {

namespace {

// From n, t1, t2, the order of contact problems, to t1, t2, n, that of all that gcone answers.
Json in_our_order(const Vec3& r) { return array(Vec3(r[1], r[2], r[0])); }

Eigen::VectorXd numbers(const std::string& text, const std::string& what) {
  const auto count = static_cast<std::size_t>(std::count(text.begin(), text.end(), ',')) + 1;
  const std::vector<double> values = parse_numbers(text, count, what);
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(count));
}

Vec3 vector3(const std::string& text, const char* what) {
  const std::vector<double> v = parse_numbers(text, 3, what);
  return {v[0], v[1], v[2]};
}

std::string name(Mode mode, bool slides) {
  if (mode == Mode::open) return "separate";
  if (mode == Mode::stick) return "stick";
  return slides ? "slide" : "start to slip";
}

// Every way the contacts can go on, for JSON and for people.
struct Motions {
  Json json;
  std::vector<std::pair<std::string, std::string>> rows;
};

Motions motions_of(MechanismState& state, const ModelCall& call,
                   const std::vector<std::string>& frames, const std::string& law) {
  std::vector<TouchingContact> contacts;
  for (const std::string& frame : frames)
    contacts.push_back({{call.mechanism.model.frame(frame), call.contact.normal}, parse_law(law)});
  const ContactMotions motions = contact_motions(state, contacts);
  Motions answer;
  answer.json["complete"] = motions.found.complete;
  if (!motions.found.complete) answer.json["reason"] = motions.found.reason;
  answer.json["solutions"] = Json::array();
  for (const EnumeratedSolution& solution : motions.found.solutions) {
    Json entry;
    entry["dimension"] = solution.dimension;
    entry["contacts"] = Json::array();
    std::string modes, forces;
    std::size_t touching = 0;
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      Json one{{"frame", frames[i]}};
      if (motions.touches[i]) {
        const auto at = 3 * static_cast<Eigen::Index>(touching);
        const std::string mode = name(solution.modes[touching], motions.slides[i]);
        one["mode"] = mode;
        one["reaction"] = in_our_order(solution.reactions.segment<3>(at));
        one["acceleration"] = in_our_order(solution.velocities.segment<3>(at));
        modes += (modes.empty() ? "" : ", ") + frames[i] + ": " + mode;
        forces += fmt::format(" {:.5g}", solution.reactions[at] + 0.0);
        ++touching;
      } else {
        one["mode"] = "moving off";
        modes += (modes.empty() ? "" : ", ") + frames[i] + ": moving off";
      }
      entry["contacts"].push_back(one);
    }
    entry["certificate"] = to_json(solution.certificate);
    answer.json["solutions"].push_back(entry);
    answer.rows.emplace_back(modes, "normal forces" + forces + " N");
  }
  if (motions.found.solutions.empty())
    answer.rows.emplace_back(motions.found.complete ? "none" : "none found",
                             "no forces go with any motion");
  return answer;
}

}  // namespace

ModelCall parse_model_call(const ModelArguments& arguments) {
  const std::string& path = *arguments.model;
  if (!arguments.frame) throw InvalidInput("gcone --model needs --frame NAME");
  ModelOptions options;
  if (arguments.base) {
    if (*arguments.base != "fixed" && *arguments.base != "floating")
      throw InvalidInput("--base is '" + *arguments.base + "', expected fixed or floating");
    options.base = *arguments.base == "fixed" ? Base::fixed : Base::floating;
  }
  if (arguments.gravity) options.gravity = vector3(*arguments.gravity, "--gravity");
  ContactPoint contact;
  if (arguments.normal) {
    contact.normal = vector3(*arguments.normal, "--normal");
    contact_axes(contact.normal);  // throws for zero
  }
  ModelCall call{{read_model(path, options)}, contact, {}, {}, {}, arguments.velocity.has_value()};
  const MultibodyModel& model = call.mechanism.model;
  try {
    call.contact.frame = model.frame(*arguments.frame);
    call.configuration = model.neutral();
    call.velocity = call.forces = Eigen::VectorXd::Zero(model.nv());
    if (arguments.configuration) {
      call.configuration = numbers(*arguments.configuration, "--configuration");
      model.check_configuration(call.configuration, "--configuration");
    }
    if (arguments.velocity) {
      call.velocity = numbers(*arguments.velocity, "--velocity");
      model.check_velocity(call.velocity, "--velocity");
    }
    if (arguments.forces) {
      call.forces = numbers(*arguments.forces, "--forces");
      model.check_velocity(call.forces, "--forces");
    }
    for (const std::string& loop : arguments.loops) {
      const std::size_t comma = loop.find(',');
      if (comma == std::string::npos)
        throw InvalidInput("--loop is '" + loop + "', expected two frames A,B");
      call.mechanism.loops.push_back(
          {model.frame(loop.substr(0, comma)), model.frame(loop.substr(comma + 1)), false});
    }
    for (const std::string& frame : arguments.sticking)
      call.mechanism.sticking.push_back(model.frame(frame));
  } catch (const InvalidInput& error) {
    throw InvalidInput(path + ": " + error.what());
  }
  return call;
}

GconeContact model_contact(const ModelArguments& arguments, const GconeCall& call) {
  const ModelCall model = parse_model_call(arguments);
  GconeContact contact;
  contact.title = *arguments.frame + " of " + *arguments.model;
  contact.origin = *arguments.model;
  try {
    MechanismState state(model.mechanism);
    state.at(model.configuration, model.velocity, model.forces);
    const DelassusLimit limit = state.delassus_limit(model.contact);
    contact.delassus = limit.finite;
    contact.massless = limit.massless;
    const Vec3 velocity = state.velocity(model.contact);
    const Vec3 acceleration = state.acceleration(model.contact);
    const Vec3 position = state.position(model.contact);
    const Vec3 terms = state.jacobian(model.contact).cwiseAbs() * model.velocity.cwiseAbs();
    if (velocity.head<2>().norm() > rounding * terms.head<2>().norm())
      contact.slip = velocity.head<2>();
    contact.normal_acceleration = acceleration.z();
    contact.more["position"] = array(position);
    contact.more["velocity"] = array(velocity);
    contact.more["acceleration"] = array(acceleration);
    std::optional<Motions> motions;
    if (!arguments.contacts.empty()) {
      std::vector<std::string> frames{*arguments.frame};
      frames.insert(frames.end(), arguments.contacts.begin(), arguments.contacts.end());
      motions = motions_of(state, model, frames, call.law);
      contact.more["motions"] = motions->json;
    }
    contact.people = [=] {
      row("position",
          fmt::format("({}, {}, {})", shown(position.x()), shown(position.y()),
                      shown(position.z())),
          "m, in the world");
      row("slip", shown(Vec2(velocity.head<2>())), "m/s along t1, t2");
      if (!motions) return;
      for (std::size_t i = 0; i < motions->rows.size(); ++i)
        row(i == 0 ? "motions" : "", motions->rows[i].first, motions->rows[i].second);
    };
  } catch (const InvalidInput& error) {
    throw InvalidInput(*arguments.model + ": " + error.what());
  }
  return contact;
}

}  // namespace stiction::cli
