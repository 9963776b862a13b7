# SPDX-License-Identifier: Apache-2.0
"""Pickles of laws and of what is made of them come back bit for bit, whatever the law."""

import copy
import pickle

import numpy as np
import pytest
import stiction as st

rng = np.random.default_rng(11)


def mu():
    return float(10 ** rng.uniform(-3, 1))


def angle():
    return float(rng.choice([rng.uniform(-10, 10), rng.integers(-8, 8) * np.pi / 4, rng.uniform(-1, 1) * 1e-9, -0.0]))


def points(count):
    turn = np.sort(rng.uniform(0, 2 * np.pi, count)) + np.linspace(0, 2 * np.pi, count, endpoint=False)
    return np.stack([np.cos(turn), np.sin(turn)], 1) * rng.uniform(0.5, 2) + 0.0


makers = {
    "disc": lambda: st.disc(mu()),
    "ellipse": lambda: st.ellipse(mu(), mu(), angle()),
    "thin ellipse": lambda: st.ellipse(mu(), 0.0, angle()),
    "wheel": lambda: st.wheel(mu(), angle()),
    "rusty_wheel": lambda: st.rusty_wheel(1.0, rng.uniform(), angle()),
    "ratchet": lambda: st.ratchet(mu(), angle()),
    "free": lambda: st.free(),
    "ratchet_free": lambda: st.ratchet_free(mu(), angle()),
    "pyramid": lambda: st.pyramid(mu()),
    "box": lambda: st.box(mu()),
    "scaled_box": lambda: st.scaled_box(mu()),
    "ngon": lambda: st.ngon(mu(), int(rng.integers(3, 40))),
    "ngon_out": lambda: st.ngon_out(mu(), int(rng.integers(3, 40))),
    "polygon": lambda: st.polygon([*points(7), [-3.0, -3.0], [3.0, 0], [0, 3.0]]),
    "half disc": lambda: st.disc(mu()).clipped(rng.normal(size=2), 0.0),
    "cut ellipse": lambda: st.ellipse(1.0, mu(), angle()).clipped(rng.normal(size=2), 0.3).clipped(rng.normal(size=2), 0.1),
    "bearing": lambda: st.ellipse(1.0, 0.5, angle()).with_bearing(angle(), rng.uniform(0, 0.4)),
    "pawl": lambda: st.disc(1.0).with_ratchet(angle(), rng.uniform(0, 0.9)),
    "castor": lambda: st.Castor(mu()).instantaneous(angle()),
}
changes = {
    "as made": lambda law: law,
    "turned": lambda law: law.rotated(angle()),
    "scaled": lambda law: law.scaled(mu()),
    "cut": lambda law: law.clipped(rng.normal(size=2), 0.4 * law.circumscribed_radius),
    "turned, scaled, cut": lambda law: law.rotated(angle()).scaled(mu()).clipped(rng.normal(size=2), 0.2),
}


def supports(law):
    square = [[0, 0], [1.1, 0], [1, 1], [0, 1]]
    return [
        st.point(rng.normal(size=2), mu(), law),
        st.segment([0, 0], rng.normal(size=2), mu(), law),
        st.polygon_support(square, mu(), law, holes=[[[0.2, 0.2], [0.4, 0.2], [0.2, 0.4]]]),
        *(st.disc_support(rng.normal(size=2), mu(), mu(), law, pressure=p) for p in ("uniform", "hertz", "boussinesq")),
        st.ring(rng.normal(size=2), mu(), mu(), law),
        st.ring(rng.normal(size=2), mu(), mu(), law, tangential=True),
        st.annulus(rng.normal(size=2), 1.0, 0.3, mu(), law),
        st.grid(rng.normal(size=2), 0.1, rng.uniform(size=(3, 2)), law),
        st.grid(rng.normal(size=2), 0.1, rng.uniform(size=(3, 2)), law, cells="points"),
    ]


