"""One editor's server: it looks when the editor says that something changed, and answers from the last state.

pygls carries the protocol. Everything runs on its one loop, so no state is touched by two at once.
"""

from __future__ import annotations

import asyncio
import difflib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from graphbus_core.errors import GraphBusError
from graphbus_core.findings import Finding, Level
from graphbus_core.findings.codes import CODES
from graphbus_core.services.editor import CursorTarget, Fix, LiveProject, ProjectSnapshot, find_target, propose_fixes
from graphbus_core.text import format_count

# Findings, places and edits in the protocol's terms. Lines count from 0 there, columns in UTF-16 units.


SOURCE = "graphbus"
TextOf = Callable[[Path], str]


def count_units(text: str) -> int:
    """The length of a text as the protocol counts it."""
    # UTF-16 is the protocol's default, which every editor speaks. A file may hold half of a pair, and must not end
    # the server.
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def find_column(text: str, position: int) -> int:
    """A column of the protocol as an index of the text."""
    counted_units = 0
    for index, char in enumerate(text):
        # A column inside a pair of units counts as the letter that it is part of.
        if counted_units >= position:
            return index
        counted_units += count_units(char)
    return len(text)


def build_diagnostic(finding: Finding, top: Path, text_of: TextOf) -> Any:
    """A finding at its line, with the payload that proves it and the other places."""
    from lsprotocol import types as lsp

    levels = {
        Level.ERROR: lsp.DiagnosticSeverity.Error,
        Level.WARNING: lsp.DiagnosticSeverity.Warning,
        # Information and not Hint: some editors do not show hints in their list at all.
        Level.NOTE: lsp.DiagnosticSeverity.Information,
    }
    lines = [finding.message, *finding.reasons]
    if finding.has_payload:
        lines.append(f"payload: {json.dumps(finding.payload, ensure_ascii=False)}")
    code = CODES.get(finding.code)
    return lsp.Diagnostic(
        range=build_line_range(text_of(top / finding.file), finding.line),
        message="\n".join(lines),
        severity=levels[finding.level],
        code=finding.code,
        code_description=lsp.CodeDescription(code.address) if code is not None else None,
        source=SOURCE,
        related_information=[
            lsp.DiagnosticRelatedInformation(build_location(top / r.file, r.line, text_of), r.message)
            for r in finding.related
            if r.file
        ],
        # The only thing that survives the way to the editor and back unchanged; `actions` finds the finding by it.
        data={"fingerprint": finding.fingerprint},
    )


def build_line_range(text: str, line: int) -> Any:
    """A line without its indentation; an empty one at its start."""
    from lsprotocol import types as lsp

    lines = text.splitlines()
    row = lines[line - 1] if 0 < line <= len(lines) else ""
    start = count_units(row[: len(row) - len(row.lstrip())])
    # At least as far as its start: an end before the start makes editors drop the diagnostic.
    return lsp.Range(lsp.Position(line - 1, start), lsp.Position(line - 1, max(start, count_units(row.rstrip()))))


def build_location(file: Path, line: int, text_of: TextOf) -> Any:
    """A line of a file."""
    from lsprotocol import types as lsp

    return lsp.Location(file.as_uri(), build_line_range(text_of(file), line))


def build_action(fix: Fix, root: Path, diagnostics: list[Any]) -> Any:
    """A proposal as a quick fix. One that evidence speaks for is the preferred one."""
    from lsprotocol import types as lsp

    changes = {(root / path).as_uri(): build_edits(before, after) for path, (before, after) in fix.files.items()}
    return lsp.CodeAction(
        title=f"GraphBus: {fix.title}",
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=diagnostics,
        is_preferred=fix.sure,
        edit=lsp.WorkspaceEdit(changes=changes),
    )


