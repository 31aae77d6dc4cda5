"""What a front end reads beside the open project: a build in other forms, what is set, journals of runs.

exported   a build as AsyncAPI, OpenAPI, Mermaid or DOT
settled    the settings that hold, the policy, and the settings that `init` proposes
journals   the journals of runs: listed, read, and played back in a process of their own
plainly    what any Python project says of itself, without agents
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphbus_core.lazy_imports import make_lazy_getattr

if TYPE_CHECKING:
    from graphbus_core.export import DEFAULT_SERVER, FORMATS
    from graphbus_core.inference import InferredProject, infer
    from graphbus_core.inference.landing import land
    from graphbus_core.inference.observation import Observation, RefinedContracts, observe, refine_contracts
    from graphbus_core.inference.writing import SourceDecoration, decorate_sources

__all__ = [
    "DEFAULT_SERVER",
    "FORMATS",
    "InferredProject",
    "Observation",
    "RefinedContracts",
    "SourceDecoration",
    "decorate_sources",
    "infer",
    "land",
    "observe",
    "refine_contracts",
]

_HOMES = {
    "graphbus_core.inference": "infer InferredProject",
    "graphbus_core.inference.observation": "observe Observation RefinedContracts refine_contracts",
    "graphbus_core.inference.writing": "SourceDecoration decorate_sources",
    "graphbus_core.inference.landing": "land",
    "graphbus_core.export": "DEFAULT_SERVER FORMATS",
}

if not TYPE_CHECKING:  # a type checker reads the imports above, and still finds a name that is not there
    __getattr__ = make_lazy_getattr(__name__, _HOMES)
