"""Which nodes several processes may share, and which run in one place. It reads sources only, and runs nothing.

A node is shared where it is *shown* to keep nothing between events (`sharing`), or where it says so: a class says
`SHARED = True` where its copies may differ, as those of a cache may, and `SHARED = False` where they may not. A node
that overrides `get_state` or uses its memory has a state, which moves with it. All others run in one place, and start
afresh where they move to; the reason says what was not shown, with file and line.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from graphbus_core.artifacts.folder import ArtifactFolder
from graphbus_core.artifacts.peers import NO_USES, ImportsOf, Uses, find_groups, find_shared_objects
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.syntax import list_imported_names, list_nodes, resolve_module

if TYPE_CHECKING:
    from graphbus_core.artifacts.sharing.engine import LoadModule

MAX_BASE_DEPTH = 20  # bases of bases

Function = ast.FunctionDef | ast.AsyncFunctionDef
SourceOf = Callable[[str], str | None]  # of a module by its dotted name; None: it is not of the project


@dataclass(frozen=True)
class SingleProcess:
    """Why a node runs in one process at a time. `stored`: it has a state that moves with it; else it starts afresh.
    `group`: the name of the first node of those that have to run in the same process, since they share an object."""

    why: str
    stored: bool = False
    group: str = ""


@dataclass(frozen=True)
class ClassSource:
    """A class body, and the module that holds it, with the file's path."""

    module: str
    path: str
    kind: ast.ClassDef


@dataclass(frozen=True)
class Placement:
    """Why a node runs in one process, by its own files; None where several may share it, unless another node changes
    what it reads (`place_together`)."""

    alone: SingleProcess | None
    uses: Uses = NO_USES


def analyze_class(lineage: Sequence[ClassSource], handlers: Iterable[str], load: LoadModule) -> Placement:
    """Of a class and its bases, itself first. `handlers`: methods that hear a topic."""
    if not lineage:
        return Placement(SingleProcess("its source cannot be read"))
    placement = _judge(load, lineage[0].module, lineage[0].kind.name, handlers=frozenset(handlers))
    placed = placement.uses.place_reads()  # it is said already how it is placed
    stored = next((s for s in (_find_get_state(body) for body in lineage) if s is not None), None)
    for body in lineage:
        if (declared := _read_shared_flag(body.kind)) is not None:
            if declared:
                return Placement(None, placement.uses.without_reads())
            return Placement(SingleProcess("it says SHARED = False", stored is not None), placed)
    if stored is not None:
        return Placement(SingleProcess(f"it keeps state (get_state, {stored})", stored=True), placed)
    return placement


def analyze_functions(module: str, names: Iterable[str], load: LoadModule) -> Placement:
    """The same of functions that take part as they are."""
    return _judge(load, module, functions=tuple(names))


def _judge(
    load: LoadModule,
    module: str,
    name: str = "",
    functions: tuple[str, ...] = (),
    handlers: frozenset[str] = frozenset(),
) -> Placement:
    # Late: a run that reads what is recorded has no use for it.
    from graphbus_core.artifacts.sharing.quick_proof import prove
    from graphbus_core.artifacts.sharing.target import Target

    target = Target(module, name, functions, handlers)
    if (read := prove(target, load)) is not None:
        return Placement(None, read)
    from graphbus_core.artifacts.sharing import analyze

    notes, uses = analyze(target, load)
    if not notes:
        return Placement(None, uses)
    first = next((note for note in notes if note.is_change), notes[0])
    why = str(first) if first.line else first.text
    return Placement(SingleProcess(why, any(note.is_memory for note in notes)), uses.place_reads())


def place_together(nodes: Sequence[tuple[str, Placement]], imports_of: ImportsOf) -> list[SingleProcess | None]:
    """Why each of the nodes of a build runs in one process, with the names that they have there. `imports_of` a module:
    asked only where a node changes anything."""
    pairs = [(name, placement.uses) for name, placement in nodes]
    reasons = find_shared_objects(pairs, imports_of)
    placed = [
        SingleProcess(reasons[place]) if placement.alone is None and place in reasons else placement.alone
        for place, (_, placement) in enumerate(nodes)
    ]
    for group in find_groups(pairs, [place for place, alone in enumerate(placed) if alone is not None], imports_of):
        for place in group:
            if (alone := placed[place]) is not None and not alone.group:
                placed[place] = replace(alone, group=nodes[group[0]][0])
    return placed


def analyze_build(folder: ArtifactFolder) -> dict[str, SingleProcess]:
    """The nodes of a build that run in one place, by name. The others can be shared. Raises ArtifactError."""

    def read_source(module: str) -> str | None:
        frozen = folder.modules.get(module)
        if frozen is None or frozen.file is None:
            return None
        return folder.read_file(frozen.file).decode("utf-8", "surrogatepass")

    packages = {name for name, frozen in folder.modules.items() if frozen.is_package}
    return analyze_agents(folder.agents, read_source, packages)


