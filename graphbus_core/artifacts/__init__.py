"""The `.graphbus/` folder: its format, how it is written and how it is read back. It knows the nouns, no more."""

from graphbus_core.artifacts.folder import (
    AGENTS,
    BUILD_SUMMARY,
    FORMAT_VERSION,
    GRAPH,
    MANIFEST,
    NEGOTIATION_LOG,
    SCHEMAS,
    SOURCES,
    TOPICS,
    ArtifactContents,
    ArtifactFolder,
    FrozenModule,
    Manifest,
    list_handlers,
    write_artifacts,
)

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
    "list_handlers",
    "write_artifacts",
]
