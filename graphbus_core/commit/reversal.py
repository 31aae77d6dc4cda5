"""Taking a commit back: the inverse of its diff, and its text reversed in files that have moved on since.

What the commit wrote is found again in the file as it is now; if it still stands there unbroken, the old text takes its
place and everything else stays. Pure: gates and transaction are the engine's.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import accumulate
from typing import Any

from graphbus_core.analysis.scan import Project
from graphbus_core.commit.gates.trial import Slot, collect_contracts
from graphbus_core.commit.history import CommitHistory, decode_base64
from graphbus_core.contracts import annotation
from graphbus_core.editing.applicator import DiffApplicator
from graphbus_core.editing.operations.imports import find_textual_references, remove_names
from graphbus_core.editing.scope import EditScope
from graphbus_core.editing.source import Source
from graphbus_core.editing.statements import remove_statement
from graphbus_core.model.edit_outcome import Edited, Refusal, Refused
from graphbus_core.model.operation import (
    AddAgent,
    AddField,
    AddImport,
    AddMethod,
    Decorate,
    DeleteMethod,
    EditText,
    FieldOperation,
    MapField,
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
    UnmapField,
    parse_operations,
)
from graphbus_core.sandbox.path_guard import PathGuard

_WORDS = re.compile(rb"\w+|[ \t]+|\r\n|\r|\n|[^\w\s]|\s")
Hunk = tuple[int, int, int, int]  # old[a:b] became new[c:d]


def revert_text(before: bytes, after: bytes, now: bytes) -> bytes | None:
    """`now` without what turned `before` into `after`. None where that no longer stands unbroken.

    An import that the commit brought along stays where something else has come to use it.
    """
    if now == after:
        return before
    hunks = _find_hunks(after, now)
    readings = [_find_equal_blocks(after, now, [_shift_hunk(after, now, h, way) for h in hunks]) for way in (0, -1, 1)]
    parts: list[tuple[int, int, bytes]] = []
    imports: list[tuple[tuple[int, int] | None, set[bytes]]] = []
    for a, b, c, d in _split_import_hunks(_find_hunks(before, after), after):
        place = next((p for blocks in readings if (p := _locate_span(blocks, c, d)) is not None), None)
        names = _read_imported_names(after, c, d) if not before[a:b].strip() else set()
        if names:
            imports.append((place, names))
        elif place is None:
            return None
        elif not (c == d and any(_is_restored(blocks, now, c, before[a:b]) for blocks in readings)):
            parts.append((*place, before[a:b]))
    result = _replace_parts(now, parts)
    if result is None or not imports:
        return result
    used = _collect_used_names(result)
    loose: set[bytes] = set()
    for place, names in imports:
        if place is None:
            loose |= names - used
        elif not names & used:
            parts.append((*place, b""))
    result = _replace_parts(now, parts)
    for name in sorted(loose) if result is not None else ():
        result = _drop_import(result, name)
    return result


def _replace_parts(now: bytes, parts: Sequence[tuple[int, int, bytes]]) -> bytes | None:
    out, position = [], 0
    for start, end, text in sorted(parts):
        if start < position:
            return None
        out += [now[position:start], text]
        position = end
    return b"".join([*out, now[position:]])


_IMPORT = re.compile(rb"from [\w.]+ import \(?[\w, ]+\)?|import [\w., ]+")


def _split_import_hunks(hunks: Sequence[Hunk], after: bytes) -> list[Hunk]:
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


def _read_imported_names(text: bytes, start: int, end: int) -> set[bytes]:
    """The names that an insertion imports, where it is an import line or a piece of one; else none."""
    line = re.split(rb"[\r\n]", text[:start])[-1] + text[start:end].strip(b"\r\n")
    if not _IMPORT.fullmatch(line):
        return set()
    words = re.findall(rb"\w+", text[start:end].rpartition(b"import")[2])
    return set(words)


def _collect_used_names(text: bytes) -> set[bytes]:
    """The names that a text uses, in quoted types and `__all__` as well."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return set()
    names = {n.id.encode() for n in ast.walk(tree) if isinstance(n, ast.Name)}
    text_nodes = (n for node in ast.walk(tree) for part in find_textual_references(node) for n in ast.walk(part))
    quoted = (n.value for n in text_nodes if isinstance(n, ast.Constant) and isinstance(n.value, str))
    return names | {word.encode() for quoted_text in quoted for word in re.findall(r"\w+", quoted_text)}


