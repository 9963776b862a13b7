# SPDX-License-Identifier: Apache-2.0
"""Pictures of friction, with matplotlib; `matplotlib` is imported when the first one is drawn.

Every function draws into `ax`, or into new axes, and returns them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _stiction as st
from ._arguments import numbers, said, whole

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike, NDArray

__all__ = ["convergence", "jam_map", "limit_curve", "limit_surface", "moment_map", "push", "section", "slide", "slip_map"]

blue, orange, grey = "#2f6fb3", "#d9822b", "#8a8f98"


def _axes(ax: Axes | None) -> Axes:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(layout="constrained")[1]


def _require_slider(slider: Any) -> None:
    if not isinstance(slider, st.Slider):
        raise ValueError(f"slider is a {type(slider).__name__}, expected a Slider")


def _law(law: st.Law | float | str) -> st.Law:
    return law if isinstance(law, st.Law) else st.Law(law)


def _equal(ax: Axes, x: str, y: str) -> None:
    ax.set_aspect("equal")
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    ax.axhline(0, color=grey, lw=0.6, zorder=0)
    ax.axvline(0, color=grey, lw=0.6, zorder=0)


def limit_curve(law: st.Law | float | str, *, slips: int = 24, ax: Axes | None = None) -> Axes:
    """A limit curve and, along it, the slips that each force answers.

    >>> import stiction.plot
    >>> axes = stiction.plot.limit_curve("rusty:0.5,0.3,0")
    >>> axes.get_xlabel()
    '$f_1$ per unit normal force'
    """
    ax = _axes(ax)
    law = _law(law)
    outline = law.outline()
    closed = np.vstack([outline, outline[:1]])
    ax.fill(closed[:, 0], closed[:, 1], color=blue, alpha=0.15, lw=0)
    ax.plot(closed[:, 0], closed[:, 1], color=blue, lw=2)
    if slips > 0:
        angle = 2 * np.pi * np.arange(slips) / slips
        directions = np.column_stack([np.cos(angle), np.sin(angle)])
        at = law.faces(directions).mean(axis=1)
        length = 0.25 * max(law.circumscribed_radius, 1e-3)
        ax.quiver(
            *at.T, *(length * directions).T, color=orange, angles="xy", scale_units="xy", scale=1, width=0.004
        )
        reach = 1.1 * (np.abs(closed).max() + length)
        ax.set_xlim(-reach, reach)
        ax.set_ylim(-reach, reach)
    _equal(ax, "$f_1$ per unit normal force", "$f_2$ per unit normal force")
    return ax


def slip_map(law: st.Law | float | str, mu: float, *, ax: Axes | None = None) -> Axes:
    """What a law answers to every slip direction, against Coulomb's disc: strength, power, deviation.

    >>> import stiction.plot
    >>> len(stiction.plot.slip_map("pyramid:0.5", 0.5).lines)
    3
    """
    ax = _axes(ax)
    law = _law(law)
    degrees = np.arange(0.5, 360.0, 1.0)
    errors = [st.slip_error(law, mu, [np.cos(a), np.sin(a)]) for a in np.radians(degrees)]
    ax.plot(degrees, [e.force for e in errors], color=blue, label="force over μ")
    ax.plot(degrees, [e.power for e in errors], color=orange, label="power over μ‖v‖")
    ax.plot(degrees, [e.direction for e in errors], color=grey, label="deviation [rad]")
    ax.set_xlabel("slip direction [deg]")
    ax.set_xlim(0, 360)
    ax.legend()
    return ax


def section(
    slider: st.Slider | st.SurfaceMesh,
    normal: ArrayLike = (0.0, 0.0, 1.0),
    through: ArrayLike = (0.0, 0.0, 0.0),
    *,
    resolution: int = 64,
    ax: Axes | None = None,
) -> Axes:
    """Where a plane cuts the limit surface; planes across an axis are drawn in the other two.

    >>> import stiction.plot
    >>> axes = stiction.plot.section(st.Slider.from_file("scenes/tripod.json"), [0, 1, 0])
    >>> axes.get_ylabel()
    'M [N m]'
    """
    if not isinstance(slider, (st.Slider, st.SurfaceMesh)):
        raise ValueError(f"slider is a {type(slider).__name__}, expected a Slider or a SurfaceMesh")
    n = numbers("normal", normal)
    mesh = slider.surface(resolution=resolution) if isinstance(slider, st.Slider) else slider
    line = mesh.section(n, through)
    ax = _axes(ax)
    if len(line) == 0:
        raise ValueError(f"through is {numbers('through', through).tolist()}, expected a plane that cuts the surface")
    names = ("$F_x$ [N]", "$F_y$ [N]", "M [N m]")
    across = int(np.argmax(np.abs(n)))
    first, second = (k for k in range(3) if k != across)
    closed = np.vstack([line, line[:1]])
    ax.fill(closed[:, first], closed[:, second], color=blue, alpha=0.15, lw=0)
    ax.plot(closed[:, first], closed[:, second], color=blue, lw=2)
    ax.set_xlabel(names[first])
    ax.set_ylabel(names[second])
    ax.axhline(0, color=grey, lw=0.6, zorder=0)
    ax.axvline(0, color=grey, lw=0.6, zorder=0)
    if across == 2:
        ax.set_aspect("equal")
    return ax


def limit_surface(slider: st.Slider | st.SurfaceMesh, *, resolution: int = 32, ax: Axes | None = None) -> Axes:
    """The limit surface in space, its flats in another colour; `ax`, where given, has projection='3d'.

    >>> import stiction.plot
    >>> axes = stiction.plot.limit_surface(st.Slider.from_file("scenes/tripod.json"), resolution=16)
    >>> axes.get_zlabel()
    'M [N m]'
    """
    if not isinstance(slider, (st.Slider, st.SurfaceMesh)):
        raise ValueError(f"slider is a {type(slider).__name__}, expected a Slider or a SurfaceMesh")
    mesh = slider.surface(resolution=resolution) if isinstance(slider, st.Slider) else slider
    import matplotlib.pyplot as plt
    from matplotlib.colors import to_rgb
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    if ax is None:
        ax = plt.figure(layout="constrained").add_subplot(projection="3d")
    space: Any = ax
    if not hasattr(space, "set_zlabel"):
        raise ValueError("ax has no third axis, expected one made with projection='3d'")
    vertices = np.asarray(mesh.vertices)
    corners = vertices[np.asarray(mesh.triangles)]
    # Lit from above the viewer's left shoulder, in the shape that is drawn: moments over the length scale.
    drawn = corners / [1, 1, mesh.length_scale]
    normals = np.cross(drawn[:, 1] - drawn[:, 0], drawn[:, 2] - drawn[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-300
    lit = 0.55 + 0.45 * normals @ (np.array([0.3, -0.6, 0.75]) / np.linalg.norm([0.3, -0.6, 0.75]))
    flat = np.asarray(mesh.facet) >= 0
    colours = np.where(flat[:, None], to_rgb(orange), to_rgb(blue)) * (0.35 + 0.65 * lit[:, None])
    space.add_collection3d(Poly3DCollection(corners, facecolors=colours, edgecolors=colours, linewidths=0.2))
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    for k, limits in enumerate((space.set_xlim, space.set_ylim, space.set_zlim)):
        limits(low[k], high[k])
    space.set_box_aspect((high - low) / [1, 1, mesh.length_scale])
    space.set_xlabel("$F_x$ [N]")
    space.set_ylabel("$F_y$ [N]")
    space.set_zlabel("M [N m]")
    return ax


def _outline(support: st.Support) -> NDArray[np.float64]:
    """What is seen of a support from above, relative to the slider's reference point."""
    at = np.asarray(support.at)
    if support.shape == "polygon":
        return np.asarray(support.vertices)
    if support.shape == "segment":
        return np.array([at, support.to])
    if support.shape == "grid":
        rows, columns = np.shape(support.pressures)
        x, y = support.cell * columns, support.cell * rows
        return np.asarray(at + np.array([[0, 0], [x, 0], [x, y], [0, y]]))
    if support.shape in ("disc", "ring", "annulus"):
        angle = np.linspace(0, 2 * np.pi, 73)
        return np.asarray(at + support.radius * np.column_stack([np.cos(angle), np.sin(angle)]))
    return np.asarray(at[None])


