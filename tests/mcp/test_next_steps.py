"""What a client is told when it errs: what to do next. Played over standard input by hand first."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.cli.main import main
from graphbus_core.errors import UsageError
from graphbus_core.mcp.seats import ClientSeats
from graphbus_core.mcp.server import Resources
from graphbus_core.mcp.tools import NegotiationTools
from graphbus_core.participants.people.durable_desk import DurableDesk, DurableQuestion
from graphbus_core.testing import chain, write_files

NOBODY: Any = None  # a client that wants to hear of no progress


def test_a_misspelled_directory_does_not_become_a_negotiation_about_nothing(tmp_path: Path) -> None:
    """It was made, and its client waited there for the others."""
    with pytest.raises(UsageError, match=r"no negotiation in .*`topic`"):
        ClientSeats(tmp_path / ".graphbus").join(str(tmp_path / "palns"), "ann", "", "", 0)
    assert list(tmp_path.iterdir()) == []


def test_an_answer_to_nothing_says_what_to_call(tmp_path: Path) -> None:
    mine = ClientSeats(tmp_path)
    assert "call join first" in mine.answer("x", {}).why
    mine.join("build", "Cleaner", "", "", 0)
    assert "what_am_i_asked" in mine.answer("document/x/turn-1", {}).why


def test_an_interface_has_two_sides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    at = tmp_path / "contracts"
    assert main(["agree", "orders", "--producer", "shop", "--consumer", "billing", "--at", str(at)]) == 1
    with pytest.raises(UsageError, match="producer and a consumer"):
        ClientSeats(tmp_path).join(f"agree:orders@{at}", "nobody", "", "", 0)


def test_a_path_that_cannot_be_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError, match="Give another path") as refused:
        asyncio.run(NegotiationTools(tmp_path).join(str(tmp_path / "file"), "ann", "Topic", "# Plan"))
    assert "[Errno" not in str(refused.value)


def test_a_change_can_be_tried_in_the_first_build(tmp_path: Path) -> None:
    """There is no build yet, and the negotiation says what it is about."""
    write_files(tmp_path, chain(2))
    log = tmp_path / ".graphbus" / "negotiations" / "build-2026-01-01-000000.jsonl"
    log.parent.mkdir(parents=True)
    log.write_text(json.dumps({"log": "graphbus-log/1", "asked": {"root_package": "agents"}}) + "\n")
    reading = Resources.from_tools(NegotiationTools(tmp_path / ".graphbus"))
    ask = {"op": "replace_body", "node": "Agent000", "method": "run", "body": "return nope"}
    assert asyncio.run(reading.try_change([ask]))["gate"] == "names"


def test_a_server_of_no_project_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It started, and every seat waited for ever."""
    assert main(["mcp", "--project", str(tmp_path / "none")]) == 2
    assert "--project" in capsys.readouterr().err


def test_a_seat_under_a_name_that_nobody_asks_hears_whom_the_questions_are_for(tmp_path: Path) -> None:
    """It waited for ever, and said that nothing was asked yet."""
    talk = NegotiationTools(tmp_path)
    DurableDesk(tmp_path / "desk").add(DurableQuestion("build/a~1", "Cleaner", "propose", "build", {}))
    asyncio.run(talk.join("build", "Claener"))
    assert "wait for Cleaner. If you speak" in asyncio.run(talk.what_am_i_asked(NOBODY, wait_s=0))["waiting"]
    asyncio.run(talk.join("build", "Cleaner"))
    assert asyncio.run(talk.what_am_i_asked(NOBODY, wait_s=0))["id"] == "build/a~1"


@pytest.mark.parametrize(
    "place", ["{0}/elsewhere", "{0}/served/../elsewhere", "{0}/served/link", "agree:orders@{0}/elsewhere"]
)
def test_a_client_from_elsewhere_sits_down_only_where_the_operator_said(place: str, tmp_path: Path) -> None:
    """Over HTTP: neither a table nor its sources lie open elsewhere, and no link leads out."""
    for folder in ("served", "elsewhere"):
        (tmp_path / folder).mkdir()
    (tmp_path / "served" / "link").symlink_to(tmp_path / "elsewhere")
    client = ClientSeats(tmp_path / "served" / ".graphbus", (tmp_path / "served",))
    with pytest.raises(UsageError, match="not below a folder"):
        client.join(place.format(tmp_path), "", "A plan", "Mine.", 2)
    assert client.join(str(tmp_path / "served" / "plans"), "", "A plan", "Mine.", 2)["seat"]
    assert list((tmp_path / "elsewhere").iterdir()) == []