def _drop_import(text: bytes | None, name: bytes) -> bytes | None:
    """Take one name out of the import that brings it, however that is written by now."""
    if text is None:
        return None
    alias_key = (name.decode(), None)
    try:
        source = Source("", text)
        imports = [n for n in ast.walk(source.tree) if isinstance(n, ast.Import | ast.ImportFrom)]
        holder = next((n for n in imports if alias_key in {(a.name, a.asname) for a in n.names}), None)
        if holder is None:
            return text
        if len(holder.names) > 1:
            return source.apply_edits(remove_names(source, holder, {alias_key})).raw
        rest = source.apply_edits([remove_statement(source, source.tree.body, holder)]).raw
        return _remove_blank_line(rest, holder.lineno - 1) if _is_own_group(source, holder) else rest
    except (Refusal, ValueError):
        return text  # the name stays: an import too many hurts nobody


def _is_own_group(source: Source, holder: ast.stmt) -> bool:
    """Whether an import is a group of its own, with another group of imports behind it."""
    body = source.tree.body
    if holder not in body:
        return False
    index = body.index(holder)
    before, behind = body[max(index - 1, 0)], body[index + 1 : index + 2]
    joined = isinstance(before, ast.Import | ast.ImportFrom) and before.end_lineno == holder.lineno - 1
    return not joined and bool(behind) and isinstance(behind[0], ast.Import | ast.ImportFrom)


def _remove_blank_line(text: bytes, line_index: int) -> bytes:
    """Without the blank line, if there is one, that stood behind the group of line `at`, which is gone."""
    lines = text.splitlines(keepends=True)
    return (
        text
        if lines[line_index : line_index + 1] == [] or lines[line_index].strip()
        else b"".join([*lines[:line_index], *lines[line_index + 1 :]])
    )


def _locate_span(blocks: Sequence[Hunk], start: int, end: int) -> tuple[int, int] | None:
    """Where `after[start:end]` stands now, if whole; for an empty span, the one place between its neighbours."""
    if start < end:
        for a, b, c, _ in blocks:
            if a <= start and end <= b:
                return c + start - a, c + end - a
        return None
    left_position = next((c + start - a for a, b, c, _ in blocks if a < start <= b), None)
    right_position = next((c + start - a for a, b, c, _ in blocks if a <= start < b), None)
    place = left_position if left_position is not None else right_position
    return None if place is None else (place, place)


def _is_restored(blocks: Sequence[Hunk], now: bytes, position: int, text: bytes) -> bool:
    """Whether somebody has put `text` back where the commit took it away: it is not put there twice."""
    left_position = next((c + position - a for a, b, c, _ in blocks if a < position <= b), 0)
    right_position = next((c + position - a for a, b, c, _ in blocks if a <= position < b), len(now))
    return now[left_position:right_position].strip() == text.strip() != b""


def _shift_hunk(old: bytes, new: bytes, hunk: Hunk, way: int) -> Hunk:
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


def _find_equal_blocks(old: bytes, new: bytes, hunks: Sequence[Hunk]) -> list[Hunk]:
    blocks: list[Hunk] = []
    a = c = 0
    for first, last, start, end in [*hunks, (len(old), len(old), len(new), len(new))]:
        if first > a and first - a == start - c:
            blocks.append((a, first, c, start))
        a, c = max(a, last), max(c, end)
    return blocks


