// SPDX-License-Identifier: Apache-2.0
//
// Which contacts act on which: the pattern of W made symmetric, without its diagonal.
#pragma once

#include <vector>

#include "stiction/contact_problem.h"

namespace stiction {

struct ContactGraph {
  std::vector<int> start{0};  // where each contact's neighbours start
  std::vector<int> neighbour;

  explicit ContactGraph(const BlockMatrix& W);
  int size() const { return static_cast<int>(start.size()) - 1; }
  template <class Visit>
  void each_neighbour(int i, Visit&& visit) const {
    for (int k = start[static_cast<std::size_t>(i)]; k < start[static_cast<std::size_t>(i) + 1];
         ++k)
      visit(neighbour[static_cast<std::size_t>(k)]);
  }
};

// All contacts, each connected piece breadth first from one of its ends.
std::vector<int> breadth_first(const ContactGraph& graph);

// An order of contacts in consecutive parts.
struct Parts {
  std::vector<int> order;
  std::vector<int> start{0};  // of each part, and the end

  int size() const { return static_cast<int>(start.size()) - 1; }
};

// Colours: no two contacts of one part are neighbours.
Parts colours(const ContactGraph& graph);

// Up to `most` domains (a power of two) of about equal size without an edge between them, then one
// last part, the contacts that separate them.  As many as a small last part allows; one if none.
Parts domains(const ContactGraph& graph, int most);

}  // namespace stiction
