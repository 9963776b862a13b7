# SPDX-License-Identifier: Apache-2.0
"""The Python of the README runs, line by line, and gives what its remarks say."""

import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

text = Path("README.md").read_text(encoding="utf-8")
(block,) = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def test_the_block_runs():
    pytest.importorskip("matplotlib")
    import stiction.plot  # noqa: F401, as the block says

    names = {"W": np.eye(6) + 0.1, "q": np.array([-1.0, 0.2, 0, -1, 0, 0.1]), "W3": np.eye(3), "motions": np.ones((5, 3))}
    ran = 0
    for line in block.splitlines():
        if "mujoco" in line:
            mujoco = pytest.importorskip("mujoco") if importlib.util.find_spec("mujoco") else None
            if mujoco is None:
                continue
            names["model"] = mujoco.MjModel.from_xml_path("scenes/models/box.xml")
            names["data"] = mujoco.MjData(names["model"])
            mujoco.mj_forward(names["model"], names["data"])
        if line.strip():
            exec(line, names)
            ran += 1
    assert ran >= 9
    assert names["sol"].status == "solved" and names["sol"].certificate.within(1e-8)
    assert eval("st.disc(0.5).support([1.0, 0.0])", names) == 0.5
    assert eval("bar.loads(motions)", names).shape == (5, 3)
