# SPDX-License-Identifier: Apache-2.0
"""Wrong arrays are refused with the argument, what it is and what was expected; nothing crashes."""

import ctypes
import re

import numpy as np
import pytest
import scipy.sparse
import stiction as st
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from hypothesis.extra import numpy as arrays

W, q = np.eye(3), np.array([-1.0, 0.0, 0.0])
bar = st.Slider.from_file("scenes/dumbbell.json")
tripod = st.Slider.from_file("scenes/tripod.json")
cone = st.FrictionCone(0.5)
g = st.generalized_cone(np.eye(3), 0.5)
problem = st.ContactProblem(W, q, 0.5)


@pytest.mark.parametrize(
    "call,message",
    [
        (lambda: st.solve(W, [1.0, 2.0], 0.5), r"q is an array of shape \(2,\), expected shape \(1, 3\) or \(3,\)"),
        (lambda: st.solve(W[:2], q, 0.5), r"W is a matrix of shape \(2, 3\), expected a square one"),
        (lambda: st.solve(np.eye(4), q, 0.5), r"W is a matrix of shape \(4, 4\), expected"),
        (lambda: st.solve(W[0], q, 0.5), r"W is an array of shape \(3,\), expected a matrix"),
        (lambda: st.solve(W, [-1.0, np.nan, 0.0], 0.5), r"q\[1\] is nan, expected a finite number"),
        (lambda: st.solve(np.full((3, 3), np.inf), q, 0.5), r"W\[0\]\[0\] is inf, expected a finite number"),
        (lambda: st.solve(W, q, -0.5), r"law is -0.5, expected a coefficient ≥ 0"),
        (lambda: st.solve(W, q, np.array([-0.5])), r"law\[0\] is -0.5, expected a coefficient ≥ 0"),
        (lambda: st.solve(W, q, [0.5, 0.5]), "law has 2 entries, expected one for all contacts or 1"),
        (lambda: st.solve(W, q, "disk:0.5"), "law: .*disk"),
        (lambda: st.solve(W, q, {}), "law is an array of dtype object, expected real numbers"),
        (lambda: st.solve(W, q + 0j, 0.5), "q is an array of dtype complex128, expected real numbers"),
        (lambda: st.solve(W, ["a", "b", "c"], 0.5), "q is an array of dtype <U1, expected real numbers"),
        (lambda: st.solve(W, q, 0.5, method="magic"), "method is 'magic', expected 'auto'"),
        (lambda: st.solve(W, q, 0.5, model="soft"), "model is 'soft', expected"),
        (lambda: st.solve(W, q, 0.5, tolerance=0), "tolerance is 0, expected a number > 0"),
        (lambda: st.solve(W, q, 0.5, dimension=4), "dimension is 4, expected 2 or 3"),
        (lambda: st.solve(W, q, 0.5, guess=[1.0]), r"guess is an array of shape \(1,\), expected"),
        (lambda: st.disc(-0.5), "mu.* is -0.5, expected"),
        (lambda: st.disc(0.5).support([1.0, 2.0, 3.0]), r"slip is an array of shape \(3,\), expected shape \(2,\) or \(n, 2\)"),
        (lambda: st.disc(0.5).support([[1.0], [2.0, 3.0]]), "slip is a list, expected an array of numbers"),
        (lambda: st.polygon([[1.0, 0.0], [2.0, 0.0]]), "origin|0"),
        (lambda: bar.load([1.0, 2.0]), r"motion is an array of shape \(2,\), expected shape \(3,\)"),
        (lambda: bar.loads([1.0, 2.0, 3.0]), r"motions is an array of shape \(3,\), expected shape \(n, 3\)"),
        (lambda: bar.loads([[1.0, 2.0, 3.0], [0.0, np.inf, 0.0]]), r"motions\[1\]\[1\] is inf, expected a finite number"),
        (lambda: bar.loads(np.where(np.arange(9000).reshape(3000, 3) == 8000, np.nan, 1.0)), r"motions\[2666\]\[2\] is nan, expected a finite number"),
        (lambda: bar.loads(np.ones((4, 3)), out=np.ones((3, 3))), r"out is .*expected .*shape \(4, 3\)"),
        (lambda: st.generalized_cone(np.eye(2), 0.5), r"W is an array of shape \(2, 2\), expected shape \(3, 3\)"),
        (lambda: st.generalized_cone(-np.eye(3), 0.5), "positive semidefinite"),
        (lambda: st.certify(problem, [[1.0, 2.0]]), r"reactions is an array of shape \(1, 2\), expected shape \(1, 3\)"),
        (lambda: st.read_problem("nowhere.json"), "nowhere.json"),
        (lambda: st.point([0, 0], -1.0, 0.5), "normal_force is -1, expected zero or more"),
        (lambda: st.solve(None, q, 0.5), "W is None, expected an array of numbers"),
        (lambda: st.solve(W, None, 0.5), "q is None, expected an array of numbers"),
        (lambda: st.solve(W, q, None), "law is None, expected"),
        (lambda: st.disc(0.5).support(None), "slip is None, expected an array of numbers"),
        (lambda: bar.loads(None), "motions is None, expected an array of numbers"),
        (lambda: st.Law(None), "law is None, expected a coefficient ≥ 0, a law or its text"),
        (lambda: st.point(None, 1.0, 0.5), "at is None, expected an array of numbers"),
        (lambda: st.point([0, 0], 1.0, None), "law is None, expected a coefficient ≥ 0, a law or its text"),
        (lambda: st.generalized_cone(np.eye(3), -0.5), "law is -0.5, expected a coefficient ≥ 0"),
        (lambda: st.FrictionCone(-1), "law is -1, expected a coefficient ≥ 0"),
        (lambda: tripod.push(contact=[-1, 0], normal=[1, 0], mu=-0.3, velocity=[1, 0]), "mu is -0.3, expected"),
        (lambda: tripod.push_edge(start=[-1, -1], end=[-1, 1], mu=-1, motion=[1, 0, 0]), "mu is -1, expected"),
        (lambda: tripod.push_edge(start=[-1, -1], end=[-1, 1], mu=0.3), "rotation_centre and motion: expected one of the two"),
        (lambda: st.wedge_asperities(0.1, -0.2), "mu is -0.2, expected"),
        (lambda: st.orthotropic_tensor(np.eye(3)), r"T is an array of shape \(3, 3\), expected shape \(2, 2\)"),
        (lambda: st.wheel_with_bar(radius=-1, wheel_mass=1, bar_length=1, bar_mass=1, angle=0), "radius is -1, expected a positive number"),
        (lambda: st.disc(0.5).with_bearing(0.0, -1), "bearing is -1, expected"),
        (lambda: st.Separation([1.0], "magic"), "proves is 'magic', expected"),
        (lambda: st.Law.from_json('{"curve": "disc", "mu": -1}'), "law.mu is -1|mu.* is -1, expected"),
        (lambda: st.ContactProblem(W, q, 0.5, V=np.ones((3, 1))), "V, R and s come together"),
        (lambda: st.read_solution("nowhere.json"), "nowhere.json: cannot be read"),
        (lambda: st.read_solution("scenes/tripod.json"), "scenes/tripod.json: is no solution, expected"),
        (lambda: st.solve(W, q, st.disc(0.5).with_ratchet(0.0, 0.1)), r"law is a cut curve without a name, expected .*; polygon\(law.outline"),
        (lambda: st.SlipLaw("half", lambda v: 0.5 * v / np.hypot(*v)).limit_curve(), "'half' takes maximum power, but is known by its forces alone"),
        (lambda: st.naive_anisotropy(0.5, 0.3).limit_curve(), "is not normal: slip"),
        (lambda: st.ContactProblem.from_json("{"), "text: is not JSON"),
        (lambda: st.Law.from_json("disc"), "text: is not JSON"),
        (lambda: st.read_siconos_text("three"), "text: line 1: found 'three', expected the dimension"),
        (lambda: st.FrictionCone(1e308), r"law: mu is 1e\+308, expected"),
        (lambda: st.disc(0.5).clipped([0, 0], 0.1), r"normal: direction is \(0, 0\), expected"),
        (lambda: st.disc(0.5).scaled(1e308), r"factor: .* is 1e\+308, expected"),
        (lambda: st.slip_error("box:0.5", 0.5, [0, 0]), r"slip: direction is \(0, 0\), expected"),
        (lambda: tripod.push(contact=[-1, 0], normal=[0, 0], mu=0.3, velocity=[1, 0]), r"normal: direction is \(0, 0\), expected"),
        (lambda: st.segment([0, 0], [0, 0], 1.0, 0.5), r"start \(from\), end \(to\): to is \(0, 0\), expected another point"),
        (lambda: st.segment([0, 0], [1, 0], -1.0, 0.5), "^normal_force is -1, expected zero or more"),
        (lambda: st.wheel(0.5, 1e308), r"roll is 1e\+308, expected a finite angle"),
        (lambda: bar.load(np.broadcast_to(np.float32(1), (2**55, 3))), r"motion is an array of shape \(36028797018963968, 3\), expected one that fits into memory"),
        (lambda: tripod.points(progress=np.ones((3, 3))), "^progress is a ndarray, expected a bool or something to call$"),
        (lambda: st.GlobalProblem.from_json(problem.to_json()), "text is a problem of the other form, expected one with M, H, f and w"),
        (lambda: st.polygon(np.zeros((3, 2))), "^vertices has 1 distinct points, expected at least 2"),
        (lambda: st.polygon([[2.0, 1], [1, 2], [2, 2]]), "^vertices does not contain the origin, expected"),
        (lambda: st.grid([0, 0], 0.1, np.zeros((3, 3)), 0.5), "^pressures is zero everywhere, expected some pressure"),
        (lambda: st.grid([0, 0], 0.1, [[1.0, -2.0]], 0.5), r"^pressures\[0\]\[1\] is -2, expected zero or more"),
        (lambda: st.grid([0, 0], 0.1, np.zeros((0, 3)), 0.5), "^pressures has no cells, expected at least one"),
        (lambda: st.generalized_cone(-np.eye(3), 0.5), "^W has the eigenvalue -1, expected a positive semidefinite matrix"),
        (lambda: st.generalized_cone(1e300 * np.eye(3), 0.5), r"^the largest entry of W is 1e\+300, expected"),
        (lambda: st.mu_crit(-np.eye(3)), "^W has the eigenvalue -1, expected a positive semidefinite matrix"),
        (lambda: st.mu_jam([np.eye(3), -np.eye(3)]), r"^W\[1\] has the eigenvalue -1, expected a positive semidefinite matrix"),
        (lambda: st.configuration_cone(-np.eye(4), np.ones((3, 4)), 0.5), "^M is not positive definite, expected a mass matrix"),
        (lambda: st.configuration_cone(np.eye(4), np.ones((3, 5)), 0.5), r"^M is of shape \(4, 4\) and A of shape \(3, 5\), expected"),
        (lambda: st.throw_block(0.5, 0.5, [1e300, 0]), r"^velocity, mu and gravity is a throw of .* s, expected"),
        (lambda: st.orthotropic_tensor(1e300 * np.eye(2)), r"^T: mu is 1e\+300, expected"),
        (lambda: st.optimality_residual([1e300, 1e300], [1, 0], 1.0, 0.5), "^the length of v is inf, expected"),
        (lambda: st.GlobalProblem(np.ones((2, 3)), W, q, q, 0.5), r"^M is a matrix of shape \(2, 3\), expected as many columns as its rows, 2"),
        (lambda: st.GlobalProblem(W, np.ones((3, 4)), q, q, 0.5), r"^H is a matrix of shape \(3, 4\), expected as many columns as those of M, 3"),
        (lambda: st.GlobalProblem(W, W, q, q, 0.5, G=np.ones((1, 4)), b=[0.0]), r"^G is a matrix of shape \(1, 4\), expected .* those of M, 3"),
        (lambda: st.ContactProblem(W, q, 0.5, V=np.ones((3, 1)), R=np.ones((1, 2)), s=[0.0]), r"^R is a matrix of shape \(1, 2\), expected .* its rows, 1"),
        (lambda: st.check(problem, [[1.0, 0, 0]], tolerance=None), "^tolerance is None, expected a number > 0"),
        (lambda: st.check(problem, [[1.0, 0, 0]], tolerance=-1.0), "^tolerance is -1.0, expected a number > 0"),
        (lambda: st.check(problem, [[1.0, 0, 0]], tolerance=q), "^tolerance is a ndarray, expected a number > 0"),
        (lambda: st.write_solution("x.json", problem, st.solve(problem), model=q), "^model is a ndarray, expected 'coulomb' or 'convex'"),
        (lambda: st.frictionless_line(-np.eye(3)), "^W has the eigenvalue -1, expected a positive semidefinite matrix"),
        (lambda: st.bounding_normal(-np.eye(3)), "^W has the eigenvalue -1, expected a positive semidefinite matrix"),
        (lambda: st.frictionless_line(np.arange(9.0).reshape(3, 3)), r"^W\[1\]\[0\] is 3 and .*, expected a symmetric matrix"),
        (lambda: st.bounding_normal(1e300 * np.eye(3)), r"^the largest entry of W is 1e\+300, expected"),
        (lambda: st.check(problem, [[1.0, 0, 0]], tolerance=10**400), "^tolerance is .*, expected a number > 0"),
        (lambda: bar.slide([1.0, 0, 0], samples=2**31 - 1), "^samples is 2147483647, expected 0 to ten million"),
        (lambda: st.rod(0.5).normal_acceleration([1e200, 1e200, 1e200]), r"^angular_velocity is \(1e\+200, .*, expected one whose"),
        (lambda: st.box_on_edge(1e308, 1, 1, tilt=0.1), r"^length is 1e\+308, expected a number from 1e-60 to 1e60"),
        (lambda: st.slip_error("box:0.5", 1e-320, [1, 0]), "^mu.* is 1e-320, expected"),
        (lambda: st.identify([st.point([0, 1], 1.0, 0.5)], [q], [q], length_scale=1e-320), "^length_scale is 1e-320, expected a length from"),
        (lambda: st.check(problem, [[1.0, 2.0]]), r"solution: reactions is an array of shape \(1, 2\), expected shape \(1, 3\)"),
    ],
)
def test_the_message_names_argument_and_expectation(call, message):
    with pytest.raises(ValueError, match=message) as error:
        call()
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("size", [1.0, 1e200, 1e-200])
def test_numbers_whose_squares_are_none_are_answered(size):
    ones = np.full(3, size)
    assert not g.contains(ones) and g.contains([0.1 * size, 0, size])
    np.testing.assert_array_equal(st.non_negative_least_squares(np.eye(3), ones), ones)
    np.testing.assert_array_equal(st.non_negative_least_squares(size * np.eye(3), ones), np.ones(3))
    np.testing.assert_allclose(st.non_negative_least_squares(np.eye(3) * size, [2.0, -1, 0]), [2 / size, 0, 0])


