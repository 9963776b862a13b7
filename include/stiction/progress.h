// SPDX-License-Identifier: Apache-2.0
//
// How long work tells how far it is, and how it is stopped.
#pragma once

#include <functional>
#include <stdexcept>

namespace stiction {

// Given the share done, from 0 to 1, now and then.  Returning false stops the work, which then
// gives what it has reached.
using Progress = std::function<bool(double share)>;

// Thrown where work was stopped before there was anything to give.
class Stopped : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace stiction
