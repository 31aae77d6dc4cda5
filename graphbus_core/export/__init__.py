"""A build told to other tools: AsyncAPI 3, OpenAPI 3.1, Mermaid and DOT. It reads artifacts, and runs nothing."""

from __future__ import annotations

from collections.abc import Callable

from graphbus_core.artifacts import ArtifactFolder
from graphbus_core.export.asyncapi import asyncapi
from graphbus_core.export.diagram import dot, mermaid
from graphbus_core.export.openapi import openapi
from graphbus_core.export.schemas import text_of

__all__ = ["FORMATS", "asyncapi", "dot", "mermaid", "openapi"]

# name -> what writes it, as text
FORMATS: dict[str, Callable[[ArtifactFolder], str]] = {
    "asyncapi": lambda build: text_of(asyncapi(build)),
    "openapi": lambda build: text_of(openapi(build)),
    "mermaid": mermaid,
    "dot": dot,
}
