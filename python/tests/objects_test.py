# SPDX-License-Identifier: Apache-2.0
"""What users do with objects: print, copy and pickle them, hold their arrays, make them in half."""

import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
import warnings
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
import scipy.sparse
import stiction as st

try:
    from stiction import models
except ImportError:  # built without Pinocchio
    models = None

rng = np.random.default_rng(3)
H = rng.normal(size=(6, 9))
local = st.ContactProblem(H @ H.T, rng.normal(size=6) - [2, 0, 0, 2, 0, 0], [0.3, "ellipse:0.5,0.2,33"])
ladder = st.read_problem("scenes/ladder.json")
jointed = st.GlobalProblem(np.eye(3), np.eye(3), [-1.0, 2.0, 0], [0.0, 0, 0], 0.5, G=[[0, 1, 0]], b=[0])
bound = st.ContactProblem(2 * np.eye(3), [-1.0, 0, 0], 0.5, V=[[0], [1], [0]], R=[[1]], s=[0])
impossible = st.ContactProblem(np.zeros((3, 3)), [-1.0, 0, 0], 0.5)
solution = st.solve(local, history=True)
supports = [
    st.point([0.1, 0.2], 1.0, "ellipse:0.5,0.3,20"),
    st.segment([0, 0], [1, 0.3], 2.0, "rusty:0.5,0.2,77"),
    st.polygon_support([[0, 0], [1, 0], [1, 1], [0, 1]], 2.0, "ngon:0.3,7", holes=[[[0.2, 0.2], [0.4, 0.2], [0.2, 0.4]]]),
    st.disc_support([1, 0], 0.5, 1.0, "ratchet:0.7,10", pressure="hertz"),
    st.ring([0, 1], 0.3, 1.0, "wheel:0.5,5", tangential=True),
    st.annulus([2, 0], 1.0, 0.4, 1.0, "box:0.5"),
    st.grid([0, 0], 0.1, rng.uniform(size=(3, 4)), "pyramid:0.4"),
    st.grid([0, 0], 0.1, rng.uniform(size=(2, 2)), 0.4, cells="points"),
]
slider = st.Slider(supports, name="everything", reference=[0.1, 0.3], mass=2.0, inertia=0.7, centre_of_mass=[0.2, 0.1])
dumbbell = st.Slider.from_file("scenes/dumbbell.json")
square = st.Slider.from_file("scenes/square.json")
g = st.generalized_cone(st.rod_delassus(np.pi / 3), 2.0)
body = st.rod(0.7)
hit = st.impact(g, [0.2, 0.1, -1.0], 0.5)
mesh = dumbbell.surface(resolution=12)
points = dumbbell.points()
turning = st.Slider([st.point([0, 0], 1.0, 0.5)]).load([0, 0, 1])
cut = st.disc(0.5).with_ratchet(0.3, 0.1)

