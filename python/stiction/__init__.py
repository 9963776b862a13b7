# SPDX-License-Identifier: Apache-2.0
"""Dry friction between rigid bodies, exactly, fast, with proof.

Velocities, forces and impulses are SI; angles are radians.  Contacts have the order n, t1, t2;
generalized cones t1, t2, n; sliders vx, vy, ω and Fx, Fy, M.

>>> import numpy as np, stiction as st
>>> st.disc(0.5).support([1.0, 0.0])
0.5
"""

from . import _classes
from . import _stiction
from ._progress import Interrupted as Interrupted
from ._stiction import *  # noqa: F403
from ._stiction import version as __version__
from ._friends import Scene as Scene
from ._friends import from_mujoco as from_mujoco
from ._friends import from_pinocchio as from_pinocchio
from ._solutions import Check as Check
from ._solutions import SolutionFile as SolutionFile
from ._solutions import check as check
from ._solutions import read_solution as read_solution
from ._solutions import write_solution as write_solution
from ._view import View as View
from ._view import view as view

_classes.complete(_stiction)
