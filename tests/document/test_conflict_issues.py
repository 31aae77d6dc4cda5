"""What the machine does not see, whoever reads may say: two statements are in conflict, on every road."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphbus_core.cli.main import main
from graphbus_core.mcp.seats import DocumentTable
from graphbus_core.negotiation.document.fates import FateKind, judge_fates
from graphbus_core.negotiation.document.model import Settings
from graphbus_core.sessions.document.directory import NegotiationDirectory
from graphbus_core.sessions.document.turn_api import take_turn

ALPHA, BETA = "agent-alpha", "agent-beta"
FIRST, SECOND = "The old tank is removed.", "Nothing happens to the vessel."


def open_table(folder: Path) -> NegotiationDirectory:
    """Two sources of which the words alone show no conflict, and alpha's turn."""
    where = NegotiationDirectory(folder / "d")
    where.init(Settings())
    (where.root / "sources" / "my plan.md").write_text(f"We meet at six.\n\n{FIRST}\n")
    (where.root / "sources" / "b.md").write_text(f"{SECOND}\n")
    for name in (ALPHA, BETA):
        where.register(name)
    return where


def by_command(where: NegotiationDirectory) -> None:
    assert main(["negotiate", "conflict", str(where.root), "my plan:3", "b:1", "--as", ALPHA]) == 0
    assert where.hand_off(ALPHA).ok


def by_saying(where: NegotiationDirectory) -> None:
    assert take_turn(where, ALPHA, "@conflict my plan:3 b:1\n").ok


def by_mcp(where: NegotiationDirectory) -> None:
    table = DocumentTable(where.root, ALPHA)
    question = table.poll_question()
    assert question is not None
    assert table.answer(question.id, {"conflicts": [{"first": "my plan:3", "second": "b:1"}]}).taken


def by_file(where: NegotiationDirectory) -> None:
    text = "# Issue: The tank\n\n## Question\nWhich holds, my plan:3 or b:1?\n"
    (where.root / "issues" / "01-tank.md").write_text(text)
    assert where.hand_off(ALPHA).ok


@pytest.mark.parametrize("road", [by_command, by_saying, by_mcp, by_file], ids=lambda road: road.__name__)
def test_two_statements_are_said_to_be_in_conflict(road: object, tmp_path: Path) -> None:
    """They stand as in conflict until they are decided, and then beside the decision."""
    where = open_table(tmp_path)
    assert judge_fates(where.read_state()).count(FateKind.CONFLICT) == 0
    assert callable(road)
    road(where)
    state = where.read_state()
    (stem,) = state.issues
    marked = {f.statement.text: f.others for f in judge_fates(state).rows if f.kind is FateKind.CONFLICT}
    assert marked == {FIRST: (("b:1", f"issue {stem}"),), SECOND: (("my plan:3", f"issue {stem}"),)}
    assert f"in conflict with b:1 (issue {stem})" in (where.root / "fates.md").read_text()
    assert where.write(BETA, stem, "The tank stays.", "offer").ok
    assert where.hand_off(BETA).ok
    assert take_turn(where, ALPHA, f"@accept {stem}\n").ok
    assert f"my plan:3: **decided by {stem}**" in (where.root / "fates.md").read_text()
    fates = {f.statement.text: (f.kind, f.issue) for f in judge_fates(where.read_state()).rows}
    assert fates[FIRST] == fates[SECOND] == (FateKind.DECIDED, stem)


@pytest.mark.parametrize("places", ["b:1 b:1", "b:1", "b:9 my plan:3", ""])
def test_what_is_not_two_places_of_two_sources_is_refused(places: str, tmp_path: Path) -> None:
    """With the form to write, and nothing is filed."""
    where = open_table(tmp_path)
    refused = take_turn(where, ALPHA, json.dumps({"conflicts": [{"first": places, "second": ""}]}))
    assert "not two places of two sources" in str(refused.reasons[0])
    assert not where.add_conflict(places, ALPHA).ok
    assert not where.read_state(working=True).issues
