# SPDX-License-Identifier: Apache-2.0
"""Pictures in space that are turned with mouse, touch or keys: in a notebook, or as a page of their own.

The page holds everything it needs and works offline.
"""

from __future__ import annotations

import html
import json
import os
from importlib import resources
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from . import _stiction as st
from ._arguments import one_of, place_of, whole, write
from ._classes import describe

__all__ = ["View", "view"]

_style = """
:root{--ink:#1f2933;--paper:#fff;--card:#f7f9fb;--soft:#d8dee6;--muted:#5d6b7e;--curve:#2563a8;
--slip:#d9822b;--good:#3c8d5a}
@media (prefers-color-scheme:dark){:root{--ink:#e6ebf1;--paper:#12171d;--card:#1a2129;--soft:#313b47;
--muted:#9aa7b6;--curve:#6aa7e8;--slip:#f0a452;--good:#6cc08b}}
body{margin:0;background:var(--paper);color:var(--ink);font:15px system-ui,sans-serif}
.viewer{position:relative;width:100%;height:100vh;overflow:hidden;background:var(--card)}
.viewer canvas{position:absolute;inset:0;width:100%;height:100%;touch-action:none;cursor:grab}
.viewer .labels{position:absolute;inset:0;pointer-events:none;overflow:hidden}
.viewer .labels span{position:absolute;left:0;top:0;white-space:nowrap;line-height:1.1}
.viewer .axis{font-size:14px;font-weight:600}.viewer .number{font-size:12px;color:var(--muted)}
.viewer .point{font-size:13px;font-weight:600}
.viewer button{position:absolute;right:10px;top:10px;font:13px system-ui,sans-serif;color:var(--muted);
background:var(--paper);border:1px solid var(--soft);border-radius:6px;padding:3px 10px;cursor:pointer}
"""


def _numbers(rows: NDArray[Any], size: float = 0.0) -> list[float]:
    """Five digits, or where `size` says how large all that is drawn is, to a hundred-thousandth of that."""
    if not size > 0:
        return [float(f"{x:.5g}") for x in np.asarray(rows, dtype=float).ravel()]
    digits = 5 - int(np.floor(np.log10(size)))
    return [round(float(x), digits) for x in np.asarray(rows, dtype=float).ravel()]


def _axes(labels: list[tuple[str, str]], rows: NDArray[np.float64], shared: list[list[int]]) -> list[dict[str, Any]]:
    """Axes around the points; those of a group in `shared` are drawn to one scale."""
    low, high = rows.min(axis=0), rows.max(axis=0)
    wide = np.where(high > low, high - low, 1.0)
    scale = np.empty(3)
    for group in shared:
        scale[group] = 2 / wide[group].max()
    margin = 0.04 * wide
    return [
        {"label": label, "unit": unit, "from": float(low[k] - margin[k]), "to": float(high[k] + margin[k]), "scale": float(scale[k])}
        for k, (label, unit) in enumerate(labels)
    ]


