"""The guard: what may not come in does not, and the refusal says why in the one shape of our errors."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from graphbus_core.api.security import Guard, check_binding, is_loopback
from graphbus_core.errors import ConfigError

HOSTS = frozenset({"127.0.0.1:8000", "localhost:8000"})


async def ok(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"{}"})


def ask(path: str = "/graph", token: str | None = "secret", **headers: str) -> tuple[int, dict[str, Any]]:
    given = {"host": "127.0.0.1:8000", **{k.replace("_", "-"): v for k, v in headers.items()}}
    if token is not None:
        given["authorization"] = f"Bearer {token}"
    scope = {
        "type": "http",
        "path": path,
        "query_string": b"",
        "headers": [(k.encode(), v.encode()) for k, v in given.items()],
    }
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b""}

    async def send(message: Any) -> None:
        sent.append(message)

    asyncio.run(Guard(ok, "secret", HOSTS)(scope, receive, send))
    return sent[0]["status"], json.loads(sent[1]["body"])


@pytest.mark.parametrize(
    ("wrong", "status", "code"),
    [
        ({"token": None}, 401, "no_token"),
        ({"token": "guess"}, 401, "no_token"),
        ({"host": "evil.example:8000"}, 403, "foreign_host"),
        ({"origin": "https://evil.example"}, 403, "foreign_origin"),
        ({"origin": "null"}, 403, "foreign_origin"),
        ({"content_length": "100000000"}, 413, "body_too_large"),
        ({"content_length": "much"}, 413, "body_too_large"),
    ],
)
def test_refused(wrong: dict[str, Any], status: int, code: str) -> None:
    """Each way in that is not ours is refused with its own code."""
    got, body = ask(**wrong)
    assert (got, body["error"]["code"]) == (status, code)


def test_let_in() -> None:
    """The right token is let in, with our own origin too; the page's files need none."""
    assert ask()[0] == 200
    assert ask(origin="http://localhost:8000")[0] == 200
    assert ask(path="/page/app.js", token=None)[0] == 200
    assert ask(path="/pages", token=None)[0] == 401


def test_another_address_wants_a_token_of_the_users_own() -> None:
    """Listening where others can reach us is refused, not warned about."""
    assert is_loopback("127.0.0.1")
    assert is_loopback("::1")
    assert not is_loopback("0.0.0.0")
    with pytest.raises(ConfigError, match=r"Refusing to listen on 0\.0\.0\.0"):
        check_binding("0.0.0.0", None)
    check_binding("0.0.0.0", "a-long-secret")
