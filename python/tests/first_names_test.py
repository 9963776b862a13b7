# SPDX-License-Identifier: Apache-2.0
"""The names people type first."""

import numpy as np
import pytest
import scipy.sparse
import stiction as st

W = np.array([[1.0, 0.2, -0.1], [0.2, 1.5, 0.3], [-0.1, 0.3, 1.2]])
q = np.array([-1.0, 2.0, -1.0])


def test_the_installed_wheel_is_tested():
    assert "site-packages" in st.__file__


def test_every_law_has_its_support():
    along, across = [1.0, 0.0], [0.0, 1.0]
    expected = {  # power per unit normal force along and across the roll direction
        st.disc(0.5): (0.5, 0.5),
        st.ellipse(0.5, 0.3): (0.5, 0.3),
        st.wheel(0.8, 0.0): (0.0, 0.8),
        st.rusty_wheel(0.8, 0.2, 0.0): (0.2, 0.8),
        st.ratchet(0.8, 0.0): (0.0, 0.8),
        st.free(): (0.0, 0.0),
        st.ratchet_free(0.8, 0.0): (0.0, 0.0),
        st.pyramid(0.5): (0.5, 0.5),
        st.box(0.5): (0.5, 0.5),
        st.scaled_box(0.5): (0.5 / np.sqrt(2), 0.5 / np.sqrt(2)),
        st.ngon(0.5, 6): (0.5 * np.cos(np.pi / 6), 0.5),
        st.ngon_out(0.5, 6): (0.5, 0.5 / np.cos(np.pi / 6)),
        st.polygon([[1, 0], [0, 2], [-1, 0], [0, -2]]): (1.0, 2.0),
    }
    assert len(expected) == 13
    for law, (h1, h2) in expected.items():
        assert law.support(along) == pytest.approx(h1, abs=1e-15), law
        assert law.support(across) == pytest.approx(h2, abs=1e-15), law
        np.testing.assert_allclose(law.support([along, across]), [h1, h2], atol=1e-15)


def test_angles_are_radians():
    assert st.wheel(0.8, np.pi / 2).support([1.0, 0.0]) == 0.8
    assert st.wheel(0.8, np.pi / 2).text == "wheel:0.8,90"


def test_one_contact_obeys_coulombs_law():
    sol = st.solve(W, q, 0.5)
    assert sol.status == "solved"
    r, u = sol.reactions[0], sol.velocities[0]
    np.testing.assert_allclose(u, W @ r + q, atol=1e-15)
    assert np.hypot(*r[1:]) == pytest.approx(0.5 * r[0])  # it slips
    assert r[1] * u[2] - r[2] * u[1] == pytest.approx(0, abs=1e-14)  # against its slip
    assert r[1:] @ u[1:] < 0 and abs(u[0]) < 1e-14
    assert sol.certificate.relative < 1e-14 and sol.certificate.scaled < 1e-14


def test_dense_sparse_and_every_way_to_say_the_law_agree():
    W2, q2 = scipy.sparse.block_diag([W, 2 * W]), np.concatenate([q, q])
    reference = st.solve(W2.toarray(), q2, 0.5).reactions
    for matrix in (W2.tocsr(), W2.tocsc(), W2.tobsr((3, 3)), scipy.sparse.coo_array(W2), np.asfortranarray(W2.toarray())):
        for law in (0.5, np.array([0.5, 0.5]), [0.5, st.disc(0.5)], "disc:0.5", st.disc(0.5), np.float64(0.5)):
            np.testing.assert_array_equal(st.solve(matrix, q2, law).reactions, reference)
    np.testing.assert_array_equal(st.solve(W2.toarray(), q2.reshape(2, 3), 0.5).reactions, reference)


def test_a_problem_keeps_its_numbers():
    problem = st.ContactProblem(W, q, [st.ngon(0.5, 8)])
    np.testing.assert_array_equal(problem.W.toarray(), W)
    np.testing.assert_array_equal(problem.q, [q])
    assert problem.laws == [st.ngon(0.5, 8)]
    assert not np.shares_memory(problem.q, q)


