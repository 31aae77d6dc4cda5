"""A build told to other tools: AsyncAPI 3, OpenAPI 3.1, Mermaid and DOT. It reads artifacts, and runs nothing."""

from __future__ import annotations

from collections.abc import Callable

from graphbus_core.artifacts import ArtifactFolder
from graphbus_core.export.api_documents import DEFAULT_SERVER, build_asyncapi, build_openapi, render_json
from graphbus_core.export.diagrams import render_dot, render_mermaid

__all__ = ["DEFAULT_SERVER", "FORMATS", "build_asyncapi", "build_openapi", "render_dot", "render_mermaid"]

# name -> what writes it, as text; from the address of the server that answers as well
FORMATS: dict[str, Callable[[ArtifactFolder, str], str]] = {
    "asyncapi": lambda build, server: render_json(build_asyncapi(build)),
    "openapi": lambda build, server: render_json(build_openapi(build, server)),
    "mermaid": lambda build, server: render_mermaid(build),
    "dot": lambda build, server: render_dot(build),
}