# One or more of every class.
answers = [
    *supports, solution, solution.certificate, *solution.history[:1], st.solve(impossible).separation, st.enumerate(local),
    *st.enumerate(local).solutions, g, g.jam, st.generalized_cone(np.zeros((3, 3)), 0.5, massless=np.diag([1.0, 0, 0])),
    st.configuration_cone(np.eye(4), rng.normal(size=(3, 4)), "box:0.5"), body, hit, *hit.phases,
    st.check_coulomb([1, 0], [-0.2, 0], 1.0, 0.5), st.worst_power_violation(st.naive_anisotropy(0.5, 0.3), directions=36),
    st.cone_quality("box:0.5"), st.slip_error("pyramid:0.5", 0.5, [1.0, 0.2]), st.throw_block(0.5, 0.5, [3.0, 4.0], steps=20),
    st.box(0.5).face([1, 0]), st.box(0.5).normals([0.5, 0.5]), turning, *turning.terms, dumbbell.motion([0.3, 0.1, 0.2]),
    dumbbell.motion([0.3, 0.1, 0.2]).certificate, dumbbell.moment([0, 1]), points, points.facets[0], points.vertices[0],
    slider.slide([1.0, 0.2, 2.0], samples=5), *dumbbell.eigen_directions()[:1],
    square.push(contact=[-0.5, 0.2], normal=[1, 0], mu=0.3, velocity=[1, 0]),
    square.push_edge(start=[-0.5, -0.5], end=[-0.5, 0.5], mu=0.3, motion=[1, 0, 0]), dumbbell.fit("ellipsoid", samples=100), mesh,
    st.check(local, solution), st.FrictionCone("ellipse:0.5,0.2,33"), slider, dumbbell, local, ladder, jointed, bound,
    st.Law("rusty:0.5,0.2,77"), cut, st.view(dumbbell, resolution=12),
]  # fmt: skip
others = [  # no pickle: workspaces, functions, files
    st.ContactSolver(), st.slip_law(0.5), st.SlipLaw("half", lambda v: v), st.Castor(0.5), st.read_problem_file("scenes/ladder.json"),
]  # fmt: skip
if models is not None:
    arm = models.Model.from_file("scenes/models/two-link-arm.urdf")
    rod = models.Model.from_file("scenes/models/rod.urdf", base="floating")
    answers += [
        arm.jamming_map("tip", ["shoulder=0.2:1.2:3", "elbow=0.2:1.2:4"], law=0.5),
        rod.contact_motions(["tip"], 0.5, [0, 0, 0, 0, np.sqrt(0.5), 0, np.sqrt(0.5)]),
    ]
    others.append(arm)


def properties(item):
    names = [f.name for f in dataclasses.fields(item)] if dataclasses.is_dataclass(item) else []
    names += [name for name, member in vars(type(item)).items() if isinstance(member, property)]
    # `text` and `mu` of a curve without a name are refused
    return {name: getattr(item, name) for name in names if not (item is cut and name in ("text", "mu"))}


def same(a, b, within=0.0):
    if isinstance(a, np.ndarray):
        np.testing.assert_allclose(a, b, rtol=within, atol=within)
    elif scipy.sparse.issparse(a):
        same(a.toarray(), b.toarray(), within)
    elif isinstance(a, (list, tuple)):
        assert len(a) == len(b)
        for one, other in zip(a, b):
            same(one, other, within)
    elif isinstance(a, float):
        assert a == pytest.approx(b, rel=within, abs=within, nan_ok=True)
    elif isinstance(a, st.Law):
        slips = rng.normal(size=(20, 2))
        assert a == b
        np.testing.assert_array_equal(a.support(slips), b.support(slips))
    elif type(a).__module__.startswith("stiction"):
        assert type(a) is type(b)
        found = properties(b) if a is not cut else {name: getattr(b, name) for name in properties(cut)}
        for name, value in properties(a).items():
            same(value, found[name], within)
    else:
        assert a == b


def names(items):
    return [f"{type(item).__name__}-{i}" for i, item in enumerate(items)]


def test_every_class_is_here():
    here = {type(item) for item in answers + others} | {st.Scene, st.SolutionFile, st.Interrupted}
    for module in (st, models):
        for name, kind in vars(module).items() if module is not None else ():
            if inspect.isclass(kind) and not name.startswith("_"):
                assert kind in here, f"{name} has no example"


@pytest.mark.parametrize("item", answers, ids=names(answers))
@pytest.mark.parametrize("protocol", [2, pickle.HIGHEST_PROTOCOL])
def test_a_pickle_comes_back_with_the_same_numbers(item, protocol):
    back = pickle.loads(pickle.dumps(item, protocol))
    assert type(back) is type(item) and repr(back) == repr(item)
    same(item, back)


