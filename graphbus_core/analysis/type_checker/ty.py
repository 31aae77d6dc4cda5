"""ty behind the port: the plain command line for findings, one language server for questions about places.

Our own configuration file is passed each time, so that nothing in the project can switch a finding off. ty reads the
project; it runs none of it.
"""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from graphbus_core.analysis.type_checker import port
from graphbus_core.analysis.type_checker.port import Diagnostic, Engine, EngineFailed, Place

# A language server on the other end of a pipe: requests in, answers out, each within its time.


ANSWER_S = 30.0


class LanguageServer:
    """One running server. Every request is answered, fails, or ends the server when its time is over."""

    def __init__(self, command: Sequence[str], root: Path, options: Mapping[str, Any], env: Mapping[str, str]) -> None:
        self._options = dict(options)
        self._number = 0
        self._buffer = b""
        try:
            self._process = subprocess.Popen(
                list(command),
                cwd=root,
                env=dict(env),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as e:
            raise EngineFailed(f"{command[0]} cannot be started: {e.strerror}") from e
        folder = {"uri": root.as_uri(), "name": root.name or "project"}
        self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "rootUri": folder["uri"],
                "workspaceFolders": [folder],
                "initializationOptions": self._options,
                "capabilities": {
                    "workspace": {"configuration": True},
                    "textDocument": {"diagnostic": {}, "implementation": {}},
                    "general": {"positionEncodings": ["utf-8"]},
                },
            },
        )
        self.notify("initialized", {})

    def notify(self, method: str, params: Mapping[str, Any]) -> None:
        """A notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, params: Mapping[str, Any], within_s: float = ANSWER_S) -> Any:
        """A request and its result. Raises EngineFailed: an error, no answer in time, the server gone."""
        self._number += 1
        number, until = self._number, time.monotonic() + within_s
        self._send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        while True:
            message = self._receive(until, method)
            if "method" in message:
                if "id" in message:  # a question of the server's: what it may know of our settings
                    items = (
                        message.get("params", {}).get("items", ())
                        if message["method"] == "workspace/configuration"
                        else ()
                    )
                    result = [self._options for _ in items] or None
                    self._send({"jsonrpc": "2.0", "id": message["id"], "result": result})
            elif message.get("id") == number:
                if "error" in message:
                    raise EngineFailed(f"{method}: {message['error'].get('message', 'an error')}")
                return message.get("result")

    def close(self) -> None:
        """End the server."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with suppress(OSError):  # what a server that is gone was not told
                    pipe.close()

    def _send(self, message: Mapping[str, Any]) -> None:
        data = json.dumps(message).encode()
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(data), data))
            self._process.stdin.flush()
        except OSError as e:
            raise EngineFailed("the language server has ended") from e

    def _receive(self, until: float, method: str) -> dict[str, Any]:
        head = self._read_until(b"\r\n\r\n", until, method)
        length = next(int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
        while len(self._buffer) < length:
            self._read_more(until, method)
        data, self._buffer = self._buffer[:length], self._buffer[length:]
        message: dict[str, Any] = json.loads(data)
        return message

    def _read_until(self, mark: bytes, until: float, method: str) -> bytes:
        while mark not in self._buffer:
            self._read_more(until, method)
        head, _, self._buffer = self._buffer.partition(mark)
        return head

    def _read_more(self, until: float, method: str) -> None:
        assert self._process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            if not selector.select(max(0.0, until - time.monotonic())):
                raise EngineFailed(f"the language server gave no answer to {method} in time")
        chunk = os.read(self._process.stdout.fileno(), 1 << 16)
        if not chunk:
            raise EngineFailed("the language server has ended")
        self._buffer += chunk


SETTINGS = """# GraphBus's own: what a project writes in its ty.toml silences nothing here.
[src]
exclude = [".graphbus", "**/.graphbus"]
respect-ignore-files = false

[analysis]
respect-type-ignore-comments = false
"""


@cache
def find_executable() -> str | None:
    """Where ty's program is; None where the extra `[types]` is not installed."""
    if (path := port.find_program("ty")) is not None:
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
        self._server: LanguageServer | None = None
        self._open: dict[str, int] = {}

    def find_diagnostics(self, root: Path, only: Sequence[str] = ()) -> tuple[Diagnostic, ...]:
        """See `Engine.find_diagnostics`."""
        if (program := find_executable()) is None:
            raise EngineFailed("ty is not installed")
        command = [program, "check", "--output-format", "gitlab", "--config-file", str(self._settings)]
        command += ["--python", str(self._python), "--project", str(root), "--no-progress", "--exit-zero"]
        command += [str(root / item) for item in only or (".",)]
        return tuple(sorted(_parse_diagnostic(item) for item in self._run_check(command, root) or ()))

    def find_definition(self, place: Place) -> tuple[Place, ...]:
        """Where what stands at a place is defined."""
        params = self._open_position(place)
        answer = self._ensure_server().request("textDocument/definition", params)
        listed = answer if isinstance(answer, list) else [answer] if answer else []
        return tuple(dict.fromkeys(self._parse_location(location) for location in listed))

    def show(self, path: str, text: bytes) -> None:
        """See `Engine.show`."""
        server, uri = self._ensure_server(), self._build_uri(path)
        decoded = text.decode("utf-8", "replace")
        if path in self._open:
            self._open[path] += 1
            version = {"uri": uri, "version": self._open[path]}
            server.notify("textDocument/didChange", {"textDocument": version, "contentChanges": [{"text": decoded}]})
        else:
            self._open[path] = 1
            document = {"uri": uri, "languageId": "python", "version": 1, "text": decoded}
            server.notify("textDocument/didOpen", {"textDocument": document})

    def close(self) -> None:
        """End the server and take its settings away."""
        if self._server is not None:
            self._server.close()
            self._server = None
        super().close()

    # ----

    def _ensure_server(self) -> LanguageServer:
        if self._server is None:
            program = find_executable()
            if program is None:
                raise EngineFailed("ty is not installed")
            options = {
                "configurationFile": str(self._settings),
                "diagnosticMode": "off",
                "configuration": {"environment": {"python": str(self._python)}},
            }
            self._server = LanguageServer([program, "server"], self.root, options, port.build_quiet_env())
        return self._server

    def _build_uri(self, path: str) -> str:
        return (self.root / path).as_uri()

    def _open_position(self, place: Place) -> dict[str, Any]:
        if place.path not in self._open:
            try:
                self.show(place.path, (self.root / place.path).read_bytes())
            except OSError as e:
                raise EngineFailed(f"{place.path} cannot be read: {e.strerror}") from e
        position = {"line": place.line - 1, "character": place.column}
        return {"textDocument": {"uri": self._build_uri(place.path)}, "position": position}

    def _parse_location(self, location: Mapping[str, Any]) -> Place:
        uri = location.get("uri") or location["targetUri"]
        start = (location.get("range") or location.get("targetSelectionRange") or location["targetRange"])["start"]
        whole = Path(unquote(urlsplit(uri).path))
        try:
            path = whole.relative_to(self.root).as_posix()
        except ValueError:
            path = whole.as_posix()
        return Place(path, start["line"] + 1, start["character"])


def _parse_diagnostic(entry: Mapping[str, Any]) -> Diagnostic:
    where = entry["location"]
    begin = where.get("positions", {}).get("begin") or where.get("lines", {}).get("begin")
    line = begin["line"] if isinstance(begin, dict) else int(begin or 1)
    rule = str(entry.get("check_name", ""))
    message = str(entry.get("description", "")).removeprefix(f"{rule}: ")
    column = int(begin.get("column") or 0) if isinstance(begin, dict) else 0
    return Diagnostic(where["path"], line, rule, message, column)
