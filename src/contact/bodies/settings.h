// SPDX-License-Identifier: Apache-2.0
//
// Every threshold of the solver in the space of the bodies.  All are pure numbers: velocities count
// in units of the mean free velocity q = ‖q‖/√(3 contacts), reactions in those of q/mean|diag W|.
#pragma once

namespace stiction::bodies {

struct InteriorSettings {
  double start_velocity = 1;  // y = this e; a tenth to ten times as much is as good
  double start_reaction =
      30;  // r' = this e; ten to a hundred: with 1 heaps take twice as many steps
  double regularisation = 1e-8;  // α over w; it pulls towards r' itself, so that it biases nothing
  double boundary = 0.995;  // of the longest step inside the cones; 0.98 is as good, 0.9 is not
  double least_centring = 1e-10;  // σ, so that products y·r' stay above rounding
  double short_step = 0.1;        // steps below this are short:
  int short_steps = 2;            //   after so many in a row
  int held_steps = 3;             //   the shift's slope is left out of so many, and σ = 1
  double near = 1e-4;   // error at which the proximal method takes over; 3e-5 … 3e-4 is as good
  int most_steps = 60;  // heaps take 10, such as stall never recover
  double warm_reaction = 0.9;  // e times this is added to the r' of a guess,
  double warm_velocity = 0.3;  //   and e times this to its y, to be inside the cones
};

struct ProximalSettings {
  double alpha = 1e-4;         // over w, at first; after an interior point
  double least_alpha = 1e-12;  // below it is rounding
  double most_alpha = 100;     // above it the centre would not move
  double factor = 3;           // f √α: ρ = f/w; of hard problems 3 solves a tenth more than 1
  double most_factor = 1e6;    // of f
  double fall = 0.3;           // of α, after an inner loop of one step
  double rise = 10;            // of α, after a failed one
  double enough = 0.5;    // ‖F‖ over that at the centre, which ends an inner loop; 0.1 loses
  int inner_steps = 10;   // in an inner loop, that end it too
  int halvings = 5;       // of a step
  double descent = 1e-4;  // ½‖F‖² falls by this part of the step, below the last four
  double gain = 0.8;      // of the error, without which a move of the centre is stale
  int patience = 12;      // stale moves
  int most_steps = 10;    // factorisations; then the interior point goes on instead
  bool bounded = true;    // slip's derivative that of Hüeber, Stadler and Wohlmuth
  double halving = 0;     // > 0: given up where the error exceeds the first times this^steps
};

struct LadderSettings {
  InteriorSettings interior;
  ProximalSettings proximal;
  double next_near = 0.03;        // the interior point's next target over the error it had
  double least_near = 1e-7;       //   which is never below this
  double next_alpha = 0.1;        // α of the proximal method over the last one
  double least_alpha = 1e-6;      //   which is never below this
  double worth_trying = 1e-2;     // error below which the proximal method is tried after a stall
  int restart_steps = 1500;       // factorisations of a restart,
  double restart_products = 5e7;  //   and the products of blocks they take: half a second
  int restart_patience = 150;     // and its stale moves: chaotic problems wander before they fall
  double guess_near = 0.1;     // error of a guess up to which the proximal method is tried first,
  double guess_alpha = 1e-2;   //   with this α,
  int guess_steps = 8;         //   so many factorisations,
  double guess_halving = 0.5;  //   while each halves the error
};

}  // namespace stiction::bodies
