"""A team over MCP: join, plan, be asked, answer, land; each over the tools that a client has."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from graphbus_core.errors import UsageError
from graphbus_core.mcp.seats import ClientSeats
from tests.team.conftest import Team


def test_two_clients_settle_an_overlap_and_land(make_team: Callable[[], Team], tmp_path: Path) -> None:
    """The same questions as on the command line, one at a time; the seat has its own working tree."""
    table = make_team()
    table.clock = time.time  # type: ignore[method-assign]
    table.start()
    clients = {name: ClientSeats(tmp_path / name) for name in ("ada", "bob")}
    for name, client in clients.items():
        table.seats[name] = Path(client.join(f"team@{table.root}", name, "", "", 0)["at"])
    assert clients["ada"].poll_question() is None
    clients["ada"].find_team_seat().plan("shop/cart.py::Cart.count: body")
    assert clients["bob"].find_team_seat().plan("shop/cart.py::Cart.count: add key kind")["asked"]
    for name, client in clients.items():
        question = client.poll_question()
        assert question is not None
        assert question.id.startswith(f"team/{name}/")
        ident, digest = next(line.split()[1] for line in question.new.splitlines() if line.startswith("Question")), ""
        digest = next(line.split()[0] for line in question.new.splitlines() if "ada lands first" in line)
        assert not client.answer(question.id, {"say": "hello"}).taken
        assert client.answer(question.id, {"say": f"@accept {ident} {digest}"}).taken
    assert clients["ada"].poll_question() is None
    table.replace("ada", "shop/cart.py", "return len(self.items)", "return sum(1 for _ in self.items)")
    table.commit(table.seats["ada"], "count")
    done = clients["ada"].find_team_seat().land("none")
    while done["status"] == "at work":
        done = clients["ada"].find_team_seat().land("none")
    assert done["status"] == "landed"


def test_without_a_seat_a_sentence_says_what_to_call(tmp_path: Path) -> None:
    """The tools of a team before anybody joined one."""
    with pytest.raises(UsageError, match='where="team"'):
        ClientSeats(tmp_path).find_team_seat()
