"""The guard: what may not come in does not, and the refusal says why in the one shape of our errors."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from graphbus_core.errors import ConfigError
from graphbus_core.http.security import (
    BURST,
    AllowedHosts,
    Guard,
    build_url,
    check_binding,
    is_loopback,
    read_own_token,
)

HOSTS = frozenset({"127.0.0.1:8000", "localhost:8000"})


async def ok(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"{}"})


def ask(
    path: str = "/graph", token: str | None = "secret", guard: Guard | None = None, **headers: str
) -> tuple[int, dict[str, Any]]:
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

    asyncio.run((guard or Guard(ok, "secret", HOSTS))(scope, receive, send))
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
    with pytest.raises(ConfigError, match="guessed"):
        check_binding("0.0.0.0", "a")


@pytest.mark.parametrize(("given", "meant"), [(None, None), ("", None), ("  ", None), (" secret+/ ", "secret+/")])
def test_a_blank_token_is_none(given: str | None, meant: str | None) -> None:
    """Blanks could never be sent: they count as no token; what no header can carry is refused."""
    assert read_own_token({} if given is None else {"GRAPHBUS_TOKEN": given}) == meant
    with pytest.raises(ConfigError):
        read_own_token({"GRAPHBUS_TOKEN": "Schlüssel"})


@pytest.mark.parametrize(
    ("host", "port", "allowed", "meant", "foreign"),
    [
        ("127.0.0.1", 8420, (), ("127.0.0.1:8420", "LOCALHOST:8420", "[::1]:8420"), ("127.0.0.1", "10.0.0.1:8420", "")),
        ("127.0.0.2", 8420, (), ("127.0.0.2:8420",), ("127.0.0.3:8420",)),
        ("::1", 8420, (), ("[::1]:8420", "localhost:8420"), ("::1:8420",)),
        ("0.0.0.0", 8420, (), ("10.1.2.3:8420", "localhost:8420"), ("evil.example:8420", "10.1.2.3:80")),
        ("127.0.0.1", 80, (), ("127.0.0.1", "localhost:80"), ("evil.example",)),
        (
            "0.0.0.0",
            8420,
            ("gb.example.com", "x.example:443"),
            ("gb.example.com", "GB.example.com:8420", "gb.example.com:443", "x.example", "x.example:443"),
            ("x.example:8420", "a.gb.example.com", "gb.example.com@evil.example"),
        ),
    ],
)
def test_what_a_host_may_say(
    host: str, port: int, allowed: tuple[str, ...], meant: tuple[str, ...], foreign: tuple[str, ...]
) -> None:
    """The address itself, loopback's names, numbers for a server that listens everywhere, and what was allowed."""
    hosts = AllowedHosts(host, port, allowed)
    assert [one for one in meant if one not in hosts] == []
    assert [one for one in foreign if one in hosts] == []


def test_the_address_that_is_printed() -> None:
    """It can be opened on this machine."""
    assert build_url("0.0.0.0", 1) == "http://127.0.0.1:1/"
    assert build_url("::", 1) == build_url("[::1]", 1) == "http://[::1]:1/"
    assert build_url("127.0.0.2", 1) == "http://127.0.0.2:1/"


def test_strangers_do_not_use_up_the_owners_requests() -> None:
    """However many come without a token, the owner gets in."""
    guard = Guard(ok, "secret", HOSTS, clock=lambda: 0.0)  # however slow the machine is
    refused = {ask(guard=guard, token=None)[0] for _ in range(int(BURST) + 500)}
    assert refused == {401, 429}
    assert ask(guard=guard)[0] == 200