def build_edits(before: bytes, after: bytes) -> list[Any]:
    """The lines that differ, so that the rest of a file keeps its marks and folds."""
    from lsprotocol import types as lsp

    # `replace`: a fix touches lines it has read, and bytes elsewhere that are not text must not stop it.
    old, new = (content.decode("utf-8", "replace").splitlines(keepends=True) for content in (before, after))
    text_edits = []
    # `autojunk` off: in a long file it takes common lines for noise, and would replace the whole file.
    for kind, first, last, start, end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            span = lsp.Range(lsp.Position(first, 0), lsp.Position(last, 0))
            text_edits.append(lsp.TextEdit(span, "".join(new[start:end])))
    return text_edits


def group_by_file(findings: tuple[Finding, ...]) -> Mapping[str, list[Finding]]:
    """Findings by the file that they stand in; one without a file is told in none."""
    grouped: dict[str, list[Finding]] = {}
    for finding in findings:
        if finding.file:
            grouped.setdefault(finding.file, []).append(finding)
    return grouped


PAUSE_S = 0.03  # between an edit and the look at it: letters that are typed in one go are one edit


class EditorServer:
    """What an editor has open, and what was said of it."""

    # `Any`: the types of pygls are loaded by this room alone, and only when an editor asks for a server.
    def __init__(self, bus: Any) -> None:
        self.bus = bus  # pygls' server
        self.live: LiveProject | None = None
        self.now: ProjectSnapshot | None = None
        # Files that had findings and have none now must be told an empty list, or the editor shows the old ones for
        # ever.
        self.told: set[str] = set()  # files with findings that the editor shows
        self._later: asyncio.TimerHandle | None = None

    # ---- what the editor says

    def open_folder(self, params: Any) -> None:
        """The editor is ready: look at the folder that it opened."""
        root = self.bus.workspace.root_path
        self.live = LiveProject(Path(root if root is not None else "."))
        self.look()

    def open_document(self, params: Any) -> None:
        """The text in the editor counts from now on."""
        self._edit(params.text_document.uri)

    def update_document(self, params: Any) -> None:
        """Look soon; more may be typed."""
        self._edit(params.text_document.uri)

    def close_document(self, params: Any) -> None:
        """The file on the disk counts again."""
        # None and not the text of the disk: what lies there may change while nobody looks.
        if self.live is not None:
            self.live.edit(_convert_uri(params.text_document.uri), None)
            self._schedule_look()

    def refresh_after_save(self, params: Any) -> None:
        """Also files of other programs: `didChangeWatchedFiles`."""
        self._schedule_look()

    def _edit(self, uri: str) -> None:
        if self.live is not None:
            self.live.edit(_convert_uri(uri), self.bus.workspace.get_text_document(uri).source)
            self._schedule_look()

    def _schedule_look(self) -> None:
        # Restarted with each letter: a look in the middle of a word would show a syntax error nobody made.
        if self._later is not None:
            self._later.cancel()
        self._later = asyncio.get_running_loop().call_later(PAUSE_S, self.look)

    # ---- what the editor is told

    def look(self) -> None:
        """Look, and publish what is found; a line that is half written leaves everything as it was."""
        from lsprotocol import types as lsp

        if self.live is None:
            return
        try:
            self.now = now = self.live.look()
        except GraphBusError as e:
            self.bus.window_log_message(lsp.LogMessageParams(lsp.MessageType.Info, f"graphbus: {e}"))
            # What was published stays: half a line is no reason to take away what was true a second ago.
            return
        by_file = group_by_file(now.findings)
        # Sorted, so that two runs on the same edits send the same messages, which is what the tests compare.
        for file in sorted({*self.told, *by_file}):
            diagnostics = [build_diagnostic(finding, now.top, self._read_text) for finding in by_file.get(file, ())]
            where = (now.top / file).as_uri()
            self.bus.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(where, diagnostics))
        # After publishing: a look that failed halfway is repeated for every file that it had not reached.
        self.told = set(by_file)
        # A client that waits for the first look must hear of it where there is nothing to say, too.
        self.bus.window_log_message(
            lsp.LogMessageParams(lsp.MessageType.Log, f"graphbus: {format_count(len(now.findings), 'finding')}")
        )

    def hover(self, params: Any) -> Any:
        """The contract of what is under the cursor, and its links; of a field, why it is there."""
        from lsprotocol import types as lsp

        target = self._find_target(params)
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, target.text)) if target is not None else None

    def definition(self, params: Any) -> list[Any] | None:
        """Who produces what this method takes."""
        target = self._find_target(params)
        return self._build_locations(target, target.producers) if target is not None else None

    def references(self, params: Any) -> list[Any] | None:
        """Who consumes what this method gives."""
        target = self._find_target(params)
        return self._build_locations(target, target.consumers) if target is not None else None

    def actions(self, params: Any) -> list[Any]:
        """The rule negotiators' proposals for the findings under the cursor."""
        if self.now is None or self.now.checked is None:
            return []
        findings = {finding.fingerprint: finding for finding in self.now.findings}
        code_actions = []
        for shown_diagnostic in params.context.diagnostics:
            # By fingerprint: the editor gives back a diagnostic it was shown, perhaps with a line that has moved
            # since.
            finding = (
                findings.get((shown_diagnostic.data or {}).get("fingerprint", ""))
                if shown_diagnostic.source == SOURCE
                else None
            )
            for fix in propose_fixes(self.now, finding) if finding is not None else ():
                code_actions.append(build_action(fix, self.now.checked.project.root, [shown_diagnostic]))
        return code_actions

    # ---- places

    def _find_target(self, params: Any) -> CursorTarget | None:
        path = _convert_uri(params.text_document.uri)
        if self.now is None or not path.is_relative_to(self.now.top):
            return None
        line = params.position.line
        lines = self._read_text(path).splitlines()
        # The cursor may stand behind the last line: editors count an empty one after the final newline.
        text = lines[line] if line < len(lines) else ""
        index = find_column(text, params.position.character)
        return find_target(self.now, path.relative_to(self.now.top).as_posix(), line + 1, text, index)

    def _build_locations(self, target: CursorTarget, others: Any) -> list[Any]:
        assert self.now is not None
        return [build_location(self.now.top / method.file, method.line, self._read_text) for method in others]

    def _read_text(self, path: Path) -> str:
        """What the editor shows of a file, or what lies on the disk."""
        # Positions count in the text that the editor shows. On the disk the same line may be another.
        if self.live is not None and path in self.live.over:
            return self.live.over[path].decode()
        try:
            return path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""