def test_what_was_pickled_answers_the_same():
    back = pickle.loads(pickle.dumps(slider))
    q = rng.normal(size=(200, 3))
    np.testing.assert_array_equal(back.loads(q), slider.loads(q))
    assert pickle.loads(pickle.dumps(dumbbell)).to_json() == dumbbell.to_json()
    for problem in (local, bound):
        again = pickle.loads(pickle.dumps(problem))
        np.testing.assert_array_equal(st.solve(again).reactions, st.solve(problem).reactions)
        assert again.laws == problem.laws
    assert st.check(local, pickle.loads(pickle.dumps(solution))).ok
    du = rng.normal(size=(50, 3))
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(g)).nearest(du), g.nearest(du))


def test_a_pool_of_processes_takes_functions_and_methods():
    for function in (st.solve, st.Slider.load, st.Slider.from_json):
        assert pickle.loads(pickle.dumps(function)) is function
    problems, q = [local, local.with_laws(0.2)], rng.normal(size=(20, 3))
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        for far, near in zip(pool.map(st.solve, problems), map(st.solve, problems)):
            np.testing.assert_array_equal(far.reactions, near.reactions)
        for far, near in zip(pool.map(dumbbell.load, q), map(dumbbell.load, q)):
            np.testing.assert_array_equal(far.load, near.load)


def random_laws(count):
    kinds = ["disc:{0}", "ellipse:{0},{1},{2}", "wheel:{0},{2}", "rusty:{0},{1},{2}", "ratchet:{0},{2}", "free"]
    kinds += ["ratchet-free:{0},{2}", "pyramid:{0}", "box:{0}", "ngon:{0},{3}", "ngon-out:{0},{3}"]
    for i in range(count):
        mu = rng.uniform(0.01, 2)
        yield st.Law(kinds[i % len(kinds)].format(mu, mu * rng.uniform(0.1, 0.9), rng.uniform(-180, 180), rng.integers(3, 20)))


@pytest.mark.parametrize("law", list(random_laws(44)), ids=str)
def test_laws_come_back_and_so_do_sliders_made_of_them(law):
    assert pickle.loads(pickle.dumps(law)) == law
    turned = law.rotated(0.3).scaled(0.7)  # a curve, no longer a name
    same(turned, pickle.loads(pickle.dumps(turned)))
    made = st.Slider([st.point([0.3, 0.1], 2.0, turned), st.disc_support([0, 0], 1.0, 1.0, law)], length_scale=0.5)
    back = st.Slider.from_json(made.to_json())
    q = rng.normal(size=(50, 3))
    powers = [[s.load(one).power for one in q] for s in (made, back)]  # loads may jump where powers do not
    np.testing.assert_allclose(powers[1], powers[0], rtol=1e-13)


def test_a_slider_with_a_curve_without_a_name_is_refused_by_support():
    made = st.Slider([supports[0], st.point([0, 1], 1.0, cut)])
    with pytest.raises(ValueError, match=r"supports\[1\].law is a cut curve without a name, expected .*outline"):
        made.to_json()
    assert st.polygon(cut.outline(0.01)).support([1.0, 0.5]) == pytest.approx(cut.support([1.0, 0.5]), rel=1e-4)


@pytest.mark.parametrize("roll", [0.0, 0.3, np.pi / 2, 2.0, 3.5, -1.0])
def test_curves_that_are_named_laws_are_solved_as_those(roll):
    W, q = np.eye(3) + 0.1, [-1.0, 0.7, -0.4]
    for made, name in [
        (st.disc(0.5).with_bearing(roll, 0.2), st.rusty_wheel(0.5, 0.2, roll)),
        (st.disc(0.5).with_ratchet(roll), st.ratchet(0.5, roll)),
        (st.disc(0.5).with_bearing(roll), st.wheel(0.5, roll)),
        (st.point([0, 0], 1.0, st.ratchet(0.5, roll)).law, st.ratchet(0.5, roll)),
    ]:
        np.testing.assert_allclose(st.solve(W, q, made).reactions, st.solve(W, q, name).reactions, atol=1e-12)
        assert st.Law(made.text) == made and hash(st.Law(made.text)) == hash(made)
    with pytest.raises(ValueError, match=r"law is a cut curve without a name, expected .*polygon\(law.outline"):
        st.solve(W, q, cut)


