# SPDX-License-Identifier: Apache-2.0
"""Mechanisms from files, where the wheel was built with Pinocchio."""

import numpy as np
import pytest
import stiction as st

models = pytest.importorskip("stiction.models", reason="the wheel was built without Pinocchio", exc_type=ImportError)


def tilted(model, angle):
    """The rod of scenes/models turned about y by an angle, its tip downwards."""
    q = model.neutral
    q[3:7] = [0, np.sin(angle / 2), 0, np.cos(angle / 2)]
    return q


def test_a_rod_from_a_file_is_the_rod_in_closed_form():
    rod = models.Model.from_file("scenes/models/rod.urdf", base="floating")
    for angle in (0.3, 0.7, 1.1):
        g = rod.generalized_cone("tip", 0.5, tilted(rod, angle))
        t = np.tan(angle)
        assert isinstance(g, st.GeneralizedCone)
        assert g.mu_crit == pytest.approx(3 * t / (1 + 4 * t**2), rel=1e-6)
        assert g.mu_jam == pytest.approx((t**2 + 4) / (3 * t), rel=1e-6)


def test_batches_and_single_configurations_agree():
    rod = models.Model.from_file("scenes/models/rod.urdf", base="floating")
    q = np.array([tilted(rod, a) for a in (0.2, 0.5, 0.9)])
    W = rod.delassus("tip", q)
    for one, row in zip(q, W):
        np.testing.assert_array_equal(rod.delassus("tip", one), row)
        A, M = rod.jacobian("tip", one), rod.mass(one)
        assert A.shape == (3, 6)
        inverse = np.linalg.pinv(M, rcond=1e-6)
        np.testing.assert_allclose(A @ inverse @ A.T, row, atol=1e-6)


def test_free_fall_and_maps():
    rod = models.Model.from_file("scenes/models/rod.urdf", base="floating", gravity=[0, 0, -2.0])
    _, velocity, acceleration = rod.contact_state("tip", tilted(rod, 0.5))
    np.testing.assert_array_equal(velocity, 0)
    np.testing.assert_allclose(acceleration, [0, 0, -2.0], atol=1e-12)
    arm = models.Model.from_file("scenes/models/two-link-arm.urdf")
    sweep = f"{arm.joints[1]}=0.2:1.2:5"
    found = arm.jamming_map(arm.frames[-1], [sweep], threads=1)
    np.testing.assert_allclose(found.coordinates[0], np.linspace(0.2, 1.2, 5))
    for value, jam in zip(found.coordinates[0], found.mu_jam):
        q = arm.neutral
        q[1] = value
        assert jam == pytest.approx(st.mu_jam(arm.delassus(arm.frames[-1], q)), rel=1e-9)


@pytest.mark.parametrize(
    "call,message",
    [
        (lambda m: m.delassus("nowhere"), "nowhere"),
        (lambda m: m.delassus("tip", [1.0, 2.0]), r"q is an array of shape \(2,\), expected shape \(7,\) or \(n, 7\)"),
        (lambda m: m.delassus("tip", normal=[0, 0, 0]), "normal"),
        (lambda m: m.mass(np.full(7, np.nan)), r"q\[0\] is nan"),
        (lambda m: m.mass(np.ma.masked_array(m.neutral, [1] + 6 * [0])), "^q has masked entries, expected numbers$"),
        (lambda m: m.jamming_map("tip", ["x=1:2"]), r"sweeps\[0\] is 'x=1:2', expected JOINT=FROM:TO:COUNT"),
        (lambda m: models.Model.from_text("<robot", base="fixed"), "text"),
        (lambda m: models.Model.from_file("scenes/models/rod.urdf", base="loose"), "base is 'loose', expected"),
    ],
)
def test_what_is_wrong_is_named(call, message):
    rod = models.Model.from_file("scenes/models/rod.urdf", base="floating")
    with pytest.raises(ValueError, match=message):
        call(rod)
