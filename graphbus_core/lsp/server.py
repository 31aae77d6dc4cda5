"""One editor's server: it looks when the editor says that something changed, and answers from the last state.

pygls carries the protocol. Everything runs on its one loop, so no state is touched by two at once.
"""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from graphbus_core.errors import GraphBusError
from graphbus_core.lsp import terms
from graphbus_core.workspace.edited import Live, Now, Pointed, fixes, pointed

PAUSE_S = 0.03  # between an edit and the look at it: letters that are typed in one go are one edit


class EditorServer:
    """What an editor has open, and what was said of it."""

    # `Any`: the types of pygls are loaded by this room alone, and only when an editor asks for a server.
    def __init__(self, bus: Any) -> None:
        self.bus = bus  # pygls' server
        self.live: Live | None = None
        self.now: Now | None = None
        # Files that had findings and have none now must be told an empty list, or the editor shows the old ones for
        # ever.
        self.told: set[str] = set()  # files with findings that the editor shows
        self._later: asyncio.TimerHandle | None = None

    # ---- what the editor says

    def initialized(self, params: Any) -> None:
        """The editor is ready: look at the folder that it opened."""
        root = self.bus.workspace.root_path
        self.live = Live(Path(root if root is not None else "."))
        self.look()

    def opened(self, params: Any) -> None:
        """The text in the editor counts from now on."""
        self._edit(params.text_document.uri)

    def changed(self, params: Any) -> None:
        """Look soon; more may be typed."""
        self._edit(params.text_document.uri)

    def closed(self, params: Any) -> None:
        """The file on the disk counts again."""
        # None and not the text of the disk: what lies there may change while nobody looks.
        if self.live is not None:
            self.live.edit(_path(params.text_document.uri), None)
            self._soon()

    def saved(self, params: Any) -> None:
        """Also files of other programs: `didChangeWatchedFiles`."""
        self._soon()

    def _edit(self, uri: str) -> None:
        if self.live is not None:
            self.live.edit(_path(uri), self.bus.workspace.get_text_document(uri).source)
            self._soon()

    def _soon(self) -> None:
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
        found = terms.by_file(now.findings)
        # Sorted, so that two runs on the same edits send the same messages, which is what the tests compare.
        for file in sorted({*self.told, *found}):
            told = [terms.diagnostic(one, now.top, self._text) for one in found.get(file, ())]
            where = (now.top / file).as_uri()
            self.bus.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(where, told))
        # After publishing: a look that failed halfway is repeated for every file that it had not reached.
        self.told = set(found)
        # A client that waits for the first look must hear of it where there is nothing to say, too.
        self.bus.window_log_message(
            lsp.LogMessageParams(lsp.MessageType.Log, f"graphbus: {len(now.findings)} findings")
        )

    def hover(self, params: Any) -> Any:
        """The contract of what is under the cursor, and its links; of a field, why it is there."""
        from lsprotocol import types as lsp

        at = self._pointed(params)
        return lsp.Hover(lsp.MarkupContent(lsp.MarkupKind.Markdown, at.text)) if at is not None else None

    def definition(self, params: Any) -> list[Any] | None:
        """Who produces what this method takes."""
        at = self._pointed(params)
        return self._places(at, at.producers) if at is not None else None

    def references(self, params: Any) -> list[Any] | None:
        """Who consumes what this method gives."""
        at = self._pointed(params)
        return self._places(at, at.consumers) if at is not None else None

    def actions(self, params: Any) -> list[Any]:
        """The rule negotiators' proposals for the findings under the cursor."""
        if self.now is None or self.now.checked is None:
            return []
        known = {one.fingerprint: one for one in self.now.findings}
        found = []
        for shown in params.context.diagnostics:
            # By fingerprint: the editor gives back a diagnostic it was shown, perhaps with a line that has moved
            # since.
            one = known.get((shown.data or {}).get("fingerprint", "")) if shown.source == terms.SOURCE else None
            for fix in fixes(self.now, one) if one is not None else ():
                found.append(terms.action(fix, self.now.checked.project.root, [shown]))
        return found

    # ---- places

    def _pointed(self, params: Any) -> Pointed | None:
        path = _path(params.text_document.uri)
        if self.now is None or not path.is_relative_to(self.now.top):
            return None
        line = params.position.line
        lines = self._text(path).splitlines()
        # The cursor may stand behind the last line: editors count an empty one after the final newline.
        text = lines[line] if line < len(lines) else ""
        at = terms.column(text, params.position.character)
        return pointed(self.now, path.relative_to(self.now.top).as_posix(), line + 1, text, at)

    def _places(self, at: Pointed, others: Any) -> list[Any]:
        assert self.now is not None
        return [terms.location(self.now.top / one.file, one.line, self._text) for one in others]

    def _text(self, path: Path) -> str:
        """What the editor shows of a file, or what lies on the disk."""
        # Positions count in the text that the editor shows. On the disk the same line may be another.
        if self.live is not None and path in self.live.over:
            return self.live.over[path].decode()
        try:
            return path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""


def _path(uri: str) -> Path:
    from pygls.uris import to_fs_path

    return Path(to_fs_path(uri) or uri)


def server() -> Any:
    """A language server; `.start_io()` serves one editor on standard input and output."""
    from lsprotocol import types as lsp
    from pygls.lsp.server import LanguageServer

    from graphbus_core import __version__

    bus = LanguageServer("graphbus", __version__)
    one = EditorServer(bus)
    # Quick fixes alone: an editor then asks for nothing of the kind on every cursor move.
    quick = lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])
    for name, answer, options in (
        (lsp.INITIALIZED, one.initialized, None),
        (lsp.TEXT_DOCUMENT_DID_OPEN, one.opened, None),
        (lsp.TEXT_DOCUMENT_DID_CHANGE, one.changed, None),
        (lsp.TEXT_DOCUMENT_DID_CLOSE, one.closed, None),
        (lsp.TEXT_DOCUMENT_DID_SAVE, one.saved, None),
        (lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, one.saved, None),
        (lsp.TEXT_DOCUMENT_HOVER, one.hover, None),
        (lsp.TEXT_DOCUMENT_DEFINITION, one.definition, None),
        (lsp.TEXT_DOCUMENT_REFERENCES, one.references, None),
        (lsp.TEXT_DOCUMENT_CODE_ACTION, one.actions, quick),
    ):
        bus.feature(name, options)(_plain(answer))
    return bus


def _plain(answer: Any) -> Any:
    """A function of the parameters alone: pygls looks at what a handler takes, and would give a method its server."""

    def asked(params: Any) -> Any:
        return answer(params)

    return asked
