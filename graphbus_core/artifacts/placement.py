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

from graphbus_core.artifacts.read import ArtifactFolder
from graphbus_core.model.agent_def import AgentDefinition
from graphbus_core.syntax import last_name

# The last three run while a build negotiates, and never in a run.
MADE_IN = frozenset(("__init__", "on_start", "on_stop", "set_state", "set_mode", "propose", "evaluate", "commit"))
CHANGES = frozenset(
    [
        *("append", "add", "update", "extend", "insert", "pop", "popitem", "popleft", "appendleft", "remove"),
        *("discard", "clear", "setdefault", "sort", "reverse", "subtract", "note"),
    ]
)

# Functions that change what they are given first.
CHANGE_FIRST = frozenset(("next", "heappush", "heappop", "heapify", "heapreplace", "insort", "shuffle", "setattr"))
MAKE = frozenset(("dict", "list", "set", "defaultdict", "deque", "Counter", "OrderedDict", "count"))
GIVEN = frozenset(("bus", "nodes"))  # what a node is given, and is not its own
DEEPEST = 20  # bases of bases

Function = ast.FunctionDef | ast.AsyncFunctionDef
SourceOf = Callable[[str], str | None]  # of a module by its dotted name; None: it is not of the project


@dataclass(frozen=True)
class OnePlace:
    """Why a node runs in one process at a time. `stored`: it has a state that moves with it; else it starts afresh."""

    why: str
    stored: bool = False


@dataclass(frozen=True)
class Body:
    """A class body, and the module that holds it."""

    module: str
    tree: ast.Module
    kind: ast.ClassDef


def of_class(lineage: Sequence[Body]) -> OnePlace | None:
    """Of a class and its bases, itself first."""
    for body in lineage:
        if (said := _shared(body.kind)) is not None:
            return None if said else OnePlace("it says SHARED = False", _stores(lineage))
    for body in lineage:
        if (method := _method(body.kind, "get_state")) is not None:
            where = "" if body.module == lineage[0].module else f" of {body.module}"
            return OnePlace(f"it keeps state (get_state, line {method.lineno}{where})", stored=True)
    for body in lineage:
        methods = [one for one in body.kind.body if isinstance(one, Function) and one.name not in MADE_IN]
        where = "" if body.module == lineage[0].module else f" of {body.module}"
        for why in _changed_by(methods, body.kind.name, _mutable(body.tree), where):
            return OnePlace(why, stored="changes self.memory" in why)
    return None


def of_build(folder: ArtifactFolder) -> dict[str, OnePlace]:
    """The nodes of a build that run in one place, by name. The others can be shared. Raises ArtifactError."""

    def source_of(module: str) -> str | None:
        found = folder.modules.get(module)
        if found is None or found.file is None:
            return None
        return folder.read(found.file).decode("utf-8", "surrogatepass")

    return in_one_place(folder.agents, source_of)


def in_one_place(agents: Iterable[AgentDefinition], source_of: SourceOf) -> dict[str, OnePlace]:
    """The same for agents of any project."""
    reading = _Reading(source_of)
    found = {agent.name: told(agent) if "one_place" in agent.metadata else reading.of(agent) for agent in agents}
    return {name: one for name, one in found.items() if one is not None}


def told(agent: AgentDefinition) -> OnePlace | None:
    """What the scan wrote down of it. Builds of the first edition say nothing: their sources are read."""
    said = agent.metadata.get("one_place")
    return OnePlace(said["why"], said["stored"]) if said else None


class _Reading:
    """Parses each module once, and follows bases into the other modules of the project."""

    def __init__(self, source_of: SourceOf) -> None:
        self._source_of = source_of
        self._trees: dict[str, ast.Module | None] = {}

    def of(self, agent: AgentDefinition) -> OnePlace | None:
        tree = self._tree(agent.module)
        if tree is None:
            return OnePlace("its source cannot be read")
        if agent.metadata.get("plain") == "functions":
            named = {method.name for method in agent.methods} | {one.handler_name for one in agent.subscriptions}
            chosen = [one for one in tree.body if isinstance(one, Function) and one.name in named]
            return next((OnePlace(why) for why in _changed_by(chosen, "", _mutable(tree))), None)
        return of_class(list(self._line(agent.module, agent.class_name.rpartition(".")[2], DEEPEST)))

    def _line(self, module: str, name: str, deep: int) -> Iterator[Body]:
        """The class and its bases, as far as the project has them."""
        tree = self._tree(module)
        if tree is None or not deep:
            return
        kind = next((one for one in ast.walk(tree) if isinstance(one, ast.ClassDef) and one.name == name), None)
        if kind is None:
            return
        yield Body(module, tree, kind)
        for base in kind.bases:
            if (found := _imported(tree, module, base)) is not None:
                yield from self._line(*found, deep - 1)
            elif isinstance(base, ast.Name) and base.id != name:
                yield from self._line(module, base.id, deep - 1)

    def _tree(self, module: str) -> ast.Module | None:
        if module not in self._trees:
            source = self._source_of(module)
            try:
                self._trees[module] = ast.parse(source) if source is not None else None
            except (SyntaxError, ValueError):
                self._trees[module] = None
        return self._trees[module]


