# SPDX-License-Identifier: Apache-2.0
"""What is shown while long work runs, and what Ctrl-C leaves."""

from __future__ import annotations

import math
import sys
import time
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from ._stiction import Iteration, Solution


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during long work; `reached` is what it has given until then, None if nothing."""

    def __init__(self, reached: Any) -> None:
        super().__init__("interrupted; what was reached is in .reached")
        self.reached = reached

    @property
    def solution(self) -> Solution:
        """The same, of `solve`: a Solution whose `status` is "stopped"."""
        return cast("Solution", self.reached)


class Bar:
    """A line on standard error that follows the error on its way down to the tolerance."""

    width = 30

    def __init__(self, tolerance: float, stream: Any = None) -> None:
        self.tolerance = tolerance
        self.stream = sys.stderr if stream is None else stream
        self.first: float | None = None
        self.shown = False

    def __call__(self, line: Iteration) -> None:
        error = max(line.relative, line.scaled)
        if not (0 < error < math.inf):
            return
        if self.first is None:
            self.first = max(error, 10 * self.tolerance)
        share = math.log(self.first / error) / math.log(self.first / self.tolerance)
        done = round(self.width * min(max(share, 0.0), 1.0))
        bar = "█" * done + "·" * (self.width - done)
        self.stream.write(
            f"\r{line.method:>12} {line.iteration:>7} {bar} {error:8.1e} {line.seconds:7.1f} s"
        )
        self.stream.flush()
        self.shown = True

    def close(self) -> None:
        if self.shown:
            self.stream.write("\n")
            self.stream.flush()


class ShareBar:
    """A line on standard error that follows the share done; nothing for the first half second."""

    width = 30

    def __init__(self, stream: Any = None) -> None:
        self.stream = sys.stderr if stream is None else stream
        self.start = time.perf_counter()
        self.shown = False

    def __call__(self, share: float) -> None:
        seconds = time.perf_counter() - self.start
        if seconds < 0.5:
            return
        done = round(self.width * min(max(share, 0.0), 1.0))
        bar = "█" * done + "·" * (self.width - done)
        self.stream.write(f"\r{bar} {100 * share:3.0f} % {seconds:7.1f} s")
        self.stream.flush()
        self.shown = True

    def close(self) -> None:
        if self.shown:
            self.stream.write("\n")
            self.stream.flush()
