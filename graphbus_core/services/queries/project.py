"""The project as front ends show it: nodes, links with what does not fit, contracts, and where to draw each node."""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphbus_core.analysis.links import LinkResult, find_link_contracts, link, link_project
from graphbus_core.analysis.scan import Project, scan
from graphbus_core.analysis.scan.layout import list_files, locate
from graphbus_core.artifacts import MANIFEST, ArtifactFolder
from graphbus_core.contracts import NOTHING, Contract, check
from graphbus_core.contracts.check import GapKind, find_gaps, is_field_compatible
from graphbus_core.contracts.parsing.type_forms import annotation
from graphbus_core.errors import NoAgentsError, UsageError
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import AgentGraph, Endpoint, Link, Mismatch
from graphbus_core.sandbox import readable_files
from graphbus_core.services.errors import NotFound, suggest_name
from graphbus_core.services.json_values import dump_json
from graphbus_core.text import shorten

# Where each node of the graph stands: layers from left to right, computed once, here and not in the page.


LAYOUT_COLUMN, LAYOUT_ROW = 190.0, 90.0
MAX_COLUMNS = 40  # a longer chain goes on in the next band, as text does


def compute_layout(order: Sequence[str], edges: Iterable[tuple[str, str]]) -> Mapping[str, tuple[float, float]]:
    """Positions by name. `order` is the activation order; edges go from what is needed to what needs it."""
    place = {name: i for i, name in enumerate(order)}
    before: dict[str, list[str]] = {name: [] for name in order}
    for source, target in edges:
        # An edge against the order closes a circle. Left out, depths stay finite and the rest of the picture is
        # right.
        if source in place and target in place and place[source] < place[target]:
            before[target].append(source)
    depth: dict[str, int] = {}
    for name in order:
        depth[name] = max((depth[b] + 1 for b in before[name]), default=0)
    columns: dict[int, list[str]] = {}
    for name in order:
        columns.setdefault(depth[name], []).append(name)
    height = dict.fromkeys(range(max(columns, default=0) // MAX_COLUMNS + 1), 0)
    for column, names in columns.items():
        height[column // MAX_COLUMNS] = max(height[column // MAX_COLUMNS], len(names))
    top: dict[int, float] = {}
    y = 0.0
    for band in sorted(height):
        top[band] = y
        y += (height[band] + 1) * LAYOUT_ROW
    positions: dict[str, tuple[float, float]] = {}
    for column in sorted(columns):
        band = column // MAX_COLUMNS
        # By the middle of what comes before: fewer crossings, without a search that would move everything at each
        # edit.
        names = sorted(columns[column], key=lambda n: (_compute_middle(before[n], positions), place[n]))
        offset = (height[band] - len(names)) * LAYOUT_ROW / 2
        for i, name in enumerate(names):
            positions[name] = ((column % MAX_COLUMNS) * LAYOUT_COLUMN, top[band] + offset + i * LAYOUT_ROW)
    return positions


def _compute_middle(names: Sequence[str], positions: Mapping[str, tuple[float, float]]) -> float:
    known_heights = [positions[n][1] for n in names if n in positions]
    return sum(known_heights) / len(known_heights) if known_heights else 0.0


# The whole project as one picture: components as cards, methods as rows, fields as ports, links from field to field.
#
# The server lays it out, so that a page draws its first picture without computing anything. It knows no page.


CARD_WIDTH, GAP_X, GAP_Y = 260, 180, 36  # in points of the page at its natural size
HEAD, ROW, PORT, FOOT = 34, 24, 20, 8  # heights of a card's parts
TYPE_TEXT = 60  # characters of a type that a port shows
WHOLE_TEXT = 4_000  # of one that is written into a source by a click
# Types that read well and cannot stand in a source: an object written out inside of another type, and bounds.
UNWRITABLE = re.compile(r"\[[^\[\]]*\{|\|\s*\{|\}\s*\||Annotated\[")


def build_picture(
    agents: Sequence[AgentDefinition], links: Sequence[Link], wrong: Iterable[Mismatch], order: Sequence[str]
) -> dict[str, Any]:
    """Cards with their places, and links with what is wrong with each."""
    mismatches = {item.link.id: item for item in wrong}
    agents_by_name = {agent.name: agent for agent in agents}
    # Drawn before cards are placed, since the columns follow from who feeds whom.
    drawn = [_build_link(item, agents_by_name, mismatches.get(item.id)) for item in _collapse_links(links)]
    edges = [(item["source"]["node"], item["target"]["node"]) for item in drawn]
    needs = [(needed, a.name) for a in agents for needed in a.depends_on if needed in agents_by_name]
    cards = [_build_card(agent) for agent in agents]
    linked = set(edges)
    for card in cards:
        # Whom it calls without data that a contract follows: a line of its own. Beside a data link it says nothing new.
        card["needs"] = [source for source, own in needs if own == card["name"] and (source, own) not in linked]
    _place_cards(cards, compute_layout(order, [*edges, *needs]))
    return {"components": cards, "links": drawn, "mismatches": len(mismatches), "order": list(order)}


def _collapse_links(links: Iterable[Link]) -> Iterable[Link]:
    return {data_link.id: data_link for data_link in links}.values()


def _build_card(agent: AgentDefinition) -> dict[str, Any]:
    methods = [
        {
            "name": m.name,
            "inputs": list_ports(m.input_schema.json_schema if m.input_schema else None),
            "outputs": list_ports(m.output_schema.json_schema if m.output_schema else None),
            "declared": m.input_schema is not None or m.output_schema is not None,
        }
        for m in agent.methods
    ]
    topics = [
        {"topic": p.topic.name, "ports": list_ports(p.schema.json_schema if p.schema else None)}
        for p in agent.publications
    ]
    hears = [{"topic": s.topic.name, "handler": s.handler_name} for s in agent.subscriptions]
    return {
        "name": agent.name,
        "module": agent.module,
        "source_file": agent.source_file,
        "is_arbiter": agent.is_arbiter,
        "methods": methods,
        "publishes": topics,
        "hears": hears,
        "needs": [],
        "x": 0,
        "y": 0,
        "width": CARD_WIDTH,
        "height": _compute_height(methods, topics, hears),
    }


def _compute_height(
    methods: Sequence[Mapping[str, Any]], topics: Sequence[Mapping[str, Any]], hears: Sequence[Any]
) -> int:
    rows = sum(ROW + PORT * max(len(m["inputs"]), len(m["outputs"])) for m in methods)
    rows += sum(ROW + PORT * len(t["ports"]) for t in topics)
    return HEAD + rows + ROW * len(hears) + FOOT


def list_ports(schema: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """The fields of an object's schema, in the order in which they are declared."""
    properties = (schema or {}).get("properties")
    if not isinstance(properties, Mapping):
        return []
    required = set((schema or {}).get("required") or ())
    return [_build_port(str(name), field_schema, name in required) for name, field_schema in properties.items()]


def _build_port(name: str, schema: Any, required: bool) -> dict[str, Any]:
    whole = annotation(schema)
    cut = cut_type(whole)
    is_cut = cut != whole and len(whole) <= WHOLE_TEXT and not UNWRITABLE.search(whole)
    return {"name": name, "type": cut, "required": required, "whole": whole if is_cut else None}


def cut_type(text: str) -> str:
    """A type in the words of an annotation, cut to what a port has room for."""
    if "{" in text:  # an object written out says too much for a port: the inspector shows it whole
        text = f"{text[: text.index('{')]}{{…}}{text[text.rindex('}') + 1 :]}"
    return shorten(text, TYPE_TEXT)


def _build_link(link: Link, agents_by_name: Mapping[str, AgentDefinition], wrong: Mismatch | None) -> dict[str, Any]:
    mismatch_data = wrong.to_dict() if wrong else {}
    state = "guessed" if link.guessed else "fits"
    if wrong is not None:
        # Undecided is told apart from broken: nobody has shown a payload.
        state = "undecided" if mismatch_data.get("compatible") is None else "broken"
    paths = [str(path) for path in mismatch_data.get("paths", ())]
    ends = ((link.producer, "output"), (link.consumer, "input"))
    return {
        "id": link.id,
        "source": dict(vars(link.producer)),
        "target": dict(vars(link.consumer)),
        "origin": link.origin.value,
        "evidence": list(link.evidence),
        "guessed": link.guessed,
        "state": state,
        # The first part of a path: a port is a field, and what is wrong below it is wrong with it.
        "fields": _list_fields(link, agents_by_name, {path.replace("[]", "").split(".")[0] for path in paths}),
        "reasons": [str(reason) for reason in mismatch_data.get("reasons", ())],
        "paths": paths,
        "places": [describe_place(agents_by_name[end.node], end, side) for end, side in ends],
        "counterexample": mismatch_data.get("counterexample"),
        "proofs": list(_prove_fields(link, agents_by_name)) if state == "broken" else [],
    }


def describe_place(agent: AgentDefinition, end: Endpoint, side: str) -> str:
    """File and line of an end of a link; with those of its contract, where that stands beside the code."""
    method = agent.method(end.method) if end.method else None
    beside = method.metadata.get("beside", {}).get(side) if method else None
    contract = f" (contract: {beside})" if beside else ""
    lines = [p.lineno for p in agent.publications if p.topic.name == end.topic]
    line = method.lineno if method else next(iter(lines), agent.metadata.get("lineno", 1))
    inherited = method.metadata.get("inherited_from") if method else None
    return f"{inherited['source_file'] if inherited else agent.source_file}:{line}{contract}"


def _prove_fields(link: Link, agents_by_name: Mapping[str, AgentDefinition]) -> Iterator[dict[str, Any]]:
    """For each field that does not fit, why, and a payload that is refused for that field alone."""
    for sent, taken in find_link_contracts(link, agents_by_name):
        schema = taken.json_schema if taken is not None else {}
        if sent is None or schema.get("type") != "object":
            continue
        for name, field_schema in (schema.get("properties") or {}).items():
            alone = {**schema, "properties": {name: field_schema}}
            alone["required"] = [name] if name in schema.get("required", ()) else []
            verdict = check(Contract.from_json_schema(sent.json_schema), Contract.from_json_schema(alone))
            if verdict.compatible is False and verdict.has_counterexample:
                for reason in verdict.reasons:
                    payload = verdict.counterexample
                    yield {"reason": reason.message, "path": reason.path or name, "payload": payload}


def _list_fields(link: Link, agents_by_name: Mapping[str, AgentDefinition], broken: set[str]) -> list[dict[str, Any]]:
    """Which field of the producer feeds which of the consumer; null stands for a field that nobody sends."""
    sent = {port_data["name"] for port_data in _list_end_ports(link.producer, agents_by_name, "output_schema")}
    taken_ports = _list_end_ports(link.consumer, agents_by_name, "input_schema")
    fed = {to: source for source, to in link.feeds if source and to} | dict(link.mapping.fields if link.mapping else {})
    gaps = _describe_gaps(link, agents_by_name) if broken else {}
    pairs: list[dict[str, Any]] = []
    # What links say feeds it goes before a field of the same name.
    for port in taken_ports:
        name = port["name"]
        source = fed.get(name, name if name in sent else None)
        if source is None and name not in broken:
            continue  # optional, or from elsewhere: nothing to draw
        why: dict[str, Any] = {"lacks": [], "alike": []} | (gaps.get(name, {}) if name in broken else {})
        pairs.append({"source": source, "target": name, "fits": name not in broken, **why})
    return pairs


def _describe_gaps(link: Link, agents_by_name: Mapping[str, AgentDefinition]) -> dict[str, dict[str, list[str]]]:
    """For each field that does not fit, why it does not; and which fields that nobody takes would fit it."""
    described: dict[str, dict[str, list[str]]] = {}
    for sent, taken in find_link_contracts(link, agents_by_name):
        if sent is None or taken is None:
            continue
        for gap in find_gaps(sent.json_schema, taken.json_schema):
            entry = described.setdefault(re.split(r"[.\[]", gap.path)[0], {"lacks": [], "alike": []})
            entry["lacks"] = list(dict.fromkeys([*entry["lacks"], gap.kind.value]))
            if gap.kind is GapKind.MISSING and gap.path in (taken.json_schema.get("properties") or {}):
                entry["alike"] = [
                    name
                    for name, schema in gap.unclaimed.items()
                    if is_field_compatible(schema, sent.json_schema, gap.consumed, taken.json_schema)
                ]
    return described


def _list_end_ports(end: Endpoint, agents_by_name: Mapping[str, AgentDefinition], side: str) -> list[dict[str, Any]]:
    agent = agents_by_name.get(end.node)
    if agent is None:
        return []
    if end.topic and side == "output_schema":
        # A topic may stand there twice: where it is published, and where its payload is declared.
        schemas = [p.schema for p in agent.publications if p.topic.name == end.topic and p.schema]
        return list_ports(schemas[0].json_schema) if schemas else []
    method = agent.method(end.method or "")
    schema = getattr(method, side, None) if method else None
    return list_ports(schema.json_schema) if schema else []


def _place_cards(cards: Sequence[dict[str, Any]], places: Mapping[str, tuple[float, float]]) -> None:
    """Stack the cards of each column by their real heights, in the order that the layers give."""
    by_name = {card["name"]: card for card in cards}
    columns: dict[int, list[str]] = {}
    for name, (x, _) in sorted(places.items(), key=lambda placement: placement[1][1]):
        if name in by_name:
            columns.setdefault(round(x / LAYOUT_COLUMN), []).append(name)
    heights = {column: sum(by_name[n]["height"] + GAP_Y for n in names) for column, names in columns.items()}
    tallest = max(heights.values(), default=0)
    for column, names in columns.items():
        # Each column is centred, so that a short one stands beside the middle of a long one.
        y = (tallest - heights[column]) // 2
        for name in names:
            by_name[name]["x"], by_name[name]["y"] = column * (CARD_WIDTH + GAP_X), y
            y += by_name[name]["height"] + GAP_Y


Stamp = tuple[tuple[str, tuple[int, int, int] | None], ...]


@dataclass(frozen=True)
class ProjectState:
    """The project as it was last looked at."""

    agents: tuple[AgentDefinition, ...]
    graph: AgentGraph
    links: tuple[Link, ...]
    mismatches: tuple[Mismatch, ...]


NOBODY = ProjectState((), AgentGraph(), (), ())


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
        self._looked: tuple[Any, ProjectState] | None = None
        self._drawn: tuple[ProjectState, dict[str, Any]] | None = None
        self._pictured: tuple[ProjectState, str] | None = None
        self._linked: LinkResult | None = None
        self._judged: tuple[ProjectState, Any, list[dict[str, Any]]] | None = None
        self._project: Project | None = None
        self._stamped: Stamp | None = None

    def look(self) -> ProjectState:
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
            try:
                project = (
                    scan(str(self.project_path), self.include) if self._project is None else self._project.rescan()
                )
            except NoAgentsError as e:
                # Documents, decisions and teams need none; and agents may still be written here.
                if e.is_unreadable or self._project is not None:
                    raise
                self._looked, self._stamped = ((), NOBODY), stamp
                return NOBODY
            self._project, self._stamped = project, stamp
            # And digests then: a file that was touched and not changed needs no new links.
            beside = {str(path): digest for path, digest in project.beside.files.items()}
            key = tuple(sorted({**project.files, **beside}.items()))
            if self._looked is None or self._looked[0] != key:
                linked = self._linked = link_project(project)
                self._looked = (key, ProjectState(project.everyone, linked.graph, linked.links, linked.mismatches))
            return self._looked[1]

    def _stamp(self) -> Stamp:
        """Which files there are to scan, when each was last written and how long it is: cheap to ask each time.

        None stands for a file or folder that is gone. What the agents import from elsewhere is looked at, too, and the
        folders that it lies in, because an import may come to mean another file.
        """
        last_project = self._project
        layout = last_project.layout if last_project is not None else locate(str(self.project_path))
        listed, _ = list_files(layout, None, None)
        read = last_project.files if last_project is not None else ()
        # Folders too, because a file that comes may answer an import that another answered before.
        paths = {*listed, *read, *(path.rpartition("/")[0] for path in read)}
        root = os.fspath(layout.root)
        # Sorted, since the order of a set differs between two looks.
        beside = sorted(map(str, last_project.beside.files)) if last_project is not None else ()
        return tuple((path, _stat_file(os.path.join(root, path))) for path in (*sorted(paths), *beside))

    def _look_at_artifacts(self) -> ProjectState:
        folder = ArtifactFolder(self.output_dir)
        key = (folder.path / MANIFEST).stat().st_mtime_ns
        if self._looked is None or self._looked[0] != key:
            linked = link(folder.all_agents)
            self._looked = (key, ProjectState(folder.all_agents, folder.graph, linked.links, linked.mismatches))
        return self._looked[1]

    def list_findings(self) -> list[dict[str, Any]]:
        """What `graphbus validate` counts in the project as it stands: against comments, settings and baseline. Empty
        where there is a build alone. Raises UsageError where the settings cannot be read."""
        from graphbus_core.analysis.links.findings import lint
        from graphbus_core.services.validation import CheckedProject, judge_checked
        from graphbus_core.settings import load_settings

        state = self.look()
        with self._lock:
            project, linked = self._project, self._linked
            if project is None or linked is None:
                return []
            settings = load_settings(str(self.project_path))
            beside = [settings.root / name for name in ("pyproject.toml", settings["baseline"])]
            stamps = tuple(_stat_file(str(path)) for path in beside)
            if self._judged is None or self._judged[0] is not state or self._judged[1] != stamps:
                report = judge_checked(CheckedProject(project, linked, lint(project)), settings)
                self._judged = (state, stamps, [finding.to_dict() for finding in report.counted])
            return self._judged[2]

    def draw_graph(self) -> dict[str, Any]:
        """Nodes with positions and typed links, for drawing (seed 002 §6.2)."""
        state = self.look()
        with self._lock:
            # By identity of what was seen: it is a new object exactly when something changed.
            if self._drawn is None or self._drawn[0] is not state:
                self._drawn = (state, _draw_graph(state))
            return self._drawn[1]

    def render_picture(self) -> str:
        """Cards with ports, and links from field to field, laid out (`render_picture`), as JSON: it is asked for often,
        and
        writing a thousand cards takes longer than drawing them."""
        state = self.look()
        with self._lock:
            if self._pictured is None or self._pictured[0] is not state:
                order = state.graph.get_agent_activation_order()
                self._pictured = (state, dump_json(build_picture(state.agents, state.links, state.mismatches, order)))
            return self._pictured[1]

    def find_agent(self, name: str) -> AgentDefinition:
        """A node's definition. Raises NotFound with the nearest names."""
        agents = {a.name: a for a in self.look().agents}
        if name not in agents:
            raise NotFound(f"There is no node {name!r}.{suggest_name(name, agents)}")
        return agents[name]

    def list_nodes(self) -> list[dict[str, Any]]:
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

    def describe_node(self, name: str) -> dict[str, Any]:
        """One node, whole, with the data links that it is an end of."""
        agent = self.find_agent(name)
        links = [
            data_link.to_dict()
            for data_link in self.look().links
            if name in (data_link.producer.node, data_link.consumer.node)
        ]
        return {**agent.to_dict(), "links": links}

    def list_mismatches(self) -> list[dict[str, Any]]:
        """Every link that does not fit."""
        return [m.to_dict() for m in self.look().mismatches]

    def check(self, producer: Any, consumer: Any) -> dict[str, Any]:
        """Whether what `producer` may send is taken by `consumer`: JSON Schemas, or names as `Node.method`."""
        verdict = check(self._resolve_contract(producer, "output"), self._resolve_contract(consumer, "input"))
        example = verdict.counterexample
        return {
            "compatible": verdict.compatible,
            "reasons": [{"kind": r.kind, "path": r.path, "message": r.message} for r in verdict.reasons],
            "counterexample": None if example is NOTHING else example,
        }

    def list_readable_files(self) -> list[dict[str, Any]]:
        """The files that a seat may read: what git tracks, no secrets. Raises UsageError without git."""
        return readable_files.list_files(self._find_root())

    def read_file(self, path: str, offset: int = 0) -> dict[str, Any]:
        """A part of one of them. Raises NotFound."""
        try:
            return readable_files.read_file(self._find_root(), path, offset)
        except readable_files.FileNotReadable as e:
            # The reason and not the path alone: "ignored by git" is told apart from "not there".
            raise NotFound(str(e)) from None

    def _find_root(self) -> Path:
        if self.project_path is None:
            raise UsageError("Only artifacts were opened, and they hold no files. Open the project's folder instead.")
        return Path(os.path.abspath(self.project_path)) if self._project is None else self._project.root

    def _resolve_contract(self, contract_or_name: Any, side: str) -> Any:
        if not isinstance(contract_or_name, str):
            return contract_or_name
        node, _, method = contract_or_name.rpartition(".")
        found_method = self.find_agent(node).method(method) if node else None
        if found_method is None:
            known_methods = [m.name for m in self.find_agent(node).methods] if node else []
            raise NotFound(
                f"There is no method {contract_or_name!r}; write Node.method.{suggest_name(method, known_methods)}"
            )
        schema = found_method.output_schema if side == "output" else found_method.input_schema
        if schema is None:
            raise UsageError(f"{contract_or_name} declares no {side} contract, so there is nothing to check.")
        return Contract.from_json_schema(dict(schema.json_schema))


def _stat_file(path: str) -> tuple[int, int, int] | None:
    try:
        state = os.stat(path)
    except OSError:
        return None
    return state.st_mtime_ns, state.st_size, state.st_ino


def _draw_graph(state: ProjectState) -> dict[str, Any]:
    wrong = {m.link.id: m for m in state.mismatches}
    order = state.graph.get_agent_activation_order()
    drawn: dict[str, dict[str, Any]] = {}
    for data_link in state.links:
        source, target = data_link.producer.node, data_link.consumer.node
        mismatch = wrong.get(data_link.id)
        drawn[data_link.id] = {
            "id": data_link.id,
            "source": source,
            "target": target,
            "type": "topic" if data_link.producer.topic else "schema_depends",
            "label": f"{data_link.producer} → {data_link.consumer}",
            "topic": data_link.producer.topic,
            "mismatch": mismatch.to_dict() if mismatch else None,
        }
    # One arrow for two nodes: a declared dependency beside a data link says nothing new.
    ends = {(e["source"], e["target"]) for e in drawn.values()}
    for agent in state.agents:
        for needed in agent.depends_on:
            if needed in state.graph and (needed, agent.name) not in ends:
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
    places = compute_layout(order, [(e["source"], e["target"]) for e in edges])
    nodes = [
        {
            "id": a.name,
            "module": a.module,
            "is_arbiter": a.is_arbiter,
            "methods": len(a.methods),
            "x": places[a.name][0],
            "y": places[a.name][1],
        }
        for a in state.agents
    ]
    metadata = {"activation_order": order, "mismatches": len(state.mismatches)}
    return {"nodes": nodes, "edges": edges, "metadata": metadata}