def hidden(array):
    """The array with its first number masked."""
    mask = np.zeros(np.shape(array), dtype=bool)
    mask[(0,) * mask.ndim] = True
    return np.ma.masked_array(array, mask)


@pytest.mark.parametrize(
    "name,call",
    [
        ("q", lambda: st.solve(W, hidden(q), 0.5)),
        ("q", lambda: st.solve(W, hidden(np.array([-1, 0, 0])), 0.5)),
        ("q", lambda: st.solve(W, [hidden(q)], 0.5)),
        ("W", lambda: st.solve(hidden(W), q, 0.5)),
        ("W", lambda: st.solve([hidden(W[0]), W[1], W[2]], q, 0.5)),
        ("W", lambda: st.generalized_cone(hidden(W), 0.5)),
        ("law", lambda: st.solve(W, q, hidden([0.5]))),
        ("law", lambda: st.solve(W, q, np.ma.masked)),
        (r"law\[0\]", lambda: st.solve(W, q, [np.ma.masked])),
        ("law", lambda: st.Law(np.ma.masked_array(0.5, True))),
        ("guess", lambda: st.solve(W, q, 0.5, guess=hidden(q))),
        ("reactions", lambda: st.certify(problem, hidden(q))),
        ("load", lambda: bar.motion(hidden(q))),
        ("loads", lambda: bar.motions(hidden([q]))),
        ("motion", lambda: bar.load(hidden(q))),
        ("motions", lambda: bar.loads(hidden([q]))),
        ("slip", lambda: st.disc(0.5).support(hidden([1.0, 2.0]))),
        ("at", lambda: st.point(hidden([0.0, 1.0]), 1.0, 0.5)),
        ("pressures", lambda: st.grid([0, 0], 0.1, hidden(np.ones((2, 2))), 0.5)),
    ],
)
def test_masked_numbers_are_not_taken(name, call):
    with pytest.raises(ValueError, match=f"{name} has masked entries, expected numbers$"):
        call()


