// SPDX-License-Identifier: Apache-2.0
//
// MJCF made ready for Pinocchio, which reads one tree of bodies and passes over what it does not
// know.  Here nothing that matters is passed over: it is rewritten, or refused.
#pragma once

#include <string>

namespace stiction {

// The same model as one tree: several bodies in the world become the children of one that does not
// move; equality constraints that are switched off are left out.  The text itself where nothing is
// to be changed.  Throws InvalidInput for elements that change the mechanism and are not read, and
// for a root that moves already where it is to float.
std::string one_tree(const std::string& text, bool floating);

}  // namespace stiction
