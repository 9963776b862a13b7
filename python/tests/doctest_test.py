# SPDX-License-Identifier: Apache-2.0
"""Every example in a docstring runs, and everything public has a docstring."""

import doctest
import inspect

import numpy as np
import pytest
import stiction as st
import stiction.plot

submodules = [stiction.plot]
try:
    import stiction.models

    submodules.append(stiction.models)
except ImportError:  # built without Pinocchio
    pass


def public():
    for module in (st, *submodules):
        for name in sorted(n for n in getattr(module, "__all__", dir(module)) if not n.startswith("_")):
            yield f"{module.__name__.removeprefix('stiction').lstrip('.')}.{name}".lstrip("."), getattr(module, name)


def members(item):
    for name, member in sorted(vars(item).items()):
        if not name.startswith("_"):
            yield name, member


def examples():
    finder = doctest.DocTestFinder(recurse=False)
    globs = {"np": np, "st": st}
    for name, item in public():
        if inspect.ismodule(item):
            continue
        yield from finder.find(item, name, module=False, globs=dict(globs))
        if inspect.isclass(item):
            for member_name, member in members(item):
                text = getattr(member, "__doc__", None)
                if text:
                    parser = doctest.DocTestParser()
                    yield parser.get_doctest(text, dict(globs), f"{name}.{member_name}", None, 0)


cases = [e for e in examples() if e.examples]


@pytest.mark.parametrize("case", cases, ids=lambda c: c.name)
def test_example(case):
    for friend in ("mujoco", "pinocchio"):
        if f"import {friend}" in case.docstring:
            pytest.importorskip(friend, reason=f"{friend} could not be installed")
    out: list[str] = []
    runner = doctest.DocTestRunner(verbose=False)
    assert runner.run(case, out=out.append, clear_globs=False).failed == 0, "".join(out)


def callables():
    """Everything public that is called: functions, classes and their methods."""
    for name, item in public():
        if callable(item):
            yield name
        if inspect.isclass(item):
            yield from (f"{name}.{n}" for n, m in members(item) if callable(m) or isinstance(m, (classmethod, staticmethod)))


def test_all_that_can_be_called_has_an_example():
    found = set(callables())
    assert {"solve", "Slider", "Slider.load", "Slider.from_file", "plot.section"} <= found
    assert sorted(found - {c.name for c in cases}) == []


@pytest.mark.parametrize("name,item", [(n, i) for n, i in public() if inspect.isclass(i)], ids=lambda x: str(x))
def test_classes_say_what_they_are(name, item):
    assert item.__doc__
    for member_name, member in members(item):
        assert getattr(member, "__doc__", None), f"{name}.{member_name} has no docstring"
