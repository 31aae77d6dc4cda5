"""Slips in code that can be told from its text: a name, an attribute or an answer that is not there.

For whoever has no type checker installed; with one, its gate says more. Only what is certain counts: a class whose
bases are not all known may have any attribute, and a path that raises returns nothing on purpose. A slip that stood
before the change is not held against it. Source in, findings out; nothing is run.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import Any

from graphbus_core.syntax import inside

_Def = ast.FunctionDef | ast.AsyncFunctionDef
_LITERALS = ast.Constant | ast.JoinedStr | ast.Tuple | ast.List | ast.Set | ast.Lambda | ast.Compare
_MADE = ast.ListComp | ast.SetComp | ast.GeneratorExp
_NO_OBJECTS = frozenset({"print", "str", "len", "list", "sorted", "tuple", "set", "int", "float", "bool", "json.dumps"})
_DYNAMIC = frozenset({"__getattr__", "__getattribute__", "__slots__", "__set_name__"})


def undefined_names(source: bytes, path: str) -> set[str]:
    """`path: undefined name 'x' (line n)` for each, in what is written and in what is left of it when it runs."""
    from pyflakes import checker, messages  # only where a commit is on trial: most builds change nothing

    try:
        tree = ast.parse(source)
        trees = [tree, _Running().visit(ast.parse(source))] if b"TYPE_CHECKING" in source else [tree]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()  # whoever parses it says so
    kinds = (messages.UndefinedName, messages.UndefinedLocal)
    found = [m for one in trees for m in checker.Checker(one, filename=path).messages if isinstance(m, kinds)]
    return {f"{path}: {m.message % m.message_args} (line {m.lineno})" for m in found} | _undefined_globals(tree, path)


class _Running(ast.NodeTransformer):
    """A module without what only a type checker reads: `if TYPE_CHECKING:`, annotations, types in quotes."""

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.AnnAssign):
            node.annotation = ast.copy_location(ast.Constant(None), node)
        return super().visit(node)

    def visit_If(self, node: ast.If) -> ast.AST:
        self.generic_visit(node)
        if ast.unparse(node.test).rpartition(".")[2] == "TYPE_CHECKING":
            node.body = [ast.copy_location(ast.Pass(), node)]
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef  # type: ignore[assignment]

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        return ast.copy_location(ast.Constant(""), node) if isinstance(node.value, str) else node


def _undefined_globals(tree: ast.Module, path: str) -> set[str]:
    """`global n` and then `n += 1`, where nothing in the module ever gives n a first value."""
    added = {id(n.target) for n in ast.walk(tree) if isinstance(n, ast.AugAssign)}
    given = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
             and id(n) not in added}  # fmt: skip
    given |= {name for at in tree.body for name in _bound(at)}
    missing = {
        (n, at.lineno) for at in ast.walk(tree) if isinstance(at, ast.Global) for n in at.names if n not in given
    }
    return {f"{path}: undefined name {name!r} (line {line})" for name, line in missing}


def falls_through(function: _Def) -> bool:
    """Whether some path of a function that gives a value elsewhere reaches its end without giving any.

    A body that is `...`, `pass` or `raise NotImplementedError` gives nothing, unless it is there to be overridden.
    """
    if any(ast.unparse(d).rpartition(".")[2] in ("abstractmethod", "overload") for d in function.decorator_list):
        return False
    return not is_generator(function) and (_is_stub(function.body) or not _ends(function.body))


def is_generator(function: _Def) -> bool:
    """Whether it yields: a call of it gives an iterator, whatever it returns."""
    return any(isinstance(n, ast.Yield | ast.YieldFrom) for n in inside(function.body))


def returns_no_object(function: _Def) -> bool:
    """Whether some return gives what is certainly no object: nothing, a list, a function, `x if y else None`."""
    own = [*inside(function.body)]
    inner = {n.name for n in own if isinstance(n, _Def)}
    values = [n.value for n in own if isinstance(n, ast.Return)]
    return any(value is None or _is_no_object(value, inner) for value in values)


def _is_no_object(value: ast.expr, functions: set[str]) -> bool:
    match value:
        case ast.IfExp(body=one, orelse=other):
            return _is_no_object(one, functions) or _is_no_object(other, functions)
        case ast.BoolOp(op=ast.And()):
            return True  # what is empty or None is given as it is
        case ast.BoolOp(values=values):
            return _is_no_object(values[-1], functions)
        case ast.Name(id=name):
            return name in functions
        case ast.Call(func=func):
            return ast.unparse(func) in _NO_OBJECTS
    return isinstance(value, _LITERALS | _MADE)


def undeclared_keys(function: _Def, declared: Collection[str]) -> set[str]:
    """Keys of a plain dict that is built up and returned (`out = {}; out["x"] = …`) which nobody declared."""
    returned = {
        n.value.id for n in inside(function.body) if isinstance(n, ast.Return) and isinstance(n.value, ast.Name)
    }
    plain, keys = set[str](), list[tuple[str, str]]()
    for node in inside(function.body):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=value)
            ):
                if name in plain or not isinstance(value, ast.Dict):
                    returned.discard(name)  # it may be another object by then
                plain.add(name)
                dicts = value.keys if isinstance(value, ast.Dict) else []
                keys += [(name, k.value) for k in dicts if isinstance(k, ast.Constant) and isinstance(k.value, str)]
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key)), ctx=ast.Store()):
                keys.append((name, key))
            case (
                ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="pop" | "clear" | "popitem"))
                | ast.Delete(targets=[ast.Subscript(value=ast.Name(id=name))])
            ):
                returned.discard(name)
    return {key for name, key in keys if name in returned & plain and key not in declared}


def _is_stub(body: list[ast.stmt]) -> bool:
    """Nothing but `...`, `pass`, `raise NotImplementedError` and docstrings."""
    return all(
        isinstance(n, ast.Pass)
        or (isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant))
        or (isinstance(n, ast.Raise) and n.exc is not None and "NotImplementedError" in ast.unparse(n.exc))
        for n in body
    )


def _ends(body: list[ast.stmt]) -> bool:
    """Whether control never reaches what stands behind these statements."""
    return any(leaves(statement) for statement in body)


def leaves(node: ast.stmt) -> bool:
    """Whether control never reaches what stands behind this statement."""
    match node:
        case ast.Return() | ast.Raise():
            return True
        case ast.If():
            return bool(node.orelse) and _ends(node.body) and _ends(node.orelse)
        case ast.While():
            forever = isinstance(node.test, ast.Constant) and bool(node.test.value)
            return forever and not any(isinstance(n, ast.Break) for n in _loop(node))
        case ast.With() | ast.AsyncWith():
            return _ends(node.body) and not any(map(suppresses, node.items))
        case ast.Try() | ast.TryStar():
            return _try_leaves(node)
        case ast.Match():
            whole = any(catches_all(case) for case in node.cases)
            return whole and all(_ends(case.body) for case in node.cases)
        case ast.Expr(value=ast.Call(func=func)):
            return ast.unparse(func) in ("sys.exit", "exit", "quit", "os._exit", "assert_never")
        case ast.Assert(test=ast.Constant(value=value)):
            return not value
    return False


def _try_leaves(node: ast.Try | ast.TryStar) -> bool:
    """A `finally` that ends wins over whatever happened above; else each way through has to end."""
    ways = [[*node.body, *node.orelse], *(handler.body for handler in node.handlers)]
    return _ends(node.finalbody) or all(map(_ends, ways))


def suppresses(item: ast.withitem) -> bool:
    """Whether a manager is there to swallow what is raised; of any other it is not assumed."""
    call = item.context_expr
    return isinstance(call, ast.Call) and ast.unparse(call.func).rpartition(".")[2] in ("suppress", "raises")


def catches_all(case: ast.match_case) -> bool:
    """Whether it takes whatever the cases before it left."""
    return case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None


def _loop(node: ast.While) -> Iterator[ast.AST]:
    """What stands in a loop, without loops and functions of its own: a `break` in those leaves only them."""
    stack: list[ast.AST] = list(node.body)
    while stack:
        at = stack.pop()
        yield at
        if not isinstance(at, ast.While | ast.For | ast.AsyncFor | _Def | ast.Lambda | ast.ClassDef):
            stack.extend(ast.iter_child_nodes(at))


def missing_attributes(cls: ast.ClassDef, inherited: frozenset[str] | None) -> set[str]:
    """Attributes that are read from `self` and that nothing gives it. `inherited`: what its bases have; None: unknown.

    Whatever is assigned to `self`, or set by `setattr`, anywhere in the class counts as given.
    """
    own = {name for at in cls.body for name in _bound(at)}
    if inherited is None or own & _DYNAMIC or cls.keywords:
        return set()
    given, read, missed = own | inherited, set[str](), set[str]()
    for function in (n for n in cls.body if isinstance(n, _Def)):
        if function.args.args and not _is_static(function):
            for node in ast.walk(function):
                name = _read_of(node, function.args.args[0].arg, cls.name)
                match node:
                    # These give an object attributes that no assignment shows: then nothing can be missed.
                    case ast.Call(func=ast.Name(id="setattr"), args=[_, ast.Constant(value=str(put)), _]):
                        given.add(put)
                    case ast.Call(func=ast.Name(id="setattr" | "vars")) | ast.Attribute(attr="__dict__"):
                        return set()
                    case ast.Attribute(value=ast.Call(func=ast.Name(id="super"), args=[]), attr=above):
                        if above not in inherited:
                            missed.add(above)
                    case ast.Attribute(ctx=ast.Store() | ast.Del(), attr=put) if name:
                        given.add(put)
                    case _ if name:
                        read.add(name)
    return missed | {name for name in read - given if not (name.startswith("__") and name.endswith("__"))}


def _read_of(node: ast.AST, me: str, cls: str) -> str | None:
    """The attribute that is named on `self`, on its class, or by `getattr` without a default."""
    match node:
        case ast.Call(
            func=ast.Name(id="getattr"), args=[ast.Name(id=owner), ast.Constant(value=str(name))], keywords=[]
        ):
            return name if owner == me else None
        case ast.Attribute(value=value, attr=name):
            return name if ast.unparse(value) in (me, f"type({me})", f"{me}.__class__", cls) else None
    return None


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
