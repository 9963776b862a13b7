# SPDX-License-Identifier: Apache-2.0
"""Mechanisms from URDF and MJCF files: their contacts' Delassus matrices, cones and maps.

Built on Pinocchio, whose libraries must be installed: `pip install stiction[models]`.

>>> from stiction.models import Model
>>> Model.from_file("scenes/models/rod.urdf", base="floating").nv
6
"""

from . import _classes
from . import _stiction as _stiction  # the classes that answers are made of

try:
    from . import _models
    from ._models import JammingMap as JammingMap
    from ._models import ContactMotions as ContactMotions
    from ._models import Model as Model
    from ._models import contact_axes as contact_axes
except ImportError as _error:
    raise ImportError(
        "stiction.models needs Pinocchio's libraries (pip install stiction[models]), "
        f"and a wheel that was built with them: {_error}"
    ) from _error

_classes.complete(_models)
