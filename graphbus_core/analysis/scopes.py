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
class NameUses:
    """Every node that means the variable, and the places where that cannot be told."""

    names: list[ast.Name] = field(default_factory=list)
    declared: list[ast.AST] = field(default_factory=list)  # bound without a Name: import, except … as, def, match
    doubtful: list[ast.AST] = field(default_factory=list)


def find_uses(function: Function, name: str) -> NameUses:
    """The uses of the variable `name` of `function`, in its body and everything nested there."""
    result = NameUses()
    for statement in function.body:
        _visit(statement, name, result)
    return result


def _visit(node: ast.AST, name: str, result: NameUses) -> None:
    match node:
        case ast.Name(id=id_):
            if id_ == name:
                result.names.append(node)
            return
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
            _visit_function(node, name, result)
            return
        case ast.ClassDef():
            _visit_class(node, name, result)
            return
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            _visit_comprehension(node, name, result)
            return
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            if name in names:
                result.doubtful.append(node)
            return
        case ast.Import() | ast.ImportFrom():
            if any((a.asname or a.name.partition(".")[0]) == name for a in node.names):
                result.declared.append(node)
            return
        case ast.ExceptHandler(name=n) if n == name:
            result.declared.append(node)
        case ast.MatchAs(name=n) | ast.MatchStar(name=n) | ast.MatchMapping(rest=n) if n == name:
            result.declared.append(node)
    for child in ast.iter_child_nodes(node):
        _visit(child, name, result)


def _visit_function(node: Function | ast.Lambda, name: str, result: NameUses) -> None:
    """Decorators, defaults and annotations are run outside of the function, where the name is still ours."""
    outside: list[ast.AST] = [*_list_defaults(node.args)]
    body: list[ast.AST] = []
    if isinstance(node, ast.Lambda):
        body.append(node.body)
    else:
        body += node.body
        outside = [*node.decorator_list, *outside, *_list_annotations(node)]
        if node.name == name:
            result.declared.append(node)
    for outer in outside:
        _visit(outer, name, result)
    visit_nested(node.args, body, name, result)


def _visit_class(node: ast.ClassDef, name: str, result: NameUses) -> None:
    if node.name == name:
        result.declared.append(node)
    for outer in (*node.decorator_list, *node.bases, *(k.value for k in node.keywords)):
        _visit(outer, name, result)
    # A class that binds the name reads ours before that line, and its own behind it.
    if name in collect_bound_names(node.body):
        result.doubtful.append(node)
    else:
        for statement in node.body:
            _visit(statement, name, result)


def _visit_comprehension(
    node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, name: str, result: NameUses
) -> None:
    """Its first `iter` is run outside, so it is ours even where a variable of the comprehension has the same name."""
    _visit(node.generators[0].iter, name, result)
    if any(_is_target(g.target, name) for g in node.generators):
        return  # the comprehension's own variable
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.comprehension):
            _visit(child, name, result)
            continue
        _visit(child.target, name, result)
        if child is not node.generators[0]:
            _visit(child.iter, name, result)
        for test in child.ifs:
            _visit(test, name, result)


def visit_nested(args: ast.arguments, body: Iterable[ast.AST], name: str, result: NameUses) -> None:
    """Visit a nested function: its own variable of that name hides ours, unless it says `nonlocal`."""
    body = list(body)
    declared = {n for node in _iter_own(body) if isinstance(node, ast.Nonlocal) for n in node.names}
    hidden = {n for node in _iter_own(body) if isinstance(node, ast.Global) for n in node.names}
    own = {a.arg for a in list_parameters(args)} | (collect_bound_names(body) - declared) | hidden
    if name in declared:
        result.doubtful += [node for node in _iter_own(body) if isinstance(node, ast.Nonlocal)]
    if name not in own:
        for statement in body:
            _visit(statement, name, result)


def list_parameters(args: ast.arguments) -> list[ast.arg]:
    """All parameters in the order written, `*args` and `**kwargs` with them."""
    return [arg for arg, _, _ in syntax.list_parameters(args)]


def collect_bound_names(body: Iterable[ast.AST]) -> set[str]:
    """The names that a block binds itself, nested scopes left out."""
    names: set[str] = set()
    for node in _iter_own(body):
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


def find_scope_lookups(function: Function) -> list[ast.AST]:
    """Calls of locals(), eval() and the like: with one of them, no use of a name is certain."""
    return [
        n
        for s in function.body
        for n in ast.walk(s)
        if isinstance(n, ast.Call) and isinstance(n.func, ast.Name) and n.func.id in _LOOKING
    ]


def iter_own_nodes(function: Function) -> Iterator[ast.AST]:
    """The nodes of a function's body, nested scopes left out (their heads are given)."""
    return _iter_own(function.body)


def _iter_own(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    for node in body:
        yield node
        if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            yield from _iter_own([*node.decorator_list])
        elif isinstance(node, ast.Lambda):
            yield from _iter_own(_list_defaults(node.args))
        elif isinstance(node, _COMPREHENSIONS):
            # walrus targets of a comprehension bind in the function around it
            yield node.generators[0].iter
            for part in ast.walk(node):
                if isinstance(part, ast.NamedExpr):
                    yield part.target
        else:
            yield from _iter_own(ast.iter_child_nodes(node))


def _list_defaults(args: ast.arguments) -> list[ast.AST]:
    return [d for d in (*args.defaults, *args.kw_defaults) if d is not None]


def _list_annotations(node: Function) -> list[ast.AST]:
    listed: list[ast.AST] = [a.annotation for a in list_parameters(node.args) if a.annotation]
    return [*listed, node.returns] if node.returns else listed


def _is_target(target: ast.AST, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(target))
