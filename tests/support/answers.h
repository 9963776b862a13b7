// SPDX-License-Identifier: Apache-2.0
//
// What every call of the command line owes its caller.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "support/command.h"

namespace stiction::testing {

// The one JSON object that a call with --json prints, and nothing else.
inline nlohmann::json json_answer(std::vector<std::string> call) {
  call.emplace_back("--json");
  const Outcome outcome = stiction(call);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1);
  return nlohmann::json::parse(outcome.out);
}

// The call is wrong, with --json and without: status 2, one line that says so, nothing else.
inline void expect_refused(std::vector<std::string> call, const std::string& says = "stiction: ") {
  std::string shown;
  for (const std::string& word : call) shown += word + ' ';
  for (const bool json : {false, true}) {
    if (json) call.emplace_back("--json");
    const Outcome outcome = stiction(call);
    EXPECT_EQ(outcome.status, 2) << shown;
    EXPECT_EQ(outcome.out, "") << shown;
    EXPECT_EQ(outcome.err.rfind("stiction: ", 0), 0U) << shown << outcome.err;
    EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << shown << outcome.err;
    EXPECT_NE(outcome.err.find(says), std::string::npos) << shown << outcome.err;
  }
}

}  // namespace stiction::testing