def test_masks_that_hide_nothing_are_no_matter():
    for same in (np.ma.masked_array(q), np.ma.masked_array(q, [False] * 3), [np.ma.masked_array(q)]):
        np.testing.assert_array_equal(st.solve(W, same, 0.5).reactions, st.solve(W, q, 0.5).reactions)
    class Own(np.ndarray):
        pass

    assert st.disc(0.5).support(np.array([1.0, 0.0]).view(Own)) == 0.5


@pytest.mark.parametrize(
    "call",
    [
        lambda: st.solve(W, q, 0.5, method="ma\ngic"),
        lambda: st.solve(W, q, 0.5, model="so\r\nft"),
        lambda: st.solve(W, q, "disc\n:0.5"),
        lambda: st.read_problem("no\nwhere.json"),
        lambda: st.read_problem("scenes/ladder.json", kind="lo\ncal"),
        lambda: st.Slider.from_file("no\nwhere.json"),
        lambda: st.read_solution("no\nwhere.json"),
        lambda: st.write_solution("no\nwhere/x.json", problem, st.solve(problem)),
        lambda: st.write_problem("no\nwhere/x.json", problem),
        lambda: tripod.fit("el\nlipsoid"),
        lambda: st.disc_support([0, 0], 1.0, 1.0, 1.0, pressure="uni\nform"),
        lambda: st.Separation([1.0], "ma\ngic"),
    ],
)
def test_messages_are_one_line_whatever_they_repeat(call):
    with pytest.raises(ValueError) as error:
        call()
    assert len(str(error.value).splitlines()) == 1 and re.search(r"\\n|\?", str(error.value))


