"""Findings, places and edits in the protocol's terms. Lines count from 0 there, columns in UTF-16 units."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from graphbus_core.findings import Finding, Level
from graphbus_core.findings.codes import CODES
from graphbus_core.workspace.edited import Fix

SOURCE = "graphbus"
TextOf = Callable[[Path], str]


def units(text: str) -> int:
    """The length of a text as the protocol counts it."""
    # UTF-16 is the protocol's default, which every editor speaks. A file may hold half of a pair, and must not end
    # the server.
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def column(text: str, at: int) -> int:
    """A column of the protocol as an index of the text."""
    seen = 0
    for index, char in enumerate(text):
        # A column inside a pair of units counts as the letter that it is part of.
        if seen >= at:
            return index
        seen += units(char)
    return len(text)


def diagnostic(one: Finding, top: Path, text_of: TextOf) -> Any:
    """A finding at its line, with the payload that proves it and the other places."""
    from lsprotocol import types as lsp

    levels = {
        Level.ERROR: lsp.DiagnosticSeverity.Error,
        Level.WARNING: lsp.DiagnosticSeverity.Warning,
        # Information and not Hint: some editors do not show hints in their list at all.
        Level.NOTE: lsp.DiagnosticSeverity.Information,
    }
    lines = [one.message, *one.reasons]
    if one.has_payload:
        lines.append(f"payload: {json.dumps(one.payload, ensure_ascii=False)}")
    code = CODES.get(one.code)
    return lsp.Diagnostic(
        range=line_range(text_of(top / one.file), one.line),
        message="\n".join(lines),
        severity=levels[one.level],
        code=one.code,
        code_description=lsp.CodeDescription(code.address) if code is not None else None,
        source=SOURCE,
        related_information=[
            lsp.DiagnosticRelatedInformation(location(top / r.file, r.line, text_of), r.message)
            for r in one.related
            if r.file
        ],
        # The only thing that survives the way to the editor and back unchanged; `actions` finds the finding by it.
        data={"fingerprint": one.fingerprint},
    )


def line_range(text: str, line: int) -> Any:
    """A line without its indentation; an empty one at its start."""
    from lsprotocol import types as lsp

    lines = text.splitlines()
    row = lines[line - 1] if 0 < line <= len(lines) else ""
    start = units(row[: len(row) - len(row.lstrip())])
    # At least as far as its start: an end before the start makes editors drop the diagnostic.
    return lsp.Range(lsp.Position(line - 1, start), lsp.Position(line - 1, max(start, units(row.rstrip()))))


def location(file: Path, line: int, text_of: TextOf) -> Any:
    """A line of a file."""
    from lsprotocol import types as lsp

    return lsp.Location(file.as_uri(), line_range(text_of(file), line))


def action(fix: Fix, root: Path, diagnostics: list[Any]) -> Any:
    """A proposal as a quick fix. One that evidence speaks for is the preferred one."""
    from lsprotocol import types as lsp

    changes = {(root / path).as_uri(): edits(before, after) for path, (before, after) in fix.files.items()}
    return lsp.CodeAction(
        title=f"GraphBus: {fix.title}",
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=diagnostics,
        is_preferred=fix.sure,
        edit=lsp.WorkspaceEdit(changes=changes),
    )


def edits(before: bytes, after: bytes) -> list[Any]:
    """The lines that differ, so that the rest of a file keeps its marks and folds."""
    from lsprotocol import types as lsp

    # `replace`: a fix touches lines it has read, and bytes elsewhere that are not text must not stop it.
    old, new = (one.decode("utf-8", "replace").splitlines(keepends=True) for one in (before, after))
    found = []
    # `autojunk` off: in a long file it takes common lines for noise, and would replace the whole file.
    for kind, first, last, start, end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            span = lsp.Range(lsp.Position(first, 0), lsp.Position(last, 0))
            found.append(lsp.TextEdit(span, "".join(new[start:end])))
    return found


def by_file(findings: tuple[Finding, ...]) -> Mapping[str, list[Finding]]:
    """Findings by the file that they stand in; one without a file is told in none."""
    found: dict[str, list[Finding]] = {}
    for one in findings:
        if one.file:
            found.setdefault(one.file, []).append(one)
    return found