def back(item):
    return pickle.loads(pickle.dumps(item, int(rng.choice([2, pickle.HIGHEST_PROTOCOL]))))


def bits(item):
    """Every number the answers are computed from, as it is stored."""
    return pickle.dumps(item.__getstate__())


def answers(law):
    slips = np.random.default_rng(0).normal(size=(30, 2))
    return [law.support(slips), law.project(slips), law.gauge(slips), law.faces(slips), law.vertices, law.outline(), law.area]


@pytest.mark.parametrize("change", changes)
@pytest.mark.parametrize("make", makers)
def test_laws_come_back_bit_for_bit(make, change):
    for _ in range(20):
        law = changes[change](makers[make]())
        for again in (back(law), copy.copy(law), copy.deepcopy(law)):
            assert again == law and hash(again) == hash(law) and repr(again) == repr(law)
            assert bits(again) == bits(law)
            for a, b in zip(answers(again), answers(law)):
                assert np.array_equal(np.asarray(a).view(np.int64), np.asarray(b).view(np.int64))
        cone = st.FrictionCone(law)
        x = rng.normal(size=(10, 3))
        np.testing.assert_array_equal(back(cone).project(x), cone.project(x))


@pytest.mark.parametrize("change", changes)
@pytest.mark.parametrize("make", makers)
def test_sliders_come_back_bit_for_bit(make, change):
    made = supports(changes[change](makers[make]()))
    for support in made:
        assert bits(back(support)) == bits(support) and back(support).law == support.law
    slider = st.Slider(made, name="é\n", reference=rng.normal(size=2), mass=mu(), inertia=mu(), centre_of_mass=[0.1, 0])
    again = back(slider)
    assert bits(again) == bits(slider) and repr(again) == repr(slider)
    q = rng.normal(size=(10, 3))
    np.testing.assert_array_equal(again.loads(q), slider.loads(q))
    for name in ("length_scale", "reference", "mass", "name"):
        np.testing.assert_array_equal(getattr(again, name), getattr(slider, name))


def test_sliders_of_files_keep_their_headings():
    text = """{"supports": [{"type": "point", "at": [0, 1], "normal_force": 1, "heading_deg": 33.3,
        "law": {"curve": "wheel", "mu": 0.5, "roll_deg": 12.1}}]}"""
    slider = st.Slider.from_json(text)
    assert back(slider).to_json() == slider.to_json() and '"heading_deg":33.3' in slider.to_json()
    np.testing.assert_array_equal(back(slider).loads([[1, 2, 3.0]]), slider.loads([[1, 2, 3.0]]))


def test_laws_that_are_equal_have_equal_hashes():
    cut = [st.disc(0.5).with_ratchet(0.3, 0.1) for _ in range(2)]
    assert cut[0] == cut[1] and len(set(cut)) == 1
    assert cut[0] != st.disc(0.5).with_ratchet(0.3, 0.2) and cut[0] != st.disc(0.5) and st.disc(0.5) != cut[0]
    assert st.wheel(0.5, -0.0) == st.wheel(0.5, 0.0) and len({st.wheel(0.5, -0.0), st.wheel(0.5, 0.0)}) == 1
    assert st.Law("box:0.5") != "box:0.5"


@pytest.mark.parametrize("state", ["disc:-1", "nonsense", (), (7, 1.0, 1.0, (2, 1, bytes(16)), (0, 7, b""))])
def test_a_foreign_law_is_refused(state):
    for kind in (st.Law, st.Slider):
        with pytest.raises(TypeError, match="pickle"):
            kind.__new__(kind).__setstate__(state)
    shape, a, b, axis, pieces = st.disc(0.5).rotated(1.0).scaled(2.0).__getstate__()
    for wrong in [(1, a, b, axis, pieces), (4, a, b, axis, pieces), (shape, -a, b, axis, pieces), (shape, np.nan, b, axis, pieces)]:
        with pytest.raises(TypeError, match="pickle"):
            st.Law.__new__(st.Law).__setstate__(wrong)