def _body(ax: Axes, slider: st.Slider, motion: NDArray[np.float64], faint: bool) -> None:
    """The supports, moved by a small motion of the reference point."""
    c, s = np.cos(motion[2]), np.sin(motion[2])
    colour = grey if faint else blue
    points = []
    for support in slider.supports:
        places = np.asarray(slider.reference) + motion[:2] + _outline(support) @ np.array([[c, s], [-s, c]])
        if len(places) == 1:
            points.append(places[0])
        elif support.shape in ("segment", "ring"):
            ax.plot(*places.T, color=colour, lw=1 if faint else 2, ls="--" if faint else "-")
        else:
            closed = np.vstack([places, places[:1]])
            if not faint:
                ax.fill(*closed.T, color=blue, alpha=0.15, lw=0)
            ax.plot(*closed.T, color=colour, lw=1 if faint else 2, ls="--" if faint else "-")
    if points:
        size = (3 if faint else 5) if len(points) <= 60 else 1
        ax.plot(*np.transpose(points), "o", color=colour, ms=size)


def push(
    slider: st.Slider,
    *,
    contact: ArrayLike,
    normal: ArrayLike,
    mu: float,
    velocity: ArrayLike,
    ax: Axes | None = None,
) -> Axes:
    """A push by a finger: its velocity, its force, the cone it sticks in, and the body a little later (dashed).

    >>> import stiction.plot
    >>> square = st.Slider.from_file("scenes/square.json")
    >>> axes = stiction.plot.push(square, contact=[-0.5, 0.2], normal=[1, 0], mu=0.3, velocity=[0.1, 0])
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['finger (stick)', 'its force', 'it sticks between', 'rotation centre']
    """
    _require_slider(slider)
    found = slider.push(contact=contact, normal=normal, mu=mu, velocity=velocity)
    ax = _axes(ax)
    at, u = numbers("contact", contact), numbers("velocity", velocity)
    size = max((float(np.linalg.norm(_outline(s) - slider.centre_of_pressure, axis=1).max()) for s in slider.supports), default=0) or 1.0

    def unit(v: Any) -> NDArray[np.float64]:
        return np.asarray(v) / (np.linalg.norm(v) or 1.0)

    motion = np.asarray(found.motion)
    speed = max(float(np.hypot(motion[0], motion[1])), abs(float(motion[2])) * size)
    _body(ax, slider, np.zeros(3), False)
    if speed > 0:
        _body(ax, slider, 0.3 * size / speed * motion, True)
    arrow: Any = {"angles": "xy", "scale_units": "xy", "scale": 1, "width": 0.007, "zorder": 3}
    ax.quiver(*(at - 0.5 * size * unit(u)), *(0.5 * size * unit(u)), color=orange, label=f"finger ({found.mode})", **arrow)
    if np.any(found.contact_force):
        ax.quiver(*at, *(0.6 * size * unit(found.contact_force)), color="#218358", label="its force", **arrow)
    ends = [at + 0.8 * size * np.asarray(edge) for edge in found.motion_cone]
    for k, end in enumerate(ends):
        ax.plot(*np.column_stack([at, end]), ls=":", color="#a23b9a", label=None if k else "it sticks between")
    centre = found.rotation_centre
    middle = np.asarray(slider.reference) + slider.centre_of_pressure
    if centre is not None and np.linalg.norm(centre - middle) < 2.5 * size:
        ax.plot(*centre, "o", color="#8a6d1d", label="rotation centre")
    ax.update_datalim([at - 0.55 * size * unit(u), *ends])
    ax.autoscale_view()
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_xlabel("x [m]")
    ax.set_ylabel("y [m]")
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False)
    return ax


