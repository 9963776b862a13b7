# SPDX-License-Identifier: Apache-2.0
"""Contact problems of other programs' models: MuJoCo and Pinocchio.

One step of length Δt from the velocity v, with the forces τ that are not the contacts':

    M v⁺ = M v + Δt τ + Hᵀ r + Gᵀ λ      r: impulses n, t1, t2 at each contact    [N s]
    u = H v⁺ + w                         w: the gap left, over Δt, along n        [m/s]
    G v⁺ + b = 0                         equality constraints

under exact Coulomb friction.  Where joints are damped by D, M + Δt D takes the place of M.
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
    damped: Floats | None = None,
) -> Scene:
    """`damped` is M + Δt D, M where there is no damping."""
    count = len(positions)
    effective = M if damped is None else damped
    if count == 0:
        A = effective if G is None else np.block([[effective, G.T], [G, np.zeros((len(G), len(G)))]])
        rhs = impulse if b is None else np.concatenate([impulse, -b])
        v = np.asarray(np.linalg.lstsq(A, rhs, rcond=None)[0][: len(M)], dtype=np.float64)
        return Scene(M, H, positions, frames, time_step, None, None, v, left_out)
    w = np.zeros((count, 3))
    w[:, 0] = gaps / time_step
    problem = st.GlobalProblem(effective, H, impulse, w.ravel(), laws, G=G, b=b)
    solution = st.solve(problem, **options)
    return Scene(M, H, positions, frames, time_step, problem, solution, solution.generalized_velocities, left_out)


def from_mujoco(model: Any, data: Any, *, law: LawLike = None, **options: Any) -> Scene:
    """The exact contact problem of a MuJoCo model in its current state, solved.

    Contacts are those that MuJoCo detects.  Each has the law of its sliding friction, a disc or an
    ellipse (none for condim 1), unless `law` is given.  Contacts and equality constraints are rigid.
    Damping D of joints, and of actuators on joints where the integrator is an implicit one, enters
    as in MuJoCo: (M + Δt D)(v⁺ − v) = Δt τ + Hᵀ r.  What is not taken along is named in `left_out`.
    `options` go to solve.  `data` is brought up to date by mj_forward.

    >>> import mujoco
    >>> model = mujoco.MjModel.from_xml_string(
    ...     "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 0.1'><freejoint/>"
    ...     "<geom type='box' size='0.1 0.1 0.1' mass='1' margin='0.001'/></body></worldbody></mujoco>")
    >>> scene = st.from_mujoco(model, mujoco.MjData(model))
    >>> scene.solution.status, round(float(scene.forces[:, 0].sum()), 6)  # weight, carried
    ('solved', 9.81)
    """
    import mujoco

    _require_finite(model, "qpos", data.qpos, model.jnt_qposadr)
    _require_finite(model, "qvel", data.qvel, model.jnt_dofadr)
    mujoco.mj_forward(model, data)
    _require_finite(model, "qfrc_smooth", data.qfrc_smooth, model.jnt_dofadr)
    M = _mujoco_mass(model, data)
    _require_finite(model, "the mass matrix's diagonal", np.diag(M), model.jnt_dofadr)
    dt = float(model.opt.timestep)
    left_out: list[str] = []
    damped = M + dt * _mujoco_damping(model, data, left_out)
    contacts = data.contact
    geoms = np.array(contacts.geom).reshape(-1, 2)
    exclude = np.array(contacts.exclude)
    # Others are not in the constraint set: fixed bodies, or excluded.
    included = (exclude == 0) | (exclude == 1)
    flexible = included & (geoms < 0).any(axis=1)
    chosen = np.flatnonzero(included & ~flexible)
    dim = np.array(contacts.dim)[chosen]
    adhesive = np.array(getattr(contacts, "adhesion", np.zeros(len(geoms))))[chosen]
    for count, words in (
        (int(flexible.sum()), "contacts of flexible bodies"),
        (int((dim > 3).sum()), "contacts' torsional or rolling friction"),
        (int(np.count_nonzero(adhesive)), "contacts' adhesion"),
    ):
        if count:
            left_out.append(f"{count} {words}")
    positions = np.array(contacts.pos).reshape(-1, 3)[chosen]
    frames = np.array(contacts.frame).reshape(-1, 3, 3)[chosen]  # the normal from the first geom to the second
    gaps = np.maximum(np.array(contacts.dist)[chosen], 0.0)
    H = _mujoco_jacobian(model, data, positions, frames, np.asarray(model.geom_bodyid)[geoms[chosen]])
    if law is None:
        friction = np.array(contacts.friction).reshape(-1, 5)[chosen, :2]
        kinds = list(zip((dim == 1).tolist(), *friction.T.tolist()))
        made = {kind: _mujoco_law(*kind) for kind in set(kinds)}
        law = [made[kind] for kind in kinds]
    G, b = _mujoco_equalities(model, data, left_out)
    impulse = damped @ data.qvel + dt * data.qfrc_smooth
    return _scene(M, H, impulse, gaps, law, positions, frames, dt, G, b, left_out, options, damped)


def _mujoco_law(free: bool, mu1: float, mu2: float) -> st.Law:
    return st.free() if free else st.disc(mu1) if mu1 == mu2 else st.ellipse(mu1, mu2)


def _require_finite(model: Any, name: str, values: Any, first: Any) -> None:
    """`first` is where each joint's values begin."""
    import mujoco

    finite = np.isfinite(values)
    if finite.all():
        return
    at = int(np.flatnonzero(~finite)[0])
    joint = int(np.searchsorted(np.asarray(first), at, side="right")) - 1
    called = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, joint)
    which = f"joint {called!r}" if called else f"joint {joint}"
    raise ValueError(f"{name}[{at}], of {which}, is {values[at]}, expected a finite number")