anything = some.one_of(
    arrays.arrays(
        dtype=some.one_of(
            arrays.floating_dtypes(), arrays.integer_dtypes(), arrays.boolean_dtypes(), arrays.complex_number_dtypes(),
            arrays.unicode_string_dtypes(), arrays.byte_string_dtypes(), arrays.datetime64_dtypes(),
        ),
        shape=arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=7),
    ),
    some.recursive(some.none() | some.floats() | some.integers() | some.text(max_size=3) | some.booleans(), some.lists, max_leaves=9),
    some.sampled_from([np.array([1, "a", None], dtype=object), object(), {}, {1, 2}, range(3), np.zeros((3, 0)), b"abc", lambda: 0, np]),
)
nearly = some.one_of(  # the right shape, any number
    arrays.arrays(np.float64, some.sampled_from([(2,), (3,), (1, 3), (3, 3), (6, 3), (4, 2)]), elements=some.floats()), anything
)
number = some.one_of(some.floats(), some.integers(-3, 30))

calls = {
    "solve": (lambda a, b, c: st.solve(a, b, c, max_seconds=0.2), 3),
    "solve q": (lambda a, c: st.solve(W, a, c, max_seconds=0.2), 2),
    "solve guess": (lambda a: st.solve(W, q, 0.5, guess=a, max_seconds=0.2), 1),
    "problem": (lambda a, b, c: st.ContactProblem(a, b, c), 3),
    "global": (lambda a, b, c, d: st.GlobalProblem(a, b, c, d, 0.5), 4),
    "certify": (lambda a: st.certify(problem, a), 1),
    "support": (lambda a: st.rusty_wheel(0.5, 0.2).support(a), 1),
    "gauge": (lambda a: st.ratchet(0.5).gauge(a), 1),
    "project": (lambda a: st.ellipse(0.5, 0.2).project(a), 1),
    "face": (lambda a: st.box(0.5).face(a), 1),
    "faces": (lambda a: st.box(0.5).faces(a), 1),
    "normals": (lambda a: st.box(0.5).normals(a), 1),
    "contains": (lambda a: st.pyramid(0.5).contains(a), 1),
    "polygon": (lambda a: st.polygon(a), 1),
    "cone": (lambda a: (cone.project(a), cone.project_dual(a), cone.shift(a)), 1),
    "load": (lambda a: bar.load(a), 1),
    "loads": (lambda a: tripod.loads(a), 1),
    "motion": (lambda a: tripod.motion(a), 1),
    "moment": (lambda a: tripod.moments(a), 1),
    "slide": (lambda a: tripod.slide(a), 1),
    "push": (lambda a, b, c: tripod.push(contact=a, normal=b, mu=0.3, velocity=c), 3),
    "grid": (lambda a, b: st.grid(a, 0.1, b, 0.5), 2),
    "polygon support": (lambda a, b: st.polygon_support(a, 1.0, 0.5, holes=[b]), 2),
    "generalized cone": (lambda a, b: st.generalized_cone(a, b), 2),
    "nearest": (lambda a: g.nearest(a), 1),
    "regime": (lambda a: g.regime(a, -1.0), 1),
    "impact": (lambda a: st.impact(g, a, 0.5), 1),
    "configuration cone": (lambda a, b: st.configuration_cone(a, b, 0.5), 2),
    "optimality": (lambda a, b: st.optimality_residual(a, b, 1.0, 0.5), 2),
    "response": (lambda a, b: st.friction_response(a, b, 1.0), 2),
    "tensor": (lambda a: st.orthotropic_tensor(a), 1),
    "castor": (lambda a: st.Castor(a).relaxed(), 1),
    "derivatives": (lambda a: (cone.project_with_derivative(a), st.box(0.5).project_with_derivative(a)), 1),
    "apex": (lambda a: g.with_apex(a), 1),
    "lines": (lambda a: (st.frictionless_line(a), st.bounding_normal(a)), 1),
    "bilateral": (lambda a, b, c: st.ContactProblem(W, q, 0.5, V=a, R=b, s=c), 3),
    "bilateral forces": (lambda a: problem.bilateral_forces(a), 1),
    "separation": (lambda a: st.verify_separation(problem, st.Separation(a)), 1),
    "least squares": (lambda a, b: st.non_negative_least_squares(a, b), 2),
    "edge": (lambda a, b, c: tripod.push_edge(start=a, end=b, mu=0.3, motion=c), 3),
    "clipped": (lambda a: st.disc(0.5).clipped(a, 0.2), 1),
    "power derivatives": (lambda a: tripod.power_derivatives(a), 1),
    "check": (lambda a: st.check(problem, a), 1),
    "identify": (lambda a, b: st.identify([st.point([0, 1], 1.0, 0.5)], a, b, length_scale=1.0), 2),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", calls)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=some.data())
def test_any_object_is_answered_or_refused(name, data):
    call, count = calls[name]
    arguments = [data.draw(nearly) for _ in range(count)]
    try:
        call(*arguments)
    except ValueError as error:
        assert str(error) and "\n" not in str(error)


@pytest.mark.parametrize("name", sorted(set(calls) - {"bilateral", "solve guess"}))  # which may be left out
def test_none_is_no_array(name):
    call, count = calls[name]
    with pytest.raises(ValueError, match="None"):
        call(*[None] * count)


makers = {
    "disc": (st.disc, 1), "ellipse": (st.ellipse, 3), "wheel": (st.wheel, 2), "rusty_wheel": (st.rusty_wheel, 3),
    "ratchet": (st.ratchet, 2), "ratchet_free": (st.ratchet_free, 2), "pyramid": (st.pyramid, 1), "box": (st.box, 1),
    "scaled_box": (st.scaled_box, 1),
}


@pytest.mark.parametrize("name", makers)
@settings(max_examples=60, deadline=None)
@given(data=some.data())
def test_any_number_makes_a_law_or_is_refused(name, data):
    make, count = makers[name]
    parameters = [data.draw(number) for _ in range(count)]
    try:
        law = make(*parameters)
    except ValueError:
        assert any(not np.isfinite(p) or p < 0 or (0 < p < 1e-100) or p > 1e100 for p in map(float, parameters))
    else:
        assert parameters[0] >= 0
        assert law.support([1.0, 0.0]) >= 0


@given(mu=number, sides=some.integers(-10, 100))
def test_any_polygon_of_sides_is_made_or_refused(mu, sides):
    for make in (st.ngon, st.ngon_out):
        try:
            assert make(mu, sides).support([1.0, 0.0]) >= 0
        except ValueError as error:
            assert "mu" in str(error).lower() or "sides" in str(error) or "N" in str(error)


@pytest.mark.parametrize("slip", [[3, 4.0], (3.0, 4), [np.float32(3), 4], [True, 2], [2**60, 1], [1e308, -1e308]])
def test_lists_are_as_arrays(slip):
    assert st.disc(0.5).support(slip) == st.disc(0.5).support(np.array(slip, dtype=float))


def test_lists_of_other_things_are_not():
    with pytest.raises(ValueError, match=r"slip is an array of dtype object, expected real numbers"):
        st.disc(0.5).support([2**70, 1])
    with pytest.raises(ValueError, match=r"slip\[1\] is nan, expected a finite number"):
        st.disc(0.5).support([1, float("nan")])
    with pytest.raises(ValueError, match=r"slip is an array of shape \(0,\), expected"):
        st.disc(0.5).support([])


def test_buffers_without_strides():
    assert st.disc(0.5).support((ctypes.c_double * 2)(3.0, 4.0)) == 2.5
    for wrong in (np.datetime64("now"), np.timedelta64(1, "s")):
        with pytest.raises(ValueError, match="slip is an array of dtype .*, expected real numbers"):
            st.disc(0.5).support(wrong)
        with pytest.raises(ValueError, match="W"):
            st.ContactProblem(wrong, q, 0.5)
    with pytest.raises(ValueError, match="out is"):
        bar.loads(np.ones((2, 3)), out=(ctypes.c_double * 6)())


@pytest.mark.parametrize("make", ["csc_matrix", "csr_matrix", "bsr_matrix", "coo_matrix"])
@pytest.mark.parametrize("index", [99, -5, 2**30])
def test_sparse_indices_out_of_range(make, index):
    matrix = getattr(scipy.sparse, make)(np.eye(12) + 0.1)
    (matrix.row if make == "coo_matrix" else matrix.indices)[3] = index
    with pytest.raises(ValueError, match="W is a sparse matrix whose indices are not sound"):
        st.solve(matrix, -np.ones(12), 0.5)


def test_sparse_starts_out_of_range():
    matrix = scipy.sparse.csc_matrix(np.eye(12) + 0.1)
    matrix.indptr[3] = 10**6
    with pytest.raises(ValueError, match="W is a sparse matrix whose indices are not sound"):
        st.solve(matrix, -np.ones(12), 0.5)


def test_solution_files_of_other_things(tmp_path):
    solution = st.solve(problem)
    for call in (
        lambda: st.check(None, [[1.0, 0.0, 0.0]]),
        lambda: st.write_solution(tmp_path / "s.json", None, solution),
        lambda: st.write_solution(tmp_path / "s.json", problem, None),
        lambda: st.write_solution(tmp_path / "no" / "s.json", problem, solution),
        lambda: st.write_solution(tmp_path / "s.hdf5", problem, solution),
        lambda: st.write_solution(tmp_path / "s.json", st.ContactProblem(np.eye(6), np.ones(6), 0.5), solution),
    ):
        with pytest.raises(ValueError, match="expected|cannot be written"):
            call()
    assert list(tmp_path.iterdir()) == []
    for text in ('{"reactions": [[1, 2, NaN]]}', "[" * 100000):
        (tmp_path / "s.json").write_text(text)
        with pytest.raises(ValueError, match="s.json: .*expected"):
            st.read_solution(tmp_path / "s.json")


def test_laws_are_compared_with_anything():
    cut = st.disc(0.5).clipped([1, 0], 0.2)
    assert cut == cut and cut != st.disc(0.5) and cut == st.disc(0.5).clipped([1, 0], 0.2) and cut in {cut}
    assert st.FrictionCone(0.5).law == st.disc(0.5) and st.disc(0.5) != "disc:0.5"
