"""The project as front ends show it: nodes, links with what does not fit, contracts, and where to draw each node."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.artifacts import MANIFEST, ArtifactFolder
from graphbus_core.build.confine import readable
from graphbus_core.build.link import link, link_project
from graphbus_core.build.scan import Project, scan
from graphbus_core.build.scan.source.layout import list_files, locate
from graphbus_core.contracts import NOTHING, Contract, check
from graphbus_core.errors import UsageError
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import AgentGraph, Link, Mismatch
from graphbus_core.workspace.shows.as_json import json_text
from graphbus_core.workspace.shows.errors import NotFound, nearest
from graphbus_core.workspace.shows.layout import layout
from graphbus_core.workspace.shows.picture import picture

Stamp = tuple[tuple[str, tuple[int, int, int] | None], ...]


@dataclass(frozen=True)
class LastLook:
    """The project as it was last looked at."""

    agents: tuple[AgentDefinition, ...]
    graph: AgentGraph
    links: tuple[Link, ...]
    mismatches: tuple[Mismatch, ...]


class ProjectView:
    """A project folder, or a `.graphbus` alone. Read anew only where a file changed."""

    def __init__(
        self,
        project_path: Path | None,
        output_dir: Path,
        is_building: Callable[[], bool] = lambda: False,
        include: Sequence[str] = (),
    ) -> None:
        self.include = include
        self.project_path = project_path
        self.is_building = is_building
        self.output_dir = output_dir
        self._lock = threading.Lock()
        self._looked: tuple[Any, LastLook] | None = None
        self._drawn: tuple[LastLook, dict[str, Any]] | None = None
        self._pictured: tuple[LastLook, str] | None = None
        self._project: Project | None = None
        self._stamped: Stamp | None = None

    def look(self) -> LastLook:
        """The project as it stands now; read anew only where a file changed."""
        with self._lock:
            if self.project_path is None:
                return self._look_at_artifacts()
            if self._looked is not None and self.is_building():
                # In the middle of a build half of the files are old and half new: the picture before is the truthful
                # one.
                return self._looked[1]  # the build reads and writes the sources; what it leaves is looked at then
            stamp = self._stamp()
            # Stamps first: hashing the files of a large project on each request would be the whole cost of a page.
            if self._looked is not None and stamp == self._stamped:
                return self._looked[1]
            project = scan(str(self.project_path), self.include) if self._project is None else self._project.again()
            self._project, self._stamped = project, stamp
            # And digests then: a file that was touched and not changed needs no new links.
            beside = {str(path): digest for path, digest in project.beside.files.items()}
            key = tuple(sorted({**project.files, **beside}.items()))
            if self._looked is None or self._looked[0] != key:
                linked = link_project(project)
                self._looked = (key, LastLook(project.everyone, linked.graph, linked.links, linked.mismatches))
            return self._looked[1]

    def _stamp(self) -> Stamp:
        """Which files there are to scan, when each was last written and how long it is: cheap to ask each time.

        None stands for a file or folder that is gone. What the agents import from elsewhere is looked at, too, and the
        folders that it lies in, because an import may come to mean another file.
        """
        known = self._project
        layout = known.layout if known is not None else locate(str(self.project_path))
        listed, _ = list_files(layout, None, None)
        read = known.files if known is not None else ()
        # Folders too, because a file that comes may answer an import that another answered before.
        paths = {*listed, *read, *(path.rpartition("/")[0] for path in read)}
        root = os.fspath(layout.root)
        # Sorted, since the order of a set differs between two looks.
        beside = sorted(map(str, known.beside.files)) if known is not None else ()
        return tuple((path, _state(os.path.join(root, path))) for path in (*sorted(paths), *beside))

    def _look_at_artifacts(self) -> LastLook:
        folder = ArtifactFolder(self.output_dir)
        key = (folder.path / MANIFEST).stat().st_mtime_ns
        if self._looked is None or self._looked[0] != key:
            linked = link(folder.everyone)
            self._looked = (key, LastLook(folder.everyone, folder.graph, linked.links, linked.mismatches))
        return self._looked[1]

    def graph(self) -> dict[str, Any]:
        """Nodes with positions and typed links, for drawing (seed 002 §6.2)."""
        seen = self.look()
        with self._lock:
            # By identity of what was seen: it is a new object exactly when something changed.
            if self._drawn is None or self._drawn[0] is not seen:
                self._drawn = (seen, _draw(seen))
            return self._drawn[1]

    def picture(self) -> str:
        """Cards with ports, and links from field to field, laid out (`picture`), as JSON: it is asked for often, and
        writing a thousand cards takes longer than drawing them."""
        seen = self.look()
        with self._lock:
            if self._pictured is None or self._pictured[0] is not seen:
                order = seen.graph.get_agent_activation_order()
                self._pictured = (seen, json_text(picture(seen.agents, seen.links, seen.mismatches, order)))
            return self._pictured[1]

    def agent(self, name: str) -> AgentDefinition:
        """A node's definition. Raises NotFound with the nearest names."""
        agents = {a.name: a for a in self.look().agents}
        if name not in agents:
            raise NotFound(f"There is no node {name!r}.{nearest(name, agents)}")
        return agents[name]

    def nodes(self) -> list[dict[str, Any]]:
        """Every node, in short."""
        return [
            {
                "name": a.name,
                "module": a.module,
                "class_name": a.class_name,
                "source_file": a.source_file,
                "is_arbiter": a.is_arbiter,
                "methods": [m.name for m in a.methods],
            }
            for a in self.look().agents
        ]

    def node(self, name: str) -> dict[str, Any]:
        """One node, whole, with the data links that it is an end of."""
        agent = self.agent(name)
        links = [one.to_dict() for one in self.look().links if name in (one.producer.node, one.consumer.node)]
        return {**agent.to_dict(), "links": links}

    def mismatches(self) -> list[dict[str, Any]]:
        """Every link that does not fit."""
        return [m.to_dict() for m in self.look().mismatches]

    def check(self, producer: Any, consumer: Any) -> dict[str, Any]:
        """Whether what `producer` may send is taken by `consumer`: JSON Schemas, or names as `Node.method`."""
        verdict = check(self._contract(producer, "output"), self._contract(consumer, "input"))
        example = verdict.counterexample
        return {
            "compatible": verdict.compatible,
            "reasons": [{"kind": r.kind, "path": r.path, "message": r.message} for r in verdict.reasons],
            "counterexample": None if example is NOTHING else example,
        }

    def readable(self) -> list[dict[str, Any]]:
        """The files that a seat may read: what git tracks, no secrets. Raises UsageError without git."""
        return readable.listed(self._root())

    def read(self, path: str, offset: int = 0) -> dict[str, Any]:
        """A part of one of them. Raises NotFound."""
        try:
            return readable.read(self._root(), path, offset)
        except readable.NotShown as e:
            # The reason and not the path alone: "ignored by git" is told apart from "not there".
            raise NotFound(str(e)) from None

    def _root(self) -> Path:
        if self.project_path is None:
            raise UsageError("Only artifacts were opened, and they hold no files. Open the project's folder instead.")
        return Path(os.path.abspath(self.project_path)) if self._project is None else self._project.root

    def _contract(self, named: Any, side: str) -> Any:
        if not isinstance(named, str):
            return named
        node, _, method = named.rpartition(".")
        found = self.agent(node).method(method) if node else None
        if found is None:
            known = [m.name for m in self.agent(node).methods] if node else []
            raise NotFound(f"There is no method {named!r}; write Node.method.{nearest(method, known)}")
        schema = found.output_schema if side == "output" else found.input_schema
        if schema is None:
            raise UsageError(f"{named} declares no {side} contract, so there is nothing to check.")
        return Contract.from_json_schema(dict(schema.json_schema))


