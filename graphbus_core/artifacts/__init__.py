"""The `.graphbus/` folder: its format, how it is written and how it is read back. It knows the nouns, no more."""

from graphbus_core.artifacts.format import (
    AGENTS,
    BUILD_SUMMARY,
    FORMAT_VERSION,
    GRAPH,
    MANIFEST,
    NEGOTIATION_LOG,
    SCHEMAS,
    SOURCES,
    TOPICS,
    FrozenModule,
    Manifest,
)
from graphbus_core.artifacts.read import ArtifactFolder
from graphbus_core.artifacts.write import ArtifactContents, write_artifacts

__all__ = [
    "AGENTS",
    "BUILD_SUMMARY",
    "FORMAT_VERSION",
    "GRAPH",
    "MANIFEST",
    "NEGOTIATION_LOG",
    "SCHEMAS",
    "SOURCES",
    "TOPICS",
    "ArtifactContents",
    "ArtifactFolder",
    "FrozenModule",
    "Manifest",
    "write_artifacts",
]
