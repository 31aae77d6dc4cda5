"""Which names in a function mean one of its own variables: parameters and locals, through nested scopes.

Follows Python's scoping: nested functions, lambdas, comprehensions, classes, nonlocal, global. What it cannot tell it
lists as doubtful. Knows nothing of contracts.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from graphbus_core import syntax

Function: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef"
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_LOOKING = frozenset({"locals", "vars", "eval", "exec", "globals"})


@dataclass
class Uses:
    """Every node that means the variable, and the places where that cannot be told."""

    names: list[ast.Name] = field(default_factory=list)
    declared: list[ast.AST] = field(default_factory=list)  # bound without a Name: import, except … as, def, match
    doubtful: list[ast.AST] = field(default_factory=list)


def uses(function: Function, name: str) -> Uses:
    """The uses of the variable `name` of `function`, in its body and everything nested there."""
    found = Uses()
    for statement in function.body:
        _visit(statement, name, found)
    return found


def _visit(node: ast.AST, name: str, found: Uses) -> None:
    match node:
        case ast.Name(id=id_):
            if id_ == name:
                found.names.append(node)
            return
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
            _visit_function(node, name, found)
            return
        case ast.ClassDef():
            _visit_class(node, name, found)
            return
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            _visit_comprehension(node, name, found)
            return
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            if name in names:
                found.doubtful.append(node)
            return
        case ast.Import() | ast.ImportFrom():
            if any((a.asname or a.name.partition(".")[0]) == name for a in node.names):
                found.declared.append(node)
            return
        case ast.ExceptHandler(name=n) if n == name:
            found.declared.append(node)
        case ast.MatchAs(name=n) | ast.MatchStar(name=n) | ast.MatchMapping(rest=n) if n == name:
            found.declared.append(node)
    for child in ast.iter_child_nodes(node):
        _visit(child, name, found)


def _visit_function(node: Function | ast.Lambda, name: str, found: Uses) -> None:
    """Decorators, defaults and annotations are run outside of the function, where the name is still ours."""
    outside: list[ast.AST] = [*_defaults(node.args)]
    body: list[ast.AST] = []
    if isinstance(node, ast.Lambda):
        body.append(node.body)
    else:
        body += node.body
        outside = [*node.decorator_list, *outside, *_annotations(node)]
        if node.name == name:
            found.declared.append(node)
    for outer in outside:
        _visit(outer, name, found)
    inner(node.args, body, name, found)


def _visit_class(node: ast.ClassDef, name: str, found: Uses) -> None:
    if node.name == name:
        found.declared.append(node)
    for outer in (*node.decorator_list, *node.bases, *(k.value for k in node.keywords)):
        _visit(outer, name, found)
    # A class that binds the name reads ours before that line, and its own behind it.
    if name in bound(node.body):
        found.doubtful.append(node)
    else:
        for statement in node.body:
            _visit(statement, name, found)


def _visit_comprehension(
    node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, name: str, found: Uses
) -> None:
    """Its first `iter` is run outside, so it is ours even where a variable of the comprehension has the same name."""
    _visit(node.generators[0].iter, name, found)
    if any(_targets(g.target, name) for g in node.generators):
        return  # the comprehension's own variable
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.comprehension):
            _visit(child, name, found)
            continue
        _visit(child.target, name, found)
        if child is not node.generators[0]:
            _visit(child.iter, name, found)
        for test in child.ifs:
            _visit(test, name, found)


def inner(args: ast.arguments, body: Iterable[ast.AST], name: str, found: Uses) -> None:
    """Visit a nested function: its own variable of that name hides ours, unless it says `nonlocal`."""
    body = list(body)
    declared = {n for node in _own(body) if isinstance(node, ast.Nonlocal) for n in node.names}
    hidden = {n for node in _own(body) if isinstance(node, ast.Global) for n in node.names}
    own = {a.arg for a in parameters(args)} | (bound(body) - declared) | hidden
    if name in declared:
        found.doubtful += [node for node in _own(body) if isinstance(node, ast.Nonlocal)]
    if name not in own:
        for statement in body:
            _visit(statement, name, found)


def parameters(args: ast.arguments) -> list[ast.arg]:
    """All parameters in the order written, `*args` and `**kwargs` with them."""
    return [arg for arg, _, _ in syntax.parameters(args)]


def bound(body: Iterable[ast.AST]) -> set[str]:
    """The names that a block binds itself, nested scopes left out."""
    names: set[str] = set()
    for node in _own(body):
        match node:
            case ast.Name(ctx=ast.Store() | ast.Del()):
                names.add(node.id)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names.add(node.name)
            case ast.Import() | ast.ImportFrom():
                names |= {a.asname or a.name.partition(".")[0] for a in node.names}
            case ast.ExceptHandler(name=str() as n) | ast.MatchAs(name=str() as n) | ast.MatchStar(name=str() as n):
                names.add(n)
            case ast.MatchMapping(rest=str() as n):
                names.add(n)
    return names


def looks_at_scope(function: Function) -> list[ast.AST]:
    """Calls of locals(), eval() and the like: with one of them, no use of a name is certain."""
    return [
        n
        for s in function.body
        for n in ast.walk(s)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in _LOOKING
    ]


def own_nodes(function: Function) -> Iterator[ast.AST]:
    """The nodes of a function's body, nested scopes left out (their heads are given)."""
    return _own(function.body)


def _own(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    for node in body:
        yield node
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            yield from _own([*node.decorator_list])
        elif isinstance(node, ast.Lambda):
            yield from _own(_defaults(node.args))
        elif isinstance(node, _COMPREHENSIONS):
            # walrus targets of a comprehension bind in the function around it
            yield node.generators[0].iter
            for part in ast.walk(node):
                if isinstance(part, ast.NamedExpr):
                    yield part.target
        else:
            yield from _own(ast.iter_child_nodes(node))


def _defaults(args: ast.arguments) -> list[ast.AST]:
    return [d for d in (*args.defaults, *args.kw_defaults) if d is not None]


def _annotations(node: Function) -> list[ast.AST]:
    listed: list[ast.AST] = [a.annotation for a in parameters(node.args) if a.annotation]
    return [*listed, node.returns] if node.returns else listed


def _targets(target: ast.AST, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(target))
