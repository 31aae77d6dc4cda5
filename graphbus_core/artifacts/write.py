"""Writes `.graphbus/`: each file whole or not at all, the manifest last.

A crash on the way leaves a manifest whose digests do not fit: such a folder is refused by `read`, never run, and the
next build puts it right. Files that hold the right bytes already are not written again.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphbus_core.artifacts import format as form, stub
from graphbus_core.errors import ArtifactError
from graphbus_core.files.whole import put_whole
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import AgentGraph
from graphbus_core.model.schema import Schema


@dataclass(frozen=True)
class ArtifactContents:
    """What a build writes. `sources` maps a path relative to the project root (with `/`) to the file's bytes.

    In `modules`, `file` is such a path too (None for a package without `__init__.py`).
    """

    agents: Sequence[AgentDefinition]
    graph: AgentGraph
    sources: Mapping[str, bytes]
    modules: Iterable[form.FrozenModule]
    summary: Mapping[str, Any] = field(default_factory=dict)
    graphbus_version: str = ""
    digests: Mapping[str, str] = field(default_factory=dict)  # sha256 of sources, where known
    agent_texts: Mapping[str, str] = field(default_factory=dict)  # agent name -> its `to_dict` as text, where known


def write_artifacts(folder: Path, contents: ArtifactContents) -> form.Manifest:
    """Write a build into `folder` and return its manifest. Raises ArtifactError where it cannot be written."""
    own = [agent for agent in contents.agents if not agent.is_external]  # who runs; the rest is for the graph
    files = {f"{form.SOURCES}/{path}": content for path, content in contents.sources.items()}
    files |= {
        form.GRAPH: form.to_json(contents.graph.to_dict()),
        form.AGENTS: _agents(contents),
        form.TOPICS: form.to_json(_topics(own)),
        form.SCHEMAS: form.to_json(_schemas(own)),
        form.BUILD_SUMMARY: form.to_json(dict(contents.summary), readable=True),
    }
    digests = {f"{form.SOURCES}/{path}": known for path, known in contents.digests.items()}
    modules = {
        m.name: form.FrozenModule(m.name, f"{form.SOURCES}/{m.file}" if m.file else None, m.is_package)
        for m in contents.modules
    }
    manifest = form.Manifest(
        {path: digests.get(path) or form.digest(content) for path, content in sorted(files.items())},
        modules,
        contents.graphbus_version,
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        before = _files_of_last_build(folder)
        made: set[str] = set()
        for path, content in files.items():
            if path in before or not path.startswith(form.SOURCES):
                _put(folder, path, content, made)
            else:
                _put_new(folder, path, content, made)
        _put(folder, form.MANIFEST, manifest.to_bytes(), made)
        _put(folder, stub.FILE, stub.stub_of(own).encode(), made)  # for editors: in no manifest
        for path in before - files.keys():
            (folder / path).unlink(missing_ok=True)
    except OSError as e:
        raise ArtifactError(
            f"The build could not be written to {folder}: {e.strerror or e}. Give another --output-dir."
        ) from e
    return manifest


def _agents(contents: ArtifactContents) -> bytes:
    known = contents.agent_texts
    texts = [known.get(agent.name) or form.compact(agent.to_dict()) for agent in contents.agents]
    return form.encoded("[\n" + ",\n".join(texts) + "\n]")


def _put(folder: Path, path: str, content: bytes, made: set[str]) -> None:
    target = os.path.join(folder, path)
    try:
        with open(target, "rb") as f:
            if f.read() == content:
                return
    except FileNotFoundError:
        _make_parent(target, made)
    put_whole(target, content)


def _put_new(folder: Path, path: str, content: bytes, made: set[str]) -> None:
    """Write a file that no older build rests on: nobody reads it before the manifest names it."""
    target = os.path.join(folder, path)
    _make_parent(target, made)
    with open(target, "wb") as f:
        f.write(content)


def _make_parent(target: str, made: set[str]) -> None:
    if (parent := os.path.dirname(target)) not in made:
        os.makedirs(parent, exist_ok=True)
        made.add(parent)


def _files_of_last_build(folder: Path) -> set[str]:
    """What an earlier manifest lists under sources/; nothing else is ever removed."""
    import json

    try:
        listed = json.loads((folder / form.MANIFEST).read_bytes())["files"]
        return {p for p in listed if p.startswith(f"{form.SOURCES}/") and ".." not in p.split("/")}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return set()


def _topics(agents: Sequence[AgentDefinition]) -> dict[str, Any]:
    publications = [p for agent in agents for p in agent.publications]
    subscriptions = [s for agent in agents for s in agent.subscriptions]
    names = sorted({p.topic.name for p in publications} | {s.topic.name for s in subscriptions})
    declared: dict[str, list[Schema]] = {}
    for p in publications:
        if p.schema is not None and p.schema not in declared.setdefault(p.topic.name, []):
            declared[p.topic.name].append(p.schema)
    publishers: dict[str, list[str]] = {}
    for p in publications:
        if p.node_name not in (known := publishers.setdefault(p.topic.name, [])):
            known.append(p.node_name)
    return {
        "topics": [
            {"name": n, "schema": _one_of(declared.get(n, [])), "publishers": publishers.get(n, [])} for n in names
        ],
        "subscriptions": [s.to_dict() for s in subscriptions],
        "publications": [p.to_dict() for p in publications],
    }


def _one_of(schemas: Sequence[Schema]) -> dict[str, Any] | None:
    """What a topic carries: what its publisher declares, or where several declare differently, one of those."""
    if len(schemas) < 2:
        return schemas[0].to_dict() if schemas else None
    return Schema({"anyOf": [dict(s.json_schema) for s in schemas]}).to_dict()


def _schemas(agents: Sequence[AgentDefinition]) -> dict[str, Any]:
    return {
        agent.name: {
            m.name: {
                "input": m.input_schema.json_schema if m.input_schema else None,
                "output": m.output_schema.json_schema if m.output_schema else None,
            }
            for m in agent.methods
        }
        for agent in agents
    }
