"""The project's functions and classes as syntax, by file and qualified name; what a function's text says of itself."""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property

from graphbus_core.build.understand.text.files import Texts
from graphbus_core.syntax import inside

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass
class File:
    """One parsed file. Qualified names are those of `build/understand`: `Class.method`, `outer.inner`."""

    path: str
    tree: ast.Module
    functions: dict[str, FunctionNode] = field(default_factory=dict)
    classes: dict[str, ast.ClassDef] = field(default_factory=dict)
    every: list[tuple[str, FunctionNode]] = field(default_factory=list)  # a property's getter and setter are two
    owner: dict[str, str] = field(default_factory=dict)  # function -> the class whose body holds it
    variables: dict[str, list[ast.expr]] = field(default_factory=dict)

    @cached_property
    def bound_once(self) -> frozenset[str]:
        """The module's names that one plain assignment gives a value, outside of any branch, and nothing else binds."""
        plain = {target.id for at in self.tree.body for target in _plain_targets(at)}
        every = Counter(name for at in inside(self.tree.body) for name in _binds(at))
        # A function may bind a name of the module by saying so, and `import *` may bring any.
        elsewhere = {name for at in ast.walk(self.tree) if isinstance(at, ast.Global) for name in at.names}
        written_by_name = any(isinstance(at, ast.Name) and at.id == "globals" for at in ast.walk(self.tree))
        if every["*"] or written_by_name:
            return frozenset()
        return frozenset(name for name in plain - elsewhere if every[name] == 1)


def _plain_targets(at: ast.stmt) -> list[ast.Name]:
    match at:
        case ast.Assign(targets=[ast.Name() as name]) | ast.AnnAssign(target=ast.Name() as name, value=ast.expr()):
            return [name]
    return []


def _binds(at: ast.AST) -> list[str]:
    """The names that one node binds by itself."""
    match at:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return [name]
        case ast.alias(name=name, asname=other):
            return [(other or name).partition(".")[0]]
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return [name]
        case ast.ExceptHandler(name=str() as name) | ast.MatchMapping(rest=str() as name):
            return [name]
        case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name):
            return [name]
    return []


class Sources:
    """Parses each file once, when it is first asked for."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts
        self._files: dict[str, File | None] = {}

    def __getitem__(self, path: str) -> File | None:
        if path not in self._files:
            try:
                tree = ast.parse(self.texts.content(path))
            except (SyntaxError, ValueError, RecursionError):
                self._files[path] = None
            else:
                made = self._files[path] = File(path, tree)
                _collect(made, tree.body, "", "")
        return self._files[path]

    def cls(self, path: str, name: str) -> ast.ClassDef | None:
        """A class as it is written."""
        file = self[path]
        return file.classes.get(name) if file is not None else None


def _collect(file: File, body: list[ast.stmt], prefix: str, cls: str) -> None:
    for at in body:
        match at:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                name = f"{prefix}{at.name}"
                file.every.append((name, at))
                file.functions[name] = at  # the last definition of a name is the one that counts
                if cls:
                    file.owner[name] = cls
                _collect(file, at.body, f"{name}.", "")
            case ast.ClassDef():
                name = f"{prefix}{at.name}"
                file.classes[name] = at
                _collect(file, at.body, f"{name}.", name)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if not prefix:
                file.variables.setdefault(name, []).append(value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if not prefix:
                file.variables.setdefault(name, []).append(value)
            case ast.If() | ast.Try() | ast.With() | ast.For() | ast.While() | ast.TryStar():
                for part in ast.iter_child_nodes(at):
                    if isinstance(part, ast.stmt):
                        _collect(file, [part], prefix, cls)
                    elif isinstance(part, ast.ExceptHandler):
                        _collect(file, part.body, prefix, cls)


def is_stub(function: FunctionNode) -> bool:
    """Whether the body says nothing: `...`, `pass`, a docstring, `raise NotImplementedError`."""
    for at in function.body:
        match at:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                continue
            case ast.Raise(exc=ast.Name(id="NotImplementedError") | ast.Call(func=ast.Name(id="NotImplementedError"))):
                continue
        return False
    return True


def falls_off(body: list[ast.stmt]) -> bool:
    """Whether control can reach the end of a body."""
    return not any(_ends(at) for at in body)


def _ends(at: ast.stmt) -> bool:
    match at:
        case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
            return True
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id="sys"), attr="exit") | ast.Name(id="exit"))):
            return True
        case ast.If(body=body, orelse=orelse):
            return bool(orelse) and not falls_off(body) and not falls_off(orelse)
        case ast.With(body=body) | ast.AsyncWith(body=body):
            return not falls_off(body)  # a context that swallows exceptions is rare, and a hint would say so
        case ast.Try():
            return _try_ends(at)
        case ast.While(test=ast.Constant(value=value)) if value:
            return not any(isinstance(n, ast.Break) for n in inside(at.body))
        case ast.Match(cases=cases):
            last = cases[-1]
            whole = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None
            return whole and all(not falls_off(c.body) for c in cases)
    return False


def _try_ends(at: ast.Try) -> bool:
    if at.finalbody and not falls_off(at.finalbody):
        return True  # a `return` there wins over whatever happened above
    through = falls_off(at.body) and (not at.orelse or falls_off(at.orelse))
    return not through and all(not falls_off(h.body) for h in at.handlers)
