"""Statements of a block: where they stand, what they define; a line is put behind another, one is taken out."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.text.source import Edit, Source


def append_field(source: Source, cls: ast.ClassDef, text: str) -> Edit:
    """Put a line after the fields of a class."""
    fields = [s for s in cls.body if isinstance(s, ast.AnnAssign)]
    docs = [s for s in cls.body[:1] if isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)]
    after = (fields or docs or cls.body)[-1] if fields or docs else cls.body[-1]
    start, end = source.span(after)
    if not source.begins_line(start) or b";" in source.data[end : source.line_end(end)].split(b"#")[0]:
        return Edit(end, end, f"; {text}".encode())
    line_end = source.line_end(end)
    return Edit(line_end, line_end, source.newline(end) + source.indent(start) + text.encode())


def remove_statement(source: Source, block: list[ast.stmt], node: ast.AST) -> Edit:
    """Take a statement out of its block, with its line; `pass` where it was the last one."""
    start, end = source.span(node)
    if len(block) == 1:
        return Edit(start, end, b"pass")
    before = source.data[source.line_start(start) : start]
    rest = source.data[end : source.line_end(end)]
    if not before.strip(b" \t\f") and b";" not in rest.split(b"#")[0]:
        if source.line_end(end) == len(source.data):  # the last line, without a line end: take the one before
            previous = source.line_start(start)
            cut = previous - len(source.newline(previous - 1)) if previous else 0
            return Edit(cut, len(source.data), b"")
        return Edit(source.line_start(start), source.next_line(end), b"")
    index = next(i for i, s in enumerate(block) if s is node)
    if index + 1 < len(block) and source.line(source.span(block[index + 1])[0]) == source.line(end):
        return Edit(start, source.span(block[index + 1])[0], b"")
    return Edit(source.span(block[index - 1])[1], end, b"")


def statement_start(source: Source, statement: ast.stmt) -> int:
    """Where a statement begins, its decorators (and their `@`) with it."""
    decorators = getattr(statement, "decorator_list", [])
    if not decorators:
        return source.span(statement)[0]
    at = source.span(decorators[0])[0]
    return source.data.rindex(b"@", 0, at)


def names_of(statement: ast.stmt) -> set[str]:
    """The names that a definition gives; empty for a statement that is not a definition."""
    match statement:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.Assign(targets=targets):
            return {t.id for t in targets if isinstance(t, ast.Name)}
        case ast.AnnAssign(target=ast.Name(id=name)):
            return {name}
    alias = getattr(statement, "name", None)  # `type Rate = int`, from Python 3.12
    return {alias.id} if isinstance(alias, ast.Name) else set()


def same(some: Iterable[ast.AST], others: Iterable[ast.AST]) -> bool:
    """Whether two pieces of code say the same, however they are spaced and commented."""
    return [ast.dump(s) for s in some] == [ast.dump(s) for s in others]


def whole_lines(source: Source, statement: ast.stmt) -> tuple[int, int]:
    """The lines of a statement, its decorators and the blank lines below it with them."""
    end = source.next_line(source.span(statement)[1])
    while end < len(source.data) and not source.data[end : source.line_end(end)].strip():
        end = source.next_line(end)
    return source.line_start(statement_start(source, statement)), end


def block_of(root: ast.AST, statement: ast.stmt) -> list[ast.stmt]:
    """The statements among which one stands."""
    for owner in ast.walk(root):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(owner, name, None)
            if isinstance(block, list) and any(s is statement for s in block):
                return block
    raise Refusal("a statement was not found where it was read.")


def line_below(source: Source, above: ast.stmt, statement: str) -> Edit:
    """A statement on a line of its own below another."""
    end = source.span(above)[1]
    if b";" in source.data[end : source.line_end(end)]:  # another statement on the line: join it
        return Edit(end, end, b"; " + statement.encode())
    if source.line_end(end) == len(source.data):  # the last line, without a line end
        return Edit(len(source.data), len(source.data), source.newline(0) + statement.encode())
    place = source.next_line(end)
    return Edit(place, place, statement.encode() + source.newline(place))
