"""What a front end is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphbus_core.late import late_names

if TYPE_CHECKING:
    from graphbus_core.artifacts import MANIFEST, ArtifactFolder
    from graphbus_core.artifacts.format import BUILD_SUMMARY
    from graphbus_core.artifacts.placement import told as placed

__all__ = ["BUILD_SUMMARY", "MANIFEST", "ArtifactFolder", "placed"]

_HOMES = {
    "graphbus_core.artifacts": "ArtifactFolder MANIFEST",
    "graphbus_core.artifacts.format": "BUILD_SUMMARY",
    "graphbus_core.artifacts.placement": "told:placed",
}

if not TYPE_CHECKING:  # a type checker reads the imports above, and still finds a name that is not there
    __getattr__ = late_names(__name__, _HOMES)
