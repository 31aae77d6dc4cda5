"""A circle that both sides closed: one goes from here to there, the other back, and neither has the way round.

A function that calls, a name that is sent out and whoever hears it, a lock that is taken while another is held: each
side's ways come to an end, and together they do not. Text in, no imports.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from graphbus_core.commit.landing.interference.copies import walk_functions
from graphbus_core.commit.landing.interference.definitions import Definition, Function, Meaning, Project
from graphbus_core.commit.landing.interference.found import Interference
from graphbus_core.commit.landing.interference.uses import BUILT_IN
from graphbus_core.editing.scope import is_test_file

MAX_NODES = 300  # that a search for a way looks at

_Node = tuple[str, str]  # file and function; or what it is and its name
_Edge = tuple[_Node, _Node]
_Edges = Mapping[_Edge, tuple[str, int, str]]  # with the place: file, line, scope


def check_circles(old: Project, ours: Project, theirs: Project, now: Project) -> Iterator[Interference]:
    """The circles of the merged tree that have a way of each side in them."""
    paths = now.list_changed(old)
    before, mine, beside, left = (_read_edges(project, paths) for project in (old, ours, theirs, now))
    new = [{edge for edge in side if edge in left and edge not in before} for side in (mine, beside)]
    new = [new[0] - new[1], new[1] - new[0]]
    ahead = _Ways(now, paths)
    for start, end in sorted(new[1]) if new[0] else ():
        reached = ahead.list_reached(end)
        for first in sorted(new[0]):
            if first[0] in reached and start in ahead.list_reached(first[1]):
                path, line, scope = beside[start, end]
                there = mine[first]
                what = f"{_tell(start)} comes to {_tell(end)}, and with what the other side added back to itself"
                yield Interference(path, line, scope, what, f"{there[0]}:{there[1]}")
                break


class _Ways:
    """The ways of a tree, each file read when the first way comes to it."""

    def __init__(self, project: Project, changed: list[str]) -> None:
        self.project = project
        self.ahead: dict[_Node, set[_Node]] = {}
        self.read: set[str] = set()
        self.reached: dict[_Node, set[_Node]] = {}
        self._read(changed)

    def _read(self, paths: list[str]) -> None:
        for start, end in _read_edges(self.project, [path for path in paths if path not in self.read]):
            self.ahead.setdefault(start, set()).add(end)
        self.read.update(paths)

    def list_reached(self, start: _Node) -> set[_Node]:
        """Every place that ways from one place come to, bounded; itself, too."""
        if start not in self.reached:
            reached, waiting = {start}, [start]
            while waiting and len(reached) < MAX_NODES:
                node = waiting.pop()
                if node[0] in self.project.modules:
                    self._read([node[0]])
                fresh = self.ahead.get(node, set()) - reached
                reached |= fresh
                waiting += fresh
            self.reached[start] = reached
        return self.reached[start]


def _tell(node: _Node) -> str:
    return repr(node[1]) if node[0] == "name" else node[1]


def _read_edges(project: Project, paths: list[str]) -> _Edges:
    edges: dict[_Edge, tuple[str, int, str]] = {}
    for path in paths:
        if is_test_file(path) or path not in project.modules:
            continue
        tree = project.modules[path].tree
        blocks: list[tuple[str, list[ast.stmt]]] = [(scope, [node]) for scope, node in walk_functions(tree, "")]
        blocks.append(("module", [s for s in tree.body if not isinstance(s, Function | ast.ClassDef)]))
        for scope, nodes in blocks:
            inside = [inner for node in nodes for inner in ast.walk(node)]
            local = {n.id for n in inside if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            local = local | {n.arg for n in inside if isinstance(n, ast.arg)} if scope != "module" else set()
            effects = {id(n.value) for n in inside if isinstance(n, ast.Expr)}
            for call in (n for n in inside if isinstance(n, ast.Call)):
                for start, end in _iter_edges(project, path, scope, call, local, id(call) in effects):
                    edges.setdefault((start, end), (path, call.lineno, scope))
        for start, end, line, scope in _iter_locks(path, tree, "", ""):
            edges.setdefault((start, end), (path, line, scope))
    return edges


def _iter_edges(
    project: Project, path: str, scope: str, call: ast.Call, local: set[str], is_effect: bool
) -> Iterator[_Edge]:
    """Of a call: to the function that it means; by a name in quotes, to that name; from a name, to whom it is told."""
    meant = _find_function(project, path, scope, call.func, local)
    if meant is not None and scope != "module":
        yield (path, scope), meant
    match call.args:
        case [ast.Constant(value=str() as name), *rest]:
            hearers = [_find_function(project, path, scope, part, local) for part in rest]
            yield from ((("name", name), end) for end in hearers if end is not None)
            if scope != "module" and not any(hearers) and is_effect:
                yield (path, scope), ("name", name)


def _find_function(project: Project, path: str, scope: str, node: ast.expr, local: set[str]) -> _Node | None:
    """The function that a place means: by its name, of its own object, of a module, or the one that is called so."""
    meaning: Meaning = None
    match node:
        case ast.Name(id=name) if name not in local:
            meaning = project.find_name(path, name)
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            owner = project.find_class(path, ast.Name(scope.partition(".")[0]))
            meaning = project.find_member(owner, name) if owner is not None else None
        case ast.Attribute(value=value, attr=name):
            if isinstance(value, ast.Name) and value.id not in local:
                meaning = project.find_in_module(path, value.id, name)
            members = project.members.get(name, []) if name not in BUILT_IN else []
            if not isinstance(meaning, Definition) and len(members) == 1:
                meaning = members[0]
    is_function = isinstance(meaning, Definition) and isinstance(meaning.node, Function)
    return (meaning.path, meaning.name) if is_function and isinstance(meaning, Definition) else None


def _iter_locks(path: str, node: ast.AST, owner: str, scope: str) -> Iterator[tuple[_Node, _Node, int, str]]:
    """What is held by name while something else is taken."""
    for child in ast.iter_child_nodes(node):
        inner_owner, inner = owner, scope
        if isinstance(child, ast.ClassDef):
            inner_owner = inner = child.name
        elif isinstance(child, Function):
            inner = f"{scope}.{child.name}" if scope else child.name
        if isinstance(child, ast.With):
            outer = [_name_lock(item.context_expr, inner_owner) for item in child.items]
            within = [n for n in ast.walk(child) if isinstance(n, ast.With) and n is not child]
            inner_locks = [_name_lock(item.context_expr, inner_owner) for n in within for item in n.items]
            for first in filter(None, outer):
                for second in filter(None, (*outer[outer.index(first) + 1 :], *inner_locks)):
                    if first != second:
                        yield ("lock", first), ("lock", second), child.lineno, inner
        yield from _iter_locks(path, child, inner_owner, inner)


def _name_lock(node: ast.expr, owner: str) -> str:
    """What is held, where it has a name: not what a call makes."""
    if not isinstance(node, ast.Name | ast.Attribute):
        return ""
    text = ast.unparse(node)
    return f"{owner}.{text.removeprefix('self.')}" if text.startswith("self.") else text
