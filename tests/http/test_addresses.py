"""Where the real command listens, what it prints, and who cannot shut the owner out."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.errors import UsageError
from graphbus_core.http import server
from graphbus_core.http.server import _listen
from tests.serving import Printing, Served

Serve = Callable[..., Served]


@pytest.mark.parametrize("host", ["127.0.0.2", "::1", "0.0.0.0"])
def test_other_addresses(serve: Serve, host: str) -> None:
    """The printed address works as it stands. In an interpreter of its own, which nothing was imported into before:
    a variable that Python reads when it starts is another one (`tests.forking`)."""
    own = {"GRAPHBUS_TOKEN": " long+secret/of=mine ", "PYTHONHASHSEED": "7"}
    with serve("hello", "--host", host, **own).client() as client:
        assert client.health()["ok"] is True
        client.start_runtime()
        assert next(client.events(after=0))["kind"] == "runtime"


def test_json(serve: Serve, tmp_path: Path) -> None:
    """With --json one object, with which a program finds the server."""
    served = serve("hello")
    command = [sys.executable, "-u", "-m", "graphbus_core.cli.main", "serve", "agents", "--port", "0", "--json"]
    other = Printing(command, served.folder, tmp_path / "said", dict(os.environ))
    try:
        told = json.loads(other.printed(r"^\{.*")[0][0])
        assert Served(told["url"], told["token"], served.folder, other.process).client().health()["ok"]
    finally:
        other.end()


@pytest.mark.parametrize("host", ["", "http://127.0.0.1", "203.0.113.7", "no such host"])
def test_an_address_that_is_none(host: str) -> None:
    """It is said as that, and not as a matter of the port; a port that is taken is."""
    with pytest.raises(UsageError, match="--host"):
        _listen(host, 0)
    with _listen("127.0.0.1", 0) as taken, pytest.raises(UsageError, match="--port"):
        _listen("127.0.0.1", taken.getsockname()[1])


def test_half_sent_requests_do_not_shut_the_owner_out(serve: Serve) -> None:
    """The oldest connection that asks for nothing makes room."""
    served = serve("hello")
    port = int(served.url.rpartition(":")[2])
    held: list[Any] = []
    for _ in range(server.MAX_WAITING + 40):
        held.append(socket.create_connection(("127.0.0.1", port), timeout=5))
        held[-1].sendall(b"GET /graph HTTP/1.1\r\nHost:")
    with served.client() as client:
        assert client.health()["ok"] is True
    held[0].settimeout(5)
    with contextlib.suppress(ConnectionResetError):
        assert held[0].recv(1) == b""
    for one in held:
        one.close()