def _find_hunks(old: bytes, new: bytes) -> list[Hunk]:
    """Where two texts differ: by lines first, then by words inside of lines that changed."""
    hunks: list[Hunk] = []
    for a, b, c, d in _iter_differences(old.splitlines(keepends=True), new.splitlines(keepends=True)):
        old_words, new_words = _WORDS.findall(old[a:b]), _WORDS.findall(new[c:d])
        if not old_words or not new_words or len(old_words) * len(new_words) > 4_000_000:
            hunks.append((a, b, c, d))
        else:
            hunks += [(a + i, a + j, c + k, c + m) for i, j, k, m in _iter_differences(old_words, new_words)]
    return hunks


def _iter_differences(old_parts: Sequence[bytes], new_parts: Sequence[bytes]) -> Iterator[Hunk]:
    """The parts that are not the same, as places in the whole."""
    old_offsets, new_offsets = ([0, *accumulate(map(len, parts))] for parts in (old_parts, new_parts))
    for tag, i, j, k, m in SequenceMatcher(None, old_parts, new_parts, autojunk=False).get_opcodes():
        if tag != "equal":
            yield old_offsets[i], old_offsets[j], new_offsets[k], new_offsets[m]


def invert_diff(diff: Sequence[Operation], contracts: Mapping[tuple[str, str, str], Any]) -> list[Operation]:
    """The operations that take a diff back, last first. `contracts` are those before it."""
    return [_invert_operation(op, contracts) for op in reversed(diff)]


# The others declare no contract, so their inverse declares none either.
_INVERSES: dict[type[Operation], Callable[[Any], Operation]] = {
    AddMethod: lambda op: DeleteMethod(node=op.node, method=op.method),
    DeleteMethod: lambda op: AddMethod(node=op.node, method=op.method, source=""),
    RenameMethod: lambda op: RenameMethod(node=op.node, method=op.to, to=op.method or ""),
    AddImport: lambda op: RemoveImport(node=op.node, statement=op.statement),
    RemoveImport: lambda op: AddImport(node=op.node, statement=op.statement),
    ReplaceBody: lambda op: ReplaceBody(node=op.node, method=op.method, body=""),
    EditText: lambda op: EditText(node=op.node, method=op.method, old=op.new, new=op.old),
    Decorate: lambda op: Undecorate(node=op.node, method=op.method, decorator=op.decorator),
    Undecorate: lambda op: Decorate(node=op.node, method=op.method, decorator=op.decorator),
    MapField: lambda op: UnmapField(
        node=op.node, method=op.method, topic=op.topic, producer=op.producer, field=op.field
    ),
    UnmapField: lambda op: MapField(
        node=op.node, method=op.method, topic=op.topic, producer=op.producer, field=op.field, source=""
    ),
    AddAgent: lambda op: RemoveAgent(node=op.node),
    RemoveAgent: lambda op: AddAgent(node=op.node, path="", source=""),
}


def _invert_operation(op: Operation, contracts: Mapping[tuple[str, str, str], Any]) -> Operation:
    if isinstance(op, FieldOperation):
        address: dict[str, Any] = {"node": op.node, "method": op.method, "topic": op.topic, "side": op.side}
        schema = contracts.get((op.node, op.method or op.topic or "", op.side)) or {}
        old, required = _find_field(schema, op.field)
        match op:
            case AddField():
                return RemoveField(**address, field=op.field)
            case RemoveField():
                return AddField(**address, field=op.field, type=annotation(old), optional=not required)
            case RetypeField():
                return RetypeField(**address, field=op.field, type=annotation(old))
            case SetOptional():
                return SetOptional(**address, field=op.field, optional=not op.optional)
            case RenameField():
                parent, dot, last = op.field.rpartition(".")
                return RenameField(**address, field=f"{parent}{dot}{op.to}", to=last)
    return _INVERSES[type(op)](op) if type(op) in _INVERSES else op


def _find_field(schema: Mapping[str, Any], path: str) -> tuple[Any, bool]:
    from graphbus_core.contracts.parsing.field_paths import find_field, is_required

    return find_field(schema, path) or {}, is_required(schema, path)


# A committed proposal as a change that takes it back: its diff inverted, its text out of the files of today.