def moment_map(slider: st.Slider, *, size: float | None = None, points: int = 101, ax: Axes | None = None) -> Axes:
    """The moment function: what turning about each place needs, as a map.

    >>> import stiction.plot
    >>> axes = stiction.plot.moment_map(st.Slider.from_file("scenes/tripod.json"), points=21)
    >>> axes.get_xlabel()
    'x [m]'
    """
    _require_slider(slider)
    if size is not None and not (isinstance(size, (int, float)) and 0 < size < 1e100):
        raise ValueError(f"size is {said(size)}, expected a positive length")
    points = whole("points", points, 2, 10000)
    ax = _axes(ax)
    reach = 1.5 * slider.reach if size is None else size
    x = slider.reference[0] + np.linspace(-reach, reach, points)
    y = slider.reference[1] + np.linspace(-reach, reach, points)
    places = np.column_stack([np.tile(x, points), np.repeat(y, points)])
    moment = slider.moments(places).reshape(points, points)
    filled = ax.contourf(x, y, moment, levels=20, cmap="Blues")
    ax.contour(x, y, moment, levels=20, colors="white", linewidths=0.4)
    ax.figure.colorbar(filled, ax=ax, label="moment [N m]")
    twist = slider.points().centre_of_twist
    if twist is not None:
        ax.plot(*twist, "o", color=orange, label="centre of twist")
        ax.legend()
    ax.set_aspect("equal")
    ax.set_xlabel("x [m]")
    ax.set_ylabel("y [m]")
    return ax


