# SPDX-License-Identifier: Apache-2.0
"""The convex model against Clarabel, an interior-point solver that shares nothing with this one.

K* ∋ u ⟂ r ∈ K with u = W r + q and W symmetric positive semidefinite is the optimality of

    minimise ½ rᵀWr + qᵀr over r ∈ K = K_1 × … × K_n.

r need not be unique, but the value and u are: for two solutions W(r − r') = 0.

    convex_test.py PROGRAM, where PROGRAM is the built command line.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import clarabel
import numpy as np
from scipy import sparse

import problems

PROGRAM = ""

# Clarabel aims at ORACLE_AIM in its gap and feasibility and must reach ORACLE_TOLERANCE.
ORACLE_AIM = 1e-11
ORACLE_TOLERANCE = 1e-10
# An error ε of the value leaves one of order √ε in u, and an interior point has the former.
VALUE_TOLERANCE = 1e-10
VELOCITY_TOLERANCE = 1e-6
# Reactions are projected on K before they are reported.
CONE_TOLERANCE = 1e-12


def stiction(problem, folder, *options):
    path = pathlib.Path(folder) / "problem.json"
    path.write_text(json.dumps(problem.to_json()))
    command = [PROGRAM, "solve", str(path), "--json", "--tol", "1e-10", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr)
    return json.loads(done.stdout)


def solve_by_clarabel(problem):
    d, size = problem.dimension, len(problem.q)
    rows, cones = {"zero": [], "linear": [], "soc": []}, []
    for i, law in enumerate(problem.laws):
        second_order, linear, equal = problems.cone_rows(law, d)
        for kind, group in (("soc", second_order), ("linear", linear), ("zero", equal)):
            for row in group:
                full = np.zeros(size)
                full[d * i : d * (i + 1)] = row
                rows[kind].append(full)
        if second_order:
            cones.append(clarabel.SecondOrderConeT(3))
    if rows["linear"]:
        cones.insert(0, clarabel.NonnegativeConeT(len(rows["linear"])))
    if rows["zero"]:
        cones.insert(0, clarabel.ZeroConeT(len(rows["zero"])))
    # A r + s = 0, s in the cones, so A is minus the rows.
    A = -np.array(rows["zero"] + rows["linear"] + rows["soc"])
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    settings.tol_gap_abs = settings.tol_gap_rel = settings.tol_feas = ORACLE_AIM
    settings.reduced_tol_gap_abs = settings.reduced_tol_gap_rel = ORACLE_TOLERANCE
    settings.reduced_tol_feas = ORACLE_TOLERANCE
    solver = clarabel.DefaultSolver(
        sparse.csc_matrix(np.triu(problem.W)), problem.q, sparse.csc_matrix(A),
        np.zeros(len(A)), cones, settings)
    return solver.solve()


def value(problem, r):
    return 0.5 * r @ problem.W @ r + problem.q @ r


def complaints(problem, r, oracle):
    """What is wrong with the reactions r, given the oracle's; nothing if they agree."""
    d, wrong = problem.dimension, []
    # ½ rᵀWr, −½ qᵀr and minus the value are equal at a solution: the size of the terms.
    size = abs(problem.q @ oracle)
    error = abs(value(problem, r) - value(problem, oracle)) / size
    if not error <= VALUE_TOLERANCE:
        wrong.append(f"the value is off by {error:.1e}")
    u, expected = problem.W @ r + problem.q, problem.W @ oracle + problem.q
    error = np.linalg.norm(u - expected) / np.linalg.norm(problem.q)
    if not error <= VELOCITY_TOLERANCE:
        wrong.append(f"u is off by {error:.1e}")
    for i, law in enumerate(problem.laws):
        here = slice(d * i, d * (i + 1))
        second_order, linear, equal = problems.cone_rows(law, d)
        margins = [np.array(row) @ r[here] / np.linalg.norm(row) for row in linear]
        margins += [-abs(np.array(row) @ r[here]) for row in equal]
        if second_order:
            s = np.array(second_order) @ r[here]
            margins.append((s[0] - np.hypot(s[1], s[2])) / np.linalg.norm(second_order))
        if not min(margins) >= -CONE_TOLERANCE * np.linalg.norm(r):
            wrong.append(f"reaction {i} is outside K by {-min(margins):.1e}")
        slack = u[d * i] - problems.support(law, d, u[here][1:])
        if not slack >= -VELOCITY_TOLERANCE * np.linalg.norm(problem.q):
            wrong.append(f"velocity {i} is outside K* by {-slack:.1e}")
    return wrong


def reactions(answer):
    return np.array(answer["reactions"]).ravel()


class ConvexModel(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def test_agrees_with_clarabel(self):
        suite = problems.suite(seed=20240611)
        self.assertGreaterEqual(len(suite), 60)
        for problem in suite:
            with self.subTest(problem.name):
                answer = stiction(problem, self.folder.name, "--model", "convex")
                self.assertEqual(answer["status"], "solved")
                oracle = solve_by_clarabel(problem)
                self.assertIn(str(oracle.status), ("Solved", "AlmostSolved"))
                self.assertEqual(complaints(problem, reactions(answer), np.array(oracle.x)), [])

    def test_wrong_answers_are_rejected(self):
        random = np.random.default_rng(7)
        problem = problems.random_problem(random, "", 12, 3, 5, ["disc", "ellipse", "ngon"], 0.6)
        convex = ("--model", "convex")
        r = reactions(stiction(problem, self.folder.name, *convex))
        oracle = np.array(solve_by_clarabel(problem).x)
        self.assertEqual(complaints(problem, r, oracle), [])
        carried = 3 * int(np.argmax(r[::3]))
        shifted = r.copy()
        shifted[carried] *= 1 + 1e-4
        exact = reactions(stiction(problem, self.folder.name))
        other = reactions(stiction(problem, self.folder.name, *convex, "--law", "box:*"))
        wrong = {"no reactions": 0 * r, "all but 0.1 %": 0.999 * r, "one off by 1e-4": shifted,
                 "exact friction": exact, "boxes": other, "not a number": np.nan * r}
        for name, candidate in wrong.items():
            with self.subTest(name):
                self.assertNotEqual(complaints(problem, candidate, oracle), [])

    def test_both_see_that_there_is_no_solution(self):
        # Two walls that close on a body: s = (1, 0, 1, 0) has W s = 0 and q·s = −2, so that the
        # value falls for ever along s.
        H = np.array([[1.0, 0], [0, 1], [-1, 0], [0, 1]])
        walls = problems.Problem("walls", 2, 2 * [{"curve": "disc", "mu": 0.5}], H @ H.T,
                                 np.array([-1.0, 0, -1, 0]))
        answer = stiction(walls, self.folder.name, "--model", "convex", "--max-seconds", "2")
        self.assertEqual(answer["status"], "no_solution")
        self.assertEqual(answer["separation"]["proves"], "no_solution")
        self.assertEqual(solve_by_clarabel(walls).status, clarabel.SolverStatus.DualInfeasible)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