@dataclass(frozen=True)
class Reversal:
    """The change; `known`: the contracts that it must restore."""

    diff: Sequence[Operation]
    applied: Edited
    known: Mapping[Slot, Any]


@dataclass(frozen=True)
class ReversalRefused:
    """Why it cannot be taken back, and which gate says so."""

    gate: str
    why: str


def plan_reversal(
    record: Mapping[str, Any], project: Project, door: PathGuard, history: CommitHistory, reach: EditScope
) -> Reversal | ReversalRefused:
    """What undoes the commit of `record` in the project as it stands."""
    before: dict[str, bytes] = {}
    after: dict[str, bytes] = {}
    removed = frozenset(path for path, texts in record["files"].items() if texts.get("created"))
    for path, texts in record["files"].items():
        now = door.read_file(path)
        if now is None:
            return ReversalRefused("path", door.explain_refusal(path) or f"{path} cannot be read.")
        if path in removed:
            if now != decode_base64(texts["after"]):
                return ReversalRefused(
                    "applies",
                    f"{path} was made by this commit and changed since{history.describe_later_commits(record, path)}.",
                )
            before[path], after[path] = now, b""
            continue
        back = revert_text(decode_base64(texts["before"]), decode_base64(texts["after"]), now)
        if back is None:
            later = history.describe_later_commits(record, path)
            return ReversalRefused("applies", f"{path} was changed since, where this commit changed it{later}.")
        before[path], after[path] = now, back
    was, stood = (
        {(k.split("|")[0], k.split("|")[1], k.split("|")[2]): v for k, v in record["contracts"][side].items()}
        for side in ("before", "after")
    )
    now_declared = collect_contracts(project.agents)
    changed = {p: t for p, t in after.items() if t != before[p]}
    # Only contracts that nobody has changed since must come out as they were.
    restorable = {k: v for k, v in was.items() if k in now_declared and k in stood and now_declared[k] == stood[k]}
    inverse = tuple(invert_diff(parse_operations(record["diff"]), was))
    if (why := _explain_later_use(inverse, record, project, door, reach)) is not None:
        return ReversalRefused("applies", why)
    return Reversal(inverse, Edited({p: before[p] for p in changed}, changed, removed=removed), restorable)


def _explain_later_use(
    inverse: Sequence[Operation], record: Mapping[str, Any], project: Project, door: PathGuard, reach: EditScope
) -> str | None:
    """Who speaks of a name that the commit gave, in files that it did not change; None where nobody does.

    Its text goes back where the commit put it. Code that was written since, elsewhere, would go on with the new name.
    """
    for path in list_created_files(record):
        if users := [
            importer
            for importer in reach.find_importers(path)
            if importer.removeprefix(reach.prefix) not in record["files"]
        ]:
            return f"{path} was made by this commit, and {', '.join(users)} imports it by now; change that first."
    try:
        reach.refuse_unreachable_uses(inverse)
    except Refusal as e:
        return f"{e.reason} ({', '.join(e.lines)})"
    names = [op for op in inverse if isinstance(op, RenameField | RenameMethod)]
    outcome = DiffApplicator(door.read_file, project.agents, reach.editable_files).apply(names) if names else None
    if isinstance(outcome, Edited) and (more := sorted(outcome.after.keys() - record["files"].keys())):
        return f"what this commit renamed is used in {', '.join(more)} by now; change that first."
    if isinstance(outcome, Refused):
        places = [line for line in outcome.lines if line.rpartition(":")[0] not in record["files"]]
        if places:
            return f"what this commit renamed may be used elsewhere by now ({', '.join(places)}); change that first."
    return None


def list_created_files(record: Mapping[str, Any]) -> list[str]:
    """The files that a commit made; git may not track them yet."""
    return [path for path, texts in record["files"].items() if texts.get("created")]


def build_undo_about(record: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the effect of taking a commit back is about."""
    pid = record["proposal_id"]
    return {
        "proposal_id": pid,
        "proposer": record.get("proposer", ""),
        "summary": f"Undo {pid}: {record.get('summary', '')}".rstrip(": "),
        "diff": record["diff"],
    }
