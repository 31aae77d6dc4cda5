"""Names that are given on one path and read on every path: `for …: last = …` and then `last`, without a line at all.

A branch that guards the read as well may be the same condition once more, so a read counts only where no condition
stands between it and the place where the paths meet again. Source in, findings out; nothing is run.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from graphbus_core.build.commit.proof.slips import catches_all, leaves, suppresses

_Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
_EVERYTHING = frozenset({"*"})  # what a path that never arrives has given: it takes nothing from the others


@dataclass(frozen=True)
class _Path:
    """What is known where control stands. `certain` and `possible` are the names given on all and on some paths."""

    certain: frozenset[str] = frozenset()
    possible: frozenset[str] = frozenset()
    excused: frozenset[str] = frozenset()  # possible, read under a condition of its own

    def gives(self, names: Iterable[str]) -> _Path:
        return replace(self, certain=self.certain | set(names), possible=self.possible | set(names))

    def inside(self) -> _Path:
        return replace(self, excused=self.excused | self.possible)


def unbound_names(source: bytes, path: str) -> set[str]:
    """`path: 'x' in f may have no value (line n)`, one for each function and name."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()  # whoever parses it says so
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            for name, line in _Reader(node).missing.items():
                found.add(f"{path}: {name!r} in {node.name} has no value on every path that reads it (line {line})")
    return found


class _Reader:
    """One pass over a function's own statements, branch by branch."""

    def __init__(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        self.missing: dict[str, int] = {}
        outer = (n for n in ast.walk(function) if isinstance(n, ast.Global | ast.Nonlocal))
        self.outer = frozenset(name for node in outer for name in node.names)
        given = {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)}
        self._block(function.body, _Path().gives(given))

    def _block(self, body: Iterable[ast.stmt], at: _Path) -> _Path:
        for statement in body:
            at = self._statement(statement, at)
        return at

    def _statement(self, node: ast.stmt, at: _Path) -> _Path:
        match node:
            case ast.If(test=test, body=body, orelse=orelse):
                at = self._reads(test, at)
                return self._join(at, [self._block(body, at.inside()), self._block(orelse, at.inside())])
            case ast.For() | ast.AsyncFor() | ast.While():
                return self._loop(node, at)
            case ast.Try() | ast.TryStar():
                return self._try(node, at)
            case ast.With(items=items, body=body) | ast.AsyncWith(items=items, body=body):
                for item in items:
                    at = self._reads(item, at)
                after = self._block(body, at)
                return self._join(at, [at, after]) if any(map(suppresses, items)) else after
            case ast.Match(subject=subject, cases=cases):
                at = self._reads(subject, at)
                ends = [self._block(c.body, self._reads(c, at.inside())) for c in cases]
                return self._join(at, ends if any(map(catches_all, cases)) else [*ends, at])
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                return at.gives([name])
        at = self._reads(node, at)
        left = leaves(node) or isinstance(node, ast.Break | ast.Continue)
        return replace(at, certain=at.certain | _EVERYTHING) if left else at

    def _join(self, before: _Path, ends: list[_Path]) -> _Path:
        """Where the paths meet. One that left by `return` or `raise` is not a path any more."""
        arriving = [end.certain for end in ends if "*" not in end.certain]
        certain = frozenset.intersection(*arriving) if arriving else before.certain | _EVERYTHING
        return _Path(certain, before.possible.union(*(end.possible for end in ends)), before.excused)

    def _loop(self, node: ast.For | ast.AsyncFor | ast.While, at: _Path) -> _Path:
        at = self._reads(node.test if isinstance(node, ast.While) else node.iter, at)
        inner = at.inside() if isinstance(node, ast.While) else self._reads(node.target, at.inside())
        after = self._block(node.body, inner)
        if _runs(node):  # at least once; where it leaves in the middle, nobody can tell, so all of it counts
            return _Path(at.certain | after.possible, after.possible, at.excused)
        skipped = self._block(node.orelse, replace(at.inside(), possible=after.possible))
        certain = skipped.certain - _EVERYTHING  # with `else`, what a `break` skips was found before it
        return _Path(at.certain | certain, skipped.possible, at.excused)

    def _try(self, node: ast.Try | ast.TryStar, at: _Path) -> _Path:
        body = self._block(node.body, at)
        failed = replace(at, possible=body.possible).inside()
        ends = [self._block(node.orelse, body)]
        for handler in node.handlers:
            ends.append(self._block(handler.body, failed.gives([handler.name] if handler.name else [])))
        joined = self._join(at, ends)
        last = self._block(node.finalbody, replace(joined, excused=at.excused | joined.possible))
        return replace(last, excused=at.excused)

    def _reads(self, node: ast.AST, at: _Path) -> _Path:
        """What an expression or a simple statement reads, and what it gives afterwards."""
        given: set[str] = set()
        dropped: set[str] = set()
        for child in _own_names(node):
            match child:
                case ast.Name(id=name, ctx=ast.Load()) if name in at.possible - at.certain - at.excused:
                    if "*" not in at.certain and name not in self.outer:
                        self.missing.setdefault(name, child.lineno)
                case ast.Name(id=name, ctx=ast.Store()) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                    given.add(name)
                case ast.MatchMapping(rest=str(name)):
                    given.add(name)
                case ast.alias(name=name, asname=asname):
                    given.add((asname or name).partition(".")[0])
                case ast.Name(id=name, ctx=ast.Del()):
                    dropped.add(name)
        at = at.gives(given)
        return replace(at, certain=at.certain - dropped, possible=at.possible - dropped)


def _runs(node: ast.For | ast.AsyncFor | ast.While) -> bool:
    """Whether its body runs at least once, as far as its text tells."""
    if isinstance(node, ast.While):
        return isinstance(node.test, ast.Constant) and bool(node.test.value)
    match node.iter:
        case ast.List(elts=[_, *_]) | ast.Tuple(elts=[_, *_]):
            return True
        case ast.Call(func=ast.Name(id="range"), args=args):
            return all(isinstance(a, ast.Constant) for a in args)
    return False


def _own_names(node: ast.AST) -> Iterator[ast.AST]:
    """What is evaluated with a node: without bodies of functions and cases, and without what a comprehension names."""
    stack: list[ast.AST] = [node]
    while stack:
        at = stack.pop()
        yield at
        match at:
            case ast.match_case(pattern=pattern, guard=guard):
                stack += [pattern, *([guard] if guard else [])]
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                own = {n.id for g in at.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
                for child in ast.iter_child_nodes(at):
                    stack += (n for n in _own_names(child) if isinstance(n, ast.Name) and n.id not in own)
            case ast.IfExp() | ast.BoolOp():
                stack += [at.test] if isinstance(at, ast.IfExp) else at.values[:1]  # the others have a condition
            case _ if not isinstance(at, _Scope):
                stack += ast.iter_child_nodes(at)
