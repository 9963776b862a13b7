# SPDX-License-Identifier: Apache-2.0
"""Contact problems of other programs' models: MuJoCo and Pinocchio.

One step of length Δt from the velocity v, with the forces τ that are not the contacts':

    M v⁺ = M v + Δt τ + Hᵀ r + Gᵀ λ      r: impulses n, t1, t2 at each contact    [N s]
    u = H v⁺ + w                         w: the gap left, over Δt, along n        [m/s]
    G v⁺ + b = 0                         equality constraints

under exact Coulomb friction.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _stiction as st
from ._arguments import numbers, positive, said
from ._classes import describe

Floats = NDArray[np.float64]
LawLike = Any  # a Law, a coefficient or a text, or one of those a contact


@dataclass(frozen=True, eq=False)
class Scene:
    """The contacts of a model at one instant, and the exact solution of one step.

    >>> import pinocchio
    >>> model = pinocchio.buildModelFromMJCF("scenes/models/box.xml")
    >>> corners = ["corner", "corner2", "corner3", "corner4"]
    >>> scene = st.from_pinocchio(
    ...     model, model.createData(), pinocchio.neutral(model), contacts=corners, law=0.7)
    >>> scene.problem.contacts, scene.jacobian.shape, scene.left_out
    (4, (12, 6), [])
    """

    mass: Floats
    """M, (nv, nv) [kg, kg m²]."""
    jacobian: Floats
    """H, a row a contact component in the order n, t1, t2."""
    positions: Floats
    """Of the contacts in the world, (n, 3) [m]."""
    frames: Floats
    """Rows n, t1, t2 of each contact, (n, 3, 3)."""
    time_step: float
    """Δt [s]."""
    problem: st.GlobalProblem | None
    """In impulses; None where nothing touches."""
    solution: st.Solution | None
    """None where nothing touches."""
    velocity: Floats
    """v⁺, (nv,)."""
    left_out: list[str] = field(default_factory=list)
    """What the model has and the problem does not, in words."""

    __repr__ = describe

    @property
    def forces(self) -> Floats:
        """At each contact, n, t1, t2, averaged over the step [N]."""
        if self.solution is None:
            return np.zeros((0, 3))
        return self.solution.reactions / self.time_step

    def generalized_cone(self, contact: int) -> st.GeneralizedCone:
        """What friction at one contact can do, the others without force; order t1, t2, n.

        >>> import pinocchio
        >>> box = pinocchio.buildModelFromMJCF("scenes/models/box.xml")
        >>> scene = st.from_pinocchio(box, box.createData(), pinocchio.neutral(box), contacts=["edge"], law=0.7)
        >>> scene.generalized_cone(0).delassus.diagonal()  # 1/m and, across, lever²/inertia
        array([0.8       , 1.92153846, 1.7       ])
        """
        if self.problem is None or not 0 <= contact < self.problem.contacts:
            count = 0 if self.problem is None else self.problem.contacts
            raise ValueError(f"contact is {contact}, expected 0 to {count - 1}")
        block = slice(3 * contact, 3 * contact + 3)
        W = self.problem.condensed().W.toarray()[block, block]
        order = [1, 2, 0]
        return st.generalized_cone(W[np.ix_(order, order)], self.problem.laws[contact])


def _scene(
    M: Floats,
    H: Floats,
    impulse: Floats,
    gaps: Floats,
    laws: LawLike,
    positions: Floats,
    frames: Floats,
    time_step: float,
    G: Floats | None,
    b: Floats | None,
    left_out: list[str],
    options: dict[str, Any],
) -> Scene:
    count = len(positions)
    if count == 0:
        A = M if G is None else np.block([[M, G.T], [G, np.zeros((len(G), len(G)))]])
        rhs = impulse if b is None else np.concatenate([impulse, -b])
        v = np.asarray(np.linalg.lstsq(A, rhs, rcond=None)[0][: len(M)], dtype=np.float64)
        return Scene(M, H, positions, frames, time_step, None, None, v, left_out)
    w = np.zeros((count, 3))
    w[:, 0] = gaps / time_step
    problem = st.GlobalProblem(M, H, impulse, w.ravel(), laws, G=G, b=b)
    solution = st.solve(problem, **options)
    return Scene(M, H, positions, frames, time_step, problem, solution, solution.generalized_velocities, left_out)


def from_mujoco(model: Any, data: Any, *, law: LawLike = None, **options: Any) -> Scene:
    """The exact contact problem of a MuJoCo model in its current state, solved.

    Contacts are those that MuJoCo detects.  Each has the law of its sliding friction, a disc or an
    ellipse (none for condim 1), unless `law` is given.  Equality constraints hold exactly.  What is
    not taken along is named in `left_out`: limits, friction and springs of constraints, torsional and
    rolling friction.  `options` go to solve.  `data` is brought up to date by mj_forward.

    >>> import mujoco
    >>> model = mujoco.MjModel.from_xml_string(
    ...     "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 0.1'><freejoint/>"
    ...     "<geom type='box' size='0.1 0.1 0.1' mass='1' margin='0.001'/></body></worldbody></mujoco>")
    >>> scene = st.from_mujoco(model, mujoco.MjData(model))
    >>> scene.solution.status, round(float(scene.forces[:, 0].sum()), 6)  # weight, carried
    ('solved', 9.81)
    """
    import mujoco

    mujoco.mj_forward(model, data)
    nv, dt = model.nv, float(model.opt.timestep)
    M: Floats = np.zeros((nv, nv))
    unit = np.zeros(nv)
    for k in range(nv):  # M e_k, by the one call that all versions have
        unit[:] = 0
        unit[k] = 1
        mujoco.mj_mulM(model, data, M[k], unit)
    M = 0.5 * (M + M.T)
    left_out: list[str] = []
    rows, positions, frames, gaps, laws = [], [], [], [], []
    first, second = np.zeros((3, nv)), np.zeros((3, nv))
    twisting = 0
    for k in range(data.ncon):
        contact = data.contact[k]
        if contact.exclude != 0 and contact.exclude != 1:
            continue  # not in the constraint set: fixed bodies, or excluded
        frame = np.array(contact.frame).reshape(3, 3)  # normal from the first geom to the second
        bodies = [int(model.geom_bodyid[g]) for g in contact.geom]
        mujoco.mj_jac(model, data, first, None, contact.pos, bodies[0])
        mujoco.mj_jac(model, data, second, None, contact.pos, bodies[1])
        rows.append(frame @ (second - first))
        positions.append(np.array(contact.pos))
        frames.append(frame)
        gaps.append(max(float(contact.dist), 0.0))
        mu1, mu2 = float(contact.friction[0]), float(contact.friction[1])
        twisting += contact.dim > 3
        if contact.dim == 1:
            laws.append(st.free())
        else:
            laws.append(st.disc(mu1) if mu1 == mu2 else st.ellipse(mu1, mu2))
    if twisting:
        left_out.append(f"torsional or rolling friction of {twisting} contacts")
    G, b = _mujoco_equalities(model, data, left_out)
    impulse = M @ data.qvel + dt * data.qfrc_smooth
    return _scene(
        M,
        np.vstack(rows) if rows else np.zeros((0, nv)),
        impulse,
        np.array(gaps),
        laws if law is None else law,
        np.array(positions).reshape(-1, 3),
        np.array(frames).reshape(-1, 3, 3),
        dt,
        G,
        b,
        left_out,
        options,
    )


def _mujoco_equalities(model: Any, data: Any, left_out: list[str]) -> tuple[Floats | None, Floats | None]:
    """Rows of G, with no velocity along them, and in words what other constraints there are."""
    import mujoco

    kind = mujoco.mjtConstraint
    types = np.array(data.efc_type[: data.nefc])
    for names, words in (
        ((kind.mjCNSTR_LIMIT_JOINT, kind.mjCNSTR_LIMIT_TENDON), "limits that are reached"),
        ((kind.mjCNSTR_FRICTION_DOF, kind.mjCNSTR_FRICTION_TENDON), "friction of joints or tendons"),
    ):
        count = int(np.isin(types, [int(n) for n in names]).sum())
        if count:
            left_out.append(f"{count} {words}")
    chosen = types == int(kind.mjCNSTR_EQUALITY)
    if not chosen.any():
        return None, None
    J = np.zeros((data.nefc, model.nv))
    if mujoco.mj_isSparse(model):
        mujoco.mju_sparse2dense(J, data.efc_J, data.efc_J_rownnz, data.efc_J_rowadr, data.efc_J_colind)
    else:
        J[:] = np.array(data.efc_J).reshape(data.nefc, model.nv)
    G = J[chosen]
    return G, np.zeros(len(G))


def from_pinocchio(
    model: Any,
    data: Any,
    q: ArrayLike,
    v: ArrayLike | None = None,
    *,
    contacts: Sequence[str | int],
    law: LawLike,
    normals: ArrayLike = (0.0, 0.0, 1.0),
    gaps: ArrayLike = 0.0,
    torque: ArrayLike | None = None,
    time_step: float = 1e-3,
    **options: Any,
) -> Scene:
    """The exact contact problem of a Pinocchio model whose frames touch the world, solved.

    `contacts` are frames, by name or index, whose origins touch; `normals`, one for all or one each,
    point out of the ground; t1 is the world's x projected on the tangent plane (y where n is along x).

    >>> import pinocchio
    >>> model = pinocchio.Model()
    >>> body = model.addJoint(0, pinocchio.JointModelFreeFlyer(), pinocchio.SE3.Identity(), "root")
    >>> model.appendBodyToJoint(body, pinocchio.Inertia.FromSphere(2.0, 0.1), pinocchio.SE3.Identity())
    >>> frame = model.addBodyFrame("ball", body, pinocchio.SE3(np.eye(3), np.array([0, 0, -0.1])), 0)
    >>> scene = st.from_pinocchio(
    ...     model, model.createData(), pinocchio.neutral(model), contacts=["ball"], law=0.7)
    >>> round(float(scene.forces[0, 0]), 6)  # weight, carried
    19.62
    """
    import pinocchio as pin

    def row_of(name: str, value: ArrayLike, size: int) -> Floats:
        row = numbers(name, value)
        if row.shape != (size,):
            raise ValueError(f"{name} is an array of shape {row.shape}, expected shape ({size},)")
        return row

    def one_each(name: str, value: ArrayLike, shape: tuple[int, ...]) -> Floats:
        rows = numbers(name, value)
        try:
            return np.broadcast_to(rows, shape)
        except ValueError:
            raise ValueError(f"{name} is an array of shape {rows.shape}, expected one for all or {shape[0]}") from None

    q = row_of("q", q, model.nq)
    if not pin.isNormalized(model, q, 1e-6):
        raise ValueError("q has a quaternion whose length is not 1, expected one of unit length")
    v = np.zeros(model.nv) if v is None else row_of("v", v, model.nv)
    torque = np.zeros(model.nv) if torque is None else row_of("torque", torque, model.nv)
    time_step = positive("time_step", time_step)
    if isinstance(contacts, str) or not isinstance(contacts, Iterable):
        raise ValueError(f"contacts is {said(contacts)}, expected a list of frames")
    ids = []
    for contact in contacts:
        index = -1
        if isinstance(contact, str):
            index = model.getFrameId(contact)
        elif isinstance(contact, (int, np.integer)) and not isinstance(contact, bool):
            index = int(contact)
        if not 0 <= index < model.nframes:
            raise ValueError(f"contacts has {said(contact)}, expected a frame of the model")
        ids.append(index)
    count = len(ids)
    normal, gap = one_each("normals", normals, (count, 3)), one_each("gaps", gaps, (count,))
    M = np.array(pin.crba(model, data, q))
    M = np.triu(M) + np.triu(M, 1).T
    bias = np.array(pin.nonLinearEffects(model, data, q, v))
    pin.computeJointJacobians(model, data, q)
    pin.updateFramePlacements(model, data)
    rows, positions, frames = [], [], []
    for index, n in zip(ids, normal):
        frame = _contact_frame(n)
        J = np.array(pin.getFrameJacobian(model, data, index, pin.ReferenceFrame.LOCAL_WORLD_ALIGNED))[:3]
        rows.append(frame @ J)
        positions.append(np.array(data.oMf[index].translation))
        frames.append(frame)
    return _scene(
        M,
        np.vstack(rows) if rows else np.zeros((0, model.nv)),
        M @ v + time_step * (torque - bias),
        np.maximum(gap, 0.0),
        law,
        np.array(positions).reshape(-1, 3),
        np.array(frames).reshape(-1, 3, 3),
        time_step,
        None,
        None,
        [],
        options,
    )


def _contact_frame(normal: Floats) -> Floats:
    length = np.linalg.norm(normal)
    if not (length > 0 and np.isfinite(length)):
        raise ValueError(f"normals has {normal}, expected a direction")
    n = normal / length
    axis = np.array([1.0, 0.0, 0.0])
    t1 = axis - (axis @ n) * n
    if np.linalg.norm(t1) < 1e-9:
        axis = np.array([0.0, 1.0, 0.0])
        t1 = axis - (axis @ n) * n
    t1 /= np.linalg.norm(t1)
    return np.array([n, t1, np.cross(n, t1)])
