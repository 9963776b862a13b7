# SPDX-License-Identifier: Apache-2.0
"""Solution files: what `stiction solve --out` writes, read back and checked against the problem."""

from __future__ import annotations

import json
import os
import pathlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _stiction as st
from ._arguments import one_of, positive, shown, write
from ._classes import describe

__all__ = ["Check", "SolutionFile", "check", "read_solution", "write_solution"]


@dataclass(frozen=True, eq=False)
class SolutionFile:
    """A solution as its file says it.

    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "solution.json")
    >>> p = st.ContactProblem(np.eye(3), [-1.0, 2.0, 0.0], 0.5)
    >>> st.write_solution(path, p, st.solve(p))
    >>> file = st.read_solution(path)
    >>> file.kind, file.status, file.reactions.shape
    ('local', 'solved', (1, 3))
    """

    reactions: NDArray[np.float64]
    """A row n, t1, t2 a contact [N s]."""
    laws: list[st.Law] | None
    """One a contact, those that were solved with; None where the file does not say."""
    model: str
    """'coulomb' or 'convex'."""
    kind: str | None
    """'local' or 'global', where the file says so."""
    status: str | None
    """What the solver said."""
    separation: st.Separation | None
    """What the file claims of existence."""

    __repr__ = describe


@dataclass(frozen=True, eq=False)
class Check:
    """Whether a solution file is right, recomputed from the problem alone.

    >>> p = st.ContactProblem(np.eye(3), [-1.0, 2.0, 0.0], 0.5)
    >>> st.check(p, st.solve(p))
    Check(ok=True, certificate=Certificate(relative=0, scaled=0), separation_verified=None)
    """

    ok: bool
    """The certificate is within the tolerance, and a claimed separation is one."""
    certificate: st.Certificate
    """Of the reactions."""
    separation_verified: bool | None
    """Whether a claimed separation is one; None where none is claimed."""

    __repr__ = describe


def _rows(name: str, value: Any) -> NDArray[np.float64]:
    try:
        rows = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise ValueError(f"{name} is no table of numbers, expected a row a contact") from None
    if rows.size == 0:
        return rows.reshape(0, 3)
    if not np.isfinite(rows).all():
        raise ValueError(f"{name} has numbers that are not finite, expected finite ones")
    if rows.ndim != 2 or rows.shape[1] not in (2, 3):
        raise ValueError(f"{name} is an array of shape {rows.shape}, expected a row of 2 or 3 numbers a contact")
    return rows


def _place(path: Any) -> pathlib.Path:
    try:
        return pathlib.Path(path)
    except TypeError:
        raise TypeError(f"path is a {type(path).__name__}, expected a str or a path") from None


def _require_problem(problem: Any) -> None:
    if not isinstance(problem, (st.ContactProblem, st.GlobalProblem)):
        raise ValueError(f"problem is a {type(problem).__name__}, expected a ContactProblem or a GlobalProblem")


def read_solution(path: str | os.PathLike[str]) -> SolutionFile:
    """A solution from the JSON that `stiction solve --out` or write_solution wrote, or from FCLib's .hdf5.

    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "solution.json")
    >>> p = st.read_problem("scenes/ladder.json")
    >>> st.write_solution(path, p, st.solve(p))
    >>> st.check(p, st.read_solution(path)).ok
    True
    """
    place = _place(path)
    try:
        if place.suffix in (".hdf5", ".h5"):
            file = st.read_problem_file(place)
            if file.reactions is None:
                raise ValueError("has no solution, expected one")
            return SolutionFile(file.reactions, file.problem.laws, "coulomb", None, None, None)
        try:
            data = json.loads(place.read_text(encoding="utf-8"))
        except OSError as error:
            raise ValueError(f"cannot be read: {error.strerror}") from None
        except RecursionError:
            raise ValueError("has too many levels, expected a solution") from None
        if not isinstance(data, dict) or "reactions" not in data:
            raise ValueError("is no solution, expected an object with reactions")
        reactions = _rows("reactions", data["reactions"])
        model, law, claimed = data.get("model", "coulomb"), data.get("law"), data.get("separation")
        one_of("model", model, "coulomb", "convex")
        laws = None
        if law is not None:
            listed = law if isinstance(law, list) else [law] * len(reactions)
            laws = [st.Law.from_json(json.dumps(one)) for one in listed]
        separation = None
        if claimed is not None:
            if not isinstance(claimed, dict) or not {"direction", "proves"} <= claimed.keys():
                raise ValueError("separation is no object with direction and proves")
            direction = _rows("separation.direction", claimed["direction"])
            separation = st.Separation(direction.ravel(), str(claimed["proves"]))
        return SolutionFile(reactions, laws, model, data.get("kind"), data.get("status"), separation)
    except ValueError as error:
        text = " ".join(str(error).split())
        name = shown(place)
        raise ValueError(text if text.startswith(f"{name}: ") else f"{name}: {text}") from None


