"""The format of `.graphbus/`: names, version, and the manifest that says what was built, with a digest for each file.

    manifest.json        format, version, the digest of every file below, the frozen modules; last to be written
    graph.json           who needs whom (networkx node-link), the data links, the activation order
    agents.json          every AgentDefinition
    topics.json          topics with their payloads, subscriptions, publications
    schemas.json         node -> method -> input and output contract, as JSON Schema 2020-12
    build_summary.json   counts, mismatches, what was left undeclared; the one file with a time in it
    sources/             the agents' files and the project's own modules that they import, as they were built

`negotiation_log.json`, `negotiations/` and `cache/` stand beside these, are not part of what runs, and are in no
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
            # Name by name and in order: the digest below is over these bytes, so two builds of one project must write
            # the same.
            "modules": {m.name: {"file": m.file, "package": m.is_package} for m in self.modules.values()},
            "files": dict(self.files),
        }
        # Its own digest too: without it somebody could change the list together with a source, and nothing would
        # disagree.
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


# An item a line costs nothing to write, and makes `git diff` of two builds readable.
def to_json(value: Any, *, readable: bool = False) -> bytes:
    """The one form in which artifacts are written, in the order given (fields of a contract keep the order in which
    they were written): an item a line, so that two of them can be compared; indented where people read."""
    return encoded(_indented(value) if readable else _item_a_line(value))


def compact(value: Any) -> str:
    """JSON on one line."""
    return _on_one_line(value)


def encoded(text: str) -> bytes:
    """The bytes of an artifact; source that is not valid Unicode survives."""
    # A literal in a project's source can hold half of a pair of surrogates. Refusing it would refuse a legal program.
    return (text + "\n").encode("utf-8", "surrogatepass")


# `indent=` leaves the C encoder: for every artifact it would cost more than the rest of a build.
_indented = json.JSONEncoder(ensure_ascii=False, indent=2).encode
_on_one_line = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode
_item_a_line = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",\n", ": ")).encode
