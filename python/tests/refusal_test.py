# SPDX-License-Identifier: Apache-2.0
"""A call whose arguments do not fit is refused in one line: the function, the argument, what it is, what was expected."""

import inspect
import pathlib
import subprocess
import sys

import numpy as np
import pytest
import stiction as st
from stiction import _stiction

W, q = np.eye(3), np.array([-1.0, 0.0, 0.0])
problem = st.ContactProblem(W, q, 0.5)
bar = st.Slider.from_file("scenes/dumbbell.json")


@pytest.mark.parametrize(
    "call,kind,message",
    [
        (lambda: st.solve(W, q, 0.5, threads=2**40), ValueError, "solve: threads is 1099511627776, expected a whole number up to 2147483647"),
        (lambda: bar.slide([1, 0, 0], samples=2**31), ValueError, "Slider.slide: samples is 2147483648, expected a whole number up to 2147483647"),
        (lambda: st.solve([problem, problem]), TypeError, "solve: problem is a list, expected ContactProblem or GlobalProblem"),
        (lambda: st.solve(W, q), TypeError, "solve: law is missing, expected Law | float | str | Sequence[Law | float | str] | ArrayLike"),
        (lambda: st.solve(problem, tolerence=1e-8), TypeError, "solve: tolerence is no argument of it, expected tolerance"),
        (lambda: st.solve(problem, tolerance="small"), TypeError, "solve: tolerance is 'small', expected float"),
        (lambda: st.solve(problem, tolerance=[1e-8]), TypeError, "solve: tolerance is a list, expected float"),
        (lambda: st.solve(problem, method=3), TypeError, "solve: method is 3, expected str"),
        (lambda: st.disc(), TypeError, "disc: mu is missing, expected float"),
        (lambda: st.disc(0.5, mu=1.0), TypeError, "disc: mu is given twice, expected once"),
        (lambda: st.disc(None), TypeError, "disc: mu is None, expected float"),
        (lambda: st.disc(0.5).support(), TypeError, "Law.support: slip is missing, expected ArrayLike"),
        (lambda: st.disc(0.5).support([1, 0], [0, 1]), TypeError, "Law.support: takes 1 arguments by position, expected no more, was given 2"),
        (lambda: st.Law.support(3, [1, 0]), TypeError, "Law.support: self is 3, expected Law"),
        (lambda: st.Slider(3), TypeError, "Slider: supports is 3, expected Sequence[Support]"),
        (lambda: st.Slider([1, 2]), TypeError, "Slider: supports is a list, expected Sequence[Support]"),
        (lambda: st.Slider.from_file(3), TypeError, "Slider.from_file: path is 3, expected str | PathLike"),
        (lambda: st.read_problem(b"x\n", kind=1), TypeError, None),
        (lambda: st.read_problem("no\nsuch.json", kind=1), TypeError, "read_problem: kind is 1, expected str | None"),
        (lambda: bar.slide([1, 0, 0], samples=1.5), TypeError, "Slider.slide: samples is 1.5, expected int"),
        (lambda: bar.slide([1, 0, 0], samples="\n" * 5), TypeError, "Slider.slide: samples is '\\n\\n\\n\\n\\n', expected int"),
        (lambda: st.certify([problem], [[1.0, 0, 0]]), TypeError, None),
        (lambda: st.ContactProblem(W, q, 0.5, dimension="3"), TypeError, "ContactProblem: dimension is '3', expected int"),
    ],
)
def test_the_message_names_function_and_argument(call, kind, message):
    with pytest.raises(kind) as error:
        call()
    assert type(error.value) is kind
    assert "\n" not in str(error.value) and len(str(error.value)) < 200
    if message is not None:
        assert str(error.value) == message


solution = st.solve(problem)
samples = [st.disc(0.5), st.Law(0.5), st.FrictionCone(0.5), st.point([0, 0], 1.0, 0.5), bar, problem, solution, solution.certificate]


def compiled():
    """Every function of the compiled modules, every class, and every method, of an object where one is at hand."""
    modules = [_stiction]
    try:
        from stiction import _models

        modules.append(_models)
    except ImportError:
        pass
    for module in modules:
        for item in vars(module).values():
            if type(item).__name__ == "nb_func":
                yield item, ()
            if inspect.isclass(item):
                yield item, ()
                for name, member in vars(item).items():
                    if type(member).__name__ == "nb_func":
                        yield member, ()
                    if type(member).__name__ == "nb_method" and name not in ("__init__", "__setstate__"):
                        yield member, (next((one for one in samples if type(one) is item), None),)


class Strange:
    """Of no kind that anything takes."""

    def __repr__(self):
        return "strange\nthing"


wrong = [(), (Strange(),), (Strange(),) * 2, (Strange(),) * 12, (None,), (2**100,), ("\udcff\n",), ([Strange()],), ({},)]


def test_whatever_is_given_the_message_is_one_line():
    said = 0
    functions = list(compiled())
    assert len(functions) > 200
    for function, first in functions:
        for arguments in wrong:
            for named in ({}, {"nonsense": Strange()}):
                try:
                    function(*first, *arguments, **named)
                except (TypeError, ValueError) as error:
                    text = str(error)
                    assert "\n" not in text and len(text) < 400, (function.__qualname__, text)
                    assert "overload" not in text and "Invoked with" not in text, (function.__qualname__, text)
                    said += isinstance(error, TypeError)
                except (OverflowError, RuntimeError, NotImplementedError) as error:
                    assert "\n" not in str(error)
    assert said > 2000


def test_other_errors_are_left_alone():
    """A TypeError of a caller's own function passes through compiled code as it was."""
    thrown = TypeError("mine\nof two lines")

    def law(v):
        raise thrown

    with pytest.raises(TypeError) as error:
        st.SlipLaw("mine", law).force([1.0, 0.0])
    assert error.value is thrown


def test_files_are_written_whole_by_several_processes(tmp_path):
    """Two processes save a view and a solution a hundred times each; a reader sees whole files only, and nothing else is left."""
    program = (
        "import sys, stiction as st\n"
        "solution = st.solve(problem := st.ContactProblem([[1.0, 0, 0], [0, 1, 0], [0, 0, 1]], [-1.0, 0, 0], 0.5))\n"
        "for _ in range(100):\n"
        "    st.write_solution(sys.argv[1], problem, solution)\n"
    )
    path = tmp_path / "one.json"
    (tmp_path / "one.json.part").write_text("mine")
    running = [subprocess.Popen([sys.executable, "-c", program, str(path)]) for _ in range(2)]
    seen = set()
    while any(one.poll() is None for one in running):
        if path.exists():
            seen.add(path.read_text())
    assert [one.returncode for one in running] == [0, 0]
    assert len(seen) == 1 and st.read_solution(path).reactions.shape == (1, 3)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["one.json", "one.json.part"]
    assert (tmp_path / "one.json.part").read_text() == "mine"


def test_paths_that_are_not_utf8_are_told():
    for call in (
        lambda: st.read_problem("\udcff.json"),
        lambda: st.write_problem("nowhere/\udcff.json", problem),
        lambda: st.read_problem(pathlib.Path("caf\udce9\n.dat")),
        lambda: st.Slider.from_file("\udcff\x1b[31m.json"),
    ):
        with pytest.raises(ValueError) as error:
            call()
        assert str(error.value).isprintable() and "\\x" in str(error.value)
