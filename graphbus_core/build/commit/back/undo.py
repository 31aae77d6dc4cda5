"""Taking a commit back: the inverse of its diff, and its text reversed in files that have moved on since.

What the commit wrote is found again in the file as it is now; if it still stands there unbroken, the old text takes its
place and everything else stays. Pure: gates and transaction are the engine's.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Any

from graphbus_core.build.confine.outcome import Refusal
from graphbus_core.build.edit.operations.imports import spoken_in, without
from graphbus_core.build.edit.text.source import Source
from graphbus_core.build.edit.text.statements import remove_statement
from graphbus_core.contracts import annotation
from graphbus_core.model.operation import (
    AddAgent,
    AddField,
    AddImport,
    AddMethod,
    Decorate,
    DeleteMethod,
    EditText,
    FieldOperation,
    Operation,
    RemoveAgent,
    RemoveField,
    RemoveImport,
    RenameField,
    RenameMethod,
    ReplaceBody,
    RetypeField,
    SetOptional,
    Undecorate,
)

_WORDS = re.compile(rb"\w+|[ \t]+|\r\n|\r|\n|[^\w\s]|\s")
Hunk = tuple[int, int, int, int]  # old[a:b] became new[c:d]


def reverse(before: bytes, after: bytes, now: bytes) -> bytes | None:
    """`now` without what turned `before` into `after`. None where that no longer stands unbroken.

    An import that the commit brought along stays where something else has come to use it.
    """
    if now == after:
        return before
    hunks = _hunks(after, now)
    readings = [_equal_blocks(after, now, [_slide(after, now, h, way) for h in hunks]) for way in (0, -1, 1)]
    parts: list[tuple[int, int, bytes]] = []
    imports: list[tuple[tuple[int, int] | None, set[bytes]]] = []
    for a, b, c, d in _line_by_line(_hunks(before, after), after):
        place = next((p for kept in readings if (p := _place(kept, c, d)) is not None), None)
        names = _imported(after, c, d) if not before[a:b].strip() else set()
        if names:
            imports.append((place, names))
        elif place is None:
            return None
        elif not (c == d and any(_stands(kept, now, c, before[a:b]) for kept in readings)):
            parts.append((*place, before[a:b]))
    result = _without(now, parts)
    if result is None or not imports:
        return result
    used = _used(result)
    loose: set[bytes] = set()
    for place, names in imports:
        if place is None:
            loose |= names - used
        elif not names & used:
            parts.append((*place, b""))
    result = _without(now, parts)
    for name in sorted(loose) if result is not None else ():
        result = _drop_import(result, name)
    return result


def _without(now: bytes, parts: Sequence[tuple[int, int, bytes]]) -> bytes | None:
    out, at = [], 0
    for start, end, text in sorted(parts):
        if start < at:
            return None
        out += [now[at:start], text]
        at = end
    return b"".join([*out, now[at:]])


_IMPORT = re.compile(rb"from [\w.]+ import \(?[\w, ]+\)?|import [\w., ]+")


def _line_by_line(hunks: Sequence[Hunk], after: bytes) -> list[Hunk]:
    """Several import lines that were put in together are taken out one by one: one of them may be in use by now."""
    split: list[Hunk] = []
    for a, b, c, d in hunks:
        lines = after[c:d].splitlines(keepends=True)
        if a != b or len(lines) < 2 or not all(_IMPORT.fullmatch(line.strip()) for line in lines):
            split.append((a, b, c, d))
            continue
        for line in lines:
            split.append((a, b, c, c + len(line)))
            c += len(line)
    return split


def _imported(text: bytes, start: int, end: int) -> set[bytes]:
    """The names that an insertion imports, where it is an import line or a piece of one; else none."""
    line = re.split(rb"[\r\n]", text[:start])[-1] + text[start:end].strip(b"\r\n")
    if not _IMPORT.fullmatch(line):
        return set()
    words = re.findall(rb"\w+", text[start:end].rpartition(b"import")[2])
    return set(words)


def _used(text: bytes) -> set[bytes]:
    """The names that a text uses, in quoted types and `__all__` as well."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return set()
    names = {n.id.encode() for n in ast.walk(tree) if isinstance(n, ast.Name)}
    said = (n for node in ast.walk(tree) for part in spoken_in(node) for n in ast.walk(part))
    quoted = (n.value for n in said if isinstance(n, ast.Constant) and isinstance(n.value, str))
    return names | {word.encode() for one in quoted for word in re.findall(r"\w+", one)}


