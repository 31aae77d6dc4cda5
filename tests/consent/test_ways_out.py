"""After a deadlock: what stood in the way, in words, and more than one way out."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphbus_core.cli.main import main
from graphbus_core.negotiation.consent.optimum.search import find_deadlock
from graphbus_core.negotiation.consent.scenario.yaml_format import read_scenario
from graphbus_core.negotiation.consent.ways_out import explain_deadlock, list_ways_out

TABLE = """\
topic: Where the team meets
issues: {place: [Lisbon, Oslo], budget: {min: 100, max: 400, step: 100}}
advocates:
  Ann: {red_lines: [{text: Not Oslo, forbid: {place: Oslo}}], scores: {place: {Lisbon: 10}}}
  Ben: {red_lines: [{text: Oslo only, forbid: {place: Lisbon}}], scores: {budget: {from: 10, to: 0}}}
  Cem: {minimum: 2, scores: {place: {Oslo: 3}, budget: {from: 0, to: 3}}}
"""


def test_each_way_out_leaves_the_lines_of_the_others_as_they_are_and_makes_its_deal_possible() -> None:
    scenario = read_scenario(TABLE, "t.yaml")
    deadlock = find_deadlock(scenario)
    assert deadlock is not None
    ways = list_ways_out(scenario, deadlock)
    assert len(ways) == 2
    given: list[str] = []
    for way in ways:
        gives = [step.line.text for step in way.steps]
        assert gives, "something gives way"
        assert not set(gives) & set(given), "not what gave way before"
        given += gives
        crossed = [line for a in scenario.advocates for line in scenario.find_crossed_lines(a.name, way.outcome)]
        assert [line.text for line in crossed] == gives
    assert sorted(given) == ["Not Oslo", "Oslo only"]


def test_a_minimum_gives_way_by_points_and_a_limit_by_its_number() -> None:
    table = TABLE.replace(
        "{text: Oslo only, forbid: {place: Lisbon}}", "{text: At most 100, limit: {of: budget, at_most: 100}}"
    )
    text, data = explain_deadlock(read_scenario(table, "t.yaml"))
    assert "Ben lets `At most 100` go by 200" in text
    assert "Cem accepts 2 points less than the 2 of its minimum" in text
    assert len(data["ways_out"]) == 3


def test_why_explains_a_deadlock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.yaml").write_text(TABLE)
    assert main(["consent", "run", "t.yaml"]) == 1
    capsys.readouterr()
    assert main(["consent", "why"]) == 0
    said = capsys.readouterr().out
    assert "2 ways out" in said
    assert "- Ann: `Not Oslo`" in said
    assert main(["consent", "why", "--to-win", "place=Oslo"]) == 2
