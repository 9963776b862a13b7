# SPDX-License-Identifier: Apache-2.0
"""Long work: progress in a bar or a callable, and Ctrl-C, a real one, that keeps what was reached."""

import ctypes
import functools
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.sparse
import stiction as st
from stiction._progress import Bar, ShareBar

try:
    from stiction import models
except ImportError:  # built without Pinocchio
    models = None

# What some of them work on, made where it is named.
setting = {
    "area": """st.Slider([st.grid([-1, -1], 0.08, rng.uniform(1, 2, (25, 25)), "ellipse:0.5,0.3,20")], mass=1.0, inertia=1.0)""",
    "many": """st.Slider([st.point(p, 1.0, "ellipse:0.5,0.3,20") for p in rng.normal(size=(200, 2))], mass=1.0, inertia=1.0)""",
    "rows": "rng.normal(size=(3000000, 3))",
}
# Of each: what is set up, the call, which would take minutes, and what must hold of what it reached.
# A mass matrix of thousands of velocities that all have to do with each other.
dense = """
    n = 4500
    M = np.ones((n, n)) + np.diag(np.full(n, 5.0)); M[0] += rng.normal(size=n); M[:, 0] = M[0]; M[0, 0] = 1e3
    p = st.GlobalProblem(M, rng.normal(size=(1200, n)), np.zeros(n), np.zeros(1200), 0.5)
"""
work = {
    "solve": (
        "p = st.ContactProblem(np.eye(9000) + 1e-4, rng.normal(size=9000) - np.tile([1.0, 0, 0], 3000), 0.5)",
        "st.solve(p, tolerance=1e-300, max_seconds=600, progress={progress})",
        "reached.status == 'stopped' and reached.reactions.shape == (3000, 3)",
    ),
    "enumerate": (
        "H = rng.normal(size=(36, 30)); p = st.ContactProblem(H @ H.T, rng.normal(size=36), 'pyramid:0.5')",
        "st.enumerate(p, max_seconds=600, progress={progress})",
        "not reached.complete and 'stopped' in reached.reason",
    ),
    "find_separation": (
        "H = rng.normal(size=(1800, 100)); p = st.ContactProblem(H @ H.T, rng.normal(size=1800) + np.tile([5.0, 0, 0], 600), 0.5)",
        "st.find_separation(p, progress={progress})",
        "reached is None",
    ),
    "loads": ("", "area.loads(rows, progress={progress})", "len(reached) > 0 and np.allclose(reached[-1], area.load(rows[len(reached) - 1]).load)"),
    "motions": (
        "",
        "many.motions(rows, progress={progress})",
        "0 < len(reached[0]) == len(reached[1]) and reached[1][-1] == many.motion(rows[len(reached[0]) - 1]).gauge",
    ),
    "moments": (
        "",
        "area.moments(rows[:, :2].copy(), progress={progress})",
        "len(reached) > 0 and reached[-1] == area.moment(rows[len(reached) - 1, :2]).moment",
    ),
    "slide": ("", "area.slide([1.0, 0.3, 2.0], tolerance=1e-15, progress={progress})", "not reached.rests and reached.rest_pose[0] > 0"),
    "surface": (
        "",
        "area.surface(resolution=1000, progress={progress})",
        "len(reached.triangles) > 10 and 0 < reached.max_error < np.inf and reached.volume > 0",
    ),
    "eigen_directions": (
        "fine = st.Slider([st.grid([-1, -1], 0.02, rng.uniform(1, 2, (100, 100)), 0.5)], mass=1.0, inertia=1.0)",
        "fine.eigen_directions(progress={progress})",
        "all(e.error < 1e-10 for e in reached)",
    ),
    "points": (
        "some = st.Slider([st.point(p, 1.0, 'ngon:0.5,8') for p in rng.normal(size=(300, 2))])",
        "some.points(progress={progress})",
        "reached.facets is None and 'stopped' in reached.reasons['facets'] and reached.centre_of_pressure.shape == (2,)",
    ),
    "push": (
        "fine = st.Slider([st.grid([-1, -1], 0.002, rng.uniform(1, 2, (1000, 1000)), 'ellipse:0.5,0.3,20')])",
        "fine.push(contact=[-1, 0.3], normal=[1, 0], mu=0.3, velocity=[1, 0], progress={progress})",
        "reached is None",
    ),
    "motion": (
        "fine = st.Slider([st.grid([-1, -1], 0.001, rng.uniform(1, 2, (2000, 2000)), 'rusty:0.8,0.2,0')]); P = fine.load([1, 0.3, 0.7]).load",
        "fine.motion(P, progress={progress})",
        "reached is None",
    ),
    "moment_floor": (
        "fine = st.Slider([st.grid([-1, -1], 0.001, rng.uniform(1, 2, (2000, 2000)), 'rusty:0.8,0.2,0')])",
        "fine.moment_floor(progress={progress})",
        "reached is None",
    ),
    "condensed": (dense, "p.condensed(progress={progress})", "reached is None"),
    "generalized_velocities": (dense, "p.generalized_velocities(np.ones(1200), progress={progress})", "reached is None"),
    "bilateral_forces": (dense, "p.bilateral_forces(np.ones(1200), progress={progress})", "reached is None"),
    "certify": (dense, "st.certify(p, np.ones(1200), progress={progress})", "reached is None"),
    "stable_push_bounds": (
        "",
        "area.stable_push_bounds(start=[-2, -1], end=[-2, 1], mu=0.3, samples=100000, progress={progress})",
        "0 < len(reached) < 400000 and np.isfinite(reached).all()",
    ),
    "fit": ("", "area.fit('quartic', samples=1000000, progress={progress})", "reached is None"),
    "identify": (
        "q = rows[:1500]; some = [st.point(p, 1.0, 0.5) for p in rng.normal(size=(1200, 2))]; P = st.Slider(some).loads(q)",
        "st.identify(some, P, q, length_scale=1.0, progress={progress})",
        "(reached[0] >= 0).all() and 0 < reached[1] < 1",
    ),
    "non_negative_least_squares": (
        "A = rng.normal(size=(3000, 2000)); b = rng.normal(size=3000)",
        "st.non_negative_least_squares(A, b, progress={progress})",
        "(reached >= 0).all() and 0 < np.linalg.norm(A @ reached - b) < np.linalg.norm(b)",
    ),
}  # fmt: skip
if models is not None:
    arm = """
    from stiction.models import Model
    arm = Model.from_file("scenes/models/arm7.urdf")
    """
    work |= {
        "jamming_map": (
            arm + "first, second = arm.joints[1], arm.joints[3]",
            "arm.jamming_map(arm.frames[-1], [f'{{first}}=-1:1:3000', f'{{second}}=-1:1:3000'], progress={progress})",
            "0 < np.isfinite(reached.mu_crit).sum() < 9000000",
        ),
        "delassus": (
            arm + "q = np.tile(arm.neutral, (3000000, 1))",
            "arm.delassus(arm.frames[-1], q, progress={progress})",
            "0 < len(reached) < 3000000 and (reached[-1] == arm.delassus(arm.frames[-1], q[0])).all()",
        ),
    }  # fmt: skip


