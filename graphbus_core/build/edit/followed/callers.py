"""What callers give to a method, and what they do with its result. Knows nothing of operations.

A call gives a field by keyword, in a mapping that it spreads (`**given`), or in a payload beside the node's name.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from graphbus_core.build.edit.followed.calls import CallSite, Reference, is_caller, sources
from graphbus_core.build.edit.followed.receivers import around, parents
from graphbus_core.build.edit.text.source import Source
from graphbus_core.build.edit.text.worktree import Worktree
from graphbus_core.build.understand.ends import BY_NAME
from graphbus_core.build.understand.keys import Trace, Tracer
from graphbus_core.build.understand.keys.scope import FUNCTIONS, Function
from graphbus_core.syntax import last_name

NOTED = frozenset({"debug", "info", "warning", "error", "exception", "critical", "log"})  # a logger's words
_NO_ARGS = ast.arguments(posonlyargs=[], args=[], vararg=None, kwonlyargs=[], kw_defaults=[], kwarg=None, defaults=[])


def given(work: Worktree, site: CallSite, name: str) -> Trace:
    """What a call gives for the field `name`, arguments by position left out."""
    found = Trace()
    for keyword in site.call.keywords:
        if keyword.arg == name:
            found.keywords.append(keyword)
        elif keyword.arg is None or (site.named and keyword.arg == "payload"):
            _mapping(work, site, keyword.value, name, found)
    if site.named:
        known = isinstance(site.call.func, ast.Attribute) and site.call.func.attr in BY_NAME
        for value in site.call.args[site.shift :]:
            if known or isinstance(value, ast.Dict):
                _mapping(work, site, value, name, found)
    return found


def _mapping(work: Worktree, site: CallSite, value: ast.expr, name: str, found: Trace) -> None:
    tracer, trace = Tracer(enclosing(site.source, site.call)), Trace()
    tracer.make(value, [name], trace)
    if isinstance(value, ast.NamedExpr):  # read again by its name
        trace.unknown.append(value)
    tracer.finish(trace)
    found.keys += trace.keys
    found.keywords += trace.keywords
    found.unknown += [n for n in trace.unknown if not _result_of_a_node(work, n)]
    if trace.touched:
        found.escapes += trace.escapes


def _result_of_a_node(work: Worktree, node: ast.AST) -> bool:
    """Whether a mapping is what another node gave back: the link between the two proves what is in it."""
    node = node.value if isinstance(node, ast.Await) else node
    return isinstance(node, ast.Call) and _called(work, node) is not None


def _called(work: Worktree, call: ast.Call) -> str | None:
    """The node that a call names in text."""
    for text in (a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)):
        if text in work.agents or text.rpartition(".")[0] in work.agents:
            return text if text in work.agents else text.rpartition(".")[0]
    return None


def positions(site: CallSite) -> int | None:
    """How many arguments a call gives by position; None where a `*list` hides it."""
    args = site.call.args[site.shift :]
    return None if any(isinstance(a, ast.Starred) for a in args) else 0 if site.named else len(args)


def speaks_of(work: Worktree, one: Reference, name: str, own: Collection[int] = ()) -> bool:
    """Whether code may give or read the field of a method that is handed on: all of it where it is certainly ours.

    `own` are the nodes of the method itself: what is there is followed. A caller of its name may go anywhere as well.
    """
    if one.certain or is_caller(one.node):
        roots: list[tuple[Source, ast.AST]] = [(s, s.tree) for s in sources(work) if name.encode() in s.data]
    else:
        roots = [(one.source, enclosing(one.source, one.node))]
    for source, root in roots:
        for node in ast.walk(root):
            if id(node) not in own and _says(node, name) and not _in_a_contract(source, node):
                return True
    parent = parents(one.source).get(id(one.node))
    return isinstance(parent, ast.Call) and any(k.arg is None for k in parent.keywords)


def is_patched(one: Reference) -> bool:
    """Whether a text that names the method is given to something that puts another in its place."""
    parent = parents(one.source).get(id(one.node))
    return isinstance(parent, ast.Call) and last_name(parent.func) in ("patch", "setattr")


def _says(node: ast.AST, name: str) -> bool:
    """Whether a node names a field as data: `qty=1`, `{"qty": 1}`, `done.result()["qty"]`, `"qty" in parameters`."""
    match node:
        case ast.keyword(arg=said) | ast.Constant(value=said) | ast.arg(arg=said):
            return said == name
    return False


def _in_a_contract(source: Source, node: ast.AST) -> bool:
    up = parents(source)
    return any(
        isinstance(up.get(id(p)), (*FUNCTIONS, ast.ClassDef)) and p in up[id(p)].decorator_list  # type: ignore[attr-defined]
        for p in [node, *around(source, node)]
    )


def result(site: CallSite, path: list[str]) -> Trace:
    """What the code does with the field of a call's result."""
    holder, trace = Tracer(enclosing(site.source, site.call)), Trace()
    call: ast.AST = site.call
    parent = holder.parents.get(id(call))
    if isinstance(parent, ast.Await):
        call, parent = parent, holder.parents.get(id(parent))
    holder.holds.use(call, parent, path, trace)
    return trace


def handed_on(work: Worktree, site: CallSite, node: str, trace: Trace) -> list[ast.AST]:
    """Where the whole result goes on to code that is not followed. Output for people and linked nodes do not count."""
    return [n for n in trace.escapes if not _harmless(work, site.source, n, node)]


def _harmless(work: Worktree, source: Source, node: ast.AST, producer: str) -> bool:
    parent = parents(source).get(id(node))
    if isinstance(parent, ast.keyword) and parent.arg in (None, "payload"):
        parent = parents(source).get(id(parent))
    match parent:
        case ast.FormattedValue() | ast.Assert():
            return True
        case ast.Call(func=ast.Attribute(attr=attr)) if attr in NOTED:
            return True
        case ast.Call():
            consumer = _called(work, parent)
            agent = work.agents.get(consumer) if consumer else None
            if agent is None:
                return False
            needs = [*agent.depends_on, *(d for m in agent.methods for d in m.depends_on)]
            return any(need == producer or need.startswith(f"{producer}.") for need in needs)
    return False


def enclosing(source: Source, node: ast.AST) -> Function:
    """The innermost function that holds a node; for code outside of functions, one made of the file's statements."""
    for place in around(source, node):
        if isinstance(place, FUNCTIONS):
            return place
    return ast.FunctionDef(name="", args=_NO_ARGS, body=source.tree.body, decorator_list=[])