def write_solution(
    path: str | os.PathLike[str],
    problem: st.ContactProblem | st.GlobalProblem,
    solution: st.Solution,
    *,
    model: str = "coulomb",
) -> None:
    """Writes a solution as JSON, with the laws and the model it was solved under.

    >>> import tempfile, os
    >>> path = os.path.join(tempfile.mkdtemp(), "solution.json")
    >>> p = st.ContactProblem(np.eye(3), [-1.0, 2.0, 0.0], 0.5)
    >>> st.write_solution(path, p, st.solve(p))
    >>> st.read_solution(path).laws
    [Law('disc:0.5')]
    """
    place = _place(path)
    if place.suffix != ".json":
        raise ValueError(f"path is {str(place)!r}, expected a name that ends in .json")
    one_of("model", model, "coulomb", "convex")
    _require_problem(problem)
    if not isinstance(solution, st.Solution):
        raise ValueError(f"solution is a {type(solution).__name__}, expected a Solution")
    if len(solution.reactions) != problem.contacts:
        raise ValueError(f"solution is of {len(solution.reactions)} contacts, expected {problem.contacts}")
    separation = solution.separation
    data = {
        "format": "stiction/1",
        "law": [json.loads(law.to_json()) for law in problem.laws],
        "model": model,
        "kind": "global" if isinstance(problem, st.GlobalProblem) else "local",
        "status": solution.status,
        "reactions": solution.reactions.tolist(),
        "velocities": solution.velocities.tolist(),
        "separation": None
        if separation is None
        else {
            "direction": separation.direction.reshape(-1, problem.dimension).tolist(),
            "proves": separation.proves,
        },
    }
    write(place, json.dumps(data) + "\n")


def check(
    problem: st.ContactProblem | st.GlobalProblem,
    solution: SolutionFile | st.Solution | ArrayLike,
    *,
    tolerance: float = 1e-8,
) -> Check:
    """Is this a solution of the problem?  Its laws and model are those of the solution's file.

    Reactions alone, or a Solution, are checked under the problem's own laws and exact friction.

    >>> p = st.ContactProblem(np.eye(3), [-1.0, 2.0, 0.0], 0.5)
    >>> st.check(p, st.solve(p)).ok, st.check(p, [[1.0, 0.0, 0.0]]).ok
    (True, False)
    """
    tolerance = positive("tolerance", tolerance)
    _require_problem(problem)
    model, claimed = "coulomb", None
    if isinstance(solution, SolutionFile):
        model, claimed = solution.model, solution.separation
        reactions: Any = solution.reactions
        if solution.laws is not None:
            problem = problem.with_laws(solution.laws)
    elif isinstance(solution, st.Solution):
        reactions, claimed = solution.reactions, solution.separation
    else:
        reactions = solution
    local = problem.condensed()
    try:
        certificate = st.certify(local, reactions, model=model)
    except ValueError as error:
        raise ValueError(f"solution: {error}") from None
    solves = certificate.within(tolerance)
    verified = None
    if claimed is not None:  # what solves refutes that nothing does
        refuted = solves and claimed.proves == "no_solution"
        verified = not refuted and st.verify_separation(local, claimed, model=model)
    return Check(solves and verified is not False, certificate, verified)
