// SPDX-License-Identifier: Apache-2.0
//
// Long work and Python: it runs without the GIL, which is taken back a few times a second to look
// for Ctrl-C and to show progress.
//
// `progress` is False, True (a bar) or something to call, which stops the work by returning False.
// Ctrl-C raises stiction.Interrupted, which carries what was reached; Python looks for it in the
// main thread alone.
#pragma once

#include <atomic>
#include <chrono>

#include "bind.h"
#include "stiction/progress.h"

namespace stiction::python {

class Watch {
 public:
  // `bar` makes what progress=True shows, called with `argument`.
  explicit Watch(const nb::object& progress, const char* bar = "ShareBar",
                 nb::object argument = nb::none());

  // Called by the work, without the GIL, with how far it is; false: it is to stop.
  bool operator()(double share) { return step(share); }
  template <class Line>
  bool step(const Line& line) {
    if (!due()) return !stopped_;
    const nb::gil_scoped_acquire acquire;
    return say([&] { return call_(line); });
  }
  Progress function() {
    return [this](double share) { return (*this)(share); };
  }
  bool stopped() const { return stopped_; }

  // With the GIL, once the work is over: raises what was raised meanwhile.  An interrupt becomes
  // Interrupted, with what was reached; one since the last look too, which would lose the answer.
  template <class Reached>
  void finish(const Reached& reached) {
    if (!error_ && PyErr_CheckSignals() != 0) error_.emplace();
    close();
    if (error_) raise([&] { return nb::cast(reached); });
  }

 private:
  using Clock = std::chrono::steady_clock;

  bool due();
  bool say(const std::function<nb::object()>& call);
  void close();
  [[noreturn]] void raise(const std::function<nb::object()>& reached);

  nb::object call_;  // null: nobody is told
  std::atomic<Clock::rep> last_{Clock::now().time_since_epoch().count()};
  Clock::duration every_ = std::chrono::milliseconds(100);
  std::atomic<bool> stopped_{false};
  std::optional<nb::python_error> error_;
};

// work(progress), without the GIL; `give` makes of its answer, with the GIL, what Python gets.
template <class Given, class Work, class Give>
Given watched(const nb::object& progress, const Work& work, const Give& give) {
  Watch watch(progress);
  try {
    Given given = give(without_gil([&] { return work(watch.function()); }));
    watch.finish(given);
    return given;
  } catch (const Stopped&) {
    watch.finish(nb::none());
    throw;
  }
}
template <class Given, class Work>
Given watched(const nb::object& progress, const Work& work) {
  return watched<Given>(progress, work, [](Given&& given) { return std::move(given); });
}

// Rows 0 … rows of a batch in pieces: work(first, count) for each, without the GIL, until it is
// stopped, between two of them or within one, by Stopped.  Returns how many were done.
template <class Work>
Eigen::Index in_pieces(Watch& watch, Eigen::Index rows, Eigen::Index piece, const Work& work) {
  const nb::gil_scoped_release release;
  for (Eigen::Index first = 0; first < rows; first += piece) {
    try {
      work(first, std::min(piece, rows - first));
    } catch (const Stopped&) {
      return first;
    }
    if (!watch(static_cast<double>(std::min(first + piece, rows)) / static_cast<double>(rows)))
      return std::min(first + piece, rows);
  }
  return rows;
}

}  // namespace stiction::python
