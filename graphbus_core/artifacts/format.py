"""The format of `.graphbus/`: names, version, and the manifest that says what was built, with a digest for each file.

    manifest.json        format, version, the digest of every file below, the frozen modules; last to be written
    graph.json           who needs whom (networkx node-link), the data links, the activation order
    agents.json          every AgentDefinition
    topics.json          topics with their payloads, subscriptions, publications
    schemas.json         node -> method -> input and output contract, as JSON Schema 2020-12
    build_summary.json   counts, mismatches, what was left undeclared; the one file with a time in it
    sources/             the agents' files and the project's own modules that they import, as they were built

`negotiation_log.json`, `negotiations/` and `cache/` stand beside these, are no part of what runs, and are in no
manifest. The manifest is written in one canonical form and holds its own digest, so that no byte of it can change
unseen either.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

FORMAT = "graphbus-artifacts"
FORMAT_VERSION = 1

MANIFEST = "manifest.json"
GRAPH = "graph.json"
AGENTS = "agents.json"
TOPICS = "topics.json"
SCHEMAS = "schemas.json"
BUILD_SUMMARY = "build_summary.json"
NEGOTIATION_LOG = "negotiation_log.json"
SOURCES = "sources"


@dataclass(frozen=True)
class FrozenModule:
    """One importable module of a build. `file` is its path in the folder; None: a package without `__init__.py`."""

    name: str
    file: str | None
    is_package: bool


@dataclass(frozen=True)
class Manifest:
    """What a build consists of. `files` maps each path in the folder (with `/`) to its sha256."""

    files: Mapping[str, str]
    modules: Mapping[str, FrozenModule] = field(default_factory=dict)
    graphbus_version: str = ""
    version: int = FORMAT_VERSION

    def to_bytes(self) -> bytes:
        """The canonical text of `manifest.json`."""
        body = {
            "format": FORMAT,
            "version": self.version,
            "graphbus": self.graphbus_version,
            "modules": {m.name: {"file": m.file, "package": m.is_package} for m in self.modules.values()},
            "files": dict(self.files),
        }
        return to_json({**body, "digest": digest(to_json(body))})

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Manifest:
        """Read the parsed manifest of this version."""
        return cls(
            files=dict(data["files"]),
            modules={n: FrozenModule(n, m["file"], m["package"]) for n, m in data["modules"].items()},
            graphbus_version=data["graphbus"],
            version=data["version"],
        )


def digest(content: bytes) -> str:
    """sha256, as hex."""
    return sha256(content).hexdigest()


def to_json(value: Any, depth: int = 2) -> bytes:
    """The one form in which artifacts are written, in the order given (fields of a contract keep the order in which
    they were written): an item a line, down to `depth`, so that a person can read and compare them."""
    return encoded(_lines(value, depth))


def compact(value: Any) -> str:
    """JSON on one line."""
    return _encode(value)


def encoded(text: str) -> bytes:
    """The bytes of an artifact; source that is no valid Unicode survives."""
    return (text + "\n").encode("utf-8", "surrogatepass")


# `indent=` would leave the C encoder, and cost more than the rest of a build.
_encode = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


def _lines(value: Any, depth: int) -> str:
    if depth and isinstance(value, dict) and value:
        items = (f"{_encode(str(key))}: {_lines(item, depth - 1)}" for key, item in value.items())
        return "{\n" + ",\n".join(items) + "\n}"
    if depth and isinstance(value, list) and value:
        return "[\n" + ",\n".join([_lines(item, depth - 1) for item in value]) + "\n]"
    return _encode(value)
