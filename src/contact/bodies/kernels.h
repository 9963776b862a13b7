// SPDX-License-Identifier: Apache-2.0
//
// The inner loops, compiled for several kinds of processors, of which the best that the machine has
// is taken when the program runs.  They know plain arrays only, so that no code of another header
// is compiled for a processor that may not be there.
//
// Contacts come in batches of eight: a vector of three numbers a contact is, batch by batch, eight
// first ones, eight second ones and eight third ones.  Bodies, or pieces of six freedoms of larger
// mechanisms, are nodes, in the order in which they are eliminated, with eight numbers each, of
// which the last two are zero; a block of two nodes is six such columns.
#pragma once

namespace stiction::bodies {

inline constexpr int batch_size = 8;
inline constexpr int node_size = 8, block_size = 6 * node_size;  // numbers

// H: each contact has links to its nodes.
struct Contacts {
  int batches = 0;
  const int* link_start = nullptr;  // of each contact, padding included, and the end
  const int* node = nullptr;        // of each link
  const double* rows = nullptr;     // of each link: three rows of a node's numbers
};

// The matrix K = M + Hᵀ D H and its factors L U, block by block.  Entries are those of the pattern
// of L, column by column, each column beginning with its diagonal.
struct Blocks {
  int nodes = 0;
  const int* column_start = nullptr;
  const int* row = nullptr;            // of each entry
  const int* update_start = nullptr;   // of each entry: the products that are taken from it,
  const int* update_left = nullptr;    //   L of this entry
  const int* update_right = nullptr;   //   times U of that
  const int* mass = nullptr;           // of each entry: its block of M, or −1
  const double* mass_value = nullptr;  // blocks
  const int* part_start = nullptr;     // of each entry: the contacts that add to it,
  const int* part_contact = nullptr;   //   contact,
  const int* part_row = nullptr;       //   its link to the entry's row,
  const int* part_column = nullptr;    //   and to its column
  double* lower = nullptr;             // L, its diagonal left out
  double* upper = nullptr;             // U_jiᵀ at entry (i, j)
  double* inverse = nullptr;           // of U_jj, a block a node
};

// Interior point: see interior_point.h for the letters.  Numbers a batch are given in eights.
struct Interior {
  int batches = 0;
  const double* present = nullptr;    // 1: 1, or 0 where a batch is filled up
  const double* transform = nullptr;  // 3: T, as T11, T12, T22
  const double* size = nullptr;       // 1: w
  double* y = nullptr;                // 3
  double* r = nullptr;                // 3: r'
  double* u = nullptr;                // 3
  double* target = nullptr;           // 3: T
  double* infeasibility = nullptr;    // 3: rp
  double* scaling = nullptr;          // 8: eigenvalues of S and of D', direction d
  double* slip = nullptr;             // 2: e_t
  double* D = nullptr;                // 9
  double* force = nullptr;            // 3: P (r' + D' T)
  double* z = nullptr;                // 3: H dv
  double* dy = nullptr;               // 3
  double* dr = nullptr;               // 3
  double alpha = 0;
  bool shift = true;  // û = u + h(u_t) e_n; else û = u
  bool slope = true;  // the shift is differentiated
};

// A direction's longest step, at most `most`, and (y + t dy)·(r' + t dr') = gap + t first + t²
// second.
struct Reach {
  double step = 1, first = 0, second = 0;
};

// Proximal Newton: see proximal_newton.h.
struct Proximal {
  int batches = 0;
  const double* present = nullptr;
  const double* transform = nullptr;
  const double* size = nullptr;     // 1: w
  const double* tangent = nullptr;  // 1: τ²
  const double* centre = nullptr;   // 3: c'
  double* KA = nullptr;             // 9
  double* KF = nullptr;             // 3
  double* D = nullptr;              // 9: P KA P
  unsigned char* active = nullptr;  // a contact: not open
  double alpha = 0, factor = 0;     // α and f
  bool bounded = true;              // slip as Hüeber, Stadler and Wohlmuth derive it
  bool convex = false;
};

// The natural maps with ρ = 1 and with `rho`, and r, squared and summed over discs.
struct ErrorSums {
  double natural = 0, scaled = 0, reactions = 0;
};

struct Kernels {
  const char* name;

  void (*velocities)(const Contacts&, const double* v, double* u);  // u = H v
  void (*forces)(const Contacts&, const double* r, double* g);      // g += Hᵀ r
  // `active` may be null.  False where a pivot block is singular.
  bool (*factorise)(const Blocks&, const Contacts&, const double* D, const unsigned char* active);
  void (*solve)(const Blocks&, double* x);
  void (*multiply)(int nodes, const double* blocks, const double* x, double* y);  // on the diagonal
  bool (*invert)(const double* block, double* inverse);

  double (*interior_scale)(const Interior&);  // returns y·r'
  Reach (*interior_reach)(const Interior&);
  void (*interior_correct)(const Interior&, double centre);
  void (*interior_advance)(const Interior&, double t);

  // At r + t dr and u + t z, which become `r_to` and `u_to`; returns ‖F‖².
  double (*proximal_evaluate)(const Proximal&, const double* r, const double* dr, const double* u,
                              const double* z, double t, double* r_to, double* u_to);
  void (*proximal_direction)(const Proximal&, const double* z, double* dr);

  void (*project)(int batches, const double* r, double* projected);  // on ‖r'_t‖ ≤ r'_n
  void (*transform)(int batches, const double* transform, const double* x, double* y);  // y = P x
  ErrorSums (*errors)(int batches, const double* disc, const double* mu, const double* r,
                      const double* u, double rho, bool shift);
};

// The machine's best.
const Kernels& kernels();
// All that the machine has, the best first; for tests.
struct KernelList {
  const Kernels* kernels[3] = {};
  int count = 0;
};
KernelList all_kernels();

}  // namespace stiction::bodies
