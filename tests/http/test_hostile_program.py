"""A program that does odd things is served as it is: being watched changes nothing, and nothing stops the server."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest

from graphbus_core.config import RuntimeConfig
from graphbus_core.http.client import ApiError, GraphBusClient
from graphbus_core.runtime import RuntimeExecutor
from tests.serving import Served

Serve = Callable[..., Served]

ODD = """
import time
from graphbus_core import GraphBusNode, publishes, schema_method, subscribe


class Odd(GraphBusNode):
    @schema_method(input_schema={"what": str})
    def give(self, what: str):
        circular = []
        circular.append(circular)
        return {"nan": {"v": float("nan")}, "circular": circular, "keys": {(1, 2): 3}, "huge": 1 << 20_000,
                "lone": "\\\\ud800"}[what] if what != "lone" else chr(0xD800)

    @schema_method(input_schema={"what": str})
    def fail(self, what: str):
        raise {"value": ValueError("boom"), "exit": SystemExit(3), "key": KeyboardInterrupt()}[what]

    @schema_method(input_schema={})
    def hang(self):
        time.sleep(120)

    @publishes("/Odd", None)
    @schema_method(input_schema={"what": str})
    def tell(self, what: str):
        self.publish("/Odd", {"x": self.give(what)})

    @publishes("/Odd", None)
    @schema_method(input_schema={})
    def tell_keys(self):
        self.publish("/Odd", {(1, 2): 3})


class Sink(GraphBusNode):
    @subscribe("/Odd")
    def on_odd(self, payload):
        if payload == {"x": "fail"}:
            raise RuntimeError("no")
"""


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    folder = tmp_path / "odd"
    (folder / "agents").mkdir(parents=True)
    (folder / "agents" / "odd.py").write_text(ODD)
    return folder


def test_being_watched_changes_nothing(odd: Path, serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """Payloads that are not JSON are delivered as without a server, shown as text, and leave every view readable."""
    with serve(odd).client() as client:
        client.start_runtime("off")
        for what in ("nan", "circular", "keys", "huge", "lone"):
            client.call("Odd", "tell", {"what": what})
        client.call("Odd", "tell_keys")
        served = client.runtime()["message_bus"]
        told = [m["data"]["payload"] for m in client.messages()["messages"] if m["kind"] == "event"]
        assert {"x": {"v": "nan"}} in told
        assert {"(1, 2)": 3} in told
        assert "NaN" not in client._http.get("/events", params={"after": "0"}).text
        assert len(client.history()["events"]) == 6
        assert client.dead_letters()["dead_letters"] == []
    monkeypatch.chdir(odd)
    with RuntimeExecutor(RuntimeConfig(artifacts_dir=".graphbus", payload_checks="off")) as alone:
        for what in ("nan", "circular", "keys", "huge", "lone"):
            alone.call_method("Odd", "tell", what=what)
        alone.call_method("Odd", "tell_keys")
        bus = alone.get_stats()["message_bus"]
    for figure in ("messages_published", "messages_delivered", "errors"):
        assert served[figure] == bus[figure]


def test_every_answer_is_json_in_the_one_shape(odd: Path, serve: Serve) -> None:
    """Results that are not JSON, nodes that raise anything, bodies with lone surrogates."""
    served = serve(odd)
    with served.client() as client:
        client.start_runtime("off")
        given = {what: client.call("Odd", "give", {"what": what})["result"] for what in ("nan", "circular", "keys")}
        assert given == {"nan": {"v": "nan"}, "circular": ["(contains itself)"], "keys": {"(1, 2)": 3}}
        assert client.call("Odd", "give", {"what": "lone"})["result"] == "\\ud800"
        for what, said in (("value", "ValueError: boom"), ("exit", "SystemExit: 3"), ("key", "KeyboardInterrupt")):
            with pytest.raises(ApiError) as refused:
                client.call("Odd", "fail", {"what": what})
            assert (refused.value.status, refused.value.code) == (424, "node_raised")
            assert str(refused.value) == f"Odd.fail raised {said}"
        for body in ('{"method":"give","payload":{"what":"\\ud800"}}', '{"method":"\\ud800"}', '{"\\ud800":1}'):
            answer = client._http.post("/nodes/Odd/call", content=body, headers={"Content-Type": "application/json"})
            assert set(answer.json()["error"]) == {"code", "message", "path"}
        client.publish("/Odd", {"x": "fail"})
        assert client.dead_letters()["dead_letters"][0]["error_type"] == "RuntimeError"


def test_calls_that_hang_stop_nothing_else(odd: Path, serve: Serve) -> None:
    """70 calls that never return: the rest of the API answers, a stop names them, and Ctrl-C ends the server."""
    served = serve(odd)
    with served.client() as client:
        client.start_runtime("off")
        with pytest.raises(ApiError) as late:
            client.call("Odd", "hang", timeout_s=0.2)
        assert (late.value.status, late.value.code) == (424, "deadline_exceeded")
        full: list[str] = []

        def hang() -> None:
            try:
                GraphBusClient(served.url, served.token, timeout_s=20).call("Odd", "hang", timeout_s=15)
            except (ApiError, httpx.HTTPError) as e:
                full.append(getattr(e, "code", "gone"))

        threads = [threading.Thread(target=hang, daemon=True) for _ in range(70)]
        for thread in threads:
            thread.start()
        end = time.monotonic() + 10
        while full.count("conflict") < 7 and time.monotonic() < end:
            time.sleep(0.05)
        assert full.count("conflict") == 7
        assert client.health()["ok"] is True
        assert client.graph()["nodes"]
        assert client.stop_runtime()["unfinished"] == ["Odd.hang"] * 64
        client.start_runtime("off")
        assert client.call("Odd", "give", {"what": "keys"})
        threading.Thread(target=hang, daemon=True).start()
        time.sleep(0.3)
    served.process.send_signal(signal.SIGINT)
    assert served.process.wait(15) is not None
