"""A language server on the other end of a pipe: requests in, answers out, each within its time."""

from __future__ import annotations

import json
import os
import selectors
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from graphbus_core.build.understand.engine.port import EngineFailed

ANSWER_S = 30.0


class Server:
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
        self.ask(
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
        self.tell("initialized", {})

    def tell(self, method: str, params: Mapping[str, Any]) -> None:
        """A notification."""
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def ask(self, method: str, params: Mapping[str, Any], within_s: float = ANSWER_S) -> Any:
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
        head = self._until(b"\r\n\r\n", until, method)
        length = next(int(line[15:]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length:"))
        while len(self._buffer) < length:
            self._more(until, method)
        data, self._buffer = self._buffer[:length], self._buffer[length:]
        message: dict[str, Any] = json.loads(data)
        return message

    def _until(self, mark: bytes, until: float, method: str) -> bytes:
        while mark not in self._buffer:
            self._more(until, method)
        head, _, self._buffer = self._buffer.partition(mark)
        return head

    def _more(self, until: float, method: str) -> None:
        assert self._process.stdout is not None
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            if not selector.select(max(0.0, until - time.monotonic())):
                raise EngineFailed(f"the language server gave no answer to {method} in time")
        got = os.read(self._process.stdout.fileno(), 1 << 16)
        if not got:
            raise EngineFailed("the language server has ended")
        self._buffer += got
