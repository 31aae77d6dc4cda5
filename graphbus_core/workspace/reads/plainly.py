"""What a project says of itself without agents: components, links, and what cannot fit. Nothing of it runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from graphbus_core.adopt import infer
from graphbus_core.workspace.shows.machine import project_root


def inferred(folder: Path) -> dict[str, Any]:
    """`graphbus infer` of the project around a folder, as plain data."""
    found = infer(project_root(folder))
    told = found.to_dict()
    del told["root"]  # a path of this machine
    return told
