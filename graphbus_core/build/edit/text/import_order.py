"""Where a formatter would put an import: the standard library, what was installed, one's own, relative ones.

By name in each, as isort and ruff have it; a name joins the line that imports from its module already. The file's own
order is never touched. Where a file keeps none, the line still lands beside its like.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Callable, Sequence

from graphbus_core.build.edit.text.groups import group
from graphbus_core.build.edit.text.source import Edit, Source
from graphbus_core.build.edit.text.statements import line_below
from graphbus_core.origin import is_standard
from graphbus_core.syntax import is_docstring

Import = ast.Import | ast.ImportFrom
Own = Callable[[str], bool]  # whether a top-level module is of the project itself
STANDARD, INSTALLED, OWN, RELATIVE = range(4)


def import_line(source: Source, statement: str, own: Own = lambda top: False) -> Edit:
    """Put an import statement on a line of its own among the file's imports, or where the first one would stand."""
    body = source.tree.body
    # A docstring stays the first statement, and `from __future__` may stand only below it.
    first = 1 if body and is_docstring(body[0]) else 0
    while first < len(body) and _future(body[first]):
        first += 1
    block = [node for node in itertools.takewhile(_is_import, body[first:]) if isinstance(node, Import)]
    is_future = re.match(r"from\s+__future__\b", statement) is not None
    if block and not is_future:
        return _among(source, block, statement, own)
    if first:
        above = body[first - 1]
        # A blank line is kept between a docstring and what follows, if there is one to keep.
        open_line = not source.data[source.next_line(source.span(above)[1]) :].split(b"\n", 1)[0].strip()
        gap = source.newline(0).decode() if open_line and not (is_future and _future(above)) else ""
        return line_below(source, above, gap + statement)
    place = source.line_start(source.span(block[0])[0]) if block else _top(source)
    return Edit(place, place, statement.encode() + source.newline(place))


def import_lines(source: Source, statements: Sequence[str], own: Own) -> list[Edit]:
    """Several new imports: those that land in one place stand in order there, a blank line between groups alone."""
    # By place: edits of one place would otherwise land in an order that nobody chose.
    placed: dict[tuple[int, int], list[tuple[int, tuple[bool, int, str], str, str]]] = {}
    for statement in statements:
        edit, node = import_line(source, statement, own), _import(statement)
        row = (_group(node, own), _key(node), statement, edit.new.decode())
        placed.setdefault((edit.start, edit.end), []).append(row)
    edits = []
    newline = source.newline(0).decode()
    for (start, end), rows in placed.items():
        text = ""
        rows.sort()
        for number, (at, _, statement, alone) in enumerate(rows):
            lead, _, trail = alone.partition(statement)
            if number and at == rows[number - 1][0]:
                lead = lead.removeprefix(newline)  # the group has begun
            if number + 1 < len(rows) and trail.startswith(newline):
                opens = at != rows[number + 1][0] and len(trail) > len(newline)
                trail = newline * (2 if opens else 1)
            text += lead + statement + trail
        edits.append(Edit(start, end, text.encode()))
    return edits


def names_joined(source: Source, node: ast.ImportFrom, names: Sequence[str]) -> list[Edit]:
    """Further names in an import that stands there: by order where the line keeps one, else at its end."""
    there = [alias.name for alias in node.names]
    # Only a line that keeps an order gets one. Sorting it anew would touch what nobody asked about.
    ordered = there == sorted(there, key=_member)
    start, end = source.span(node)
    if source.data[start:end].endswith(b")"):
        whole = group(source, source.data.index(b"(", start), end)
        edits = []
        for name in sorted(names, key=_member):
            place = len(there)
            if ordered:
                place = next((i for i, one in enumerate(there) if _member(one) > _member(name)), place)
            edits += whole.insert(place, name)
        return edits
    begin, stop = source.span(node.names[0])[0], source.span(node.names[-1])[1]
    # An unsorted line, or one that is broken by backslashes, is only added to at its end.
    if not ordered or b"\n" in source.data[begin:stop]:
        return [Edit(end, end, "".join(f", {name}" for name in names).encode())]
    texts = {alias.name: source.text(alias) for alias in node.names} | {name: name for name in names}
    return [Edit(begin, stop, ", ".join(texts[name] for name in sorted(texts, key=_member)).encode())]


def in_order(names: Sequence[str]) -> list[str]:
    """Names of one import, as a formatter has them."""
    return sorted(names, key=_member)


def _among(source: Source, there: Sequence[Import], statement: str, own: Own) -> Edit:
    """Into the block of a file's imports, a blank line around a group that it begins."""
    wanted = _import(statement)
    like = [n for n in there if _group(n, own) == _group(wanted, own)]
    if like:
        before = [n for n in like if _key(n) <= _key(wanted)]
        return line_below(source, before[-1], statement) if before else _line_above(source, like[0], statement)
    earlier = [n for n in there if _group(n, own) < _group(wanted, own)]
    newline = source.newline(0).decode()
    if earlier:  # the first of its group: a blank line above it
        return line_below(source, earlier[-1], newline + statement)
    return _line_above(source, there[0], statement + newline)


def _import(statement: str) -> Import:
    node = ast.parse(statement).body[0]
    assert isinstance(node, Import)
    return node


def _line_above(source: Source, below: Import, statement: str) -> Edit:
    at = source.span(below)[0]
    # Two statements on one line have no line above the second.
    if not source.begins_line(at):  # `import a; import b`
        return line_below(source, below, statement)
    place = source.line_start(at)
    return Edit(place, place, statement.encode() + source.newline(place))


def _top(source: Source) -> int:
    """After a first line `#!…` and a coding line; before everything else that is code."""
    place = after = 0
    for number in range(2):  # a coding line counts on the first two lines alone
        line = source.data[place : source.line_end(place)]
        if line.strip() and not line.lstrip().startswith(b"#"):
            break
        place = source.next_line(place)
        if re.match(rb"[ \t\f]*#.*?coding[:=]", line) or (number == 0 and line.startswith(b"#!")):
            after = place
    return after


def _is_import(node: ast.stmt) -> bool:
    return isinstance(node, Import)


def _future(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and node.module == "__future__"


def _group(node: Import, own: Own) -> int:
    if isinstance(node, ast.ImportFrom) and node.level:
        return RELATIVE
    top = _module(node).partition(".")[0]
    if is_standard(top):
        return STANDARD
    return OWN if own(top) else INSTALLED


def _key(node: Import) -> tuple[bool, int, str]:
    """Plain imports first, then `from` ones, as isort, ruff and the standard library's own files have it."""
    level = node.level if isinstance(node, ast.ImportFrom) else 0
    return isinstance(node, ast.ImportFrom), -level, _module(node).casefold()


def _member(name: str) -> tuple[int, str, str]:
    """CONSTANTS, then Classes, then the rest: isort's order by type, which ruff keeps too."""
    kind = 0 if name.isupper() and len(name) > 1 else 1 if name[:1].isupper() else 2
    return kind, name.casefold(), name


def _module(node: Import) -> str:
    return (node.module or "") if isinstance(node, ast.ImportFrom) else node.names[0].name
