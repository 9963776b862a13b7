# SPDX-License-Identifier: Apache-2.0
"""Long solves: history, progress, Ctrl-C; batches let other threads run."""

import _thread
import threading

import numpy as np
import pytest
import scipy.sparse
import stiction as st


def chain(n, seed=3):
    """Contacts between neighbours in a row of blocks that are shaken: W is block tridiagonal."""
    rng = np.random.default_rng(seed)
    H = scipy.sparse.lil_array((3 * n, 3 * (n + 1)))
    for i in range(n):
        H[3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = np.eye(3)
        H[3 * i : 3 * i + 3, 3 * i + 3 : 3 * i + 6] = -np.eye(3)
    W = scipy.sparse.csr_array(H @ H.T)
    return st.ContactProblem(W, rng.normal(size=3 * n) - np.tile([1.0, 0, 0], n), 0.5)


def test_history_ends_below_the_tolerance():
    sol = st.solve(chain(50), history=True)
    assert sol.status == "solved" and len(sol.history) > 0
    assert sol.history[-1].relative <= 1e-8 or sol.certificate.relative <= 1e-8


def test_a_callable_sees_every_iteration_and_may_stop():
    seen = []
    sol = st.solve(chain(50), progress=lambda line: seen.append(line.relative))
    assert sol.status == "solved" and seen
    sol = st.solve(chain(50), tolerance=1e-14, progress=lambda line: False)
    assert sol.status == "stopped"
    assert sol.reactions.shape == (50, 3) and np.isfinite(sol.reactions).all()


def test_an_error_in_the_callable_is_raised():
    def fails(line):
        raise RuntimeError("from the callable")

    with pytest.raises(RuntimeError, match="from the callable"):
        st.solve(chain(50), progress=fails)


def test_progress_true_shows_a_bar(capfd):
    from stiction._progress import Bar

    st.solve(chain(20), progress=True)
    bar = Bar(1e-8)
    bar(st.solve(chain(20), history=True).history[0])
    bar.close()
    assert "s\n" in capfd.readouterr().err


def test_ctrl_c_keeps_what_was_reached():
    def interrupt(line):
        _thread.interrupt_main()

    with pytest.raises(KeyboardInterrupt) as stopped:
        st.solve(chain(2000), tolerance=1e-15, max_seconds=30, progress=interrupt)
    assert isinstance(stopped.value, st.Interrupted)
    assert stopped.value.solution.status == "stopped"
    assert stopped.value.solution.reactions.shape == (2000, 3)


def test_threads_share_a_problem():
    problem = chain(200)
    expected = st.solve(problem).reactions
    found = [None] * 4

    def work(i):
        found[i] = st.solve(problem).reactions

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    for r in found:
        np.testing.assert_array_equal(r, expected)


def test_a_solver_keeps_its_workspace():
    solver = st.ContactSolver()
    problem = chain(30)
    first = solver.solve(problem).reactions.copy()
    warm = solver.solve(problem, guess=first)
    assert warm.status == "solved" and warm.iterations <= 1
    with pytest.raises(RuntimeError, match="busy"):
        solver.solve(problem, progress=lambda line: solver.solve(problem))


def test_no_solution_is_said_and_proved():
    sol = st.solve(np.zeros((3, 3)), [-1.0, 0.0, 0.0], 0.5, max_seconds=2)
    assert sol.status == "no_solution" and sol.separation.proves == "no_solution"
