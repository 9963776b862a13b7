# SPDX-License-Identifier: Apache-2.0
"""Plots draw what they say; views are pages that hold everything."""

import json
import re
import subprocess
import sys

import numpy as np
import pytest
import stiction as st

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import matplotlib.quiver  # noqa: E402
import stiction.plot  # noqa: E402

tripod = st.Slider.from_file("scenes/tripod.json")


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


def test_limit_curve_draws_its_outline_and_the_slips_on_it():
    law = st.box(0.5)
    ax = st.plot.limit_curve(law, slips=8)
    drawn = ax.lines[0].get_xydata()
    np.testing.assert_array_equal(drawn[:-1], law.outline())
    arrows = ax.collections[-1]
    assert len(arrows.U) == 8
    assert all(law.contains(p) for p in np.asarray(arrows.XY))
    ax.figure.canvas.draw()


def test_section_lies_on_the_surface():
    ax = st.plot.section(tripod, [0, 0, 1])
    for x, y in ax.lines[0].get_xydata()[::5]:
        assert 0.99 < tripod.motion([x, y, 0.0]).gauge <= 1 + 1e-9
    with pytest.raises(ValueError, match="through is"):
        st.plot.section(tripod, [0, 0, 1], [0, 0, 1e6])


def test_maps_and_paths_draw():
    for ax in (
        st.plot.moment_map(tripod, points=15),
        st.plot.slide(tripod, [1, 0, 1], samples=20),
        st.plot.slip_map("ngon:0.5,6", 0.5),
        st.plot.convergence(st.solve(np.eye(3), [-1.0, 2, 0], 0.5, history=True)),
    ):
        ax.figure.canvas.draw()
        assert ax.has_data()
    with pytest.raises(ValueError, match="history"):
        st.plot.convergence(st.solve(np.eye(3), [-1.0, 2, 0], 0.5))


def test_views_hold_the_numbers_and_the_program(tmp_path):
    mesh = tripod.surface(resolution=16)
    picture = st.view(mesh)
    picture.save(tmp_path / "surface.html")
    page = (tmp_path / "surface.html").read_text()
    spec = json.loads(re.search(r"application/json'>(.*?)</script>", page, re.S).group(1))
    drawn = np.array(spec["meshes"][0]["vertices"]).reshape(-1, 3)
    np.testing.assert_allclose(drawn, mesh.vertices, rtol=1e-4, atol=1e-6)
    triangles = sum(len(m["triangles"]) for m in spec["meshes"])
    assert triangles == 3 * len(mesh.triangles)
    for axis, column in zip(spec["axes"], mesh.vertices.T):
        assert axis["from"] < column.min() and axis["to"] > column.max()
    assert not re.search(r"(src|href)=['\"]?https?:", page)
    assert picture._repr_html_().startswith("<iframe srcdoc=")


def test_views_are_saved_in_files_alone(tmp_path):
    picture = st.view(tripod, resolution=16)
    for wrong in (True, 1, None, b"x.html"):
        with pytest.raises(ValueError, match="^path is .*, expected a str or a path$"):
            picture.save(wrong)
    with pytest.raises(ValueError, match=r"^.*nowhere/x.html: cannot be written: No such file or directory$"):
        picture.save(tmp_path / "nowhere" / "x.html")
    with pytest.raises(ValueError, match=r"^.*no\\nwhere/x.html: cannot be written"):
        picture.save(str(tmp_path / "no\nwhere" / "x.html"))


def test_names_do_not_break_the_page():
    slider = st.Slider(tripod.supports, name="<!--<script>")
    page = st.view(slider, resolution=16).html()
    assert "<!--" not in re.sub(r"<script>.*", "", page, flags=re.S)
    spec = json.loads(re.search(r"application/json'>([^<]*)</script>", page).group(1))
    assert spec["title"] == "limit surface of <!--<script>"


