# SPDX-License-Identifier: Apache-2.0
"""What the rooms offer beyond the names people type first, each against numbers of its own."""

import json
import pathlib
import subprocess

import numpy as np
import pytest
import stiction as st

try:
    from stiction import models
except ImportError:  # built without Pinocchio
    models = None

program = pathlib.Path("build/bin/stiction")


def inverse_mass_at(body):
    """W = 1/m − [r]× J⁺ [r]×, by numpy."""
    x, y, z = body.to_contact
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) / body.mass - cross @ np.linalg.pinv(body.inertia) @ cross


def test_a_wheel_with_a_bar():
    R, M, L, m, angle = 0.3, 2.0, 0.2, 1.0, 0.5
    body = st.wheel_with_bar(radius=R, wheel_mass=M, bar_length=L, bar_mass=m, angle=angle)
    assert body.mass == M + m
    # The centre of mass is on the bar, m L/2 over M + m from the hub; the contact R below the hub.
    arm = m * L / 2 / (M + m) * np.array([np.cos(angle), 0, np.sin(angle)])
    np.testing.assert_allclose(body.to_contact, [0, 0, -R] - arm, atol=1e-15)
    spin = M * R**2 / 2 + m * L**2 / 3 - (M + m) * arm @ arm  # about t2, by the parallel axes
    assert body.inertia[1, 1] == pytest.approx(spin)
    np.testing.assert_allclose(body.delassus, inverse_mass_at(body), atol=1e-12)


def test_laws_that_are_not_normal_show_it_and_have_no_curve():
    T = np.array([[0.5, 0.1], [-0.1, 0.3]])
    slip = np.array([0.6, 0.8])
    np.testing.assert_allclose(st.orthotropic_tensor(T).force(3 * slip), T @ slip)
    slope, mu = 0.2, 0.3  # straight over the ridges: tan(slope + friction angle)
    np.testing.assert_allclose(st.wedge_asperities(slope, mu).force([1.0, 0.0]), [np.tan(slope + np.arctan(mu)), 0], atol=1e-15)
    castor = st.Castor("ellipse:0.5,0.3,20")
    for law in (st.orthotropic_tensor(T), st.wedge_asperities(slope, mu), castor.relaxed()):
        worst = st.worst_power_violation(law)
        assert worst.amount > 1e-4  # far above rounding
        np.testing.assert_allclose(law.force(worst.other_slip), worst.other_force)
        assert (worst.other_force - law.force(worst.slip)) @ worst.slip == pytest.approx(worst.amount)
        with pytest.raises(ValueError, match="power|normal"):
            law.limit_curve()
    wheel = castor.instantaneous(0.0)  # the foot's curve cut to the arm's line
    assert wheel.support([0.0, 1.0]) == 0 and wheel.support([1.0, 0.0]) > 0.4


def test_a_castor_asks_its_strength():
    asked = []

    def strength(angle):
        asked.append(angle)
        return 1 + 0.5 * np.cos(angle)

    force = st.Castor(0.5, strength).relaxed().force([2.0, 0.0])
    assert asked and np.hypot(*force) == pytest.approx(0.5 * strength(asked[0]))
    with pytest.raises(ValueError, match="strength gave no finite number"):
        st.Castor(0.5, lambda angle: None).relaxed().force([1.0, 0.0])


def test_a_separation_is_verified_or_not():
    # Ground that gives in: W = 0 and an approach.
    p = st.ContactProblem(np.zeros((6, 6)), [-1.0, 0, 0, 1, 0, 0], 0.5)
    assert st.verify_separation(p, st.find_separation(p))
    assert st.verify_separation(p, st.Separation([1.0, 0, 0, 0, 0, 0], "no_solution"))
    assert not st.verify_separation(p, st.Separation([0.0, 0, 0, 1, 0, 0], "no_solution"))  # q·s > 0
    assert not st.verify_separation(p, st.Separation([1.0, 0, 0], "no_solution"))
    assert not st.verify_separation(st.ContactProblem(np.eye(6), np.zeros(6), 0.5), st.Separation([1.0, 0, 0, 0, 0, 0]))


