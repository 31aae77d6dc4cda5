"""Writes `.graphbus/`: each file whole or not at all, the manifest last.

A crash on the way leaves a manifest whose digests do not fit: such a folder is refused by `read`, never run, and the
next build puts it right. Files that hold the right bytes already are not written again.
"""

from __future__ import annotations

import json
import keyword
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Any

from graphbus_core.errors import ArtifactError, ArtifactMissing
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.model.graph import AgentGraph
from graphbus_core.model.schema import MAPPINGS, PAYLOAD_PARAMETER, Schema, SchemaMethod
from graphbus_core.model.topic import Publication, Subscription
from graphbus_core.storage.atomic_files import write_atomic

# The format of `.graphbus/`: names, version, and the manifest that says what was built, with a digest for each file.
#
#     manifest.json        format, version, the digest of every file below, the frozen modules; last to be written
#     graph.json           who needs whom (networkx node-link), the data links, the activation order
#     agents.json          every AgentDefinition
#     topics.json          topics with their payloads, subscriptions, publications
#     schemas.json         node -> method -> input and output contract, as JSON Schema 2020-12
#     build_summary.json   counts, mismatches, what was left undeclared; the one file with a time in it
#     sources/             the agents' files and the project's own modules that they import, as they were built
#
# `negotiation_log.json`, `negotiations/` and `cache/` stand beside these, are not part of what runs, and are in no
# manifest. The manifest is written in one canonical form and holds its own digest, so that no byte of it can change
# unseen either.


FORMAT = "graphbus-artifacts"
FORMAT_VERSION = 2  # the newest that is read
PLAIN_VERSION = 1  # of a build without a mapping; a run of before would deliver one with it as if there were none

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
    version: int = PLAIN_VERSION

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
        return to_json({**body, "digest": compute_digest(to_json(body))})

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Manifest:
        """Read the parsed manifest of this version."""
        return cls(
            files=dict(data["files"]),
            modules={n: FrozenModule(n, m["file"], m["package"]) for n, m in data["modules"].items()},
            graphbus_version=data["graphbus"],
            version=data["version"],
        )


def compute_digest(content: bytes) -> str:
    """sha256, as hex."""
    return sha256(content).hexdigest()


# An item a line costs nothing to write, and makes `git diff` of two builds readable.
def to_json(value: Any, *, readable: bool = False) -> bytes:
    """The one form in which artifacts are written, in the order given (fields of a contract keep the order in which
    they were written): an item a line, so that two of them can be compared; indented where people read."""
    return encode_text(_indented(value) if readable else _item_a_line(value))


def dump_compact(value: Any) -> str:
    """JSON on one line."""
    return _on_one_line(value)


def encode_text(text: str) -> bytes:
    """The bytes of an artifact; source that is not valid Unicode survives."""
    # A literal in a project's source can hold half of a pair of surrogates. Refusing it would refuse a legal program.
    return (text + "\n").encode("utf-8", "surrogatepass")


# `indent=` leaves the C encoder: for every artifact it would cost more than the rest of a build.
_indented = json.JSONEncoder(ensure_ascii=False, indent=2).encode
_on_one_line = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode
_item_a_line = json.JSONEncoder(ensure_ascii=False, check_circular=False, separators=(",\n", ": ")).encode


# Reads `.graphbus/` back. Nothing is believed before its digest was compared with the manifest's.


REBUILD_HINT = "Build again with `graphbus build`."


def list_handlers(folder: Path) -> set[str]:
    """The handlers of the build that a folder holds now, as "Node.handler /Topic"; none where it holds none."""
    try:
        subscriptions = json.loads((folder / "topics.json").read_bytes())["subscriptions"]
        return {f"{row['agent']}.{row['handler']} {row['topic']}" for row in subscriptions}
    except (OSError, ValueError, KeyError, TypeError):
        return set()


