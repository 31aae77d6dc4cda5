"""Slips in code that can be told from its text: a name, an attribute or an answer that is not there.

For whoever has no type checker installed; with one, its gate says more. Only what is certain counts: a class whose
bases are not all known may have any attribute, and a path that raises returns nothing on purpose. A slip that stood
before the change is not held against it. Source in, findings out; nothing is run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

_Def = ast.FunctionDef | ast.AsyncFunctionDef
_DYNAMIC = frozenset({"__getattr__", "__getattribute__", "__slots__", "__set_name__"})


def undefined_names(source: bytes, path: str) -> set[str]:
    """`path: undefined name 'x'` for each, without line numbers, so that before and after can be compared."""
    from pyflakes import checker, messages  # only where a commit is on trial: most builds change nothing

    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()  # whoever parses it says so
    kinds = (messages.UndefinedName, messages.UndefinedLocal)
    found = checker.Checker(tree, filename=path).messages
    return {f"{path}: {m.message % m.message_args} (line {m.lineno})" for m in found if isinstance(m, kinds)}


def falls_through(function: _Def) -> bool:
    """Whether some path of a function that gives a value elsewhere reaches its end without giving any."""
    if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in _own(function)) or _is_stub(function.body):
        return False
    return not _ends(function.body)


def returns_bare(function: _Def) -> bool:
    """Whether it returns without a value somewhere, by `return` or `return None`."""
    returns = [n for n in _own(function) if isinstance(n, ast.Return)]
    return any(r.value is None or (isinstance(r.value, ast.Constant) and r.value.value is None) for r in returns)


def _is_stub(body: list[ast.stmt]) -> bool:
    """`...`, `pass` or a docstring alone: a method that somebody else fills in."""
    return all(isinstance(n, ast.Pass) or (isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant)) for n in body)


def _ends(body: list[ast.stmt]) -> bool:
    """Whether control never reaches what stands behind these statements."""
    return any(_leaves(statement) for statement in body)


def _leaves(node: ast.stmt) -> bool:
    match node:
        case ast.Return() | ast.Raise():
            return True
        case ast.If():
            return bool(node.orelse) and _ends(node.body) and _ends(node.orelse)
        case ast.While():
            forever = isinstance(node.test, ast.Constant) and bool(node.test.value)
            return forever and not any(isinstance(n, ast.Break) for n in _loop(node))
        case ast.With() | ast.AsyncWith():
            return _ends(node.body)  # a manager may swallow what is raised, never what is returned
        case ast.Try() | ast.TryStar():
            handled = all(_ends(h.body) for h in node.handlers)
            return _ends(node.finalbody) or (_ends([*node.body, *node.orelse]) and handled)
        case ast.Match():
            whole = any(_catches_all(case) for case in node.cases)
            return whole and all(_ends(case.body) for case in node.cases)
        case ast.Expr(value=ast.Call(func=func)):
            return ast.unparse(func) in ("sys.exit", "exit", "quit", "os._exit", "assert_never")
        case ast.Assert(test=ast.Constant(value=value)):
            return not value
    return False


def _catches_all(case: ast.match_case) -> bool:
    return case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None


def _loop(node: ast.While) -> Iterator[ast.AST]:
    """What stands in a loop, without loops and functions of its own: a `break` in those leaves only them."""
    stack: list[ast.AST] = list(node.body)
    while stack:
        at = stack.pop()
        yield at
        if not isinstance(at, ast.While | ast.For | ast.AsyncFor | _Def | ast.Lambda | ast.ClassDef):
            stack.extend(ast.iter_child_nodes(at))


def _own(function: _Def) -> Iterator[ast.AST]:
    """The nodes of a function, without those of functions and classes inside it."""
    stack: list[ast.AST] = list(function.body)
    while stack:
        at = stack.pop()
        yield at
        if not isinstance(at, _Def | ast.Lambda | ast.ClassDef):
            stack.extend(ast.iter_child_nodes(at))


def missing_attributes(cls: ast.ClassDef, inherited: frozenset[str] | None) -> set[str]:
    """Attributes that are read from `self` and that nothing gives it. `inherited`: what its bases have; None: unknown.

    Whatever is assigned to `self`, or set by `setattr`, anywhere in the class counts as given.
    """
    own = {name for at in cls.body for name in _bound(at)}
    if inherited is None or own & _DYNAMIC or cls.keywords:
        return set()
    given, read = own | inherited, set[str]()
    for function in (n for n in cls.body if isinstance(n, _Def)):
        if function.args.args and not _is_static(function):
            for node in ast.walk(function):
                match node:
                    # These give an object attributes that no assignment shows: then nothing can be missed.
                    case ast.Call(func=ast.Name(id="setattr" | "vars")):
                        return set()
                    case ast.Attribute(value=ast.Name(id=me), attr=name) if me == function.args.args[0].arg:
                        if name == "__dict__":
                            return set()
                        (read if isinstance(node.ctx, ast.Load) else given).add(name)
    return {name for name in read - given if not (name.startswith("__") and name.endswith("__"))}


def _is_static(function: _Def) -> bool:
    return any(ast.unparse(d) in ("staticmethod", "classmethod") for d in function.decorator_list)


def _bound(node: ast.stmt) -> set[str]:
    """The names that a statement of a class body binds, at any depth."""
    if isinstance(node, _Def | ast.ClassDef):
        return {node.name}
    names = set()
    for at in ast.walk(node):
        if isinstance(at, ast.Name) and isinstance(at.ctx, ast.Store):
            names.add(at.id)
        elif isinstance(at, _Def | ast.ClassDef):
            names.add(at.name)
        elif isinstance(at, ast.alias):
            names.add((at.asname or at.name).partition(".")[0])
    return names
