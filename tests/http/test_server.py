"""The served API as a client meets it: seed 002 §6.2, and what it refuses."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from graphbus_core.http.client import ApiError, AsyncGraphBusClient, ClientCalls
from tests.serving import Served, until, write_news_script

Serve = Callable[[str], Served]


pytestmark = pytest.mark.timeout(400)  # against a hang alone: a starved machine takes its time


def test_the_whole_road(serve: Serve) -> None:
    """Look, start, call, publish, see the event on the stream, stop: the endpoints of the seed."""
    served = serve("hello")
    with served.client() as client:
        assert client.health()["ok"] is True
        assert {n["id"] for n in client.graph()["nodes"]} == {"Greeter", "GuestBook"}
        assert client.node("Greeter")["system_prompt"]
        assert client.start_runtime()["is_running"] is True
        assert client.call("Greeter", "greet", {"name": "Ann"})["result"] == {"message": "Hello, Ann!"}
        event_id = client.publish("/Hello/Greeted", {"message": "hi"})["event_id"]
        told = next(m for m in client.events(after=0) if m["kind"] == "event" and m["data"]["event_id"] == event_id)
        assert told["data"]["payload"] == {"message": "hi"}
        assert client.history()["events"][0]["event_id"] == event_id
        assert client.stop_runtime()["is_running"] is False


def test_health(serve: Serve) -> None:
    """Ready while the program runs; before and after that 503, in the one shape of errors, with why."""
    served = serve("hello")
    with served.client() as client:
        for change, is_ready in ((None, False), (client.start_runtime, True), (client.stop_runtime, False)):
            if change is not None:
                change()
            health = client.health()
            assert health["ok"] is True
            assert health["runtime"]["live"] is is_ready
            if is_ready:
                assert client.ready() == {"live": True, "ready": True, "reasons": []}
                continue
            with pytest.raises(ApiError, match="not started, or it is stopped") as told:
                client.ready()
            assert (told.value.status, told.value.code) == (503, "not_ready")


def test_the_async_client_says_the_same(serve: Serve) -> None:
    """Both clients share one list of calls."""
    served = serve("hello")

    async def ask() -> Any:
        async with AsyncGraphBusClient(served.url, served.token) as client:
            await client.start_runtime()
            await client.publish("/Hello/Greeted", {"message": "hi"})
            async for message in client.events(after=0):
                if message["kind"] == "event":
                    return await client.nodes(), message

    nodes, message = asyncio.run(ask())
    with served.client() as client:
        assert nodes == client.nodes()
    assert message["data"]["topic"] == "/Hello/Greeted"


def test_errors_have_one_shape_and_say_where(serve: Serve) -> None:
    """Unknown names, states that do not allow it, payloads that break their contract: code, message, path."""
    served = serve("hello")
    with served.client() as client:
        for status, code, ask in (
            (404, "not_found", lambda: client.node("Greter")),
            (404, "not_found", lambda: client.build("run-9")),
            (404, "not_found", lambda: client.negotiation("build-1")),
            (404, "not_found", lambda: client.answer("no such", {})),
            (409, "conflict", lambda: client.stop_runtime()),
            (422, "invalid", lambda: client.start_runtime("sometimes")),
            (422, "invalid", lambda: client.start_build(rounds=0)),
        ):
            with pytest.raises(ApiError) as refused:
                ask()
            assert (refused.value.status, refused.value.code) == (status, code)
        client.start_runtime("enforce")
        with pytest.raises(ApiError) as refused:
            client.call("Greeter", "greet", {"name": 3})
        assert (refused.value.status, refused.value.code, refused.value.path) == (422, "payload_rejected", "name")


def test_refused_at_the_door(serve: Serve) -> None:
    """No token, a wrong one, a foreign Origin, a rebound Host, a body of 100 MB, a path out of the page's folder."""
    served = serve("hello")
    good = {"Authorization": f"Bearer {served.token}"}

    def status(path: str = "/graph", **given: Any) -> int:
        return httpx.request(given.pop("method", "GET"), served.url + path, **given).status_code

    assert status(headers=good) == 200
    assert status() == 401
    assert status(headers={"Authorization": "Bearer guess"}) == 401
    assert status(headers={**good, "Origin": "https://evil.example"}) == 403
    assert status(headers={**good, "Host": "evil.example"}) == 403
    assert status("/publish", method="POST", headers=good, content=b"x" * 1_500_000) == 413
    assert status("/page/../app.py", headers=good) == 404
    assert status("/page/%2e%2e/app.py", headers=good) == 404


