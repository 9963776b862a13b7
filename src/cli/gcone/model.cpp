// SPDX-License-Identifier: Apache-2.0
#include "cli/gcone/model.h"

#include <memory>

namespace stiction::cli {

GconeSource add_gcone_model(CLI::App& command) {
  auto a = std::make_shared<ModelArguments>();
  command.add_option("--model", a->model, "A contact of a mechanism: its URDF or MJCF file");
  command.add_option("--frame", a->frame, "With --model: the frame whose origin touches");
  command.add_option("--configuration", a->configuration,
                     "With --model: coordinates Q1,Q2,… [rad, m], zero unless told");
  command.add_option("--velocity", a->velocity, "With --model: velocities V1,V2,…");
  command.add_option("--forces", a->forces, "With --model: joint forces F1,F2,… [N m, N]");
  command.add_option("--normal", a->normal, "With --model: NX,NY,NZ in the world, z unless told");
  command.add_option("--base", a->base, "With --model: fixed or floating");
  command.add_option("--gravity", a->gravity, "With --model: GX,GY,GZ [m/s²]");
  command.add_option("--loop", a->loops, "With --model: frames A,B whose origins stay together");
  command.add_option("--stick", a->sticking, "With --model: a frame whose origin sticks");
  command.add_option("--contact", a->contacts,
                     "With --model: another frame that touches; all that can happen is enumerated");
  command.add_option("--sweep", a->sweeps,
                     "With --model: JOINT=FROM:TO:COUNT, twice for a map of mu_crit and mu_jam");
  command.add_option("--out", a->out, "With --sweep: the map as FILE.csv, .json, .svg or .pdf");
  const auto others_given = [a] {
    return a->frame || a->configuration || a->velocity || a->forces || a->normal || a->base ||
           a->gravity || !a->loops.empty() || !a->sticking.empty() || !a->contacts.empty() ||
           !a->sweeps.empty() || !a->out.empty();
  };
  return {"--model",
          [a, others_given] {
            if (!a->model && others_given())
              throw InvalidInput("gcone: --frame, --sweep and their like need --model FILE");
            return a->model.has_value();
          },
          [a](const GconeCall& call) { return model_contact(*a, call); },
          [a](const Shared& shared, const GconeCall& call) {
            if (a->sweeps.empty()) {
              if (!a->out.empty())
                throw InvalidInput("--out is " + a->out + ", expected a --sweep with it");
              return false;
            }
            answer_map(shared, *a, call);
            return true;
          }};
}

}  // namespace stiction::cli
