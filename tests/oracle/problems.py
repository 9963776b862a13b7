# SPDX-License-Identifier: Apache-2.0
"""Contact problems for the oracle, and their cones, from the text of the laws alone.

A limit curve C is an ellipse, or the plane, cut by half planes a·f ≤ b.  The cone over it is
K = {(r_n, r_t) : −r_t ∈ r_n C}; in 2-D C is cut by its first axis.  Nothing here is shared with
the library.
"""

import dataclasses

import numpy as np


@dataclasses.dataclass
class Curve:
    half_planes: list  # of (a, b)
    ellipse: tuple | None = None  # (semi-axis, semi-axis, angle of the first)


def turned(degrees):
    angle = np.radians(degrees)
    return np.array([np.cos(angle), np.sin(angle)])


def curve(law):
    kind, mu = law["curve"], law.get("mu", 0.0)

    def regular(sides, apothem, first_deg=0.0):
        return Curve([(turned(first_deg + 360 * k / sides), apothem) for k in range(sides)])

    if kind == "disc":
        return Curve([], (mu, mu, 0.0))
    if kind == "ellipse":
        return Curve([], (mu[0], mu[1], np.radians(law["angle_deg"])))
    if kind == "pyramid":
        return regular(4, mu * np.sqrt(0.5), 45)
    if kind == "box":
        return regular(4, mu)
    if kind == "scaled_box":
        return regular(4, mu * np.sqrt(0.5))
    if kind == "ngon":
        return regular(law["sides"], mu * np.cos(np.pi / law["sides"]))
    if kind == "ngon_out":
        return regular(law["sides"], mu)
    roll = turned(law["roll_deg"])
    if kind == "rusty_wheel":
        return Curve([(roll, law["bearing"]), (-roll, law["bearing"])], (mu, mu, 0.0))
    if kind == "ratchet":
        return Curve([(roll, 0.0)], (mu, mu, 0.0))
    raise ValueError(kind)


def cone_rows(law, dimension):
    """K as (second-order rows, rows A r ≥ 0, rows A r = 0) on (r_n, r_t)."""
    c = curve(law)
    if dimension == 2:  # the interval [low, high] of C on its first axis
        low, high = -np.inf, np.inf
        if c.ellipse:
            a, b, angle = c.ellipse
            reach = 0.0
            if a > 0 and b > 0:
                reach = 1 / np.hypot(np.cos(angle) / a, np.sin(angle) / b)
            low, high = -reach, reach
        for a, b in c.half_planes:
            if a[0] > 1e-12:
                high = min(high, b / a[0])
            elif a[0] < -1e-12:
                low = max(low, b / a[0])
        # −r_t ≤ high r_n and −r_t ≥ low r_n
        return [], [[1, 0], [high, 1], [-low, -1]], []
    second_order = []
    linear = [[1, 0, 0]] + [[b, a[0], a[1]] for a, b in c.half_planes]
    if c.ellipse:
        a, b, angle = c.ellipse
        if a == 0 or b == 0:
            return [], [[1, 0, 0]], [[0, 1, 0], [0, 0, 1]]
        e, f = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        second_order = [[1, 0, 0], [0, *(e / a)], [0, *(f / b)]]
    return second_order, linear, []


def support(law, dimension, u_t):
    """h(u_t) = max f·u_t over f in C, the best of its candidate points."""
    c = curve(law)
    if dimension == 2:
        _, linear, _ = cone_rows(law, 2)
        high, low = linear[1][0], -linear[2][0]
        return max(high * u_t[0], low * u_t[0])
    best = 0.0
    candidates = []
    if c.ellipse:
        a, b, angle = c.ellipse
        e, f = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
        x, y = e @ u_t, f @ u_t
        h = np.hypot(a * x, b * y)
        if h > 0:
            candidates.append((a * a * x * e + b * b * y * f) / h)
        for n, d in c.half_planes:  # where a half plane's edge meets the disc
            along = np.sqrt(max(a * a - d * d, 0.0)) * np.array([-n[1], n[0]])
            candidates += [d * n + along, d * n - along]
    for i, (n, d) in enumerate(c.half_planes):
        for m, g in c.half_planes[:i]:
            det = n[0] * m[1] - n[1] * m[0]
            if abs(det) > 1e-12:
                candidates.append(np.array([d * m[1] - g * n[1], n[0] * g - m[0] * d]) / det)
    for f in candidates:
        inside = all(n @ f <= d + 1e-12 for n, d in c.half_planes)
        if c.ellipse and c.half_planes:
            inside = inside and np.hypot(*f) <= c.ellipse[0] * (1 + 1e-12)
        if inside:
            best = max(best, f @ u_t)
    return best


