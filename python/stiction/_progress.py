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
    """Ctrl-C during long work; `reached` is what it has given until then, None if nothing.

    >>> def ctrl_c(share):
    ...     raise KeyboardInterrupt
    >>> try:
    ...     st.Slider.from_file("scenes/dumbbell.json").loads(np.ones((3000, 3)), progress=ctrl_c)
    ... except st.Interrupted as stopped:
    ...     print(stopped.reached.shape)
    (1024, 3)
    """

    def __init__(self, reached: Any) -> None:
        super().__init__("interrupted; what was reached is in .reached")
        self.reached = reached

    @property
    def solution(self) -> Solution:
        """The same, of `solve`: a Solution whose `status` is "stopped"."""
        return cast("Solution", self.reached)


class _Line:
    """A line on standard error that is written over itself."""

    width = 30

    def __init__(self, stream: Any) -> None:
        self.stream = sys.stderr if stream is None else stream
        self.shown = False

    def bar(self, share: float) -> str:
        done = round(self.width * min(max(share, 0.0), 1.0))
        return "█" * done + "·" * (self.width - done)

    def show(self, text: str) -> None:
        self.stream.write("\r" + text)
        self.stream.flush()
        self.shown = True

    def close(self) -> None:
        if self.shown:
            self.stream.write("\n")
            self.stream.flush()


class Bar(_Line):
    """Follows the error on its way down to the tolerance."""

    def __init__(self, tolerance: float, stream: Any = None) -> None:
        super().__init__(stream)
        self.tolerance = tolerance
        self.first: float | None = None

    def __call__(self, line: Iteration) -> None:
        error = max(line.relative, line.scaled)
        if error == math.inf and line.iteration == 0 and line.seconds >= 0.5:
            self.show(f"{'condensing':>12} {line.seconds:{self.width + 25}.1f} s")
        if not (0 < error < math.inf):
            return
        if self.first is None:
            self.first = max(error, 10 * self.tolerance)
        share = math.log(self.first / error) / math.log(self.first / self.tolerance)
        self.show(f"{line.method:>12} {line.iteration:>7} {self.bar(share)} {error:8.1e} {line.seconds:7.1f} s")


class ShareBar(_Line):
    """Follows the share done; nothing for the first half second."""

    def __init__(self, stream: Any = None) -> None:
        super().__init__(stream)
        self.start = time.perf_counter()

    def __call__(self, share: float) -> None:
        seconds = time.perf_counter() - self.start
        if seconds >= 0.5:
            self.show(f"{self.bar(share)} {100 * share:3.0f} % {seconds:7.1f} s")
