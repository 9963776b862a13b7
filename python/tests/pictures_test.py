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
    with pytest.raises(ValueError, match=r"^'.*no\\nwhere/x.html': cannot be written"):
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


def test_the_picture_of_the_first_ten_minutes_is_what_its_page_draws(tmp_path):
    done = subprocess.run([sys.executable, "-B", "docs/site/first_surface.py", tmp_path / "mine.png"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    drawn, kept = (plt.imread(path)[..., :3] for path in (tmp_path / "mine.png", "docs/figures/first-surface.png"))
    assert drawn.shape == kept.shape
    assert np.abs(drawn - kept).mean() < 0.01  # other versions of matplotlib draw letters otherwise