class ArtifactFolder:
    """One build on disk. Every reading method raises ArtifactError, with the file's name, on a file that is missing
    or not as it was built."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if not self.path.is_dir():
            raise ArtifactMissing(f"There is no folder {self.path}. Build the project first: `graphbus build PATH`.")
        self.manifest = self._read_manifest()
        self._verified: set[str] = set()

    def read_file(self, name: str) -> bytes:
        """The bytes of one file of the build, verified."""
        expected = self.manifest.files.get(name)
        if expected is None:
            raise ArtifactError(f"{self.path / name} is not part of this build. {REBUILD_HINT}")
        content = self._read_bytes(name)
        if compute_digest(content) != expected:
            raise ArtifactError(
                f"{self.path / name} is not as it was built: it was altered, or a build was interrupted. {REBUILD_HINT}"
            )
        self._verified.add(name)
        return content

    def read_rest(self) -> None:
        """Verify every file that was not read yet. Raises ArtifactError for the first that is not as it was built."""
        for name in self.manifest.files:
            if name not in self._verified:
                self.read_file(name)

    def read_json(self, name: str) -> Any:
        """One JSON file of the build, verified and parsed."""
        return json.loads(self.read_file(name).decode("utf-8", "surrogatepass"))

    def verify(self) -> list[str]:
        """What is wrong with the folder, one sentence a file; empty when all is as it was built."""
        wrong = []
        for name in self.manifest.files:
            try:
                self.read_file(name)
            except ArtifactError as e:
                wrong.append(str(e))
        return wrong

    @property
    def modules(self) -> dict[str, FrozenModule]:
        """Dotted name -> the frozen module; `read_file(module.file)` is its source."""
        return dict(self.manifest.modules)

    @cached_property
    def graph(self) -> AgentGraph:
        """Who needs whom."""
        return AgentGraph.from_dict(self.read_json(GRAPH))

    @cached_property
    def agents(self) -> tuple[AgentDefinition, ...]:
        """Every agent of the build, in the order of `agents.json`."""
        return tuple(agent for agent in self.all_agents if not agent.is_external)

    @cached_property
    def all_agents(self) -> tuple[AgentDefinition, ...]:
        """The same with what is written elsewhere, which stands in the graph and is never run."""
        return tuple(_unwrap_payloads(AgentDefinition.from_dict(agent)) for agent in self.read_json(AGENTS))

    @cached_property
    def topics(self) -> list[dict[str, Any]]:
        """Every topic: `name`, `schema` (None where no payload was declared), `publishers`."""
        return list(self._topics["topics"])

    @cached_property
    def subscriptions(self) -> tuple[Subscription, ...]:
        """Who is called with the events of which topic."""
        return tuple(Subscription.from_dict(s) for s in self._topics["subscriptions"])

    @cached_property
    def publications(self) -> tuple[Publication, ...]:
        """Who publishes to which topic."""
        return tuple(Publication.from_dict(p) for p in self._topics["publications"])

    @cached_property
    def schemas(self) -> dict[str, Any]:
        """Node -> method -> `input` and `output` as JSON Schema, None where undeclared."""
        return dict(self.read_json(SCHEMAS))

    @cached_property
    def summary(self) -> dict[str, Any]:
        """What `build_summary.json` says."""
        return dict(self.read_json(BUILD_SUMMARY))

    @cached_property
    def _topics(self) -> dict[str, Any]:
        return dict(self.read_json(TOPICS))

    def _read_bytes(self, name: str) -> bytes:
        try:
            return (self.path / name).read_bytes()
        except FileNotFoundError:
            raise ArtifactMissing(f"{self.path / name} is missing. {REBUILD_HINT}") from None
        except OSError as e:
            raise ArtifactError(f"{self.path / name} cannot be read: {e.strerror}. {REBUILD_HINT}") from None

    def _read_manifest(self) -> Manifest:
        if not (self.path / MANIFEST).exists():
            raise ArtifactMissing(
                f"{self.path} holds no build: {MANIFEST} is missing. Build first: `graphbus build PATH`."
            )
        content = self._read_bytes(MANIFEST)
        where = self.path / MANIFEST
        altered = ArtifactError(f"{where} is not as it was built: it was altered. {REBUILD_HINT}")
        try:
            data = json.loads(content)
        except ValueError:
            raise altered from None
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise altered
        version = data.get("version")
        # Before the fields are looked at: a later format may lack what we want, and "altered" would be the wrong word.
        if isinstance(version, int) and version > FORMAT_VERSION:
            raise ArtifactError(
                f"{where} is of format version {version}; this GraphBus reads up to {FORMAT_VERSION}. "
                f"It was built by GraphBus {data.get('graphbus')}: upgrade, or build again with this one."
            )
        try:
            manifest = Manifest.from_dict(data)
        except (KeyError, TypeError, AttributeError):
            raise altered from None
        # Written again, it must be the same bytes: an edit that only moves a space is an edit, and a field that we
        # would not have written is not ours. The manifest holds the digests of all else; nothing vouches for it.
        if version not in (PLAIN_VERSION, FORMAT_VERSION) or manifest.to_bytes() != content:
            raise altered
        return manifest


def _unwrap_payloads(agent: AgentDefinition) -> AgentDefinition:
    """An agent as a build of today would hold it. Up to 0.2.0 the hint of a handler's one parameter was kept as a field
    of that name (`{payload: Order}`, where a contract that is written out has its names in quotes)."""
    handlers = {subscription.handler_name for subscription in agent.subscriptions}
    methods = tuple(_unwrap_payload(m) if m.name in handlers else m for m in agent.methods)
    return agent if methods == agent.methods else replace(agent, methods=methods)


def _unwrap_payload(method: SchemaMethod) -> SchemaMethod:
    written, names = method.input_schema, [p.name for p in method.parameters]
    hinted = written is not None and len(names) == 1 and (written.source or "").startswith(f"{{{names[0]}: ")
    if written is None or not hinted or list(written.fields) != names:
        return method
    definitions = {k: v for k, v in written.json_schema.items() if k == "$defs"}
    source = (written.source or "")[len(names[0]) + 3 : -1]
    payload = Schema({**written.fields[names[0]], **definitions}, source, None)
    return replace(method, input_schema=payload, metadata={**method.metadata, PAYLOAD_PARAMETER: names[0]})


# The stub of a build's nodes: what an editor and `mypy --strict` know of `self.nodes.Inventory.check_stock(sku=…)`.
#
#     from typing import TYPE_CHECKING
#
#     if TYPE_CHECKING:
#         from graphbus_nodes import ANodes, Nodes  # .graphbus/types, on mypy's path
#
#
#     class Shop(GraphBusNode):
#         nodes: "Nodes"  # self.nodes.Inventory.check_stock(sku="X1")
#         anodes: "ANodes"  # await self.anodes.Inventory.check_stock(sku="X1")
#
# Parameters and results are those of the contracts; a method without a contract takes and gives anything.


STUB_FILE = "types/graphbus_nodes.pyi"


def render_stub(agents: Iterable[AgentDefinition]) -> str:
    """The text of the stub. Names that Python cannot say are left out."""
    records: list[str] = []
    nodes: list[str] = []
    fields: list[str] = []
    awaited: list[str] = []
    for agent in sorted(agents, key=lambda definition: definition.name):
        if not _is_valid_name(agent.name):
            continue
        fields.append(f"    {agent.name}: _{agent.name}")
        awaited.append(f"    {agent.name}: _A{agent.name}")
        methods = [
            _render_method(agent.name, method, records) for method in agent.methods if _is_valid_name(method.name)
        ]
        nodes += [f"class _{agent.name}:", *(methods or ["    ..."]), ""]
        nodes += [
            f"class _A{agent.name}:",
            *([f"    async {definition.lstrip()}" for definition in methods] or ["    ..."]),
            "",
        ]
    head = ["# Written by `graphbus build`: do not edit.", "from typing import Any, NotRequired, TypedDict", ""]
    doors = ["class Nodes:", *(fields or ["    ..."]), "", "class ANodes:", *(awaited or ["    ..."]), ""]
    return "\n".join([*head, *records, *nodes, *doors])


def _render_method(agent: str, method: SchemaMethod, records: list[str]) -> str:
    input_schema = method.arguments_schema
    result = method.output_schema.json_schema if method.output_schema is not None else None
    name = f"_{agent}_{method.name}"
    back = _render_annotation(result, name, records) if result is not None else "Any"
    if not isinstance(input_schema, Mapping) or not all(map(_is_valid_name, input_schema.get("properties", {}))):
        return f"    def {method.name}(self, **arguments: Any) -> {back}: ..."
    required = set(input_schema.get("required", ()))
    parameters = [
        f"{field}: {_render_annotation(schema, f'{name}_{field}', records)}{'' if field in required else ' = ...'}"
        for field, schema in input_schema.get("properties", {}).items()
    ]
    star = ["*"] if parameters else []
    return f"    def {method.name}({', '.join(['self', *star, *parameters])}) -> {back}: ..."


def _render_annotation(schema: Any, name: str, records: list[str]) -> str:
    """A schema as an annotation; an object with fields becomes a TypedDict of that name."""
    if not isinstance(schema, Mapping):
        return "Any"
    if "anyOf" in schema:
        return " | ".join(
            dict.fromkeys(_render_annotation(s, f"{name}_{i}", records) for i, s in enumerate(schema["anyOf"]))
        )
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(
            dict.fromkeys(_render_annotation({**schema, "type": field_schema}, name, records) for field_schema in kind)
        )
    if kind == "array":
        return f"list[{_render_annotation(schema.get('items', True), f'{name}_item', records)}]"
    if kind == "object":
        fields = schema.get("properties", {})
        if not fields or not all(map(_is_valid_name, fields)):
            return "dict[str, Any]"
        required = set(schema.get("required", ()))
        lines = [f"class {name}(TypedDict):"]
        for field, field_schema in fields.items():
            annotation = _render_annotation(field_schema, f"{name}_{field}", records)
            lines.append(f"    {field}: {annotation if field in required else f'NotRequired[{annotation}]'}")
        records += [*lines, ""]
        return name
    from graphbus_core.contracts.parsing.type_forms import WORDS  # late: a run reads builds, and writes none

    return WORDS.get(str(kind), "Any")


def _is_valid_name(name: str) -> bool:
    return name.isidentifier() and not keyword.iskeyword(name)


@dataclass(frozen=True)
class ArtifactContents:
    """What a build writes. `sources` maps a path relative to the project root (with `/`) to the file's bytes.

    In `modules`, `file` is such a path too (None for a package without `__init__.py`).
    """

    agents: Sequence[AgentDefinition]
    graph: AgentGraph
    sources: Mapping[str, bytes]
    modules: Iterable[FrozenModule]
    summary: Mapping[str, Any] = field(default_factory=dict)
    graphbus_version: str = ""
    digests: Mapping[str, str] = field(default_factory=dict)  # sha256 of sources, where known
    agent_texts: Mapping[str, str] = field(default_factory=dict)  # agent name -> its `to_dict` as text, where known


def write_artifacts(folder: Path, contents: ArtifactContents) -> Manifest:
    """Write a build into `folder` and return its manifest. Raises ArtifactError where it cannot be written."""
    own = [agent for agent in contents.agents if not agent.is_external]  # who runs; the rest is for the graph
    files = {f"{SOURCES}/{path}": content for path, content in contents.sources.items()}
    files |= {
        GRAPH: to_json(contents.graph.to_dict()),
        AGENTS: _encode_agents(contents),
        TOPICS: to_json(_build_topics(own)),
        SCHEMAS: to_json(_build_schemas(own)),
        BUILD_SUMMARY: to_json(dict(contents.summary), readable=True),
    }
    digests = {f"{SOURCES}/{path}": known_digest for path, known_digest in contents.digests.items()}
    modules = {
        m.name: FrozenModule(m.name, f"{SOURCES}/{m.file}" if m.file else None, m.is_package) for m in contents.modules
    }
    manifest = Manifest(
        {path: digests.get(path) or compute_digest(content) for path, content in sorted(files.items())},
        modules,
        contents.graphbus_version,
        FORMAT_VERSION if any(_has_mapping(agent) for agent in own) else PLAIN_VERSION,
    )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        before = _list_previous_sources(folder)
        created: set[str] = set()
        for path, content in files.items():
            if path in before or not path.startswith(SOURCES):
                _write_if_changed(folder, path, content, created)
            else:
                _write_new(folder, path, content, created)
        _write_if_changed(folder, MANIFEST, manifest.to_bytes(), created)
        _write_if_changed(folder, STUB_FILE, render_stub(own).encode(), created)  # for editors: in no manifest
        for path in before - files.keys():
            (folder / path).unlink(missing_ok=True)
    except OSError as e:
        raise ArtifactError(
            f"The build could not be written to {folder}: {e.strerror or e}. Give another --output-dir."
        ) from e
    return manifest


def _encode_agents(contents: ArtifactContents) -> bytes:
    known_texts = contents.agent_texts
    texts = [known_texts.get(agent.name) or dump_compact(agent.to_dict()) for agent in contents.agents]
    return encode_text("[\n" + ",\n".join(texts) + "\n]")


def _write_if_changed(folder: Path, path: str, content: bytes, created: set[str]) -> None:
    target = os.path.join(folder, path)
    try:
        with open(target, "rb") as f:
            if f.read() == content:
                return
    except FileNotFoundError:
        _make_parent(target, created)
    write_atomic(target, content)


def _write_new(folder: Path, path: str, content: bytes, created: set[str]) -> None:
    """Write a file that no older build rests on: nobody reads it before the manifest names it."""
    target = os.path.join(folder, path)
    _make_parent(target, created)
    with open(target, "wb") as f:
        f.write(content)


def _make_parent(target: str, created: set[str]) -> None:
    if (parent := os.path.dirname(target)) not in created:
        os.makedirs(parent, exist_ok=True)
        created.add(parent)


def _has_mapping(agent: AgentDefinition) -> bool:
    return any(s.mapping for s in agent.subscriptions) or any(MAPPINGS in method.metadata for method in agent.methods)


def _list_previous_sources(folder: Path) -> set[str]:
    """What an earlier manifest lists under sources/; nothing else is ever removed."""
    import json

    try:
        listed = json.loads((folder / MANIFEST).read_bytes())["files"]
        return {p for p in listed if p.startswith(f"{SOURCES}/") and ".." not in p.split("/")}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return set()


def _build_topics(agents: Sequence[AgentDefinition]) -> dict[str, Any]:
    publications = [p for agent in agents for p in agent.publications]
    subscriptions = [s for agent in agents for s in agent.subscriptions]
    names = sorted({p.topic.name for p in publications} | {s.topic.name for s in subscriptions})
    declared: dict[str, list[Schema]] = {}
    for p in publications:
        if p.schema is not None and p.schema not in declared.setdefault(p.topic.name, []):
            declared[p.topic.name].append(p.schema)
    publishers: dict[str, list[str]] = {}
    for p in publications:
        if p.node_name not in (publisher_names := publishers.setdefault(p.topic.name, [])):
            publisher_names.append(p.node_name)
    return {
        "topics": [
            {"name": n, "schema": _merge_schemas(declared.get(n, [])), "publishers": publishers.get(n, [])}
            for n in names
        ],
        "subscriptions": [s.to_dict() for s in subscriptions],
        "publications": [p.to_dict() for p in publications],
    }


def _merge_schemas(schemas: Sequence[Schema]) -> dict[str, Any] | None:
    """What a topic carries: what its publisher declares, or where several declare differently, one of those."""
    if len(schemas) < 2:
        return schemas[0].to_dict() if schemas else None
    return Schema({"anyOf": [dict(s.json_schema) for s in schemas]}).to_dict()


def _build_schemas(agents: Sequence[AgentDefinition]) -> dict[str, Any]:
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