@pytest.mark.parametrize("item", others, ids=names(others))
def test_what_has_no_pickle_says_so(item):
    with pytest.raises(TypeError, match=f"cannot pickle a {type(item).__name__}"):
        pickle.dumps(item)


@pytest.mark.parametrize("item", answers + others, ids=names(answers + others))
def test_copies_are_whole(item):
    if isinstance(item, st.ContactSolver):
        with pytest.raises(TypeError, match="cannot pickle a ContactSolver"):
            copy.copy(item)
        return
    for made in (copy.copy(item), copy.deepcopy(item)):
        assert type(made) is type(item) and repr(made) == repr(item)


@pytest.mark.parametrize("item", answers + others, ids=names(answers + others))
def test_a_repr_is_one_line_that_says_something(item):
    text = repr(item)
    assert text.startswith(type(item).__name__ + "(") and text.endswith(")")
    assert "\n" not in text and " at 0x" not in text and len(text) < 260


def test_a_repr_of_long_and_broken_names_is_one_line():
    long = repr(st.slip_law(0.5, "x" * 300))
    assert long.startswith("SlipLaw(name='xxx") and long.endswith("…)") and len(long) < 260
    assert repr(st.Slider([supports[0]], name="a\n'b'")) == "Slider(\"a\\n'b'\", 1 supports)"


def test_views_cannot_be_written_through():
    for array in (local.q, local.W.data, solution.reactions, solution.velocities, mesh.triangles, mesh.facet):
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
        assert array.copy().flags.writeable
    kept = st.solve(local).reactions  # the view keeps its solution
    np.testing.assert_array_equal(kept, solution.reactions)


# Half-made objects: made by __new__ alone, as a broken pickle would.
compiled = [
    kind for module in (st, models) if module is not None for name, kind in vars(module).items()
    if inspect.isclass(kind) and kind.__module__ in ("stiction._stiction", "stiction._models")
]  # fmt: skip


@pytest.mark.parametrize("kind", compiled, ids=lambda k: k.__name__)
def test_half_made_objects_raise_type_errors(kind):
    half = kind.__new__(kind)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # nanobind's own word about it
        for name, member in vars(kind).items():
            if isinstance(member, property):
                with pytest.raises(TypeError):
                    getattr(half, name)
            elif name == "__getstate__":
                with pytest.raises(TypeError):
                    half.__getstate__()


@pytest.mark.parametrize("state", [(), (1, 2), [], "x", (b"", b""), 3.0])
def test_a_foreign_state_is_refused(state):
    for kind in (st.Solution, st.Certificate, st.Support, st.SurfaceMesh, st.SliderPoints):
        with pytest.raises(TypeError, match="pickle"), warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            kind.__new__(kind).__setstate__(state)
    state = list(st.Separation([1.0, 0, 0]).__getstate__())
    for wrong in [(3, 1, b"short"), (-1, 1, b""), (1 << 40, 1 << 40, b""), (3, 1), "abc", None]:
        half = st.Separation.__new__(st.Separation)
        with pytest.raises(TypeError, match="pickle"):
            half.__setstate__((wrong, state[1]))


def test_what_is_held_to_the_end_is_not_complained_of():
    program = """
import ctypes
import stiction as st
held = st.solve(st.ContactProblem([[1.0, 0, 0], [0, 1, 0], [0, 0, 1]], [-1.0, 0, 0], 0.5))
ctypes.pythonapi.Py_IncRef(ctypes.py_object(held))
"""
    ended = subprocess.run([sys.executable, "-B", "-c", program], capture_output=True, text=True)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
