// SPDX-License-Identifier: Apache-2.0
//
// The strategy of the contact solver, in one place: which method runs when (`plan`), and every
// threshold of every method, with its unit, its reason and what measured it.
//
// Not here: the thresholds of the space of the bodies (bodies/settings.h), the sizes of numbers
// (problem/units.h), and roundings that belong to one formula, which stand beside it.  What was
// measured is told in docs/notes/contact-solver.md; a number that names no measurement was not
// studied on its own.  The error is the larger of `relative` and `scaled` (proof/residual.h).
#pragma once

#include <cstddef>
#include <span>

#include "contact/one/alart_curnier.h"
#include "stiction/solver.h"

namespace stiction {

namespace bodies {
class BodySolver;
}

// How many contacts make a problem another kind of problem.
struct Sizes {
  // Contacts up to which W is mostly regular: then a small α saves half the steps.
  int few = 4;
  // Contacts from which on a heap is no longer factorised, and held shifts come first: what is
  // large mostly stands still, and then they need some twenty steps instead of hundreds.  Measured
  // on heaps of a few thousand balls.
  int many = 1000;
  // Contacts from which on the work is shared between threads, in an order of neighbourhoods.
  int large = 4000;
  // Contacts up to which asking whether there is any solution takes less than thirty moves of
  // Newton's centre without gain.
  int asked_early = 500;
  // Contacts up to which all cones are searched for a separating direction beside a solution, and
  // up to which all modes are tried; and up to which all cones are searched where nothing solves.
  int asked_beside = 12, asked_late = 40;
};

// Block Gauss–Seidel (methods/gauss_seidel.cpp).
struct SweepStrategy {
  // Sweeps between two looks at the residual: so many at least, and this part of those done.  A
  // look costs about as much as a sweep.
  int look_after = 3;
  int look_after_part = 3;
  // Sweeps before which Newton's method never takes over: the first rates say little.
  int least = 4;
  // Sweeps in all that `auto` makes, and where nothing else was asked for: until the time is over.
  int most = 100000;
  int unlimited = 1 << 30;
  // Multiplications: of solving one contact; a sweep adds those of reading W.
  double contact_cost = 60;
  // What a sweep costs over its multiplications, counting the looks.
  double look_cost = 1.3;
  // Newton steps that a solution takes, and what one costs besides its system, in sweeps.
  double newton_steps = 12, newton_step_cost = 6;
  // The rate of this look over that of the last one below which the error is taken to fall like a
  // power of the sweeps, as it does in heaps.
  double falling_rate = 0.9;
  // Contacts visited between two looks at the clock: some 0.3 ms.
  int visits_a_clock = 1000;
  // Contacts of one colour that a thread takes at once.
  int contacts_a_task = 64;
  // Sweeps that lead to another start, where Newton's method or the active set are stuck.
  int elsewhere = 20;
};

// One way of Newton's method around a centre: its function, and how long it is given.
struct NewtonVariant {
  bool holds_shift = false;  // convex problems, the shift held (methods/held_shift.h)
  Derivative derivative = Derivative::hueber;
  double factor = 1;  // of f in ρ = f/D
  int patience = 0;   // moves of the centre without gain
};
// In the order in which they are tried.  The first is given little, since what it does not solve
// soon the second mostly does.
inline constexpr int newton_variant_count = 6;
inline constexpr NewtonVariant newton_variants[newton_variant_count] = {
    {false, Derivative::hueber, 1.0, 12},           {true, Derivative::hueber, 1.0, 10},
    {false, Derivative::hueber, 1.0, 150},          {false, Derivative::exact, 5.0, 150},
    {false, Derivative::reaction_radius, 5.0, 150}, {false, Derivative::exact, 0.3, 150}};

// These of them, first ≤ variant < last.
struct Variants {
  int first = 0, last = newton_variant_count;
  int patience = 0;  // moves of the centre without gain; 0: the variant's own
};

// The centre c and the weight α of u = W r + q + α S (r − c) (methods/proximal_point.h).  α counts
// in the size S of each contact's own block.
struct CentreStrategy {
  // α at first; of few contacts; and for held shifts where systems are factorised, since in a
  // tower of k boxes the ground is felt at the top for α < 1/k² only.
  double alpha = 3e-3, alpha_of_few = 1e-6, alpha_of_towers = 1e-7;
  // Below least_alpha it is rounding; above most_alpha the centre would not move, and sweeps lead
  // elsewhere.
  double least_alpha = 1e-12, most_alpha = 1e3;
  // α times this where one step was enough, by factors and by conjugate gradients; and where no
  // step was accepted.
  double fall = 0.3, fall_by_gradients = 0.5, rise = 10;
  // By conjugate gradients, steps around one centre from which on α rises by this factor.
  int many_steps = 4;
  double rise_by_gradients = 3;
  // Error after a move over the error before it, above which one step around a centre that moved on
  // says too little of α to let it fall.
  double fallen = 0.7;
  // Where so many moves in a row change the error by factors between these, α holds it, and falls
  // though more than one step was needed.  Measured on stacks of boxes with masses in a geometric
  // series.
  int most_crept = 3;
  double crept_low = 0.8, crept_high = 1.05;
  // The error over the best so far, above which a move gained nothing.
  double gain = 0.8;
  // Moves without gain after which the centre moves without momentum: slips are what is left.
  // Measured on boxes of 10 000 and 100 000 contacts.
  int patience_with_momentum = 15;
  // Moves without gain that conjugate gradients have at least: where factors would do; where these
  // would be done soon, from a guess; and where factors take seconds, since a few balls that roll
  // off a heap take dozens of shifts of some five moves each.
  int patience_by_gradients = 50, patience_by_gradients_guessed = 15,
      patience_by_gradients_large = 200;
  // A chain of k contacts may err in its forces k² times as much as its residual says.  So many
  // moves follow a loose tolerance (above loose), until the error is this part of it: then the
  // ground carries the weight of a tower of 25 000 boxes to 1e-4.
  int polishing = 3;
  double polished = 1e-2, loose = 1e-7;
};

// Newton steps around a centre (methods/newton_steps.h).
struct StepStrategy {
  // ‖F‖ over that at the centre, squared, which ends the steps: ½ is enough, the centre moves on.
  double enough = 0.25;
  // Steps, and halvings of each.
  int most = 10, halvings = 5;
  // ½‖F‖² falls by this part of the step, below the greatest of the last four.
  double descent = 1e-4;
  // ρ = f/D with f = factor · α^(−½), but not above this: beyond lies rounding.
  double most_f = 1e6;
  // A contact's own block over mean|diag W| below which it counts as the mean.
  double no_block = 1e-12;
  // The error of a step by GMRES, over its right-hand side.
  double gmres = 0.01;
  // The same by conjugate gradients, while the error is above fine_from and then: an error along
  // a null vector of W, where α alone holds, throws back what was reached.  Measured on a box of
  // 10 000 balls that took 370 steps with 1e-2 alone, and takes 62.
  double rough = 1e-2, fine = 1e-4, fine_from = 1e-4;
  // α below which the factors of a long chain are lost to rounding: a null vector of W that is one
  // to rounding ε leaves ε/α beside the α it should.  They precondition from there on.
  double alpha_of_factors = 2e-8;
  // α below which the rounding of single precision is felt where W is singular.
  double alpha_of_single = 1e-6;
};

// The problem with the shift held (methods/held_shift.h).
struct ShiftStrategy {
  // Error after a move of the centre over the error before it, above which the centre creeps, and
  // the shift may be what is wrong.
  double creeping = 0.5;
  // How much better than the exact problem the held one is solved before the shift is renewed,
  // squared.
  double held_better = 100;
  // A slip is believed where it is so many times what the held problem errs by: in what comes to
  // rest; and where that led nowhere, in what moves.  Measured on eighteen heaps of 3000 contacts
  // with μ lowered, sixteen of which are so solved.
  double over_noise = 10, over_noise_moving = 0.3;
  // The part of that below which a slip once believed is given up.
  double lost = 0.01;
};

// Steps where rounding decides (methods/rounding.h): under a heavy body on a light one.
struct RoundingStrategy {
  // Tries, the first of which go straight; the others begin aside by this part of r, so that they
  // round otherwise.
  int tries = 40, straight = 3;
  double aside = 1e-10;
  // The error over that of the last tries, below which they are made again.
  double again = 0.1;
  // Sweeps over the components that stick, each moved by its own units.
  int sweeps = 20;
  // Checks that saw nothing but rounding, after which a tolerance below it is given up.
  int most_checks = 20;
  // The error from which on it is asked whether rounding is felt.
  double felt_below = 1e-4;
};

// Factors of Newton's systems (linear/newton_system.h, linear/block_lu.h).
struct FactorStrategy {
  // Blocks of the upper factor a contact: up to little_fill a problem of many contacts is thin, as
  // towers and chains are, and is factorised; up to much_fill, and most_products multiplications
  // (seconds), where nothing else is left.  Any fill will do for fewer contacts.
  double little_fill = 6, much_fill = 500, most_products = 2e10;
  double any_fill = 1e9;
  // Products with W that a system takes by conjugate gradients, to be compared with factors.
  double gradients_cost = 15;
  // Products of GMRES, and those after which it starts over.
  int gmres_products = 200;
  static constexpr int gmres_restart = 20;
  // Parts that are eliminated side by side.  Of a chain cut in two, each half is eliminated from
  // its free end without any fill; a part between two cuts would double its fill.  Incomplete
  // factors have none.
  int domains = 2, domains_incomplete = 8;
  // The part of all contacts, one in so many, that may separate the domains.
  int separating = 12;
  // Rows eliminated between two looks at the clock.
  int rows_a_clock = 64;
};

// Conjugate gradients on the problem with the shift held (linear/held_shift_system.h).
struct GradientStrategy {
  // Steps of one system.
  int most_steps = 2000;
  // Parts of a large problem that threads share: the same for any number of threads.
  int parts = 4;
  // Eigenvalues of the projection's derivative below this are zero.
  double zero_eigenvalue = 1e-9;
  // Entries of W_ij − W_jiᵀ over those of W_ij, up to which W is symmetric: rounding of H M⁻¹ Hᵀ.
  double symmetric = 1e-10;
};

// Lemke's pivoting (methods/lemke.cpp).
struct LemkeStrategy {
  // Refused beyond.  2490 contacts in a chain on pyramids, 19 920 rows: 11 s and 56 MB.  An entry
  // takes some 28 bytes while the problem is made.
  double most_rows = 20000, most_entries = 2e7;
  // Rows up to which `auto` makes all tries (some 250 contacts on pyramids, half a second each),
  // and up to which it makes one (some ten seconds).
  int rows_of_all_tries = 2000, rows_of_one_try = 5000;
  // Covering vectors: tried by `auto` before it starts elsewhere, and in all.
  int first_tries = 5;
  static constexpr int tries = 40;
  // Pivots between factorisations, and between two looks at the clock and the caller.
  std::size_t pivots_a_factor = 64;
  int pivots_a_check = 256;
  // Pivots of one try, a pair of unknowns and besides.
  int most_pivots_a_pair = 20, most_pivots = 1000;
  // What an unknown may fall below zero by, over the largest, for a greater pivot.
  double slack = 1e-13;
  // A pivot over its column's greatest entry: below zero_pivot it counts as zero, below
  // doubtful_pivot it is believed from fresh factors only.
  double zero_pivot = 1e-9, doubtful_pivot = 1e-6;
};

// The active set of boxes (methods/active_set.cpp).
struct ModeStrategy {
  // Steps of all changes at once without fewer violations, and then of one at a time.
  int patience = 5, single_steps = 10;
  // Rounds from the modes of Gauss–Seidel, and centres in a round that do not halve the error.
  int rounds = 60, most_stale = 10;
  // The error over the best of the round that counts as a gain.
  double gain = 0.5;
  // How often the sweeps that lead to the modes are doubled, round by round.
  int most_doublings = 7;
  // Reactions over the largest, and velocities over their terms, that count as zero.
  double zero = 1e-12;
  // The error of a system by GMRES, over its right-hand side: modes are told by signs.
  double gmres = 1e-13;
  // α at first and its bounds, as in CentreStrategy, and what it is multiplied by.
  double alpha = 1e-2, least_alpha = 1e-10, most_alpha = 1e3, fall = 0.3, rise = 10;
};

// Problems in global form.
struct GlobalStrategy {
  // Contacts from which on the space of the bodies is asked: fewer are solved by sweeps in less
  // time than the bodies take to be set up.
  int handful = 24;
  // Rows over freedoms from which on W is singular or nearly so.
  double crowded = 0.7;
  // Products of blocks in a factorisation in the space of the bodies: up to so many it takes at
  // most a millisecond; above, so many a contact at most, as in walls of any size.  Large heaps
  // fill in more, and are solved faster with W.
  double few_products = 150000, few_products_each = 50;
  // Blocks of W a contact from which on sweeps without W were faster than any method with it, on
  // boxes that stand on a hundred contacts by 25 times; at twelve Newton's method was.
  double blocks_without_W = 40;
};

// Sweeps without W (methods/matrix_free.cpp).
struct MatrixFreeStrategy {
  // Freedoms of a body up to which its mass is inverted densely.
  std::size_t greatest_body = 60;
  // Iterations between two looks at the residual: so many at least, and this part of those done.
  // One looks too where the change of r over its size is below this part of the tolerance.
  int look_after = 3, look_after_part = 10;
  double settled = 0.1;
  // Iterations in which the error does not fall by this factor, after which they are given up.
  int patience = 200;
  double gain = 0.5;
  // Anderson's acceleration: points that it looks back on; the sum of their weights above which it
  // is left out; what makes its system regular; and the change of r over the last one above which
  // the points mislead, and are dropped.
  int remembered = 8;
  double most_weight = 1e4, ridge = 1e-12, misled = 2;
};

// Starts elsewhere, where every method has failed: contacts that wedge have many solutions and many
// traps between them.
struct RestartStrategy {
  // Throws of the dice: this over the contacts, within bounds; each takes some milliseconds for 30
  // contacts.  Of planted problems that the first method misses, μ from 2 to 10, 30 throws solve
  // half, 600 nine in ten.
  int throws_times_contacts = 20000, least_throws = 30, most_throws = 600;
  // Variants of Newton's method with a function of their own, that throws take in turn; and how
  // often a throw begins with sweeps, one in so many.
  int variants[4] = {0, 3, 4, 5};
  int sweeps_every = 3;
  // Moves of Newton's centre without gain: of a throw; of held shifts, since slips on stacks of
  // boxes with masses in a geometric series come to rest in hundreds of them; and of the short
  // search before it is asked whether there is a solution.
  int throw_patience = 15, shift_patience = 400, early_patience = 30;
};

// When it is asked whether there is a solution (proof/existence.h), and how a direction that
// separates is searched for (proof/separation.cpp): by an interior point.
struct ExistenceStrategy {
  // Shares of the time left: for modes that are quick to try, and for what is asked at all.
  double quick = 0.01, patient = 0.25;
  // Seconds of one combination of modes: what goes with it, and the dense factors of its rows
  // cubed.
  double combination = 1e-5, cube = 2e-8;
  // Steps of the interior point, some thirty of which are usual.
  int most_steps = 80;
  // The gap between the two values of the linear program, over its size, at which its point is
  // looked at first, each time it fell by this part, and last.
  double first_gap = 1e-4, next_gap = 1e-2, last_gap = 1e-15;
  // δ over the largest entry of the program's matrix, which makes its factors regular: in steps,
  // and in the passes that clean a point, each of which leaves about this share of what was off.
  double penalty = 1e-8, clean_penalty = 1e-13;
  int clean_passes = 8;
  // Of the way to the nearest unknown that would be zero.
  double boundary = 0.995;
  // Share of entries from which on dense factors are faster.
  double dense = 0.3;
  // Rows along a direction, for which it is tried whether large reactions solve.
  int rows_along = 400;
};

// Joints and masses that are eliminated from a problem in global form (problem/group_solve.h).
struct CondensingStrategy {
  // Freedoms of a group that is factorised densely; a larger one where this share of its entries is
  // there.
  int dense_size = 400;
  double dense_share = 0.1;
};

struct Strategy {
  Sizes sizes;
  SweepStrategy sweeps;
  CentreStrategy centre;
  StepStrategy steps;
  ShiftStrategy shift;
  RoundingStrategy rounding;
  FactorStrategy factors;
  GradientStrategy gradients;
  LemkeStrategy lemke;
  ModeStrategy modes;
  GlobalStrategy global;
  MatrixFreeStrategy matrix_free;
  RestartStrategy restart;
  ExistenceStrategy existence;
  CondensingStrategy condensing;
};
inline constexpr Strategy strategy{};

constexpr bool is_few(int contacts) { return contacts <= strategy.sizes.few; }
constexpr bool is_many(int contacts) { return contacts >= strategy.sizes.many; }
constexpr bool is_large(int contacts) { return contacts >= strategy.sizes.large; }

// What is done with a problem in local form, one after the other, until it is solved or given up.
enum class Act {
  sweep,         // Gauss–Seidel, until Newton's method is cheaper
  newton_early,  // that method for a short while
  ask_early,     // whether there is a solution at all, by what is quick
  newton,        // all its variants
  lemke_early,   // Lemke's pivoting, a few tries: it knows no traps, if only rays
  elsewhere,     // short tries from here and there
  lemke,         // the other tries
  ask_late,      // whether there is a solution at all, by what takes long
  alone,         // one method, as its row in methods/methods.h says
};
struct Stage {
  Act act;
  Method method = Method::automatic;  // of `alone`; automatic: the one that was asked for
};
inline constexpr Stage when_asked[] = {{Act::alone}, {Act::ask_early}, {Act::ask_late}};
// Of few contacts it is soon asked whether there is any solution, of many when all variants of
// Newton's method have failed: then it takes longer than they do.
inline constexpr Stage ladder_of_few[] = {{Act::sweep},  {Act::newton_early}, {Act::ask_early},
                                          {Act::newton}, {Act::lemke_early},  {Act::elsewhere},
                                          {Act::lemke},  {Act::ask_late}};
inline constexpr Stage ladder_of_many[] = {{Act::sweep},       {Act::newton},    {Act::ask_early},
                                           {Act::lemke_early}, {Act::elsewhere}, {Act::lemke},
                                           {Act::ask_late}};

struct Plan {
  bool reordered = false;  // contacts in the order of their neighbourhood, work shared by threads
  std::span<const Stage> stages;
};
Plan plan(const ContactProblem& problem, Method method);

// Where a problem in global form is solved: in the space of its bodies, without W by sweeps, or
// condensed.  What stalls in the first two is condensed after all.
enum class Space { bodies, sweeps_without_W, contacts };
// Leaves the bodies analysed where it is theirs.
Space plan(const GlobalProblem& problem, Method method, bodies::BodySolver& bodies);

// The variant of Newton's method that comes first of those asked for; `thin`: systems are
// factorised with little fill.
int first_variant(const Variants& asked, int contacts, Model model, bool guessed, bool thin);
// α that a variant begins with.
double first_alpha(int variant, int contacts, bool thin);
// Moves of the centre without gain that conjugate gradients have at least.
int gradients_patience(int contacts, bool guessed);

}  // namespace stiction