def _drop_import(text: bytes | None, name: bytes) -> bytes | None:
    """Take one name out of the import that brings it, however that is written by now."""
    if text is None:
        return None
    wanted = (name.decode(), None)
    try:
        source = Source("", text)
        imports = [n for n in ast.walk(source.tree) if isinstance(n, ast.Import | ast.ImportFrom)]
        holder = next((n for n in imports if wanted in {(a.name, a.asname) for a in n.names}), None)
        if holder is None:
            return text
        if len(holder.names) > 1:
            return source.edited(without(source, holder, {wanted})).raw
        rest = source.edited([remove_statement(source, source.tree.body, holder)]).raw
        return _closed_up(rest, holder.lineno - 1) if _is_a_group(source, holder) else rest
    except (Refusal, ValueError):
        return text  # the name stays: an import too many hurts nobody


def _is_a_group(source: Source, holder: ast.stmt) -> bool:
    """Whether an import is a group of its own, with another group of imports behind it."""
    body = source.tree.body
    if holder not in body:
        return False
    at = body.index(holder)
    before, behind = body[max(at - 1, 0)], body[at + 1 : at + 2]
    joined = isinstance(before, ast.Import | ast.ImportFrom) and before.end_lineno == holder.lineno - 1
    return not joined and bool(behind) and isinstance(behind[0], ast.Import | ast.ImportFrom)


def _closed_up(text: bytes, at: int) -> bytes:
    """Without the blank line, if there is one, that stood behind the group of line `at`, which is gone."""
    lines = text.splitlines(keepends=True)
    return text if lines[at : at + 1] == [] or lines[at].strip() else b"".join([*lines[:at], *lines[at + 1 :]])


def _place(kept: Sequence[Hunk], start: int, end: int) -> tuple[int, int] | None:
    """Where `after[start:end]` stands now, if whole; for an empty span, the one place between its neighbours."""
    if start < end:
        for a, b, c, _ in kept:
            if a <= start and end <= b:
                return c + start - a, c + end - a
        return None
    left = next((c + start - a for a, b, c, _ in kept if a < start <= b), None)
    right = next((c + start - a for a, b, c, _ in kept if a <= start < b), None)
    place = left if left is not None else right
    return None if place is None else (place, place)


def _stands(kept: Sequence[Hunk], now: bytes, at: int, text: bytes) -> bool:
    """Whether somebody has put `text` back where the commit took it away: it is not put there twice."""
    left = next((c + at - a for a, b, c, _ in kept if a < at <= b), 0)
    right = next((c + at - a for a, b, c, _ in kept if a <= at < b), len(now))
    return now[left:right].strip() == text.strip() != b""


def _slide(old: bytes, new: bytes, hunk: Hunk, way: int) -> Hunk:
    """The same insertion or deletion, read as far to the left or right as it goes: `a, [b, ]c` is `a[, b], c`."""
    a, b, c, d = hunk
    if way == 0 or (a != b and c != d):
        return hunk
    text, start, end = (old, a, b) if a != b else (new, c, d)
    moved = 0
    if way < 0:
        while (
            moved < min(a, c)
            and text[start - moved - 1] == text[end - moved - 1]
            and text[end - moved - 1] not in b"\r\n"
        ):
            moved += 1
        moved = -moved
    else:
        while (
            end + moved < len(text) and text[start + moved] == text[end + moved] and text[start + moved] not in b"\r\n"
        ):
            moved += 1
    return a + moved, b + moved, c + moved, d + moved