def test_arrays_are_views_that_outlive_their_solution():
    sol = st.solve(W, q, 0.5)
    assert np.shares_memory(sol.reactions, sol.reactions)
    kept, copy = sol.reactions, sol.reactions.copy()
    del sol
    np.testing.assert_array_equal(kept, copy)


def test_problems_in_two_dimensions():
    # A block on a 30° slope, one contact: it holds for mu above tan 30°.
    g = np.array([-np.cos(np.pi / 6), np.sin(np.pi / 6)])
    assert np.abs(st.solve(np.eye(2), g, 0.6, dimension=2).velocities).max() < 1e-15
    slides = st.solve(np.eye(2), g, 0.5, dimension=2)
    assert slides.velocities[0, 1] == pytest.approx(np.sin(np.pi / 6) - 0.5 * np.cos(np.pi / 6))


def test_files(tmp_path):
    problem = st.read_problem("scenes/ladder.json")
    sol = st.solve(problem)
    assert st.certify(problem, sol.reactions).within(1e-8)
    wrong = sol.reactions + 1.0
    assert not st.certify(problem, wrong).within(1e-8)
    st.write_problem(tmp_path / "ladder.hdf5", problem)
    again = st.read_problem(tmp_path / "ladder.hdf5")
    np.testing.assert_array_equal(again.H.toarray(), problem.H.toarray())
    np.testing.assert_array_equal(again.M.toarray(), problem.M.toarray())


def test_global_problems_are_their_condensed_ones():
    M, H = np.diag([2.0, 3.0, 4.0]), np.array([[0, 0, 1.0], [1, 0, 0], [0, 1, 0]])
    f, w = np.array([1.0, -2.0, -8.0]), np.zeros(3)
    problem = st.GlobalProblem(M, scipy.sparse.csc_array(H), f, w, 0.4)
    local = problem.condensed()
    np.testing.assert_allclose(local.W.toarray(), H @ np.linalg.inv(M) @ H.T)
    sol = st.solve(problem)
    np.testing.assert_allclose(sol.reactions, st.solve(local).reactions, atol=1e-12)
    np.testing.assert_allclose(M @ sol.generalized_velocities, H.T @ sol.reactions.ravel() + f, atol=1e-12)


def test_sliders():
    bar = st.Slider.from_file("scenes/dumbbell.json")
    np.testing.assert_allclose(bar.load([1, 0, 0]).load, [1, 0, 0])
    motion = bar.motion([1, 0, 0]).motion
    np.testing.assert_allclose(motion / np.abs(motion).max(), [1, 0, 0], atol=1e-9)
    motions = np.random.default_rng(1).normal(size=(300, 3))
    rows = bar.loads(motions)
    assert rows.shape == (300, 3)
    for one, row in zip(motions, rows):
        np.testing.assert_array_equal(bar.load(one).load, row)
    out = np.empty((300, 3))
    assert bar.loads(motions, out=out) is out
    np.testing.assert_array_equal(out, rows)
    np.testing.assert_array_equal(bar.loads(np.asfortranarray(motions)), rows)


def test_generalized_cones():
    # A thin rod at θ: μ_crit = 3 tan θ/(1 + 4 tan² θ), μ_jam = (tan² θ + 4)/(3 tan θ).
    t = np.tan(np.radians(30))
    W3 = st.rod_delassus(np.radians(30))
    g = st.generalized_cone(W3, 0.5)
    assert g.mu_crit == pytest.approx(3 * t / (1 + 4 * t**2))
    assert g.mu_jam == pytest.approx((t**2 + 4) / (3 * t))
    if g.quadric is not None:
        M = np.linalg.inv(W3)
        np.testing.assert_allclose(g.quadric, M @ np.diag([1, 1, -0.25]) @ M)
    assert st.generalized_cone(np.eye(3), st.pyramid(0.5)).quadric is None
    assert st.generalized_cone(np.eye(3), 0.5).mu_jam == np.inf
