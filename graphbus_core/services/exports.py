"""A build in a form that other tools read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from graphbus_core.artifacts import MANIFEST, ArtifactFolder
from graphbus_core.export import FORMATS
from graphbus_core.inference import infer
from graphbus_core.services.errors import NotFound
from graphbus_core.services.project_setup import find_project_root

# What a browser is to make of it, and the name that a file of it gets.
KINDS = {
    "asyncapi": ("application/json", "asyncapi.json"),
    "openapi": ("application/json", "openapi.json"),
    "mermaid": ("text/plain", "graph.mmd"),
    "dot": ("text/vnd.graphviz", "graph.dot"),
}


def export_build(build: Path, form: str, server: str) -> dict[str, str]:
    """The build in one of `FORMATS`, with its media type and a name for its file; `server`: the address at which this
    one answers, for OpenAPI. Raises NotFound without a build."""
    if not (build / MANIFEST).exists():
        raise NotFound("There is no build yet. Build first; without the agents it takes a moment.")
    media_type, file = KINDS[form]
    text = FORMATS[form](ArtifactFolder(build), server)
    return {"format": form, "media_type": media_type, "file": file, "text": text}


# What a project says of itself without agents: components, links, and what cannot fit. Nothing of it runs.


def infer_project(folder: Path) -> dict[str, Any]:
    """`graphbus infer` of the project around a folder, as plain data."""
    result = infer(find_project_root(folder))
    report = result.to_dict()
    del report["root"]  # a path of this machine
    return report