def _convert_uri(uri: str) -> Path:
    from pygls.uris import to_fs_path

    return Path(to_fs_path(uri) or uri)


def create_server() -> Any:
    """A language server; `.start_io()` serves one editor on standard input and output."""
    from lsprotocol import types as lsp
    from pygls.lsp.server import LanguageServer

    from graphbus_core import __version__

    bus = LanguageServer("graphbus", __version__)
    editor = EditorServer(bus)
    # Quick fixes alone: an editor then asks for nothing of the kind on every cursor move.
    quick = lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])
    for name, answer, options in (
        (lsp.INITIALIZED, editor.open_folder, None),
        (lsp.TEXT_DOCUMENT_DID_OPEN, editor.open_document, None),
        (lsp.TEXT_DOCUMENT_DID_CHANGE, editor.update_document, None),
        (lsp.TEXT_DOCUMENT_DID_CLOSE, editor.close_document, None),
        (lsp.TEXT_DOCUMENT_DID_SAVE, editor.refresh_after_save, None),
        (lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, editor.refresh_after_save, None),
        (lsp.TEXT_DOCUMENT_HOVER, editor.hover, None),
        (lsp.TEXT_DOCUMENT_DEFINITION, editor.definition, None),
        (lsp.TEXT_DOCUMENT_REFERENCES, editor.references, None),
        (lsp.TEXT_DOCUMENT_CODE_ACTION, editor.actions, quick),
    ):
        bus.feature(name, options)(_wrap_handler(answer))
    return bus


def _wrap_handler(answer: Any) -> Any:
    """A function of the parameters alone: pygls looks at what a handler takes, and would give a method its server."""

    def call(params: Any) -> Any:
        return answer(params)

    return call