def _mujoco_mass(model: Any, data: Any) -> Floats:
    import mujoco

    M: Floats = np.zeros((model.nv, model.nv))
    if model.nv == 0:
        return M
    try:
        mujoco.mj_fullM(model, data, M)
    except TypeError:  # versions before data.M
        mujoco.mj_fullM(model, M, data.qM)
    return M


def _mujoco_damping(model: Any, data: Any, left_out: list[str]) -> Floats:
    """D, and in words what MuJoCo's integrator does beyond it."""
    import mujoco

    bits, integrators = mujoco.mjtDisableBit, mujoco.mjtIntegrator
    D: Floats = np.zeros((model.nv, model.nv))
    rule, flags = int(model.opt.integrator), int(model.opt.disableflags)
    implicit = rule in (int(integrators.mjINT_IMPLICIT), int(integrators.mjINT_IMPLICITFAST))
    if rule not in (int(integrators.mjINT_EULER), int(integrators.mjINT_IMPLICITFAST)):
        left_out.append("the integrator's own rule: the step is implicitfast's")
    off = int(getattr(bits, "mjDSBL_DAMPER", getattr(bits, "mjDSBL_PASSIVE", 0)))
    explicit = rule == int(integrators.mjINT_EULER) and flags & int(bits.mjDSBL_EULERDAMP)
    if not flags & off and not explicit:
        D[np.diag_indices(model.nv)] += model.dof_damping
        bent = np.asarray(getattr(model, "dof_dampingpoly", np.zeros((model.nv, 1)))).reshape(model.nv, -1)
        if bent.any():
            left_out.append(f"{int(bent.any(axis=1).sum())} velocities' damping beyond the linear, taken explicitly")
        if implicit and np.any(model.tendon_damping):
            left_out.append(f"{int(np.count_nonzero(model.tendon_damping))} tendons' damping, taken explicitly")
    if implicit and (model.opt.density > 0 or model.opt.viscosity > 0):
        left_out.append("the fluid's damping, taken explicitly")
    if implicit and model.nu and not flags & int(bits.mjDSBL_ACTUATION):
        _add_actuators(model, data, D, left_out)
    return D


def _add_actuators(model: Any, data: Any, D: Floats, left_out: list[str]) -> None:
    """−∂τ/∂v of actuators whose force is affine in the velocity of one hinge or slide."""
    import mujoco

    gain, bias = np.asarray(model.actuator_gaintype), np.asarray(model.actuator_biastype)
    affine_gain, affine_bias = gain == int(mujoco.mjtGain.mjGAIN_AFFINE), bias == int(mujoco.mjtBias.mjBIAS_AFFINE)
    control = np.array(data.ctrl)
    if model.na:
        first = np.asarray(model.actuator_actadr)
        driven = (first >= 0) & (np.asarray(model.actuator_actnum) == 1)
        control = np.where(driven, np.asarray(data.act)[np.where(driven, first, 0)], control)
    slope = affine_bias * model.actuator_biasprm[:, 2] + affine_gain * model.actuator_gainprm[:, 2] * control
    limited = np.asarray(model.actuator_forcelimited).astype(bool)
    low, high = np.asarray(model.actuator_forcerange).T
    held = limited & ((np.asarray(data.actuator_force) <= low) | (np.asarray(data.actuator_force) >= high))
    slope = np.where(held, 0.0, slope)  # a force at its limit does not feel the velocity
    kinds = mujoco.mjtTrn
    joint = np.asarray(model.actuator_trnid)[:, 0]
    on_joint = np.isin(model.actuator_trntype, [int(kinds.mjTRN_JOINT), int(kinds.mjTRN_JOINTINPARENT)])
    scalar = np.isin(
        np.asarray(model.jnt_type)[np.where(on_joint, joint, 0)] if model.njnt else np.zeros(model.nu),
        [int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)],
    )
    taken = on_joint & scalar & (slope != 0)
    dofs = np.asarray(model.jnt_dofadr)[joint[taken]]
    np.add.at(D, (dofs, dofs), -slope[taken] * model.actuator_gear[taken, 0] ** 2)
    other = int(np.count_nonzero((slope != 0) & ~taken))
    others = int((~affine_bias & (bias != int(mujoco.mjtBias.mjBIAS_NONE))).sum())
    if other + others:
        left_out.append(f"{other + others} actuators' damping, taken explicitly")


