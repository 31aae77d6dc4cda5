"""Where an expression stands: a file, the function around it, and what its local names are bound to."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

from graphbus_core.adopt.known.code import FunctionNode
from graphbus_core.syntax import inside


@dataclass(frozen=True)
class Assignment:
    """One assignment. `how`: value, hint, element, part N, caught, grown, … `line` is where its statement ends."""

    how: str
    value: ast.expr | None
    line: int
    always: bool  # it stands in the function's own body, not in a branch or loop


@dataclass
class CodeScope:
    """Where an expression stands: a file, and the function around it (none: the module itself)."""

    path: str
    name: str = ""
    function: FunctionNode | None = None
    _bound: dict[str, list[Assignment]] | None = field(default=None, repr=False)

    @property
    def body(self) -> list[ast.stmt]:
        """The statements of the function."""
        return self.function.body if self.function is not None else []

    def bound(self) -> dict[str, list[Assignment]]:
        """Local name -> each of its assignments, in the order of the lines."""
        if self._bound is None:
            found: dict[str, list[Assignment]] = {}
            for statement in self.body:
                always = isinstance(statement, ast.Assign | ast.AnnAssign)
                for name, how, value in _assignments([statement]):
                    found.setdefault(name, []).append(Assignment(how, value, statement.end_lineno or 0, always))
            self._bound = found
        return self._bound

    def reaching(self, name: str, line: int) -> tuple[list[Assignment], bool]:
        """The assignments that may count at a line, and whether what the name was at the start may count too.

        One that is always run hides all before it; what comes later in a loop may still come first.
        """
        every = self.bound().get(name, [])
        last = max((n for n, one in enumerate(every) if one.always and one.line < line), default=-1)
        return every[max(last, 0) :], last < 0


def _assignments(body: list[ast.stmt]) -> Iterator[tuple[str, str, ast.expr | None]]:
    for at in inside(body):
        yield from _bound(at)


def _bound(at: ast.AST) -> Iterator[tuple[str, str, ast.expr | None]]:
    """The names that one node binds, and how: a table of Python's forms."""
    match at:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _target(target, "value", value)
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
            yield name, "hint", annotation
        case ast.AugAssign(target=ast.Name(id=name), value=value):
            yield name, "grown", value
        case ast.NamedExpr(target=ast.Name(id=name), value=value):
            yield name, "value", value
        case (
            ast.For(target=target, iter=value)
            | ast.AsyncFor(target=target, iter=value)
            | ast.comprehension(target=target, iter=value)
        ):
            yield from _target(target, "element", value)
        case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
            yield from _target(target, "entered", value)
        case ast.ExceptHandler(name=str() as name, type=kinds):
            yield name, "caught", kinds
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            for alias in names:
                yield (alias.asname or alias.name).partition(".")[0], "imported", None
        case ast.MatchAs(name=str() as name) | ast.MatchStar(name=str() as name):
            yield name, "dark", None
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name, "defined", None
        case ast.Global(names=names) | ast.Nonlocal(names=names):
            for one in names:
                yield one, "dark", None


def _target(target: ast.expr, how: str, value: ast.expr) -> Iterator[tuple[str, str, ast.expr | None]]:
    match target:
        case ast.Name(id=name):
            yield name, how, value
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for number, part in enumerate(parts):
                plain = how == "value" and not any(isinstance(p, ast.Starred) for p in parts)
                if plain and isinstance(part, ast.Name):
                    yield part.id, f"part {number}", value
                else:
                    yield from _target(part.value if isinstance(part, ast.Starred) else part, "dark", value)
