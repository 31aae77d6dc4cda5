"""A build told to other tools: AsyncAPI 3, OpenAPI 3.1, Mermaid and DOT. It reads artifacts, and runs nothing."""

from __future__ import annotations

from collections.abc import Callable

from graphbus_core.artifacts import ArtifactFolder
from graphbus_core.export.api_documents import build_asyncapi, build_openapi, render_json
from graphbus_core.export.diagrams import render_dot, render_mermaid

__all__ = ["FORMATS", "build_asyncapi", "build_openapi", "render_dot", "render_json", "render_mermaid"]

# name -> what writes it, as text
FORMATS: dict[str, Callable[[ArtifactFolder], str]] = {
    "asyncapi": lambda build: render_json(build_asyncapi(build)),
    "openapi": lambda build: render_json(build_openapi(build)),
    "mermaid": render_mermaid,
    "dot": render_dot,
}