@pytest.mark.parametrize(
    "call,message",
    [
        (lambda: st.view(tripod, np.zeros(3)), "^kind is a ndarray, expected 'surface' or 'moment'$"),
        (lambda: st.view(tripod, "no\nsense"), r"^kind is 'no\\nsense', expected 'surface' or 'moment'$"),
        (lambda: st.view(st.generalized_cone(np.eye(3), 0.5), "nonsense"), "^kind is 'nonsense', expected"),
        (lambda: st.view(st.generalized_cone(np.eye(3), 0.5), "moment"), "^kind is 'moment', expected a Slider"),
        (lambda: st.view(tripod, "moment", resolution="x"), "^resolution is 'x', expected 2 or more$"),
        (lambda: st.plot.slide(tripod, [1, 0, 1], samples=0), "^samples is 0, expected 1 or more$"),
        (lambda: st.plot.slide(3, [1, 0, 1]), "^slider is a int, expected a Slider$"),
        (lambda: st.plot.section(3), "^slider is a int, expected a Slider or a SurfaceMesh$"),
        (lambda: st.plot.section(tripod, "abc"), "^normal is 'abc', expected real numbers$"),
        (lambda: st.plot.section(tripod, np.ma.masked_array([0, 0, 1], [1, 0, 0])), "^normal has masked entries"),
        (lambda: st.plot.moment_map(3), "^slider is a int, expected a Slider$"),
        (lambda: st.plot.moment_map(tripod, points=2.5), "^points is 2.5, expected 2 to 10000$"),
        (lambda: st.plot.jam_map(1.0, [1.0], np.eye(3)), r"^first is an array of shape \(\), expected shape \(n,\)$"),
        (lambda: st.plot.jam_map(["a"], [1.0], np.eye(3)), "^first is an array of dtype <U1, expected real numbers$"),
    ],
)
def test_what_is_wrong_is_named_before_anything_is_drawn(call, message):
    with pytest.raises(ValueError, match=message) as error:
        call()
    assert "\n" not in str(error.value) and not plt.get_fignums()


def test_moment_and_cone_views():
    assert st.view(tripod, "moment", resolution=12).spec["points"][0]["label"] == "centre of twist"
    g = st.generalized_cone(st.rod_delassus(1.0), 0.5)
    rim = np.array(st.view(g).spec["lines"][0]["points"]).reshape(-1, 3)
    assert all(g.distance(row) < 1e-3 for row in rim)
    with pytest.raises(ValueError, match="what is a int"):
        st.view(3)


def cones():
    rng = np.random.default_rng(1)
    yield st.FrictionCone(0.5), np.eye(3), np.zeros(3)
    for k in range(60):
        a = rng.normal(size=(3, 3)) * 10.0 ** rng.uniform(-3, 3)
        law = ["disc:0.5", "disc:2", "disc:0.01", "pyramid:0.7", "ngon:1,8", "ellipse:0.9,0.2,30", "ratchet:0.8,0"][k % 7]
        apex = rng.normal(size=3) * (k % 3)
        cone = st.generalized_cone(a @ a.T, law).with_apex(apex)
        yield cone, cone.delassus, apex


