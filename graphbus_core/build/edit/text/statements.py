"""Statements of a block: a line is put behind the fields of a class, one is taken out."""

from __future__ import annotations

import ast

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


def is_doc(statement: ast.stmt) -> bool:
    """Whether a statement is a text alone, as a docstring is."""
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
    )


def line_below(source: Source, above: ast.stmt, statement: str) -> Edit:
    """A statement on a line of its own below another."""
    end = source.span(above)[1]
    if b";" in source.data[end : source.line_end(end)]:  # another statement on the line: join it
        return Edit(end, end, b"; " + statement.encode())
    if source.line_end(end) == len(source.data):  # the last line, without a line end
        return Edit(len(source.data), len(source.data), source.newline(0) + statement.encode())
    place = source.next_line(end)
    return Edit(place, place, statement.encode() + source.newline(place))
