# SPDX-License-Identifier: Apache-2.0
"""Dry friction between rigid bodies, exactly, fast, with proof.

>>> import numpy as np, stiction as st
>>> st.disc(0.5).support([1.0, 0.0])
0.5
"""

from ._stiction import *  # noqa: F403
from ._stiction import __version__ as __version__
from ._progress import Interrupted as Interrupted
