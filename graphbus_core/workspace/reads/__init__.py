"""What a front end reads beside the opened project itself: a build in other forms, what is set, journals of runs.

exported   a build as AsyncAPI, OpenAPI, Mermaid or DOT
settled    the settings that hold, the policy, and the settings that `init` proposes
journals   the journals of runs: listed, read, and played back in a process of their own
plainly    what any Python project says of itself, without agents
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphbus_core.late import late_names

if TYPE_CHECKING:
    from graphbus_core.adopt import Inferred, infer
    from graphbus_core.adopt.observed import Observed, Sharpened, observe, sharpened
    from graphbus_core.adopt.source import Decorated, decorated, land
    from graphbus_core.export import FORMATS

__all__ = [
    "FORMATS",
    "Decorated",
    "Inferred",
    "Observed",
    "Sharpened",
    "decorated",
    "infer",
    "land",
    "observe",
    "sharpened",
]

_HOMES = {
    "graphbus_core.adopt": "infer Inferred",
    "graphbus_core.adopt.observed": "observe Observed Sharpened sharpened",
    "graphbus_core.adopt.source": "Decorated decorated land",
    "graphbus_core.export": "FORMATS",
}

if not TYPE_CHECKING:  # a type checker reads the imports above, and still finds a name that is not there
    __getattr__ = late_names(__name__, _HOMES)
