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


def hinge(mujoco, option, joint, extra=""):
    return mujoco.MjModel.from_xml_string(f"""
    <mujoco><option gravity="0 0 0" {option}/><worldbody><body><joint name="a" axis="0 1 0" {joint}/>
      <geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.01" mass="0.05"/></body></worldbody>{extra}</mujoco>""")


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast"])
def test_mujoco_damping_is_implicit(integrator):
    mujoco = pytest.importorskip("mujoco", reason="mujoco could not be installed")
    model = hinge(mujoco, f'timestep="0.005" integrator="{integrator}"', 'damping="2"')
    data, stepped = mujoco.MjData(model), mujoco.MjData(model)
    data.qvel[:] = stepped.qvel[:] = 10
    scene = st.from_mujoco(model, data)
    mujoco.mj_step(model, stepped)
    # (M + Δt D) v⁺ = M v
    M = scene.mass[0, 0]
    assert scene.velocity[0] == pytest.approx(M * 10 / (M + 0.005 * 2), rel=1e-12)
    assert scene.velocity[0] == pytest.approx(stepped.qvel[0], rel=1e-12)
    assert scene.left_out == []


def test_mujoco_damping_stays_explicit_where_mujocos_does():
    mujoco = pytest.importorskip("mujoco", reason="mujoco could not be installed")
    model = hinge(mujoco, 'timestep="0.001"', 'damping="0.2"')
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_EULERDAMP)
    data, stepped = mujoco.MjData(model), mujoco.MjData(model)
    data.qvel[:] = stepped.qvel[:] = 1
    mujoco.mj_step(model, stepped)
    assert st.from_mujoco(model, data).velocity[0] == pytest.approx(stepped.qvel[0], rel=1e-12)


@pytest.mark.parametrize("integrator", ["Euler", "implicitfast"])
def test_mujoco_actuators_damp_as_the_integrator_says(integrator):
    mujoco = pytest.importorskip("mujoco", reason="mujoco could not be installed")
    actuators = """<actuator><velocity joint="a" kv="0.3" gear="2"/><position joint="a" kp="4" kv="0.1"/>
      <velocity joint="a" kv="9" forcerange="-0.01 0.01" forcelimited="true"/></actuator>"""
    model = hinge(mujoco, f'timestep="0.001" integrator="{integrator}"', 'damping="0.1"', actuators)
    data, stepped = mujoco.MjData(model), mujoco.MjData(model)
    for each in (data, stepped):
        each.qvel[:], each.ctrl[:] = 3, [1, 0.2, 0]
    mujoco.mj_step(model, stepped)
    scene = st.from_mujoco(model, data)
    assert scene.velocity[0] == pytest.approx(stepped.qvel[0], rel=1e-9)
    assert scene.left_out == []


def test_mujoco_what_is_not_taken_is_named():
    mujoco = pytest.importorskip("mujoco", reason="mujoco could not be installed")
    model = mujoco.MjModel.from_xml_string("""
    <mujoco><option integrator="implicitfast" density="1.2"/><worldbody>
      <geom type="plane" size="1 1 1" condim="4"/>
      <body pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" condim="4" margin="0.001"/>
        <body name="link" pos="0.3 0 0"><joint name="a" axis="0 1 0" frictionloss="0.1" range="0 1" limited="true"/>
          <geom size="0.02" pos="0.1 0 0.1"/></body></body>
      <body name="far" pos="2 0 2"><joint name="b" type="slide"/><geom size="0.02"/></body></worldbody>
      <tendon><fixed damping="1"><joint joint="a" coef="1"/></fixed></tendon>
      <equality><joint joint1="b" polycoef="0.25 0 0 0 0"/></equality></mujoco>""")
    data = mujoco.MjData(model)
    data.qpos[7] = -0.1
    words = "; ".join(st.from_mujoco(model, data).left_out)
    for said in ("torsional or rolling", "limits", "friction of joints", "tendons' damping", "fluid's damping", "position error of equality"):
        assert said in words


def test_mujoco_numbers_that_are_not_finite_name_their_joint():
    mujoco = pytest.importorskip("mujoco", reason="mujoco could not be installed")
    model = box(mujoco, 0.0, 0.5, '<body pos="2 0 2"><joint name="knee"/><geom size="0.1"/></body>')
    for field, index in (("qpos", 7), ("qvel", 6)):
        data = mujoco.MjData(model)
        getattr(data, field)[index] = np.nan
        with pytest.raises(ValueError, match=rf"^{field}\[{index}\], of joint 'knee', is nan, expected a finite number$"):
            st.from_mujoco(model, data)
    data = mujoco.MjData(model)
    data.qfrc_applied[2] = np.inf
    with pytest.raises(ValueError, match=r"^qfrc_smooth\[2\], of joint 0, is inf, expected a finite number$"):
        st.from_mujoco(model, data)


