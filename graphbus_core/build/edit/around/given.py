"""Code as an operation gives it: its text, its statements, and the names that they define."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.text.code import dedented, parsed_code, plain_code


def code(text: str, what: str) -> str:
    """The text without its common indentation and with plain line ends. Raises Refusal for an empty or huge one."""
    plain = dedented(plain_code(text, what))
    if not plain.strip():
        raise Refusal(f"{what} is empty.")
    return plain


def statements(text: str, what: str) -> list[ast.stmt]:
    """The statements of a text. Raises Refusal with the line where it does not parse."""
    return parsed_code(text, what).body


def names_of(statement: ast.stmt) -> set[str]:
    """The names that a definition gives; empty for a statement that is no definition."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Assign(targets=targets):
            return {t.id for t in targets if isinstance(t, ast.Name)}
        case ast.AnnAssign(target=ast.Name(id=name)):
            return {name}
    alias = getattr(statement, "name", None)  # `type Rate = int`, from Python 3.12
    return {alias.id} if isinstance(alias, ast.Name) else set()


def same(some: Iterable[ast.stmt], others: Iterable[ast.stmt]) -> bool:
    """Whether two pieces of code say the same, however they are spaced and commented."""
    return [ast.dump(s) for s in some] == [ast.dump(s) for s in others]
