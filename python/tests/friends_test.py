# SPDX-License-Identifier: Apache-2.0
"""Models of MuJoCo and Pinocchio, with the real packages."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest
import stiction as st


def box(mujoco, slope, mu, extra=""):
    g = 9.81 * np.array([np.sin(slope), 0, -np.cos(slope)])
    return mujoco.MjModel.from_xml_string(f"""
    <mujoco><option timestep="0.002" gravity="{g[0]} 0 {g[2]}"/><worldbody>
      <geom type="plane" size="5 5 1" friction="{mu}"/>
      <body pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="2" friction="{mu}" margin="0.001"/></body>
      {extra}
    </worldbody></mujoco>""")


def test_mujoco_box_holds_below_the_friction_angle_and_slides_above():
    mujoco = pytest.importorskip("mujoco", reason="mujoco could not be installed")
    for slope, mu in ((0.3, 0.5), (0.6, 0.5)):
        model = box(mujoco, slope, mu)
        scene = st.from_mujoco(model, mujoco.MjData(model))
        assert scene.solution.status == "solved" and len(scene.positions) == 4
        # N = m g cos, and the box accelerates by g (sin − μ cos) where that is positive.
        assert scene.forces[:, 0].sum() == pytest.approx(2 * 9.81 * np.cos(slope), rel=1e-6)
        expected = max(0.0, 9.81 * (np.sin(slope) - mu * np.cos(slope))) * 0.002
        assert scene.velocity[0] == pytest.approx(expected, abs=1e-9)
        np.testing.assert_allclose(scene.velocity[1:], 0, atol=1e-9)


def test_mujoco_jacobian_and_mass_are_mujocos():
    mujoco = pytest.importorskip("mujoco", reason="mujoco could not be installed")
    model = box(mujoco, 0.2, 0.5)
    data = mujoco.MjData(model)
    data.qvel[:] = [0.1, -0.2, -0.05, 0.3, 0.1, -0.4]
    scene = st.from_mujoco(model, data)
    np.testing.assert_allclose(np.diag(scene.mass)[:3], 2.0)
    np.testing.assert_allclose(np.diag(scene.mass)[3:], 2 / 3 * 0.1**2 * 2, rtol=1e-9)
    # The velocity of a material point of the box, from its own formula.
    R = data.xmat[1].reshape(3, 3)
    omega = R @ data.qvel[3:]
    for row, at, frame in zip(scene.jacobian.reshape(-1, 3, 6), scene.positions, scene.frames):
        u = data.qvel[:3] + np.cross(omega, at - data.xipos[1])
        np.testing.assert_allclose(row @ data.qvel, frame @ u, atol=1e-12)


def test_mujoco_without_contacts_falls():
    mujoco = pytest.importorskip("mujoco", reason="mujoco could not be installed")
    model = box(mujoco, 0.0, 0.5)
    data = mujoco.MjData(model)
    data.qpos[2] = 1.0
    scene = st.from_mujoco(model, data)
    assert scene.solution is None and scene.velocity[2] == pytest.approx(-9.81 * 0.002)


def test_mujoco_generalized_cone():
    mujoco = pytest.importorskip("mujoco", reason="mujoco could not be installed")
    model = box(mujoco, 0.0, 0.5)
    scene = st.from_mujoco(model, mujoco.MjData(model))
    g = scene.generalized_cone(0)
    H = scene.jacobian[:3]
    W = H @ np.linalg.inv(scene.mass) @ H.T
    np.testing.assert_allclose(g.delassus, W[np.ix_([1, 2, 0], [1, 2, 0])], atol=1e-12)
    with pytest.raises(ValueError, match="contact is 9, expected 0 to 3"):
        scene.generalized_cone(9)


def test_the_box_that_creeps_does_not_in_the_exact_solution():
    pytest.importorskip("mujoco", reason="mujoco could not be installed")
    example = pathlib.Path("examples/creeping_box.py")
    done = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert "exact    moved 0.000 mm" in done.stdout


def free_ball(pin, mass, inertia):
    model = pin.Model()
    joint = model.addJoint(0, pin.JointModelFreeFlyer(), pin.SE3.Identity(), "root")
    model.appendBodyToJoint(joint, pin.Inertia(mass, np.zeros(3), inertia * np.eye(3)), pin.SE3.Identity())
    at = pin.SE3(np.eye(3), np.array([0.0, 0.0, -0.1]))
    model.addFrame(pin.Frame("foot", joint, 0, at, pin.FrameType.OP_FRAME))
    return model


def test_pinocchio_sliding_ball():
    pin = pytest.importorskip("pinocchio", reason="pin could not be installed")
    m, I, radius, mu, dt = 2.0, 0.008, 0.1, 0.3, 1e-3
    model = free_ball(pin, m, I)
    v = np.array([1.0, 0, 0, 0, 0, 0])
    scene = st.from_pinocchio(model, model.createData(), pin.neutral(model), v, contacts=["foot"], law=mu, time_step=dt)
    # It slips: the normal impulse is m g dt, friction slows it by μ g dt and turns it by μ m g dt R/I.
    g = 9.81
    np.testing.assert_allclose(scene.forces[0], [m * g, -mu * m * g, 0], rtol=1e-6, atol=1e-9)
    assert scene.velocity[0] == pytest.approx(1 - mu * g * dt)
    assert scene.velocity[4] == pytest.approx(mu * m * g * dt * radius / I)
    # The Delassus matrix of a sphere: 1/m + R²/I along the tangents, 1/m along the normal.
    np.testing.assert_allclose(scene.generalized_cone(0).delassus, np.diag([1 / m + radius**2 / I] * 2 + [1 / m]), atol=1e-12)


def test_pinocchio_refuses_wrong_arrays():
    pin = pytest.importorskip("pinocchio", reason="pin could not be installed")
    model = free_ball(pin, 1.0, 0.01)
    data = model.createData()
    with pytest.raises(ValueError, match=r"q is an array of shape \(3,\), expected shape \(7,\)"):
        st.from_pinocchio(model, data, [1.0, 2, 3], contacts=["foot"], law=0.5)
    with pytest.raises(ValueError, match="contacts has 'hand'"):
        st.from_pinocchio(model, data, pin.neutral(model), contacts=["hand"], law=0.5)
    for changed, message in [
        ({"q": np.zeros(7)}, "^q has a quaternion whose length is not 1, expected one of unit length$"),
        ({"q": np.ma.masked_array(pin.neutral(model), [1] + 6 * [0])}, "^q has masked entries, expected numbers$"),
        ({"torque": "abc"}, "^torque is 'abc', expected real numbers$"),
        ({"torque": 1j * np.ones(6)}, "^torque is an array of dtype complex128, expected real numbers$"),
        ({"torque": [0, 0, np.inf, 0, 0, 0]}, r"^torque\[2\] is inf, expected a finite number$"),
        ({"time_step": "x"}, "^time_step is 'x', expected a number > 0$"),
        ({"time_step": 0.0}, "^time_step is 0.0, expected a number > 0$"),
        ({"gaps": np.nan}, "^gaps is nan, expected a finite number$"),
        ({"gaps": [0.0, 1.0]}, r"^gaps is an array of shape \(2,\), expected one for all or 1$"),
        ({"normals": [1.0, 0.0]}, r"^normals is an array of shape \(2,\), expected one for all or 1$"),
        ({"contacts": [1.7]}, "^contacts has 1.7, expected a frame of the model$"),
        ({"contacts": 3}, "^contacts is 3, expected a list of frames$"),
        ({"contacts": "foot"}, "^contacts is 'foot', expected a list of frames$"),
    ]:
        with pytest.raises(ValueError, match=message):
            st.from_pinocchio(**{"model": model, "data": data, "q": pin.neutral(model), "contacts": ["foot"], "law": 0.5} | changed)
