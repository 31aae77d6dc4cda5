"""Build mode: scan -> link -> negotiate -> commit -> artifacts (`builder.py` reads as that story).

The names of seed 002 are here; each is imported when it is first used, so that `graphbus --help` stays quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphbus_core.lazy_imports import make_lazy_getattr

if TYPE_CHECKING:
    from graphbus_core.analysis.links import GraphBuilder
    from graphbus_core.analysis.scan import MetadataExtractor, NodeScanner
    from graphbus_core.build.builder import BuildArtifacts, build_project
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
    "graphbus_core.build.builder": "build_project BuildArtifacts",
    "graphbus_core.analysis.links": "GraphBuilder",
    "graphbus_core.analysis.scan": "MetadataExtractor NodeScanner",
    "graphbus_core.config": "BuildConfig",
    "graphbus_core.model.graph": "AgentGraph",
}

if not TYPE_CHECKING:  # a type checker reads the imports above, and still finds a name that is not there
    __getattr__ = make_lazy_getattr(__name__, _HOMES)