def test_bilateral_rows_are_eliminated_and_come_back():
    rng = np.random.default_rng(5)
    H = rng.normal(size=(9, 7))
    W, V, R = H[:6] @ H[:6].T, H[:6] @ H[6:].T, H[6:] @ H[6:].T
    q, s = rng.normal(size=6), rng.normal(size=3)
    p = st.ContactProblem(W, q, 0.5, V=V, R=R, s=s)
    r = rng.normal(size=6)
    force = np.linalg.solve(R, -(s + V.T @ r))
    np.testing.assert_allclose(p.bilateral_forces(r), force)
    local = p.condensed()
    np.testing.assert_allclose(local.W.toarray() @ r + local.q.ravel(), W @ r + V @ force + q, atol=1e-10)
    solved = st.solve(p)
    assert solved.status == "solved" and st.check(p, solved).ok


def test_velocities_of_a_global_problem_follow_from_its_reactions():
    p = st.read_problem("scenes/ladder.json")
    solved = st.solve(p)
    v = p.generalized_velocities(solved.reactions)
    np.testing.assert_allclose(v, solved.generalized_velocities, atol=1e-12)
    np.testing.assert_allclose(p.M @ v, p.H.T @ solved.reactions.ravel() + p.f, atol=1e-12)


def test_solution_files_go_both_ways_between_python_and_the_command_line(tmp_path):
    p = st.read_problem("scenes/ladder.json").with_laws("ngon:0.4,8")
    st.write_solution(tmp_path / "ours.json", p, st.solve(p))
    run = lambda *arguments: subprocess.run([program, *arguments], capture_output=True, text=True)  # noqa: E731
    if not program.exists():
        pytest.skip("the command line is not built")
    assert run("check", "scenes/ladder.json", tmp_path / "ours.json").returncode == 0
    done = run("solve", "scenes/ladder.json", "--law", "ngon:0.4,8", "--out", tmp_path / "theirs.json")
    assert done.returncode == 0, done.stderr
    theirs = st.read_solution(tmp_path / "theirs.json")
    assert theirs.laws == [st.ngon(0.4, 8)] * 2 and theirs.model == "coulomb" and theirs.kind == "global"
    assert st.check(st.read_problem("scenes/ladder.json"), theirs).ok
    data = json.loads((tmp_path / "theirs.json").read_text())
    data["reactions"][0][0] += 0.1
    (tmp_path / "theirs.json").write_text(json.dumps(data))
    assert not st.check(p, st.read_solution(tmp_path / "theirs.json")).ok
    assert run("check", "scenes/ladder.json", tmp_path / "theirs.json").returncode == 1


def test_a_proof_that_there_is_no_solution_is_read_and_checked(tmp_path):
    p = st.ContactProblem(np.zeros((3, 3)), [-1.0, 0.0, 0.0], 0.5)
    st.write_solution(tmp_path / "none.json", p, st.solve(p, max_seconds=2))
    found = st.read_solution(tmp_path / "none.json")
    assert found.status == "no_solution"
    checked = st.check(p, found)
    assert checked.separation_verified and not checked.ok
    easy = st.ContactProblem(np.eye(3), [-1.0, 0.0, 0.0], 0.5)
    assert st.check(easy, found).separation_verified is False


def test_reactions_stored_in_fclib_files_are_read(tmp_path):
    p = st.read_problem("scenes/ladder.json")
    st.write_problem(tmp_path / "bare.hdf5", p)
    with pytest.raises(ValueError, match="bare.hdf5: has no solution, expected one"):
        st.read_solution(tmp_path / "bare.hdf5")
    if not program.exists():
        pytest.skip("the command line is not built")
    subprocess.run([program, "solve", "scenes/ladder.json", "--out", tmp_path / "full.hdf5"], check=True, capture_output=True)
    assert st.check(p, st.read_solution(tmp_path / "full.hdf5")).ok