def _mujoco_jacobian(model: Any, data: Any, positions: Floats, frames: Floats, bodies: Any) -> Floats:
    """H: velocities of the second body less the first's, along each frame.

    A velocity d moves the point p of a body that hangs on it by c_v + c_ω × (p − o), with c from
    data.cdof and the centre of mass o of the body's tree.
    """
    count = len(positions)
    H: Floats = np.zeros((count, 3, model.nv))
    parents, dof_parents = model.body_parentid.tolist(), model.dof_parentid.tolist()
    dofs, first = model.body_dofnum.tolist(), model.body_dofadr.tolist()
    chains: list[int] = []  # of the bodies that touch, one after the other
    start, size = np.zeros(model.nbody, dtype=np.int64), np.zeros(model.nbody, dtype=np.int64)
    for touching in set(bodies.ravel().tolist()):
        body = touching
        while body > 0 and dofs[body] == 0:
            body = parents[body]
        dof = first[body] + dofs[body] - 1 if dofs[body] else -1
        start[touching] = len(chains)
        while dof >= 0:
            chains.append(dof)
            dof = dof_parents[dof]
        size[touching] = len(chains) - start[touching]
    chain = np.array(chains, dtype=np.int64)
    centres = np.asarray(data.subtree_com)[np.asarray(model.body_rootid)]
    for side, sign in ((0, -1.0), (1, 1.0)):
        body = bodies[:, side]
        sizes = size[body]
        at = np.repeat(np.arange(count), sizes)
        place = np.arange(at.size) + np.repeat(start[body] - np.cumsum(sizes) + sizes, sizes)
        dof = chain[place]
        axis = np.asarray(data.cdof)[dof]
        (w1, w2, w3), (x, y, z) = axis[:, :3].T, (positions - centres[body])[at].T
        moved = axis[:, 3:] + np.stack([w2 * z - w3 * y, w3 * x - w1 * z, w1 * y - w2 * x], axis=1)
        H[at, :, dof] += sign * (frames[at] @ moved[:, :, None])[:, :, 0]
    return H.reshape(3 * count, model.nv)


def _mujoco_equalities(model: Any, data: Any, left_out: list[str]) -> tuple[Floats | None, Floats | None]:
    """Rows of G, with no velocity along them, and in words what other constraints there are."""
    import mujoco

    kind = mujoco.mjtConstraint
    types = np.array(data.efc_type[: data.nefc])
    for names, words in (
        ((kind.mjCNSTR_LIMIT_JOINT, kind.mjCNSTR_LIMIT_TENDON), "limits that are reached"),
        ((kind.mjCNSTR_FRICTION_DOF, kind.mjCNSTR_FRICTION_TENDON), "friction of joints or tendons"),
    ):
        count = sum(int(np.count_nonzero(types == int(name))) for name in names)
        if count:
            left_out.append(f"{count} {words}")
    rows = np.flatnonzero(types == int(kind.mjCNSTR_EQUALITY))
    if rows.size == 0:
        return None, None
    G: Floats = np.zeros((rows.size, model.nv))
    J = np.asarray(data.efc_J)
    if mujoco.mj_isSparse(model):
        sizes = np.asarray(data.efc_J_rownnz)[rows]
        within = np.arange(int(sizes.sum())) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        at = np.repeat(np.asarray(data.efc_J_rowadr)[rows], sizes) + within
        G[np.repeat(np.arange(rows.size), sizes), np.asarray(data.efc_J_colind).ravel()[at]] = J.ravel()[at]
    else:
        G[:] = J.reshape(-1, model.nv)[rows]
    apart = float(np.abs(np.asarray(data.efc_pos)[rows]).max())
    if apart > 1e-9:  # beyond rounding, in metres or radians
        left_out.append(f"the position error of equality constraints, up to {apart:.2g}")
    return G, np.zeros(rows.size)


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
