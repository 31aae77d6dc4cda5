"""ty behind the port: the plain command line for findings, one language server for questions about places.

Our own configuration file is passed each time, so that nothing in the project can switch a finding off. ty reads the
project; it runs none of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from graphbus_core.build.understand.engine import port
from graphbus_core.build.understand.engine.port import Diagnostic, Engine, EngineFailed, Place
from graphbus_core.build.understand.engine.server import Server

SETTINGS = """# GraphBus's own: what a project writes in its ty.toml silences nothing here.
[src]
exclude = [".graphbus", "**/.graphbus"]
respect-ignore-files = false

[analysis]
respect-type-ignore-comments = false
"""


@cache
def installed() -> str | None:
    """Where ty's program is; None where the extra `[types]` is not installed."""
    if (path := port.program("ty")) is not None:
        return path
    try:
        from ty import find_ty_bin
    except ImportError:
        return None
    try:
        return str(find_ty_bin())
    except FileNotFoundError:
        return None


class Ty(Engine):
    """One build's ty. Its server starts with the first question about a place."""

    name = "ty"
    settings = SETTINGS

    def __init__(self, root: Path, python: Path | None = None) -> None:
        super().__init__(root, python)
        self._server: Server | None = None
        self._open: dict[str, int] = {}

    def diagnostics(self, root: Path, only: Sequence[str] = ()) -> tuple[Diagnostic, ...]:
        """See `Engine.diagnostics`."""
        if (program := installed()) is None:
            raise EngineFailed("ty is not installed")
        command = [program, "check", "--output-format", "gitlab", "--config-file", str(self._settings)]
        command += ["--python", str(self._python), "--project", str(root), "--no-progress", "--exit-zero"]
        command += [str(root / one) for one in only or (".",)]
        return tuple(sorted(_diagnostic(one) for one in self._checked(command, root) or ()))

    def definition(self, place: Place) -> tuple[Place, ...]:
        """Where what stands at a place is defined."""
        params = self._at(place)
        answer = self._served().ask("textDocument/definition", params)
        listed = answer if isinstance(answer, list) else [answer] if answer else []
        return tuple(dict.fromkeys(self._place(one) for one in listed))

    def show(self, path: str, text: bytes) -> None:
        """See `Engine.show`."""
        server, uri = self._served(), self._uri(path)
        shown = text.decode("utf-8", "replace")
        if path in self._open:
            self._open[path] += 1
            version = {"uri": uri, "version": self._open[path]}
            server.tell("textDocument/didChange", {"textDocument": version, "contentChanges": [{"text": shown}]})
        else:
            self._open[path] = 1
            document = {"uri": uri, "languageId": "python", "version": 1, "text": shown}
            server.tell("textDocument/didOpen", {"textDocument": document})

    def close(self) -> None:
        """End the server and take its settings away."""
        if self._server is not None:
            self._server.close()
            self._server = None
        super().close()

    # ----

    def _served(self) -> Server:
        if self._server is None:
            program = installed()
            if program is None:
                raise EngineFailed("ty is not installed")
            options = {
                "configurationFile": str(self._settings),
                "diagnosticMode": "off",
                "configuration": {"environment": {"python": str(self._python)}},
            }
            self._server = Server([program, "server"], self.root, options, port.quiet())
        return self._server

    def _uri(self, path: str) -> str:
        return (self.root / path).as_uri()

    def _at(self, place: Place) -> dict[str, Any]:
        if place.path not in self._open:
            try:
                self.show(place.path, (self.root / place.path).read_bytes())
            except OSError as e:
                raise EngineFailed(f"{place.path} cannot be read: {e.strerror}") from e
        position = {"line": place.line - 1, "character": place.column}
        return {"textDocument": {"uri": self._uri(place.path)}, "position": position}

    def _place(self, one: Mapping[str, Any]) -> Place:
        uri = one.get("uri") or one["targetUri"]
        start = (one.get("range") or one.get("targetSelectionRange") or one["targetRange"])["start"]
        whole = Path(unquote(urlsplit(uri).path))
        try:
            path = whole.relative_to(self.root).as_posix()
        except ValueError:
            path = whole.as_posix()
        return Place(path, start["line"] + 1, start["character"])


def _diagnostic(one: Mapping[str, Any]) -> Diagnostic:
    where = one["location"]
    begin = where.get("positions", {}).get("begin") or where.get("lines", {}).get("begin")
    line = begin["line"] if isinstance(begin, dict) else int(begin or 1)
    rule = str(one.get("check_name", ""))
    message = str(one.get("description", "")).removeprefix(f"{rule}: ")
    return Diagnostic(where["path"], line, rule, message)
