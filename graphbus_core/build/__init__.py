"""Build mode: scan -> link -> negotiate -> commit -> artifacts (`builder.py` reads as that story).

The names of seed 002 are here; each is imported when it is first used, so that `graphbus --help` stays quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from graphbus_core.build.builder import BuildArtifacts, build_project
    from graphbus_core.build.link import GraphBuilder
    from graphbus_core.build.scan import MetadataExtractor, NodeScanner
    from graphbus_core.config import BuildConfig
    from graphbus_core.model.graph import AgentGraph

__all__ = [
    "AgentGraph",
    "BuildArtifacts",
    "BuildConfig",
    "GraphBuilder",
    "MetadataExtractor",
    "NodeScanner",
    "build_project",
]

_HOMES = {
    "AgentGraph": "graphbus_core.model.graph",
    "BuildArtifacts": "graphbus_core.build.builder",
    "BuildConfig": "graphbus_core.config",
    "GraphBuilder": "graphbus_core.build.link",
    "MetadataExtractor": "graphbus_core.build.scan",
    "NodeScanner": "graphbus_core.build.scan",
    "build_project": "graphbus_core.build.builder",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)