def hand(mujoco):
    """A palm with five fingers of four damped hinges that close on a ball; joints listed from the palm out."""
    fingers = ""
    for k in range(5):
        pose = f'pos="{0.02 * (k - 2)} 0.05 0"' if k else 'pos="0.05 0 0" euler="0 0 -60"'
        link = ""
        for part, length in reversed(list(enumerate((0.01, 0.04, 0.03, 0.02)))):
            before = (0.0, 0.01, 0.04, 0.03)[part]
            axis = "0 0 1" if part == 0 else "1 0 0"
            place = pose if part == 0 else f'pos="0 {before} 0"'
            link = f"""<body {place}><joint name="f{k}_{part}" axis="{axis}" damping="0.1" armature="1e-5"/>
              <geom type="capsule" fromto="0 0 0 0 {length} 0" size="0.008" mass="0.01" friction="0.9"/>{link}</body>"""
        fingers += link
    return mujoco.MjModel.from_xml_string(f"""
    <mujoco><option timestep="0.002"/><compiler angle="degree"/><worldbody>
      <geom type="plane" size="1 1 1" pos="0 0 -0.1"/>
      <body name="palm"><geom type="box" size="0.05 0.05 0.01" mass="0.3"/>{fingers}</body>
      <body pos="0 0.02 0.042"><freejoint/><geom size="0.03" mass="0.05" friction="0.9"/></body></worldbody>
      <actuator>{"".join(f'<motor joint="f{k}_{p}"/>' for k in range(5) for p in range(1, 4))}</actuator></mujoco>""")


def test_mujoco_hand_closes_without_growing():
    mujoco = pytest.importorskip("mujoco", reason="mujoco could not be installed")
    model = hand(mujoco)
    data = mujoco.MjData(model)
    data.ctrl[:] = 0.05
    for _ in range(100):
        scene = st.from_mujoco(model, data)
        data.qvel[:] = scene.velocity
        mujoco.mj_integratePos(model, data.qpos, data.qvel, model.opt.timestep)
        # No finger is faster than its damping lets its motor turn it, with gravity beside.
        assert np.abs(data.qvel[:20]).max() < 50


def jacobian_by_mujoco(mujoco, model, data, contact):
    first, second = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    bodies = model.geom_bodyid[contact.geom]
    mujoco.mj_jac(model, data, first, None, contact.pos, bodies[0])
    mujoco.mj_jac(model, data, second, None, contact.pos, bodies[1])
    return np.array(contact.frame).reshape(3, 3) @ (second - first)


def test_mujoco_jacobian_and_mass_are_mujocos_on_trees():
    mujoco = pytest.importorskip("mujoco", reason="mujoco could not be installed")
    random = np.random.default_rng(1)
    for model in (hand(mujoco), box(mujoco, 0.2, 0.5, BRANCHES)):
        data, seen = mujoco.MjData(model), 0
        for _ in range(20):
            mujoco.mj_resetData(model, data)
            data.qvel[:] = 0.3 * random.standard_normal(model.nv)
            mujoco.mj_integratePos(model, data.qpos, random.standard_normal(model.nv), 0.3)
            scene = st.from_mujoco(model, data)
            unit, column = np.zeros(model.nv), np.zeros(model.nv)
            for k in range(model.nv):
                unit[:] = np.arange(model.nv) == k
                mujoco.mj_mulM(model, data, column, unit)
                np.testing.assert_allclose(scene.mass[k], column, atol=1e-14)
            kept = [c for c in data.contact if c.exclude in (0, 1)]
            assert len(kept) == len(scene.positions)
            for contact, rows in zip(kept, scene.jacobian.reshape(-1, 3, model.nv)):
                np.testing.assert_allclose(rows, jacobian_by_mujoco(mujoco, model, data, contact), atol=1e-12)
                seen += 1
        assert seen > 20


BRANCHES = """<body name="root" pos="0 0 0.1"><joint type="ball"/><geom size="0.1"/>
  <body pos="0.1 0 0"><geom type="capsule" fromto="0 0 0 0.2 0 0" size="0.05"/>
    <body pos="0.2 0 0"><joint type="slide" axis="1 0 0"/><joint axis="0 1 0"/><geom size="0.1"/></body>
    <body pos="0.2 0.1 0"><joint axis="0 0 1"/><geom type="box" size="0.1 0.1 0.1"/></body></body></body>"""


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