def slide(slider: st.Slider, velocity: ArrayLike, *, samples: int = 200, ax: Axes | None = None) -> Axes:
    """The path of a throw, with the body's heading along it.

    >>> import stiction.plot
    >>> axes = stiction.plot.slide(st.Slider.from_file("scenes/tripod.json"), [1, 0, 2])
    >>> axes.get_ylabel()
    'y [m]'
    """
    _require_slider(slider)
    thrown = slider.slide(velocity, samples=whole("samples", samples, 1))
    ax = _axes(ax)
    x, y, angle = thrown.poses.T
    ax.plot(x, y, color=blue, lw=2)
    some = np.unique(np.linspace(0, len(x) - 1, 12).astype(int))
    ax.quiver(x[some], y[some], np.cos(angle[some]), np.sin(angle[some]), color=orange, width=0.004, scale=12)
    ax.plot(x[-1], y[-1], "o", color=blue)
    _equal(ax, "x [m]", "y [m]")
    ax.set_aspect("equal", adjustable="datalim")
    return ax


def convergence(solution: st.Solution | Sequence[st.Iteration], *, ax: Axes | None = None) -> Axes:
    """The solver's errors against time; solve with history=True.

    >>> import stiction.plot
    >>> sol = st.solve(np.eye(3), [-1.0, 2.0, 0.0], 0.5, history=True)
    >>> stiction.plot.convergence(sol).get_yscale()
    'log'
    """
    ax = _axes(ax)
    history = solution.history if isinstance(solution, st.Solution) else list(solution)
    if not history:
        raise ValueError("solution has no history, expected one solved with history=True")
    seconds = [line.seconds for line in history]
    tiny = 1e-17  # errors of zero at the foot of the picture
    ax.semilogy(seconds, [max(line.relative, tiny) for line in history], ".-", color=blue, label="relative")
    ax.semilogy(seconds, [max(line.scaled, tiny) for line in history], ".-", color=orange, label="scaled")
    ax.set_xlabel("time [s]")
    ax.set_ylabel("error")
    ax.legend()
    return ax


def jam_map(
    first: ArrayLike, second: ArrayLike, delassus: ArrayLike, *, labels: tuple[str, str] = ("", ""), ax: Axes | None = None
) -> Axes:
    """μ_jam over two coordinates, from Delassus matrices of shape (len(second), len(first), 3, 3).

    >>> import stiction.plot
    >>> W = [[st.rod_delassus(a, mass=m) for a in (0.3, 0.6, 0.9)] for m in (1.0, 2.0)]
    >>> axes = stiction.plot.jam_map([0.3, 0.6, 0.9], [1.0, 2.0], W, labels=("angle [rad]", "mass [kg]"))
    >>> axes.get_xlabel()
    'angle [rad]'
    """
    x, y, W = numbers("first", first), numbers("second", second), numbers("delassus", delassus)
    for name, along in (("first", x), ("second", y)):
        if along.ndim != 1:
            raise ValueError(f"{name} is an array of shape {along.shape}, expected shape (n,)")
    ax = _axes(ax)
    if W.shape != (len(y), len(x), 3, 3):
        raise ValueError(f"delassus is an array of shape {W.shape}, expected {(len(y), len(x), 3, 3)}")
    jam: Any = np.asarray(st.mu_jam(W.reshape(-1, 3, 3))).reshape(len(y), len(x))
    filled = ax.pcolormesh(x, y, np.where(np.isfinite(jam), jam, np.nan), cmap="viridis", shading="nearest")
    ax.figure.colorbar(filled, ax=ax, label="$\\mu_{jam}$")
    ax.set_xlabel(labels[0])
    ax.set_ylabel(labels[1])
    return ax
