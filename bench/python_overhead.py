# SPDX-License-Identifier: Apache-2.0
"""What Python costs: one contact solved, and the loads of a million motions, against C++.

    .venv/bin/python bench/python_overhead.py      # what the target bench_python runs
"""

import pathlib
import subprocess
import sys
import time
import timeit

import numpy as np
import stiction as st

root = pathlib.Path(__file__).resolve().parent.parent
scene = root / "scenes" / "tripod.json"
peer = root / "build" / "bin" / "bench_python_program"


def clock():
    """Processor time, which leaves out what others on the machine took meanwhile."""
    return time.clock_gettime(time.CLOCK_PROCESS_CPUTIME_ID)


def best(work, rounds, calls):
    return min(timeit.repeat(work, number=calls, repeat=rounds, timer=clock)) / calls


W = np.array([[1.0, 0.2, -0.1], [0.2, 1.5, 0.3], [-0.1, 0.3, 1.2]])
q = np.array([-1.0, 2.0, -1.0])
problem = st.ContactProblem(W, q, 0.5)
slider = st.Slider.from_file(scene)
t = 0.001 * np.arange(1000000)
motions = np.column_stack([np.cos(t), np.sin(1.3 * t), np.sin(0.7 * t)])
out = np.empty_like(motions)

cpp_solve, cpp_made, cpp_batch, cpp_fresh = np.inf, np.inf, np.inf, np.inf
python_solve, python_made, python_batch, python_fresh = np.inf, np.inf, np.inf, np.inf
for _ in range(5):  # in turns, so that both see the machine in the same mood
    a, b, c, d = map(float, subprocess.run([peer, scene], capture_output=True, text=True, check=True).stdout.split())
    cpp_solve, cpp_made, cpp_batch, cpp_fresh = min(cpp_solve, a), min(cpp_made, b), min(cpp_batch, c), min(cpp_fresh, d)
    python_solve = min(python_solve, best(lambda: st.solve(problem), 50, 2000))
    python_made = min(python_made, best(lambda: st.solve(W, q, 0.5), 50, 2000))
    python_batch = min(python_batch, best(lambda: slider.loads(motions, out=out), 15, 1))
    python_fresh = min(python_fresh, best(lambda: slider.loads(motions), 15, 1))

print(f"{'':40} {'C++':>10} {'Python':>10}")
print(f"{'one contact, problem in memory [us]':40} {1e6 * cpp_solve:10.2f} {1e6 * python_solve:10.2f}   +{1e6 * (python_solve - cpp_solve):.2f} us")
print(f"{'one contact from W, q and mu [us]':40} {1e6 * cpp_made:10.2f} {1e6 * python_made:10.2f}   +{1e6 * (python_made - cpp_made):.2f} us")
print(f"{'a million motions, into an array [ms]':40} {1e3 * cpp_batch:10.2f} {1e3 * python_batch:10.2f}   {100 * (python_batch / cpp_batch - 1):+.1f} %")
print(f"{'a million motions, a new array [ms]':40} {1e3 * cpp_fresh:10.2f} {1e3 * python_fresh:10.2f}   {100 * (python_fresh / cpp_fresh - 1):+.1f} %")
fast = python_batch < 1.05 * cpp_batch and python_fresh < 1.05 * cpp_fresh
sys.exit(0 if python_made - cpp_made < 5e-6 and fast else 1)
