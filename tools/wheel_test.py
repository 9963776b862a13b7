# SPDX-License-Identifier: Apache-2.0
"""Uses an installed wheel: what tools/wheels --test runs in a bare system.  With a URDF file, models too."""

import os
import sys
import tempfile

import numpy as np
import stiction as st

assert "site-packages" in st.__file__, st.__file__
problem = st.ContactProblem(np.eye(3), [-1.0, 0.25, 0.0], 0.5)
solution = st.solve(problem)
assert solution.status == "solved" and solution.certificate.relative < 1e-8
folder = tempfile.mkdtemp()
for ending in (".hdf5", ".dat", ".json"):
    path = os.path.join(folder, "one" + ending)
    st.write_problem(path, problem)
    np.testing.assert_array_equal(st.read_problem(path).q, problem.q)
with open(os.path.join(folder, "bad.hdf5"), "wb") as file:
    file.write(b"\x89HDF\r\n\x1a\n" + bytes(100))
try:
    st.read_problem(os.path.join(folder, "bad.hdf5"))
    raise SystemExit("a damaged file was read")
except ValueError as error:
    assert "\n" not in str(error)
bar = st.Slider([st.point([0, 1], 0.5, 1.0), st.point([0, -1], 0.5, 1.0), st.point([1, 0], 0.5, 1.0)])
assert bar.load([1.0, 0.5, 0.2]).power > 0
assert len(st.view(bar, resolution=16).html()) > 100_000  # the viewer is inside
if len(sys.argv) > 1:
    from stiction.models import Model

    arm = Model.from_file(sys.argv[1])
    W = arm.contacts_delassus(arm.frames[-1:])
    assert W.shape == (3, 3) and np.all(np.linalg.eigvalsh(W) > -1e-12)
else:
    try:
        import stiction.models
    except ImportError as error:
        assert "stiction[models]" in str(error), error  # it says what to install
print("stiction", st.__version__, "with models" if len(sys.argv) > 1 else "alone", "works under Python", sys.version.split()[0])