def _equal_blocks(old: bytes, new: bytes, hunks: Sequence[Hunk]) -> list[Hunk]:
    blocks: list[Hunk] = []
    a = c = 0
    for first, last, start, end in [*hunks, (len(old), len(old), len(new), len(new))]:
        if first > a and first - a == start - c:
            blocks.append((a, first, c, start))
        a, c = max(a, last), max(c, end)
    return blocks


def _hunks(old: bytes, new: bytes) -> list[Hunk]:
    """Where two texts differ: by lines first, then by words inside of lines that changed."""
    found: list[Hunk] = []
    for a, b, c, d in _differing(old.splitlines(keepends=True), new.splitlines(keepends=True)):
        one, two = _WORDS.findall(old[a:b]), _WORDS.findall(new[c:d])
        if not one or not two or len(one) * len(two) > 4_000_000:
            found.append((a, b, c, d))
        else:
            found += [(a + i, a + j, c + k, c + m) for i, j, k, m in _differing(one, two)]
    return found


def _differing(one: Sequence[bytes], two: Sequence[bytes]) -> Iterator[Hunk]:
    """The parts that are not the same, as places in the whole."""
    left, right = ([0, *accumulate(map(len, parts))] for parts in (one, two))
    for tag, i, j, k, m in SequenceMatcher(None, one, two, autojunk=False).get_opcodes():
        if tag != "equal":
            yield left[i], left[j], right[k], right[m]


def inverse(diff: Sequence[Operation], contracts: Mapping[tuple[str, str, str], Any]) -> list[Operation]:
    """The operations that take a diff back, last first. `contracts` are those before it."""
    return [_inverse(op, contracts) for op in reversed(diff)]


# The others declare no contract, so their inverse declares none either.
_INVERSE: dict[type[Operation], Callable[[Any], Operation]] = {
    AddMethod: lambda op: DeleteMethod(node=op.node, method=op.method),
    DeleteMethod: lambda op: AddMethod(node=op.node, method=op.method, source=""),
    RenameMethod: lambda op: RenameMethod(node=op.node, method=op.to, to=op.method or ""),
    AddImport: lambda op: RemoveImport(node=op.node, statement=op.statement),
    RemoveImport: lambda op: AddImport(node=op.node, statement=op.statement),
    ReplaceBody: lambda op: ReplaceBody(node=op.node, method=op.method, body=""),
    EditText: lambda op: EditText(node=op.node, method=op.method, old=op.new, new=op.old),
    Decorate: lambda op: Undecorate(node=op.node, method=op.method, decorator=op.decorator),
    Undecorate: lambda op: Decorate(node=op.node, method=op.method, decorator=op.decorator),
    AddAgent: lambda op: RemoveAgent(node=op.node),
    RemoveAgent: lambda op: AddAgent(node=op.node, path="", source=""),
}


def _inverse(op: Operation, contracts: Mapping[tuple[str, str, str], Any]) -> Operation:
    if isinstance(op, FieldOperation):
        at: dict[str, Any] = {"node": op.node, "method": op.method, "topic": op.topic, "side": op.side}
        schema = contracts.get((op.node, op.method or op.topic or "", op.side)) or {}
        old, required = _field(schema, op.field)
        match op:
            case AddField():
                return RemoveField(**at, field=op.field)
            case RemoveField():
                return AddField(**at, field=op.field, type=annotation(old), optional=not required)
            case RetypeField():
                return RetypeField(**at, field=op.field, type=annotation(old))
            case SetOptional():
                return SetOptional(**at, field=op.field, optional=not op.optional)
            case RenameField():
                parent, dot, last = op.field.rpartition(".")
                return RenameField(**at, field=f"{parent}{dot}{op.to}", to=last)
    return _INVERSE[type(op)](op) if type(op) in _INVERSE else op


def _field(schema: Mapping[str, Any], path: str) -> tuple[Any, bool]:
    from graphbus_core.contracts.reading.fields import find, is_required

    return find(schema, path) or {}, is_required(schema, path)
