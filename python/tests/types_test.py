# SPDX-License-Identifier: Apache-2.0
"""The stubs say what the module is, and the package's own Python is typed."""

import ast
import pathlib
import re
import subprocess
import sys

import stiction

package = pathlib.Path(stiction.__file__).parent


def run(*arguments):
    done = subprocess.run([sys.executable, "-m", *arguments], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_is_marked_as_typed():
    assert (package / "py.typed").exists() and (package / "_stiction.pyi").exists()


# What stubtest cannot see of nanobind's functions and classes, and what the package adds to all of
# these; anything else it says is an error.
nanobind = re.compile(
    r"stiction\.(_stiction|_models)\.\S+ (is not a function"
    r"|is a disjoint base at runtime, but isn't marked with @disjoint_base in the stub"
    r"|is inconsistent, metaclass differs"
    r"|is inconsistent, stub is a staticmethod but runtime is not"
    r"|is inconsistent, stub does not have \*args parameter \"args\")"
    r"|stiction\.(_stiction|_models)\.\w+\.__(copy|deepcopy|reduce)__ is not present in stub"
)


def test_stubs_match_the_module(tmp_path):
    config = tmp_path / "mypy.ini"
    config.write_text("[mypy]\nignore_missing_imports = True\n")
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "stiction", "--concise", "--mypy-config-file", str(config)],
        capture_output=True, text=True, timeout=300,
    )
    said = done.stdout.splitlines()
    assert any("is not a function" in line for line in said), done.stdout + done.stderr  # it looked
    assert [line for line in said if not nanobind.fullmatch(line)] == []


def test_the_package_passes_strictly(tmp_path):
    run("mypy", "--strict", "--ignore-missing-imports", "--cache-dir", str(tmp_path), "-p", "stiction")


def test_only_what_may_be_none_is_said_to_be():
    found = 0
    for stub in package.glob("*.pyi"):
        for function in (f for f in ast.walk(ast.parse(stub.read_text())) if isinstance(f, ast.FunctionDef)):
            given = function.args.args[: len(function.args.args) - len(function.args.defaults)]
            given += [a for a, default in zip(function.args.kwonlyargs, function.args.kw_defaults) if default is None]
            for argument in given:
                said = ast.unparse(argument.annotation) if argument.annotation else ""
                found += "ArrayLike" in said
                assert not said.endswith("| None"), f"{stub.name}: {function.name}({argument.arg}: {said})"
    assert found > 50


def test_a_typed_program_passes_strictly(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import numpy as np\n"
        "import stiction as st\n"
        "sol = st.solve(np.eye(3), [-1.0, 0.0, 0.0], [st.disc(0.5)])\n"
        "error: float = sol.certificate.relative\n"
        "rows: np.typing.NDArray[np.float64] = sol.reactions\n"
        "status: str = sol.status\n"
        "g = st.generalized_cone(np.eye(3), 0.5)\n"
        "crit: float = g.mu_crit\n"
        "loads = st.Slider([st.point([0, 0], 1.0, 0.5)]).loads(np.ones((4, 3)))\n"
        "first: np.float64 = loads[0, 0]\n"
    )
    run("mypy", "--strict", "--ignore-missing-imports", "--cache-dir", str(tmp_path / "cache"), str(program))
    program.write_text("import stiction as st\nwrong: str = st.solve([[1.0]], [1.0], 0.5).certificate.relative\n")
    done = subprocess.run([sys.executable, "-m", "mypy", "--ignore-missing-imports", "--cache-dir", str(tmp_path / "cache"), str(program)], capture_output=True, text=True)
    assert done.returncode == 1 and "Incompatible types" in done.stdout
    program.write_text("import stiction as st\nst.disc(0.5).face(None)\n")
    done = subprocess.run([sys.executable, "-m", "mypy", "--ignore-missing-imports", "--cache-dir", str(tmp_path / "cache"), str(program)], capture_output=True, text=True)
    assert done.returncode == 1 and 'Argument 1 to "face"' in done.stdout