@pytest.mark.skipif(models is None, reason="the wheel was built without Pinocchio")
def test_loops_and_sticking_points_constrain():
    rod = models.Model.from_file("scenes/models/rod.urdf", base="floating")
    free, held = rod.free_acceleration(), rod.with_sticking(["tip"])
    np.testing.assert_allclose(free[:3], [0, 0, -9.80665], atol=1e-9)
    position, _, acceleration = held.contact_state("tip")
    np.testing.assert_allclose(acceleration, 0, atol=1e-9)
    assert held.sticking == ["tip"] and rod.sticking == []
    # P = M⁻¹ − M⁻¹Gᵀ(G M⁻¹Gᵀ)⁻¹G M⁻¹, by numpy, on an arm that M is regular for.
    arm = models.Model.from_file("scenes/models/arm7.urdf")
    q = 0.3 * np.ones(arm.nq)
    hand, elbow = arm.frames[-1], arm.joints[3]
    inverse = np.linalg.inv(arm.mass(q))
    G, A = arm.jacobian(elbow, q), arm.jacobian(hand, q)
    P = inverse - inverse @ G.T @ np.linalg.pinv(G @ inverse @ G.T) @ G @ inverse
    W = arm.with_sticking([elbow]).delassus(hand, q)
    assert np.abs(W).max() > 0.1
    np.testing.assert_allclose(W, A @ P @ A.T, atol=1e-7 * np.abs(W).max())
    both = arm.contacts_delassus([hand, elbow], q)
    np.testing.assert_allclose(both[:3, :3], arm.delassus(hand, q), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(both[:3, 3:], A @ inverse @ arm.jacobian(elbow, q).T, atol=1e-9 * np.abs(both).max())


@pytest.mark.skipif(models is None, reason="the wheel was built without Pinocchio")
def test_loops_close():
    bars = models.Model.from_file("scenes/models/four-bar.xml")
    assert bars.loops == [(None, None)]  # an anchor in the middle of nowhere
    q = bars.neutral + 0.2
    assert bars.loop_gap(q) > 1e-3
    closed = bars.close_loops(q, held=[bars.joints[0]])
    assert bars.loop_gap(closed) < 1e-9 and closed[0] == q[0]


@pytest.mark.skipif(models is None, reason="the wheel was built without Pinocchio")
def test_a_rod_that_slides_has_two_futures_or_none():
    # Painlevé: beyond mu_jam, with the tip sliding under the centre, p < 0.
    rod = models.Model.from_file("scenes/models/rod.urdf", base="floating")
    angle = 1.0
    q = rod.neutral
    q[3:7] = [0, np.sin(angle / 2), 0, np.cos(angle / 2)]
    cone = rod.generalized_cone("tip", 0.5, q)
    W = cone.delassus
    for mu in (0.5 * cone.mu_jam, 2 * cone.mu_jam):
        v = np.linalg.lstsq(rod.jacobian("tip", q), [np.sign(W[0, 2]), 0, 0], rcond=None)[0]
        found = rod.contact_motions(["tip"], mu, q, v)
        assert found.touches == [True] and found.slides == [True]
        _, velocity, acceleration = rod.contact_state("tip", q, v)
        regime = st.generalized_cone(W, mu).regime(velocity[:2], acceleration[2])
        expected = {"separate": 1, "slide": 1, "indeterminate": 2, "inconsistent": 0}[regime]
        assert len(found.found.solutions) == expected and found.found.complete


@pytest.mark.skipif(models is None, reason="the wheel was built without Pinocchio")
def test_a_map_counts_what_jams():
    arm = models.Model.from_file("scenes/models/two-link-arm.urdf")
    sweeps = [f"{arm.joints[0]}=0.2:1.2:15", f"{arm.joints[1]}=0.2:1.2:15"]
    found = arm.jamming_map(arm.frames[-1], sweeps, law=0.7)
    assert found.jamming == (found.mu_jam < 0.7).sum()
