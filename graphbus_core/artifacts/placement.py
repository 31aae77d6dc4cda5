"""Which nodes may run in several processes at once, and which keep something in themselves. It reads sources only.

A node keeps something in itself where it overrides `get_state`, uses its memory, or where one of its methods changes
something that outlives the call: an attribute of `self` or of its class, or a variable of its module. What `__init__`,
`on_start` and `set_state` set is how a node is made, not state. A class says `SHARED = True` where its copies may
differ, as those of a cache may; `SHARED = False` where they may not, and no source tells.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from graphbus_core.artifacts.folder import ArtifactFolder
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.syntax import last_name, list_nodes

# The last three run while a build negotiates, and never in a run.
SETUP_METHODS = frozenset(("__init__", "on_start", "on_stop", "set_state", "set_mode", "propose", "evaluate", "commit"))
MUTATING_METHODS = frozenset(
    [
        *("append", "add", "update", "extend", "insert", "pop", "popitem", "popleft", "appendleft", "remove"),
        *("discard", "clear", "setdefault", "sort", "reverse", "subtract", "note"),
    ]
)

# Functions that change what they are given first.
MUTATING_FUNCTIONS = frozenset(
    ("next", "heappush", "heappop", "heapify", "heapreplace", "insort", "shuffle", "setattr")
)
MUTABLE_FACTORIES = frozenset(("dict", "list", "set", "defaultdict", "deque", "Counter", "OrderedDict", "count"))
INJECTED_ATTRIBUTES = frozenset(("bus", "nodes"))  # what a node is given, and is not its own
MAX_BASE_DEPTH = 20  # bases of bases

Function = ast.FunctionDef | ast.AsyncFunctionDef
CHANGING = (ast.Assign, ast.Delete, ast.AugAssign, ast.AnnAssign, ast.Call)  # the syntax that may change something
SourceOf = Callable[[str], str | None]  # of a module by its dotted name; None: it is not of the project


@dataclass(frozen=True)
class SingleProcess:
    """Why a node runs in one process at a time. `stored`: it has a state that moves with it; else it starts afresh."""

    why: str
    stored: bool = False


@dataclass(frozen=True)
class ClassSource:
    """A class body, and the module that holds it."""

    module: str
    tree: ast.Module
    kind: ast.ClassDef


def analyze_class(lineage: Sequence[ClassSource]) -> SingleProcess | None:
    """Of a class and its bases, itself first."""
    for body in lineage:
        if (declared := _read_shared_flag(body.kind)) is not None:
            return None if declared else SingleProcess("it says SHARED = False", _has_get_state(lineage))
    for body in lineage:
        if (method := _find_method(body.kind, "get_state")) is not None:
            where = "" if body.module == lineage[0].module else f" of {body.module}"
            return SingleProcess(f"it keeps state (get_state, line {method.lineno}{where})", stored=True)
    for body in lineage:
        methods = [node for node in body.kind.body if isinstance(node, Function) and node.name not in SETUP_METHODS]
        where = "" if body.module == lineage[0].module else f" of {body.module}"
        for why in _find_changes(methods, body.kind.name, _find_mutable_variables(body.tree), where):
            return SingleProcess(why, stored="changes self.memory" in why)
    return None


def analyze_build(folder: ArtifactFolder) -> dict[str, SingleProcess]:
    """The nodes of a build that run in one place, by name. The others can be shared. Raises ArtifactError."""

    def read_source(module: str) -> str | None:
        frozen = folder.modules.get(module)
        if frozen is None or frozen.file is None:
            return None
        return folder.read_file(frozen.file).decode("utf-8", "surrogatepass")

    return analyze_agents(folder.agents, read_source)


def analyze_agents(agents: Iterable[AgentDefinition], source_of: SourceOf) -> dict[str, SingleProcess]:
    """The same for agents of any project."""
    reading = _SourceAnalyzer(source_of)
    reasons = {
        agent.name: read_recorded(agent) if "one_place" in agent.metadata else reading.analyze_agent(agent)
        for agent in agents
    }
    return {name: reason for name, reason in reasons.items() if reason is not None}


def read_recorded(agent: AgentDefinition) -> SingleProcess | None:
    """What the scan wrote down of it. Builds of the first edition say nothing: their sources are read."""
    recorded = agent.metadata.get("one_place")
    return SingleProcess(recorded["why"], recorded["stored"]) if recorded else None


class _SourceAnalyzer:
    """Parses each module once, and follows bases into the other modules of the project."""

    def __init__(self, source_of: SourceOf) -> None:
        self._source_of = source_of
        self._trees: dict[str, ast.Module | None] = {}

    def analyze_agent(self, agent: AgentDefinition) -> SingleProcess | None:
        tree = self._parse_module(agent.module)
        if tree is None:
            return SingleProcess("its source cannot be read")
        if agent.metadata.get("plain") == "functions":
            handler_names = {method.name for method in agent.methods} | {
                node.handler_name for node in agent.subscriptions
            }
            chosen = [node for node in tree.body if isinstance(node, Function) and node.name in handler_names]
            return next((SingleProcess(why) for why in _find_changes(chosen, "", _find_mutable_variables(tree))), None)
        return analyze_class(
            list(self._walk_lineage(agent.module, agent.class_name.rpartition(".")[2], MAX_BASE_DEPTH))
        )

    def _walk_lineage(self, module: str, name: str, deep: int) -> Iterator[ClassSource]:
        """The class and its bases, as far as the project has them."""
        tree = self._parse_module(module)
        if tree is None or not deep:
            return
        kind = next((node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.name == name), None)
        if kind is None:
            return
        yield ClassSource(module, tree, kind)
        for base in kind.bases:
            if (imported := _resolve_import(tree, module, base)) is not None:
                yield from self._walk_lineage(*imported, deep - 1)
            elif isinstance(base, ast.Name) and base.id != name:
                yield from self._walk_lineage(module, base.id, deep - 1)

    def _parse_module(self, module: str) -> ast.Module | None:
        if module not in self._trees:
            source = self._source_of(module)
            try:
                self._trees[module] = ast.parse(source) if source is not None else None
            except (SyntaxError, ValueError):
                self._trees[module] = None
        return self._trees[module]


def _resolve_import(tree: ast.Module, module: str, base: ast.expr) -> tuple[str, str] | None:
    """(module, class) that a base stands for, where an import brought it."""
    head, attribute = (base.value, base.attr) if isinstance(base, ast.Attribute) else (base, None)
    if not isinstance(head, ast.Name):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            # A package's own `__init__` counts one level less; it is rarely where nodes are.
            above = module.split(".")[: -node.level] if node.level else []
            source = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                if (alias.asname or alias.name) == head.id:
                    return (f"{source}.{alias.name}", attribute) if attribute else (source, alias.name)
        elif isinstance(node, ast.Import) and attribute:
            for alias in node.names:
                if (alias.asname or alias.name) == head.id:
                    return alias.name, attribute
    return None


def _find_method(kind: ast.ClassDef, name: str) -> Function | None:
    return next((node for node in kind.body if isinstance(node, Function) and node.name == name), None)


def _has_get_state(lineage: Sequence[ClassSource]) -> bool:
    return any(_find_method(body.kind, "get_state") is not None for body in lineage)


def _read_shared_flag(kind: ast.ClassDef) -> bool | None:
    for statement in kind.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id="SHARED")], value=ast.Constant(value=bool(flag))):
                return flag
            case ast.AnnAssign(target=ast.Name(id="SHARED"), value=ast.Constant(value=bool(flag))):
                return flag
    return None


def _find_mutable_variables(tree: ast.Module) -> frozenset[str]:
    """Variables of the module that hold something which can be changed in place."""
    names: set[str] = set()
    for statement in tree.body:
        targets, value = [], None
        if isinstance(statement, ast.Assign):
            targets, value = statement.targets, statement.value
        elif isinstance(statement, ast.AnnAssign):
            targets, value = [statement.target], statement.value
        is_factory_call = isinstance(value, ast.Call) and last_name(value.func) in MUTABLE_FACTORIES
        if is_factory_call or isinstance(
            value, ast.Dict | ast.List | ast.Set | ast.DictComp | ast.ListComp | ast.SetComp
        ):
            names.update(target.id for target in targets if isinstance(target, ast.Name))
    return frozenset(names)


@dataclass(frozen=True)
class _Scope:
    """What the names in one method stand for. `own`: the object and its class; `outer`: variables of the module that it
    may bind anew; `variables`: those that it can change in place.
    """

    own: frozenset[str]
    outer: frozenset[str]
    variables: frozenset[str]

    @classmethod
    def from_method(cls, method: Function, nodes: list[ast.AST], kind: str, variables: frozenset[str]) -> _Scope:
        """`nodes`: all that stand in its body."""
        static = not kind or any(last_name(node) == "staticmethod" for node in method.decorator_list)
        first = method.args.args[0].arg if method.args.args and not static else ""
        outer, local = set[str](), set[str]()
        for node in nodes:
            if isinstance(node, ast.Global):
                outer.update(node.names)
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                local.add(node.id)
        return cls(frozenset({first, kind, "cls"} - {""}), frozenset(outer), variables - local)

    def describe_change(self, node: ast.AST, target: ast.expr) -> str | None:
        """What of it outlives the call."""
        root, attribute = _find_root(target)
        if root in self.own and attribute and attribute not in INJECTED_ATTRIBUTES:
            return f"self.{attribute}"
        in_place = not isinstance(target, ast.Name) or isinstance(node, ast.Call)
        if root in self.outer or (in_place and root in self.variables):
            return f"{root} of its module"
        return None


def _find_changes(methods: Iterable[Function], kind: str, variables: frozenset[str], where: str = "") -> Iterator[str]:
    """What these change that outlives a call, a sentence each. `kind` is the class, whose attributes count too."""
    for method in methods:
        nodes = list_nodes(method.body)
        scope = _Scope.from_method(method, nodes, kind, variables)
        for node in nodes:
            if not isinstance(node, CHANGING):
                continue
            for target in _find_targets(node):
                if (what := scope.describe_change(node, target)) is not None:
                    yield f"{method.name} changes {what} (line {node.lineno}{where})"


def _find_targets(node: ast.AST) -> list[ast.expr]:
    """What a statement or a call changes."""
    match node:
        case ast.Assign() | ast.Delete():
            return node.targets
        case ast.AugAssign() | ast.AnnAssign():
            return [node.target]
        case ast.Call(func=ast.Attribute(attr=attr, value=inner)) if attr in MUTATING_METHODS:
            return [inner]
        case ast.Call(func=func, args=[given, *_]) if last_name(func) in MUTATING_FUNCTIONS:
            return [given]
    return []


def _find_root(target: ast.expr) -> tuple[str, str]:
    """(`self`, `items`) of `self.items`, `self.items[0]` and `self.items.first`; (name, "") of a bare name."""
    attribute = ""
    while isinstance(target, ast.Attribute | ast.Subscript):
        if isinstance(target, ast.Attribute):
            attribute = target.attr
        target = target.value
    return (target.id, attribute) if isinstance(target, ast.Name) else ("", "")