def test_every_operation_has_a_call_in_the_clients(serve: Serve) -> None:
    """The clients are held against the OpenAPI document: same paths, same methods, none missing."""
    served = serve("hello")
    document = httpx.get(f"{served.url}/openapi.json", headers={"Authorization": f"Bearer {served.token}"}).json()
    offered = {
        (method.upper(), "/".join("*" if part.startswith("{") else part for part in path.split("/")))
        for path, methods in document["paths"].items()
        for method in methods
    }
    sent: set[tuple[str, str]] = set()

    class Recorder(ClientCalls[None]):
        def _send(self, method: str, path: str, body: Any = None, query: Any = None) -> None:
            sent.add((method, path))

    recorder = Recorder()
    arguments: dict[str, tuple[Any, ...]] = {
        "call": ("*", "m"),
        "publish": ("/t", {}),
        "answer": ("*", {}),
        "check": ({}, {}),
    }
    takes_one = ("node", "retry_dead_letter", "build", "cancel_build", "negotiation", "negotiation_log", "why")
    for name in (n for n in vars(ClientCalls) if not n.startswith("_")):
        getattr(recorder, name)(*arguments.get(name, ("*",) if name in takes_one else ()))
    assert {(m, p.replace("%2A", "*")) for m, p in sent} == offered


def test_an_approved_build_over_the_api(serve: Serve) -> None:
    """Mismatch, build, question with the diff, approval, commit, history: the road of the page."""
    served = serve("news_pipeline")
    with served.client() as client:
        assert len(client.mismatches()["mismatches"]) == 2
        run = client.start_build(approve=True, model="rules")
        while True:
            question = until(lambda: client.questions()["questions"] or client.build(run["id"])["state"] != "running")
            if question is True:
                break
            if question[0]["kind"] == "choose":  # what is meant, where the rules have no evidence
                first, *_, none = question[0]["answer_schema"]["properties"]["choice"]["enum"]
                assert (first in ("headlines", "pass on", "consumer takes both", "without"), none) == (True, "none")
                client.answer(question[0]["id"], {"choice": first})
                continue
            assert question[0]["kind"] == "approve"
            assert question[0]["about"]["unified_diff"].startswith("---")
            client.answer(question[0]["id"], {"approve": True})
        assert client.build(run["id"])["state"] == "done", client.build(run["id"])
        negotiation = client.negotiations()["negotiations"][0]
        whole = client.negotiation(negotiation["id"])
        told = [
            (one["summary"], one["outcome"], one["why"], one.get("gates"))
            for part in whole["log"]["rounds"]
            for one in part["proposals"]
        ]
        assert client.mismatches()["mismatches"] == [], told
        assert whole["log"]["committed"] >= 2
        early = client.negotiation(negotiation["id"], at=3)
        assert early["log"]["committed"] == 0
        assert "committed" not in early["outcome"], whole["outcome"]
        assert client.why("CleanerService.clean")["entries"]
        facts = client.negotiation_log(negotiation["id"], limit=10_000)
        assert [f["seq"] for f in facts["facts"]] == list(range(1, whole["events"] + 1))


def test_a_person_speaks_for_an_agent(serve: Serve) -> None:
    """An agent's questions lie on the desk where a person speaks for it; what is not an answer is refused at once."""
    served = serve("news_pipeline")
    with served.client() as client:
        run = client.start_build(model=write_news_script(served.folder), humans=["FetcherService"])
        asked = until(lambda: client.questions()["questions"])[0]
        assert (asked["to"], asked["kind"]) == ("FetcherService", "propose")
        with pytest.raises(ApiError) as refused:
            client.answer(asked["id"], {"proposals": "none"})
        assert refused.value.status == 422
        while client.build(run["id"])["state"] == "running":
            for question in client.questions()["questions"]:
                said = {"proposals": []} if question["kind"] == "propose" else {"decision": "accept", "reasoning": "ok"}
                client.answer(question["id"], said)
            time.sleep(0.05)
        assert client.build(run["id"])["committed"] >= 2
        log = client.negotiation(client.negotiations()["negotiations"][0]["id"])["log"]
        said = [e["reasoning"] for r in log["rounds"] for p in r["proposals"] for e in p["evaluations"]]
        assert "ok" in said
