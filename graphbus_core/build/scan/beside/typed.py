"""A type as it stands in `contracts.toml`, as the expression that an author would have written in code.

The one reader of types (`contracts.reading.static`) then reads it: what a hint may say, an entry may say.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

MAX_DEPTH = 40


class Mistake(Exception):
    """What is wrong, and under which keys."""

    def __init__(self, why: str, path: tuple[str, ...] = ()) -> None:
        super().__init__(why)
        self.path = path


def typed(written: Any, depth: int = 0) -> ast.expr:
    """A text as in a hint, a table of fields, or a list of one of them. Raises Mistake."""
    if depth > MAX_DEPTH:
        raise Mistake("it is nested too deeply")
    match written:
        case str():
            try:
                return ast.parse(written.strip(), mode="eval").body
            except (SyntaxError, ValueError, RecursionError, MemoryError):
                raise Mistake(
                    f"{written!r} is not a type; write one as in a hint, such as 'list[str] | None'"
                ) from None
        case dict():
            keys: list[ast.expr | None] = []
            values: list[ast.expr] = []
            for name, one in _fields(written, depth):
                keys.append(ast.Constant(name))
                values.append(one)
            return _placed(ast.Dict(keys, values))
        case [one]:
            return _placed(ast.List([typed(one, depth + 1)], ast.Load()))
    raise Mistake(f"{written!r} is not a type; write a text such as 'int', or a table of fields")


def record(name: str, fields: Mapping[str, Any]) -> ast.AST:
    """A record under a name, which may hold itself: a class where its fields are words, else a table."""
    made = list(_fields(fields, 0))
    if not all(one.isidentifier() for one, _ in made):
        return typed(fields)
    body: list[ast.stmt] = [ast.AnnAssign(ast.Name(one, ast.Store()), type_, None, 1) for one, type_ in made]
    cls = ast.ClassDef(name, [ast.Name("TypedDict", ast.Load())], [], body or [ast.Pass()], [])
    cls.lineno, cls.col_offset = 1, 0
    return ast.fix_missing_locations(cls)


def _fields(written: Mapping[str, Any], depth: int) -> list[tuple[str, ast.expr]]:
    made: list[tuple[str, ast.expr]] = []
    for key, value in written.items():
        try:
            one = typed(value, depth + 1)
        except Mistake as e:
            raise Mistake(str(e), (key, *e.path)) from None
        name = key.removesuffix("?")
        if any(name == other for other, _ in made):
            raise Mistake(f"the field {name!r} is there twice", (key,))
        if name != key:  # TOML has no null, and no presence: a question mark says it, as in TypeScript
            one = _placed(ast.Subscript(ast.Name("NotRequired", ast.Load()), one, ast.Load()))
        made.append((name, one))
    return made


def _placed(made: ast.expr) -> ast.expr:
    made.lineno, made.col_offset = 1, 0
    return ast.fix_missing_locations(made)