LAWS = ["disc", "ellipse", "pyramid", "box", "scaled_box", "ngon", "ngon_out", "rusty_wheel",
        "ratchet"]


def random_law(random, kind, mu):
    law = {"curve": kind, "mu": mu}
    if kind == "ellipse":
        law |= {"mu": [mu, mu * random.uniform(0.3, 1)], "angle_deg": random.uniform(-180, 180)}
    if kind in ("ngon", "ngon_out"):
        law["sides"] = int(random.integers(3, 17))
    if kind in ("rusty_wheel", "ratchet"):
        law["roll_deg"] = random.uniform(-180, 180)
    if kind == "rusty_wheel":
        law["bearing"] = mu * random.uniform(0.1, 0.9)
    return law


def random_jacobian(random, contacts, dimension, bodies):
    """H M^(−½) of bodies that touch their neighbours or the ground at random points."""
    freedoms = 6 if dimension == 3 else 3
    H = np.zeros((dimension * contacts, freedoms * bodies))
    mass = 10.0 ** random.uniform(-0.5, 0.5, bodies)
    for i in range(contacts):
        a = int(random.integers(bodies))
        pair = [(a, 1.0)]
        if a + 1 < bodies and random.integers(3) > 0:
            pair.append((a + 1, -1.0))
        frame = np.linalg.qr(random.normal(size=(3, 3)))[0].T  # rows n, t1, t2
        if dimension == 2:
            n = np.append(frame[0, :2] / np.linalg.norm(frame[0, :2]), 0)
            frame = np.array([n, [-n[1], n[0], 0]])
        for body, sign in pair:
            arm = 0.7 * frame[0] + 0.3 * random.normal(size=3)
            for row in range(dimension):
                moment = np.cross(arm, frame[row])
                motion = np.append(frame[row], moment)
                if dimension == 2:
                    motion = np.array([frame[row][0], frame[row][1], moment[2]])
                columns = slice(freedoms * body, freedoms * (body + 1))
                H[dimension * i + row, columns] = sign * motion / np.sqrt(mass[body])
    return H


@dataclasses.dataclass
class Problem:
    name: str
    dimension: int
    laws: list
    W: np.ndarray
    q: np.ndarray

    def to_json(self):
        d, n = self.dimension, len(self.laws)
        blocks = self.W.reshape(n, d, n, d).swapaxes(1, 2)
        listed = [
            {"row": i, "col": j, "values": blocks[i, j].ravel().tolist()}
            for i in range(n)
            for j in range(n)
            if i == j or blocks[i, j].any()
        ]
        return {"dimension": d, "law": self.laws, "q": self.q.tolist(), "W": {"blocks": listed}}


def random_problem(random, name, contacts, dimension, bodies, kinds, mu):
    """q = W x + c with c strictly inside K*, so that it has a solution; q itself is not in K*."""
    laws = [random_law(random, kinds[i % len(kinds)], mu) for i in range(contacts)]
    H = random_jacobian(random, contacts, dimension, bodies)
    c = 0.3 * random.normal(size=dimension * contacts)
    for i, law in enumerate(laws):
        here = slice(dimension * i + 1, dimension * (i + 1))
        c[dimension * i] = support(law, dimension, c[here]) + random.uniform(0.05, 0.5)
    while True:
        q = H @ (3 * random.normal(size=H.shape[1])) + c
        if (q[::dimension] < -0.1).any():
            return Problem(name, dimension, laws, H @ H.T, q)


def suite(seed):
    random = np.random.default_rng(seed)
    made = []

    def add(contacts, dimension, bodies, kinds, mu):
        name = f"{len(made)}: {contacts} contacts, {bodies} bodies, {dimension}-D, {kinds}, mu {mu}"
        made.append(random_problem(random, name, contacts, dimension, bodies, kinds, mu))

    for dimension in (3, 2):
        for kind in LAWS:
            for mu in (0.2, 1.0, 5.0):
                contacts = int(random.integers(1, 16))
                add(contacts, dimension, 1 + contacts // 2, [kind], mu)
        for kind in ("disc", "pyramid", "ngon"):
            add(6, dimension, 3, [kind], 0.0)
        for contacts in (10, 30, 60):  # one or two bodies: W has rank 6 or 12 (3 or 6)
            add(contacts, dimension, 1 + contacts // 40, LAWS, 0.5)
        add(1, dimension, 1, ["disc"], 0.5)
        add(100, dimension, 60, LAWS, 0.5)
        add(200, dimension, 80, ["disc"], 0.7)
    return made