def analyze_agents(
    agents: Sequence[AgentDefinition], source_of: SourceOf, packages: Container[str] = ()
) -> dict[str, SingleProcess]:
    """The same for agents of any project. `packages`: modules that are one."""
    sources = _Sources(source_of, packages)
    recorded = {agent.name: read_recorded(agent) for agent in agents}
    placements = {agent.name: sources.analyze_agent(agent) for agent in agents if recorded[agent.name] is None}
    is_read = any(placement.uses.reads for placement in placements.values())
    for agent in agents:
        alone = recorded[agent.name]
        if alone is not None:  # what it changes matters to those that are not alone
            uses = sources.analyze_agent(agent).uses if is_read else NO_USES
            placements[agent.name] = Placement(alone, uses.place_reads())
    reasons = zip(placements, place_together([*placements.items()], sources.list_imports), strict=True)
    return {name: reason for name, reason in reasons if reason is not None}


def record(placement: SingleProcess | None) -> dict[str, Any]:
    """What a build writes down of it, among the agent's metadata."""
    if placement is None:
        return {"one_place": None}
    together = {"group": placement.group} if placement.group else {}
    return {"one_place": {"why": placement.why, "stored": placement.stored, **together}}


def read_recorded(agent: AgentDefinition) -> SingleProcess | None:
    """What the scan wrote down of it. A reason that was written down stands. That there is none may be the word of an
    older rule, which let most state pass: then a run reads the sources itself (`analyze_build`)."""
    recorded = agent.metadata.get("one_place")
    return SingleProcess(recorded["why"], recorded["stored"], recorded.get("group", "")) if recorded else None


class _Sources:
    """Parses each module once, and follows bases into the other modules of the project."""

    def __init__(self, source_of: SourceOf, packages: Container[str]) -> None:
        self._source_of, self._packages = source_of, packages
        self._trees: dict[str, ast.Module | None] = {}

    def list_imports(self, name: str) -> list[str] | None:
        """What a module may load itself; None where it is not of the project."""
        loaded = self._load(name)
        if loaded is None:
            return None
        package = name if loaded[3] else name.rpartition(".")[0]
        return [
            imported
            for part in list_nodes(loaded[2].body)
            if isinstance(part, ast.Import | ast.ImportFrom)
            for imported in list_imported_names(part, package)
        ]

    def analyze_agent(self, agent: AgentDefinition) -> Placement:
        if self._load(agent.module) is None:
            return Placement(SingleProcess("its source cannot be read"))
        handlers = {subscription.handler_name for subscription in agent.subscriptions}
        if agent.metadata.get("plain") == "functions":
            return analyze_functions(agent.module, sorted({m.name for m in agent.methods} | handlers), self._load)
        lineage: list[ClassSource] = []
        self._collect_lineage(agent.module, agent.class_name.rpartition(".")[2], MAX_BASE_DEPTH, lineage)
        return analyze_class(lineage, handlers, self._load)

    def _load(self, name: str) -> tuple[str, str, ast.Module, bool] | None:
        if name not in self._trees:
            source = self._source_of(name)
            try:
                self._trees[name] = ast.parse(source) if source is not None else None
            except (SyntaxError, ValueError):
                self._trees[name] = None
        tree, is_package = self._trees[name], name in self._packages
        path = f"{name.replace('.', '/')}{'/__init__' if is_package else ''}.py"
        return None if tree is None else (name, path, tree, is_package)

    def _collect_lineage(self, module: str, name: str, deep: int, lineage: list[ClassSource]) -> None:
        """The class and its bases, as far as the project has them."""
        loaded = self._load(module)
        if loaded is None or not deep:
            return
        _, path, tree, is_package = loaded
        package = module if is_package else module.rpartition(".")[0]
        kind = next((node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == name), None)
        if kind is None:
            return
        lineage.append(ClassSource(module, path, kind))
        for base in kind.bases:
            if (imported := _resolve_import(tree, package, base)) is not None:
                self._collect_lineage(*imported, deep - 1, lineage)
            elif isinstance(base, ast.Name) and base.id != name:
                self._collect_lineage(module, base.id, deep - 1, lineage)


def _resolve_import(tree: ast.Module, package: str, base: ast.expr) -> tuple[str, str] | None:
    """(module, class) that a base stands for, where an import brought it."""
    head, attribute = (base.value, base.attr) if isinstance(base, ast.Attribute) else (base, None)
    if not isinstance(head, ast.Name):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            source = resolve_module(node.level, node.module or "", package)
            for alias in node.names:
                if (alias.asname or alias.name) == head.id:
                    return (f"{source}.{alias.name}", attribute) if attribute else (source, alias.name)
        elif isinstance(node, ast.Import) and attribute:
            for alias in node.names:
                if (alias.asname or alias.name) == head.id:
                    return alias.name, attribute
    return None


def _find_get_state(body: ClassSource) -> str | None:
    """Where a class has its own `get_state`."""
    for node in body.kind.body:
        if isinstance(node, Function) and node.name == "get_state":
            return f"{body.path}:{node.lineno}"
    return None


def _read_shared_flag(kind: ast.ClassDef) -> bool | None:
    for statement in kind.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="SHARED")], value=ast.Constant(value=bool(flag))):
                return flag
            case ast.AnnAssign(target=ast.Name(id="SHARED"), value=ast.Constant(value=bool(flag))):
                return flag
    return None