class View:
    """A picture in space: shown by notebooks, saved as a page of its own.

    >>> picture = st.view(st.Slider.from_file("scenes/tripod.json"), resolution=16)
    >>> picture.title
    'limit surface of tripod'
    """

    __repr__ = describe

    def __init__(self, spec: dict[str, Any]) -> None:
        self.spec = spec
        """What is drawn: axes, meshes, lines and points."""

    @property
    def title(self) -> str:
        """What the picture shows."""
        return str(self.spec["title"])

    def html(self) -> str:
        """The page, complete.

        >>> picture = st.view(st.Slider.from_file("scenes/tripod.json"), resolution=16)
        >>> picture.html()[:15]
        '<!doctype html>'
        """
        program = resources.files("stiction").joinpath("viewer.js").read_text(encoding="utf-8")
        program = program.replace("</script", "<\\/script")
        # No tag and no comment begins in it, whatever the names in it are.
        spec = json.dumps(self.spec).replace("<", "\\u003c")
        title = html.escape(self.title)
        missing = "" if program else "<p>The viewer was not built: npm was missing.</p>"
        return (
            f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{title}</title>"
            f"<style>{_style}</style></head><body><div class='viewer' role='img' aria-label='{title}'>"
            f"<script type='application/json'>{spec}</script>{missing}</div><script>{program}</script></body></html>"
        )

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page.

        >>> import tempfile, os
        >>> path = os.path.join(tempfile.mkdtemp(), "cone.html")
        >>> st.view(st.generalized_cone(np.eye(3), 0.5)).save(path)
        >>> os.path.getsize(path) > 1000
        True
        """
        place = place_of(path)
        write(place, self.html())

    def _repr_html_(self) -> str:
        return (
            f"<iframe srcdoc=\"{html.escape(self.html(), quote=True)}\" style='width:100%;height:480px;border:0' "
            f"title=\"{html.escape(self.title)}\"></iframe>"
        )


def _surface(mesh: st.SurfaceMesh, name: str) -> View:
    loads = mesh.vertices
    flat = np.asarray(mesh.facet) >= 0
    triangles = np.asarray(mesh.triangles)
    # Vertices are drawn smooth within the curved part and apart on flats.
    meshes = [
        {"vertices": _numbers(loads), "triangles": triangles[~flat].ravel().tolist(), "color": "curve"},
        {"vertices": _numbers(loads), "triangles": triangles[flat].ravel().tolist(), "color": "slip"},
    ]
    return View({
        "title": f"limit surface of {name}" if name else "limit surface",
        "axes": _axes([("Fx", "N"), ("Fy", "N"), ("M", "N m")], loads, [[0, 1], [2]]),
        "meshes": [m for m in meshes if m["triangles"]],
    })


def _moment(slider: st.Slider, points: int) -> View:
    reach = 1.5 * (slider.reach or 1.0)
    x = slider.reference[0] + np.linspace(-reach, reach, points)
    y = slider.reference[1] + np.linspace(-reach, reach, points)
    places = np.column_stack([np.tile(x, points), np.repeat(y, points)])
    rows = np.column_stack([places, slider.moments(places)])
    corner = (np.arange(points - 1)[:, None] * points + np.arange(points - 1)).ravel()
    triangles = np.column_stack([corner, corner + 1, corner + points + 1, corner, corner + points + 1, corner + points])
    spec: dict[str, Any] = {
        "title": f"moment function of {slider.name}" if slider.name else "moment function",
        "axes": _axes([("x", "m"), ("y", "m"), ("moment", "N m")], rows, [[0, 1], [2]]),
        "meshes": [{"vertices": _numbers(rows), "triangles": triangles.ravel().tolist(), "color": "curve"}],
    }
    found = slider.points()
    if found.centre_of_twist is not None and found.twist_moment is not None:
        at = [*found.centre_of_twist, found.twist_moment]
        spec["points"] = [{"at": _numbers(np.array(at)), "label": "centre of twist", "color": "slip"}]
    return View(spec)


def _beside(rays: NDArray[np.float64]) -> list[float]:
    """From where a cone of unit rays is seen broadside: across its axis and its widest extent, a little from above."""
    axis = rays.mean(axis=0)
    axis = axis / (np.linalg.norm(axis) or 1.0)
    across = rays - np.outer(rays @ axis, axis)
    widest = np.linalg.svd(across)[2][0] if np.abs(across).max() > 1e-9 else np.cross(axis, [0.6, -0.8, 0.0])
    broadside = np.cross(axis, widest)
    if broadside @ [0.55, -0.8, 0.3] < 0:
        broadside = -broadside
    view = broadside / (np.linalg.norm(broadside) or 1.0) + 0.45 * widest * (1 if widest @ [0.55, -0.8, 0.3] > 0 else -1)
    flat = np.hypot(view[0], view[1])
    if flat < 0.3 * abs(view[2]):  # from straight above nothing stands upright
        view[:2] = [0.55, -0.8]
    view[2] = np.clip(view[2], 0.25 * np.hypot(view[0], view[1]), 0.9 * np.hypot(view[0], view[1]))
    return [float(x) for x in view]


def _cone(image: NDArray[np.float64], apex: NDArray[np.float64], law: st.Law, letter: str, title: str, unit: str) -> View:
    """The cone over image·(−f, 1), f on the limit curve: its mantle, as far as the longest of these, and their rim."""
    outline = law.outline()
    section = np.column_stack([-outline, np.ones(len(outline))]) @ image.T
    lengths = np.linalg.norm(section, axis=1)
    reach = float(lengths.max()) or 1.0
    rays = section[lengths > 1e-9 * reach] / lengths[lengths > 1e-9 * reach, None]
    end = apex + reach * rays
    n = len(end)
    # The apex once a triangle, so that each is lit as it lies.
    fan = np.vstack([np.repeat(apex[None], n, axis=0), end])
    triangles = [[k, n + k, n + (k + 1) % n] for k in range(n)] if n > 2 else []
    spread = np.vstack([apex, end])
    low, high = spread.min(axis=0), spread.max(axis=0)
    margin = 0.15 * (high - low).max() or 0.5
    plane = np.array([[x, y, apex[2]] for x, y in ((low[0], low[1]), (high[0], low[1]), (high[0], high[1]), (low[0], high[1]))])
    plane[:, :2] += margin * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    lines = [{"points": _numbers(section + apex, reach), "color": "slip", "closed": True}]
    lines += [{"points": _numbers(np.vstack([apex, one]), reach), "color": "curve"} for one in end if n <= 2]
    return View({
        "title": title,
        "axes": _axes([(f"{letter} t1", unit), (f"{letter} t2", unit), (f"{letter} n", unit)], np.vstack([spread, plane]), [[0, 1, 2]]),
        "meshes": [
            {"vertices": _numbers(fan, reach), "triangles": np.ravel(triangles).astype(int).tolist(), "color": "curve", "opacity": 0.85},
            {"vertices": _numbers(plane, reach), "triangles": [0, 1, 2, 0, 2, 3], "color": "muted", "opacity": 0.2},
        ],
        "lines": lines,
        "points": [{"at": _numbers(apex, reach), "label": "apex", "color": "ink"}],
        "view": _beside(rays) if n else [1.1, -1.6, 0.8],
    })


def view(
    what: st.Slider | st.SurfaceMesh | st.GeneralizedCone | st.FrictionCone,
    kind: Literal["surface", "moment"] = "surface",
    *,
    resolution: int = 48,
) -> View:
    """A limit surface (flats in another colour), a moment function or a cone in space.

    A generalized cone, or a friction cone, is drawn with its apex and with the section of unit normal impulse.

    >>> st.view(st.Slider.from_file("scenes/tripod.json"), "moment", resolution=16).title
    'moment function of tripod'
    """
    one_of("kind", kind, "surface", "moment")
    if kind == "moment" and isinstance(what, (st.GeneralizedCone, st.FrictionCone, st.SurfaceMesh)):
        raise ValueError(f"kind is 'moment', expected a Slider with it, not a {type(what).__name__}")
    if isinstance(what, st.GeneralizedCone):
        title = "generalized cone: velocity changes, and those of a unit normal impulse"
        return _cone(what.delassus, what.apex, what.law, "Δu", title, "m/s")
    if isinstance(what, st.FrictionCone):
        title = "friction cone: reactions, and those of unit normal force"
        return _cone(np.eye(3), np.zeros(3), what.law, "r", title, "N s")
    if isinstance(what, st.SurfaceMesh):
        return _surface(what, "")
    if not isinstance(what, st.Slider):
        raise ValueError(f"what is a {type(what).__name__}, expected a Slider, a SurfaceMesh, a GeneralizedCone or a FrictionCone")
    if kind == "surface":
        return _surface(what.surface(resolution=resolution), what.name)
    return _moment(what, whole("resolution", resolution, 2))
