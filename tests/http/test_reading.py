"""`/api/v1` beside the project: exports, settings, the policy, what is inferred, journals and replay."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.serving import V1

pytestmark = pytest.mark.timeout(180)
SHELF = """
from graphbus_core import GraphBusNode, publishes, schema_method, subscribe


class Desk(GraphBusNode):
    @publishes("/Book/Counted", None)
    @schema_method(input_schema={"title": str}, output_schema={"count": int})
    def lend(self, title):
        return {"count": len(title)}

    @subscribe("/Book/Returned")
    def on_returned(self, payload):
        if payload["title"] == "hang":
            import time
            time.sleep(60)
        if payload["title"] == "bad":
            raise ValueError("the shelf is full")
        self.publish("/Book/Counted", {"count": 1})
"""


class Ask(V1):
    """It builds, too."""

    def built(self) -> None:
        self("POST", "/builds", {"enable_agents": False})
        end = time.monotonic() + 60
        while self("GET", "/builds")["items"][0]["state"] == "running":
            assert time.monotonic() < end
            time.sleep(0.05)


@pytest.fixture
def shelf(serve: Any, tmp_path: Path) -> Iterator[tuple[Ask, Path]]:
    folder = tmp_path / "library"
    (folder / "agents").mkdir(parents=True)
    (folder / "agents" / "desk.py").write_text(SHELF)
    ask = Ask(serve(folder))
    try:
        yield ask, folder
    finally:
        ask.http.close()


def test_a_build_for_other_tools(shelf: tuple[Ask, Path]) -> None:
    """The four forms of `graphbus export`; without a build there is none."""
    ask, _ = shelf
    assert ask.refused("GET", "/exports/mermaid")[1]["code"] == "not_found"
    assert ask.refused("GET", "/exports/word")[0] == 422
    ask.built()
    told = {form: ask("GET", f"/exports/{form}") for form in ("asyncapi", "openapi", "mermaid", "dot")}
    assert json.loads(told["asyncapi"]["text"])["asyncapi"].startswith("3.")
    openapi = json.loads(told["openapi"]["text"])
    assert openapi["openapi"].startswith("3.1")
    assert openapi["servers"][0]["url"] == str(ask.http.base_url.join("/")).rstrip("/")
    assert "Desk" in told["mermaid"]["text"]
    assert told["dot"]["text"].startswith("digraph")
    assert [one["file"] for one in told.values()] == ["asyncapi.json", "openapi.json", "graph.mmd", "graph.dot"]


def test_settings_are_proposed_first_and_written_on_request(shelf: tuple[Ask, Path]) -> None:
    ask, folder = shelf
    assert not any(one["stated"] for one in ask("GET", "/settings?limit=200")["items"])
    offer = ask("GET", "/settings/proposed")
    assert '+roots = ["agents"]' in offer["diff"]
    assert (offer["written"], (folder / "pyproject.toml").exists()) == (False, False)
    assert ask("POST", "/settings/proposed")["written"]
    assert 'roots = ["agents"]' in (folder / "pyproject.toml").read_text()
    stated = {one["name"]: one for one in ask("GET", "/settings?limit=200")["items"] if one["stated"]}
    assert stated["roots"]["value"] == ["agents"]
    assert stated["roots"]["source"].startswith("pyproject.toml")
    assert ask.refused("POST", "/settings/proposed")[0] == 409  # nothing that stands there is changed


def test_the_policy_says_who_may_do_what(shelf: tuple[Ask, Path]) -> None:
    ask, folder = shelf
    assert ask("GET", "/policy") == {"file": None, "rules": []}
    rule = '[[tool.graphbus.policy.rules]]\nname = "desk"\nwho = "Desk"\npublish = ["/Book/*"]\n'
    (folder / "pyproject.toml").write_text(rule)
    [told] = ask("GET", "/policy")["rules"]
    assert told == {"name": "desk", "who": "Desk", "call": None, "publish": ["/Book/*"], "hear": None}
    assert ask("GET", "/policy/check?who=Desk&verb=publish&what=/Book/Lent") == {"allowed": True, "why": None}
    refused = ask("GET", "/policy/check?who=Desk&verb=publish&what=/Money")
    assert (refused["allowed"], "'desk'" in refused["why"]) == (False, True)


def test_code_is_read_without_agents(shelf: tuple[Ask, Path]) -> None:
    """What `graphbus infer` finds in the whole project, with no path of this machine."""
    ask, folder = shelf
    (folder / "plain.py").write_text("def greet(name: str) -> str:\n    return name\n\n\ngreet(3)\n")
    told = ask("GET", "/inferred")
    assert "Desk" in {one["name"] for one in told["components"]}
    assert any(one["file"] == "plain.py" for one in told["findings"])
    assert str(folder) not in json.dumps(told)


def test_a_journal_is_kept_read_and_played_again(shelf: tuple[Ask, Path]) -> None:
    ask, _ = shelf
    assert ask("GET", "/journals") == {"items": [], "next": None}
    ask("POST", "/runtime/start", {"payload_checks": "off", "journal": True})
    for title in ("Momo", "bad"):
        ask("POST", "/events", {"topic": "/Book/Returned", "payload": {"title": title}})
    ask("POST", "/nodes/Desk/call", {"method": "lend", "payload": {"title": "Momo"}})
    [journal] = ask("GET", "/journals")["items"]
    path = f"/journals/{journal['id']}"
    records = ask("GET", path)["items"]
    assert [(one["what"], one["depth"]) for one in records] == [
        ("/Book/Returned", 0),
        ("/Book/Counted", 1),
        ("/Book/Returned", 0),
        ("Desk.lend", 0),
    ]
    first = ask("GET", f"{path}?limit=1")
    assert (len(first["items"]), first["next"]) == (1, "1")
    assert [one["what"] for one in ask("GET", f"{path}?topic=/Book/Counted")["items"]] == ["/Book/Counted"]
    before = ask("GET", "/runtime")["message_bus"]["messages_published"]
    played = ask("POST", f"{path}/replay")
    assert (played["events"], played["calls"], played["consequences"], played["errors"]) == (2, 1, 1, 1)
    assert played["followed"] == 1
    assert any("the shelf is full" in one for one in played["failures"])
    assert ask("GET", "/runtime")["message_bus"]["messages_published"] == before  # another process played it
    assert ask("POST", f"{path}/replay", {"topics": ["/Book/Counted"]})["calls"] == 0


def test_a_replay_that_hangs_is_stopped(shelf: tuple[Ask, Path]) -> None:
    ask, folder = shelf
    ask.built()
    lines = [
        {"journal": "graphbus", "version": 2, "payload_checks": "off"},
        {
            "event": {
                "event_id": "e1",
                "topic": "/Book/Returned",
                "src": "x",
                "payload": {"title": "hang"},
                "timestamp": 1,
            }
        },
    ]
    (folder / "old.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    begun = time.monotonic()
    status, why = ask.refused("POST", "/journals/old.jsonl/replay", {"timeout_s": 4})
    assert (status, why["code"]) == (424, "deadline_exceeded")
    assert time.monotonic() - begun < 50  # the handler would sleep for 60 s


def test_nothing_but_journals_can_be_named(shelf: tuple[Ask, Path]) -> None:
    """Neither another file, nor a path, nor a link that leads out."""
    ask, folder = shelf
    (folder / "notes.jsonl").write_text('{"not": "a journal"}\n')
    (folder.parent / "out.jsonl").write_text('{"journal": "graphbus", "version": 2}\n')
    (folder / "link.jsonl").symlink_to(folder.parent / "out.jsonl")
    assert ask("GET", "/journals")["items"] == []
    for name in ("notes.jsonl", "link.jsonl", "..%2Fout.jsonl", "pyproject.toml"):
        assert ask.refused("GET", f"/journals/{name}")[0] == 404