def _state(path: str) -> tuple[int, int, int] | None:
    try:
        state = os.stat(path)
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size, state.st_ino


def _draw(seen: LastLook) -> dict[str, Any]:
    wrong = {m.link.id: m for m in seen.mismatches}
    order = seen.graph.get_agent_activation_order()
    drawn: dict[str, dict[str, Any]] = {}
    for one in seen.links:
        source, target = one.producer.node, one.consumer.node
        mismatch = wrong.get(one.id)
        drawn[one.id] = {
            "id": one.id,
            "source": source,
            "target": target,
            "type": "topic" if one.producer.topic else "schema_depends",
            "label": f"{one.producer} → {one.consumer}",
            "topic": one.producer.topic,
            "mismatch": mismatch.to_dict() if mismatch else None,
        }
    # One arrow for two nodes: a declared dependency beside a data link says nothing new.
    ends = {(e["source"], e["target"]) for e in drawn.values()}
    for agent in seen.agents:
        for needed in agent.depends_on:
            if needed in seen.graph and (needed, agent.name) not in ends:
                drawn[f"{agent.name} needs {needed}"] = {
                    "id": f"{agent.name} needs {needed}",
                    "source": needed,
                    "target": agent.name,
                    "type": "depends_on",
                    "label": f"{agent.name} depends on {needed}",
                    "topic": None,
                    "mismatch": None,
                }
    edges = list(drawn.values())
    places = layout(order, [(e["source"], e["target"]) for e in edges])
    nodes = [
        {
            "id": a.name,
            "module": a.module,
            "is_arbiter": a.is_arbiter,
            "methods": len(a.methods),
            "x": places[a.name][0],
            "y": places[a.name][1],
        }
        for a in seen.agents
    ]
    metadata = {"activation_order": order, "mismatches": len(seen.mismatches)}
    return {"nodes": nodes, "edges": edges, "metadata": metadata}
