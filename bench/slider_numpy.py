# SPDX-License-Identifier: Apache-2.0
"""The loads of a million motions over a hundred points in numpy, against the library's batch.

    cmake --build build --target bench_slider_program
    python3 bench/slider_numpy.py build/bin/bench_slider_program

Two ways in numpy: plain, one support after the other over all motions, and in blocks of motions
that stay in cache, without a temporary.  Both are checked against each other; times are processor
time, the median of five.  The library's is what its own benchmark prints.
"""

import re
import statistics
import subprocess
import sys
import time

import numpy as np

MOTIONS, POINTS = 1_000_000, 100


def plain(motions, places, strengths):
    vx, vy, w = motions
    fx, fy, m = np.zeros(MOTIONS), np.zeros(MOTIONS), np.zeros(MOTIONS)
    for (x, y), strength in zip(places, strengths):
        sx, sy = vx - w * y, vy + w * x
        scale = strength / np.sqrt(sx * sx + sy * sy)
        gx, gy = scale * sx, scale * sy
        fx += gx
        fy += gy
        m += x * gy - y * gx
    return fx, fy, m


def blocked(motions, places, strengths, block=2048):
    loads = np.zeros((3, MOTIONS))
    sx, sy, square, other = (np.empty(block) for _ in range(4))
    for start in range(0, MOTIONS, block):
        end = min(start + block, MOTIONS)
        n = end - start
        vx, vy, w = motions[:, start:end]
        fx, fy, m = loads[:, start:end]
        a, b, s, t = sx[:n], sy[:n], square[:n], other[:n]
        for (x, y), strength in zip(places, strengths):
            np.multiply(w, -y, out=a)
            a += vx
            np.multiply(w, x, out=b)
            b += vy
            np.multiply(a, a, out=s)
            np.multiply(b, b, out=t)
            s += t
            np.sqrt(s, out=s)
            np.divide(strength, s, out=s)
            a *= s
            b *= s
            fx += a
            fy += b
            b *= x
            a *= y
            m += b
            m -= a
    return loads


def processor_time(work):
    times = []
    for _ in range(5):
        start = time.process_time()
        answer = work()
        times.append(time.process_time() - start)
    return 1e3 * statistics.median(times), answer


def main():
    random = np.random.default_rng(1)
    motions = random.uniform(-1, 1, (3, MOTIONS))
    places, strengths = random.uniform(-1, 1, (POINTS, 2)), np.full(POINTS, 0.005)
    plain_ms, first = processor_time(lambda: plain(motions, places, strengths))
    blocked_ms, second = processor_time(lambda: blocked(motions, places, strengths))
    assert np.allclose(first, second, rtol=0, atol=1e-12)
    printed = subprocess.run(
        [sys.argv[1], "--benchmark_filter=^$"], capture_output=True, text=True, check=False
    ).stdout
    library_ms = float(re.search(r"a million loads over 100 points\s+([\d.]+) ms", printed)[1])
    print(f"numpy {np.__version__}, plain      {plain_ms:9.1f} ms   {plain_ms / library_ms:5.1f} times")
    print(f"numpy {np.__version__}, in blocks  {blocked_ms:9.1f} ms   {blocked_ms / library_ms:5.1f} times")
    print(f"stiction                {library_ms:9.1f} ms")


if __name__ == "__main__":
    main()
