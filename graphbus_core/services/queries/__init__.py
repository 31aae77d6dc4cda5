"""What a front end is shown: the project and its negotiations, as plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphbus_core.lazy_imports import make_lazy_getattr

if TYPE_CHECKING:
    from graphbus_core.artifacts import MANIFEST, ArtifactFolder
    from graphbus_core.artifacts.folder import BUILD_SUMMARY
    from graphbus_core.artifacts.placement import read_recorded as placed

__all__ = ["BUILD_SUMMARY", "MANIFEST", "ArtifactFolder", "placed"]

_HOMES = {
    "graphbus_core.artifacts": "ArtifactFolder MANIFEST",
    "graphbus_core.artifacts.folder": "BUILD_SUMMARY",
    "graphbus_core.artifacts.placement": "read_recorded:placed",
}

if not TYPE_CHECKING:  # a type checker reads the imports above, and still finds a name that is not there
    __getattr__ = make_lazy_getattr(__name__, _HOMES)