def _imported(tree: ast.Module, module: str, base: ast.expr) -> tuple[str, str] | None:
    """(module, class) that a base stands for, where an import brought it."""
    head, attribute = (base.value, base.attr) if isinstance(base, ast.Attribute) else (base, None)
    if not isinstance(head, ast.Name):
        return None
    for one in ast.walk(tree):
        if isinstance(one, ast.ImportFrom):
            # A package's own `__init__` counts one level less; it is rarely where nodes are.
            above = module.split(".")[: -one.level] if one.level else []
            source = ".".join([*above, *([one.module] if one.module else [])])
            for alias in one.names:
                if (alias.asname or alias.name) == head.id:
                    return (f"{source}.{alias.name}", attribute) if attribute else (source, alias.name)
        elif isinstance(one, ast.Import) and attribute:
            for alias in one.names:
                if (alias.asname or alias.name) == head.id:
                    return alias.name, attribute
    return None


def _method(kind: ast.ClassDef, name: str) -> Function | None:
    return next((one for one in kind.body if isinstance(one, Function) and one.name == name), None)


def _stores(lineage: Sequence[Body]) -> bool:
    return any(_method(body.kind, "get_state") is not None for body in lineage)


def _shared(kind: ast.ClassDef) -> bool | None:
    for one in kind.body:
        match one:
            case ast.Assign(targets=[ast.Name(id="SHARED")], value=ast.Constant(value=bool(said))):
                return said
            case ast.AnnAssign(target=ast.Name(id="SHARED"), value=ast.Constant(value=bool(said))):
                return said
    return None


def _mutable(tree: ast.Module) -> frozenset[str]:
    """Variables of the module that hold something which can be changed in place."""
    names: set[str] = set()
    for one in tree.body:
        targets, value = [], None
        if isinstance(one, ast.Assign):
            targets, value = one.targets, one.value
        elif isinstance(one, ast.AnnAssign):
            targets, value = [one.target], one.value
        made = isinstance(value, ast.Call) and last_name(value.func) in MAKE
        if made or isinstance(value, ast.Dict | ast.List | ast.Set | ast.DictComp | ast.ListComp | ast.SetComp):
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
    def of(cls, method: Function, kind: str, variables: frozenset[str]) -> _Scope:
        static = not kind or any(last_name(one) == "staticmethod" for one in method.decorator_list)
        first = method.args.args[0].arg if method.args.args and not static else ""
        outer, local = set[str](), set[str]()
        for one in ast.walk(method):
            if isinstance(one, ast.Global):
                outer.update(one.names)
            elif isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
                local.add(one.id)
        return cls(frozenset({first, kind, "cls"} - {""}), frozenset(outer), variables - local)

    def changed(self, one: ast.AST, target: ast.expr) -> str | None:
        """What of it outlives the call."""
        root, attribute = _root(target)
        if root in self.own and attribute and attribute not in GIVEN:
            return f"self.{attribute}"
        in_place = not isinstance(target, ast.Name) or isinstance(one, ast.Call)
        if root in self.outer or (in_place and root in self.variables):
            return f"{root} of its module"
        return None


def _changed_by(methods: Iterable[Function], kind: str, variables: frozenset[str], where: str = "") -> Iterator[str]:
    """What these change that outlives a call, a sentence each. `kind` is the class, whose attributes count too."""
    for method in methods:
        scope = _Scope.of(method, kind, variables)
        for one in (at for at in ast.walk(method) if isinstance(at, ast.stmt | ast.expr)):
            for target in _targets(one):
                if (what := scope.changed(one, target)) is not None:
                    yield f"{method.name} changes {what} (line {one.lineno}{where})"


def _targets(one: ast.AST) -> list[ast.expr]:
    """What a statement or a call changes."""
    match one:
        case ast.Assign() | ast.Delete():
            return one.targets
        case ast.AugAssign() | ast.AnnAssign():
            return [one.target]
        case ast.Call(func=ast.Attribute(attr=attr, value=inner)) if attr in CHANGES:
            return [inner]
        case ast.Call(func=func, args=[given, *_]) if last_name(func) in CHANGE_FIRST:
            return [given]
    return []


def _root(target: ast.expr) -> tuple[str, str]:
    """(`self`, `items`) of `self.items`, `self.items[0]` and `self.items.first`; (name, "") of a bare name."""
    attribute = ""
    while isinstance(target, ast.Attribute | ast.Subscript):
        if isinstance(target, ast.Attribute):
            attribute = target.attr
        target = target.value
    return (target.id, attribute) if isinstance(target, ast.Name) else ("", "")
