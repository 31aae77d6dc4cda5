"""What HTTP asks of `/api/v1`: a named write is done once; HEAD; 405 with `Allow`; whole numbers; 404 for ids."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.serving import V1, Served

Serve = Callable[[str], Served]
pytestmark = pytest.mark.timeout(200)


@pytest.fixture
def ask(serve: Serve) -> V1:
    return V1(serve("hello"))


def test_a_named_write_is_done_once(ask: V1) -> None:
    """The same key: the same answer, nothing done again. Another body is refused; another key is another call."""
    ask("POST", "/runtime/start")

    def publish(key: str, text: str = "hi") -> httpx.Response:
        body = {"topic": "/Hello/Greeted", "payload": {"message": text}}
        return ask.http.post("/events", json=body, headers={"Idempotency-Key": key})

    first, again, other = publish("one"), publish("one"), publish("two")
    assert first.json() == again.json() != other.json()
    assert (publish("one", "ho").status_code, publish("one", "ho").json()["code"]) == (422, "key_reused")
    assert len(ask("GET", "/events")["items"]) == 2
    assert publish("x" * 256).status_code == 422


def test_many_at_once_with_one_key_are_done_once(ask: V1) -> None:
    """Whoever comes while the first is under way is told so, or gets its answer."""
    ask("POST", "/runtime/start")
    told: list[httpx.Response] = []
    body = {"topic": "/Hello/Greeted", "payload": {"message": "hi"}}

    def publish() -> None:
        told.append(ask.http.post("/events", json=body, headers={"Idempotency-Key": "same"}))

    threads = [threading.Thread(target=publish) for _ in range(12)]
    for one in threads:
        one.start()
    for one in threads:
        one.join(60)
    assert {one.status_code for one in told} <= {200, 409}
    assert len({one.json()["event_id"] for one in told if one.is_success}) == 1
    assert len(ask("GET", "/events")["items"]) == 1


def test_head_is_get_without_its_body(ask: V1) -> None:
    """The same status and headers; nothing is sent."""
    for path in ("/health", "/picture", "/nodes/Greeter", "/nodes/Nobody"):
        got, head = ask.http.get(path), ask.http.head(path)
        assert (head.status_code, head.content) == (got.status_code, b""), path
        assert head.headers["content-type"] == got.headers["content-type"]
        assert head.headers.get("etag") == got.headers.get("etag")


def test_a_method_that_is_not_taken_says_which_are(ask: V1) -> None:
    """Of every path, all its methods, as the document has them."""
    document = ask("GET", "/openapi.json")
    for path, methods in document["paths"].items():
        answer = ask.http.request("PATCH", path.replace("{", "").replace("}", ""))
        assert answer.status_code == 405, path
        offered = {one.upper() for one in methods}
        allowed = set(answer.headers["allow"].split(", "))
        assert offered <= allowed <= offered | {"HEAD", "GET", "POST", "DELETE"}, path
        assert ("HEAD" in allowed) == ("GET" in allowed)


def test_a_whole_number_is_an_integer(ask: V1) -> None:
    """`369.0` is the integer 369; `369.5` is none."""
    raw = '{"name": "a%s", "topic": "x", "sources": [], "max_rounds": %s}'

    def open_one(number: str, name: int) -> int:
        head = {"content-type": "application/json"}
        return ask.http.post("/documents", content=raw % (name, number), headers=head).status_code

    assert [open_one(number, at) for at, number in enumerate(("369.0", "369", "3.69e2", "369.5", '"369"', "true"))] == [
        201,
        201,
        201,
        422,
        422,
        422,
    ]


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/nodes/Nobody", None),
        ("POST", "/nodes/Nobody/call", {"method": "x"}),
        ("GET", "/builds/run-9", None),
        ("POST", "/builds/run-9/cancel", None),
        ("GET", "/negotiations/build-9", None),
        ("GET", "/negotiations/build-9/facts", None),
        ("GET", "/negotiations/build-9/verification", None),
        ("POST", "/negotiations/build-9/forks", {"at": 1}),
        ("GET", "/consents/consent-9", None),
        ("GET", "/consents/consent-9/reasons", None),
        ("POST", "/consents/consent-9/cancel", None),
        ("POST", "/consents/consent-9/resume", None),
        ("GET", "/documents/nothing", None),
        ("POST", "/documents/nothing/seats", {"agent": "ann"}),
        ("POST", "/documents/nothing/turns", {"agent": "ann"}),
        ("POST", "/questions/nothing/answer", {}),
        ("POST", "/claims/nothing/answer", {}),
        ("POST", "/claims/nothing/renew", None),
        ("DELETE", "/claims/nothing", None),
        ("DELETE", "/seats/build/Nobody", None),
        ("GET", "/events/nothing/trace", None),
        ("POST", "/dead-letters/nothing/retry", None),
        ("GET", "/journals/nothing", None),
    ],
)
def test_what_is_not_there_is_404(ask: V1, method: str, path: str, body: Any) -> None:
    """Of every kind of id."""
    ask("POST", "/runtime/start")
    status, problem = ask.refused(method, path, body)
    assert (status, problem["code"]) == (404, "not_found")
