"""Where a formatter would put an import: the standard library, what was installed, relative ones; by name in each.

The file's own order is never touched. Where a file keeps none, the line still lands beside its like.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Sequence

from graphbus_core.build.edit.text.source import Edit, Source
from graphbus_core.build.edit.text.statements import line_below

Import = ast.Import | ast.ImportFrom
STANDARD, INSTALLED, RELATIVE = range(3)


def import_in_order(source: Source, block: Sequence[ast.stmt], statement: str) -> Edit:
    """Put an import into the block of a file's imports, a blank line around a group that it begins."""
    wanted = ast.parse(statement).body[0]
    there = [n for n in block if isinstance(n, Import)]
    assert isinstance(wanted, Import)
    like = [n for n in there if _group(n) == _group(wanted)]
    if like:
        before = [n for n in like if _key(n) <= _key(wanted)]
        return line_below(source, before[-1], statement) if before else _line_above(source, like[0], statement)
    earlier = [n for n in there if _group(n) < _group(wanted)]
    newline = source.newline(0).decode()
    if earlier:  # the first of its group: a blank line above it
        return line_below(source, earlier[-1], newline + statement)
    return _line_above(source, there[0], statement + newline)


def _line_above(source: Source, below: Import, statement: str) -> Edit:
    at = source.span(below)[0]
    if not source.begins_line(at):  # `import a; import b`
        return line_below(source, below, statement)
    place = source.line_start(at)
    return Edit(place, place, statement.encode() + source.newline(place))


def _group(node: Import) -> int:
    if isinstance(node, ast.ImportFrom) and node.level:
        return RELATIVE
    return STANDARD if _module(node).partition(".")[0] in sys.stdlib_module_names else INSTALLED


def _key(node: Import) -> tuple[bool, str]:
    """Plain imports first, then `from` ones, as isort, ruff and the standard library's own files have it."""
    return isinstance(node, ast.ImportFrom), _module(node).casefold()


def _module(node: Import) -> str:
    return (node.module or "") if isinstance(node, ast.ImportFrom) else node.names[0].name