def test_a_cone_is_seen_with_its_apex_and_its_mantle():
    for cone, W, apex in cones():
        spec = st.view(cone).spec
        at = np.array(spec["points"][0]["at"])
        assert spec["points"][0]["label"] == "apex"
        outline = cone.law.outline()
        expected = np.column_stack([-outline, np.ones(len(outline))]) @ W
        reach = np.linalg.norm(expected, axis=1).max()
        np.testing.assert_allclose(at, apex, rtol=0, atol=1e-4 * reach)
        mantle = np.array(spec["meshes"][0]["vertices"]).reshape(-1, 3)
        scale = spec["axes"][0]["scale"]
        low, high = (np.array([axis[end] for axis in spec["axes"]]) for end in ("from", "to"))
        # All of it is in the box that the camera shows, and fills it.
        assert (mantle > low).all() and (mantle < high).all() and (at > low).all() and (at < high).all()
        assert max(np.ptp(mantle, axis=0)) > 0.6 * max(high - low)
        assert all(axis["scale"] == scale for axis in spec["axes"])
        # Rays are as long as the longest velocity change of a unit normal impulse, and these lie on them.
        rays = mantle[np.linalg.norm(mantle - at, axis=1) > 1e-2 / scale] - at
        section = np.array(spec["lines"][0]["points"]).reshape(-1, 3) - at
        np.testing.assert_allclose(section, expected, rtol=0, atol=1e-3 * reach)
        np.testing.assert_allclose(np.linalg.norm(rays, axis=1), reach, rtol=1e-3)
        # Seen from beside the axis: neither into the cone nor from below, where its rim would hide the rest.
        view = np.array(spec["view"]) / np.linalg.norm(spec["view"])
        axis = rays.mean(axis=0) / np.linalg.norm(rays.mean(axis=0))
        assert abs(view @ axis) < 0.85 and view[2] > 0


def test_a_surface_in_space_has_the_corners_of_its_mesh():
    mesh = tripod.surface(resolution=12)
    ax = st.plot.limit_surface(mesh)
    (drawn,) = ax.collections
    corners = np.asarray(mesh.vertices)[np.asarray(mesh.triangles)]
    assert len(drawn.get_facecolor()) == len(corners)
    np.testing.assert_allclose(ax.get_zlim(), (mesh.vertices[:, 2].min(), mesh.vertices[:, 2].max()))
    flat = np.asarray(mesh.facet) >= 0
    assert (drawn.get_facecolor()[:, 0] > drawn.get_facecolor()[:, 2]).sum() == flat.sum() > 0  # orange
    ax.figure.canvas.draw()
    with pytest.raises(ValueError, match="^ax has no third axis"):
        st.plot.limit_surface(mesh, ax=plt.subplots()[1])
    with pytest.raises(ValueError, match="^slider is a int"):
        st.plot.limit_surface(3)


def test_a_push_shows_its_force_and_its_rotation_centre():
    square = st.Slider.from_file("scenes/square.json")
    call = {"contact": [-0.5, 0.2], "normal": [1, 0], "mu": 0.3, "velocity": [0.1, 0]}
    found = square.push(**call)
    ax = st.plot.push(square, **call)
    finger, force = (a for a in ax.collections if isinstance(a, matplotlib.quiver.Quiver))
    drawn = np.array([force.U[0], force.V[0]])
    np.testing.assert_allclose(drawn / np.linalg.norm(drawn), found.contact_force / np.linalg.norm(found.contact_force))
    assert [finger.U[0] > 0, finger.V[0]] == [True, 0]
    (centre,) = (line for line in ax.lines if line.get_label() == "rotation centre")
    np.testing.assert_allclose(centre.get_xydata()[0], found.rotation_centre)
    ax.figure.canvas.draw()
    # A finger at rest pushes nothing: no force is drawn.
    ax = st.plot.push(square, **call | {"velocity": [0, 0]})
    assert [t.get_text() for t in ax.get_legend().get_texts()][0] == "finger (separate)"
    assert len([a for a in ax.collections if isinstance(a, matplotlib.quiver.Quiver)]) == 1
    # Every kind of support is drawn.
    assert st.plot.push(st.Slider.from_file("scenes/cart.json"), **call | {"contact": [0, 0.1]}).has_data()
    with pytest.raises(ValueError, match="^slider is a int"):
        st.plot.push(3, **call)


def test_the_picture_of_the_first_ten_minutes_is_what_its_page_draws(tmp_path):
    done = subprocess.run([sys.executable, "-B", "docs/site/first_surface.py", tmp_path / "mine.png"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    drawn, kept = (plt.imread(path)[..., :3] for path in (tmp_path / "mine.png", "docs/figures/first-surface.png"))
    assert drawn.shape == kept.shape
    assert np.abs(drawn - kept).mean() < 0.01  # other versions of matplotlib draw letters otherwise