def program(name, progress):
    setup, call, holds = work[name]
    made = [f"{name} = {how}" for name, how in setting.items() if re.search(rf"\b{name}\b", setup + call)]
    body = "\n".join(["rng = np.random.default_rng(1)", *made, textwrap.dedent(setup.replace("\n    ", "\n")).strip(), ""])
    return (
        "import sys\nimport numpy as np\nimport stiction as st\n"
        + body
        + textwrap.dedent(f"""
        print("ready", flush=True)
        try:
            {call.format(progress=progress)}
            print("it ended")
        except st.Interrupted as stopped:
            reached = stopped.reached
            print("kept" if {holds} else f"lost: {{reached}}")
        """)
    )


# Seconds of work before Ctrl-C: far within the call, and enough for each to have reached something.
enough = 0.5


def processor_seconds(process):
    """What a process and its threads have used, which grows with its work on a busy machine too."""
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait_for_work(process):
    if not pathlib.Path("/proc/self/stat").exists():  # not on Linux
        time.sleep(1.2)
        return
    begin = processor_seconds(process)
    while process.poll() is None and processor_seconds(process) < begin + enough:
        time.sleep(0.02)


@pytest.mark.parametrize("progress", [False, True])
@pytest.mark.parametrize("name", work)
def test_ctrl_c_keeps_what_was_reached(name, progress):
    running = subprocess.Popen(
        [sys.executable, "-B", "-c", program(name, progress)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        assert running.stdout.readline() == "ready\n", running.stderr.read()
        if progress:  # until the bar is there
            shown = "?"
            while shown not in "█·":
                shown = running.stderr.read(1)
        else:
            wait_for_work(running)
        sent = time.perf_counter()
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=60)
        assert out == "kept\n", out + err
        assert time.perf_counter() - sent < 30  # soon, on a busy machine too
        assert progress == (shown in {"█", "·"} if progress else "█" in err or "·" in err)
    finally:
        running.kill()
        running.wait()


tripod = st.Slider.from_file("scenes/tripod.json")
problem = st.ContactProblem(np.eye(6) + 0.1, [-1.0, 0.2, 0, -1, 0.1, 0], "pyramid:0.5")
lifted = st.ContactProblem(np.ones((6, 6)), [1.0, 0.2, 0, 1, 0.1, 0], 0.5)
joined = st.GlobalProblem(np.eye(6) + 0.1, np.eye(6), np.ones(6), np.ones(6), 0.5)
jointed = st.ContactProblem(np.eye(6), np.ones(6), 0.5, V=np.ones((6, 1)), R=[[3]], s=[0.1])
vectors = np.random.default_rng(2).normal(size=(5000, 3))
short = {
    "enumerate": lambda p: st.enumerate(problem, progress=p),
    "find_separation": lambda p: st.find_separation(lifted, progress=p),
    "loads": lambda p: tripod.loads(vectors, progress=p),
    "motions": lambda p: tripod.motions(vectors, progress=p),
    "moments": lambda p: tripod.moments(vectors[:, :2].copy(), progress=p),
    "slide": lambda p: tripod.slide([1.0, 0.3, 2.0], progress=p),
    "surface": lambda p: tripod.surface(progress=p),
    "eigen_directions": lambda p: tripod.eigen_directions(progress=p),
    "points": lambda p: tripod.points(progress=p),
    "motion": lambda p: tripod.motion([1.0, 0.3, 0.2], progress=p),
    "moment_floor": lambda p: tripod.moment_floor(progress=p),
    "condensed": lambda p: joined.condensed(progress=p),
    "bilateral condensed": lambda p: jointed.condensed(progress=p),
    "generalized_velocities": lambda p: joined.generalized_velocities(np.ones(6), progress=p),
    "bilateral_forces": lambda p: jointed.bilateral_forces(np.ones(6), progress=p),
    "certify": lambda p: st.certify(joined, np.ones(6), progress=p),
    "push": lambda p: tripod.push(contact=[-1, 0.2], normal=[1, 0], mu=0.3, velocity=[1, 0], progress=p),
    "stable_push_bounds": lambda p: tripod.stable_push_bounds(start=[-1, -1], end=[-1, 1], mu=0.3, progress=p),
    "fit": lambda p: tripod.fit("ellipsoid", progress=p),
    "identify": lambda p: st.identify([st.point([0, 1], 1.0, 0.5)], vectors[:50], vectors[:50], length_scale=1.0, progress=p),
    "non_negative_least_squares": lambda p: st.non_negative_least_squares(vectors[:50], vectors[50:100, 0], progress=p),
}
if models is not None:
    two = models.Model.from_file("scenes/models/two-link-arm.urdf")
    sweeps = [f"{two.joints[0]}=0.2:1.2:20", f"{two.joints[1]}=0.2:1.2:20"]
    short["jamming_map"] = lambda p: two.jamming_map(two.frames[-1], sweeps, progress=p)
    short["delassus"] = lambda p: two.delassus(two.frames[-1], np.tile(two.neutral, (50, 1)), progress=p)


# Files are read and written at a hundred megabytes a second: Ctrl-C is pressed by a callable.
blocks = scipy.sparse.block_diag([np.eye(3) + 0.1] * 20000, format="csr")
large = st.ContactProblem(blocks, np.tile([-1.0, 0.2, 0], 20000), 0.5)
large_global = st.GlobalProblem(blocks, blocks, np.ones(60000), np.ones(60000), 0.5)
json_text, siconos_text = large.to_json(), st.write_siconos_text(large)


def in_folder(work, ending):
    def run(p):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / ("large" + ending)
            st.write_problem(path, large)
            try:
                work(path, p)
            finally:  # nothing is left in half
                assert {each.name for each in path.parent.iterdir()} <= {path.name, "other.json"}

    return run


files = {
    "read_problem": in_folder(lambda path, p: st.read_problem(path, progress=p), ".json"),
    "read_problem hdf5": in_folder(lambda path, p: st.read_problem(path, progress=p), ".hdf5"),
    "read_problem_file": in_folder(lambda path, p: st.read_problem_file(path, kind="local", progress=p), ".dat"),
    "write_problem": in_folder(lambda path, p: st.write_problem(path.with_name("other.json"), large_global, progress=p), ".json"),
    "convert": in_folder(lambda path, p: st.convert(path, path.with_name("other.json"), progress=p), ".json"),
    "read_siconos_text": lambda p: st.read_siconos_text(siconos_text, kind="local", progress=p),
    "write_siconos_text": lambda p: st.write_siconos_text(large, progress=p),
    "from_json": lambda p: st.ContactProblem.from_json(json_text, progress=p),
    "to_json": lambda p: large.to_json(progress=p),
    "global to_json": lambda p: large_global.to_json(progress=p),
}
short |= files


@pytest.mark.parametrize("name", files)
def test_ctrl_c_ends_files(name):
    def ctrl_c(share):
        raise KeyboardInterrupt

    with pytest.raises(st.Interrupted) as stopped:
        files[name](ctrl_c)
    assert stopped.value.reached is None


def test_ctrl_c_at_the_end_keeps_the_answer():
    # From C, so that no Python runs between it and the end of the work: seen only after the last look.
    raise_ = ctypes.CDLL(None)["raise"]
    raise_.argtypes = [ctypes.c_int, ctypes.c_double]
    press = functools.partial(raise_, signal.SIGINT)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(st.Interrupted) as stopped:
            tripod.loads(vectors[:10], progress=press)
    finally:
        signal.signal(signal.SIGINT, before)
    np.testing.assert_array_equal(stopped.value.reached, tripod.loads(vectors[:10]))


def test_ctrl_c_while_a_problem_is_condensed():
    def ctrl_c(line):
        raise KeyboardInterrupt

    some = np.random.default_rng(3).normal(size=(9, 500))
    joined = st.GlobalProblem(np.eye(500) + 0.01, some, np.ones(500), np.ones(9), 0.5)
    with pytest.raises(st.Interrupted) as stopped:
        st.solve(joined, progress=ctrl_c)
    assert stopped.value.reached is None
    with pytest.raises(RuntimeError, match="stopped before the problem was condensed"):
        st.solve(joined, progress=lambda line: False)
    seen = []
    assert st.solve(joined, progress=lambda line: seen.append(line.relative)).status == "solved"
    assert seen[0] == np.inf and seen[-1] < 1e-8


def test_every_call_with_progress_is_here():
    text = pathlib.Path(st.__file__).with_name("_stiction.pyi").read_text()
    if models is not None:
        text += pathlib.Path(st.__file__).with_name("_models.pyi").read_text()
    found = {line.split("def ")[1].split("(")[0] for line in text.splitlines() if "def " in line and "progress:" in line}
    assert found == set(work) | {name for name in files if " " not in name}


@pytest.mark.parametrize("name", short)
def test_a_callable_sees_the_share_grow(name):
    seen = []
    short[name](lambda share: seen.append(share))
    assert seen and all(0 <= share <= 1 for share in seen)
    assert seen == sorted(seen) or name == "surface"  # the gap of the worst triangle may grow


# What has nothing to give before its end.
nothing_yet = {
    "find_separation", "fit", "identify", "push", "motion", "moment_floor", "condensed", "bilateral condensed",
    "generalized_velocities", "bilateral_forces", "certify",
}  # fmt: skip


@pytest.mark.parametrize("name", short)
def test_a_callable_that_returns_false_stops_it(name):
    seen = []
    try:
        short[name](lambda share: seen.append(share) or False)
    except RuntimeError as error:
        assert "stopped" in str(error) and (name in nothing_yet or name in files)
    assert len(seen) == 1


def test_numpys_false_stops_and_none_does_not():
    for answer, calls in [(np.False_, 1), (np.array(False), 1), (np.True_, 2), (None, 2), (0, 2), (np.zeros(2, bool), 2)]:
        seen = []
        tripod.loads(np.ones((2048, 3)), progress=lambda share: (seen.append(share), answer)[1])
        assert len(seen) == calls, answer
    assert len(tripod.loads(np.ones((2048, 3)), progress=np.False_)) == 2048
    assert st.solve(np.eye(3), [-1.0, 2, 0], 0.5, progress=np.False_).status == "solved"


@pytest.mark.parametrize("name", short)
def test_an_error_in_the_callable_is_raised(name):
    def fails(share):
        raise LookupError("from the callable")

    with pytest.raises(LookupError, match="from the callable"):
        short[name](fails)
    with pytest.raises(ValueError, match="progress is 3, expected a bool or something to call"):
        short[name](3)


def test_answers_do_not_depend_on_progress():
    np.testing.assert_array_equal(tripod.loads(vectors, progress=lambda share: None), tripod.loads(vectors))
    np.testing.assert_array_equal(tripod.surface(progress=lambda share: None).vertices, tripod.surface().vertices)


def test_a_stopped_surface_says_its_error():
    whole = tripod.surface(resolution=64)
    count = iter(range(40))
    part = tripod.surface(resolution=64, progress=lambda share: next(count, None) is not None)
    assert whole.max_error < part.max_error
    for load in whole.vertices[::7]:  # no load of the surface is farther from the mesh
        corners = part.vertices[part.triangles]
        normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        weights = normals * [1, 1, part.length_scale]
        apart = ((load - corners[:, 0]) * normals).sum(axis=1) / np.linalg.norm(weights, axis=1)
        assert apart.max() <= part.max_error * (1 + 1e-9)


def test_the_bar_of_solve(capsys):
    bar = Bar(1e-8)
    line = {"method": "newton", "iteration": 0, "relative": np.inf, "scaled": np.inf, "seconds": 0.1}
    bar(SimpleNamespace(**line))
    assert capsys.readouterr().err == ""
    bar(SimpleNamespace(**line | {"seconds": 2.0}))
    condensing = capsys.readouterr().err
    bar(SimpleNamespace(**line | {"seconds": 2.5, "iteration": 3, "relative": 1e-4, "scaled": 1e-4}))
    solving = capsys.readouterr().err
    assert condensing.startswith("\r  condensing ") and condensing.endswith(" 2.0 s")
    assert "newton" in solving and solving.endswith(" 2.5 s")
    assert len(condensing) == len(solving)  # so that the one covers the other


def test_the_bar(capsys):
    bar = ShareBar()
    bar(0.1)
    assert capsys.readouterr().err == ""  # short work shows nothing
    bar.start -= 10
    bar(0.5)
    bar.close()
    assert "███████████████···············  50 %    10.0 s\n" in capsys.readouterr().err
