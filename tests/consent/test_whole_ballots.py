"""One ballot in place of the mediator's questions: what it answers, what stays the person's, and that it is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.negotiation.consent.elicitation.questions import (
    Query,
    QueryKind,
    build_compare_ask,
    build_dependence_ask,
    build_minimum_ask,
    build_red_lines_ask,
)
from graphbus_core.negotiation.consent.scenario.model import Advocate, Issue, Scenario
from graphbus_core.negotiation.core import Ask, Reply, View
from graphbus_core.services.decisions.ballots import BallotSeat, explain_invalid_ballot_paper
from graphbus_core.services.questions.forms import build_answer_schema

SCENARIO = Scenario(
    "Where the team meets",
    (Issue("place", ("Lisbon", "Oslo", "Rome")), Issue("month", ("May", "September"))),
    (Advocate("Ann", option_counts=(3, 2)), Advocate("Ben", option_counts=(3, 2))),
)
BALLOT = {
    "way": "ballot",
    "points": {"place": {"Lisbon": 10, "Rome": 5}, "month": {"September": 5}},
    "lines": ["Never Oslo"],
    "share": 40,
}


class Person:
    """Says one thing to every question, and counts the questions."""

    def __init__(self, said: Mapping[str, Any] | None) -> None:
        self.said = said
        self.asked: list[str] = []

    async def answer(self, ask: Ask, view: View) -> Reply:
        """What this person says."""
        self.asked.append(ask.id)
        return Reply(self.said if ask.kind == "ballot" else {"choice": 2})


def said(seat: BallotSeat, ask: Ask) -> Mapping[str, Any] | None:
    return asyncio.run(seat.answer(ask, View((), ()))).body


def test_the_questions_of_the_mediator_are_answered_from_the_ballot(tmp_path: Path) -> None:
    person = Person(BALLOT)
    seat = BallotSeat(person, SCENARIO, "Ann", tmp_path / "0.jsonl")
    assert said(seat, build_red_lines_ask(SCENARIO, "Ann")) == {"lines": ["Never Oslo"]}
    assert said(seat, build_minimum_ask(SCENARIO, "Ann")) == {"share": 40}
    assert said(seat, build_dependence_ask(SCENARIO, "Ann")) == {"choice": 1}
    places = build_compare_ask(SCENARIO, "Ann", 0, Query(QueryKind.OPTIONS, issue=0))
    assert said(seat, places) == {"grades": [10, 0, 5]}
    swing = build_compare_ask(SCENARIO, "Ann", 1, Query(QueryKind.SWING, ((1, 0), (0, 1))))
    assert said(seat, swing) == {"grades": [10, 5]}
    pair = build_compare_ask(SCENARIO, "Ann", 2, Query(QueryKind.PAIR, ((2, 1), (0, 0))))
    assert said(seat, pair) == {"choice": 3}, "ten points either way"
    assert person.asked == ["ballot:Ann"], "one question to the person"
    again = BallotSeat(Person(None), SCENARIO, "Ann", tmp_path / "0.jsonl")
    assert said(again, build_minimum_ask(SCENARIO, "Ann")) == {"share": 40}, "kept: nothing is asked twice"
    assert (tmp_path / "0.jsonl").stat().st_mode & 0o077 == 0


def test_what_a_ballot_cannot_say_stays_the_persons(tmp_path: Path) -> None:
    person = Person(BALLOT)
    seat = BallotSeat(person, SCENARIO, "Ann", tmp_path / "0.jsonl")
    for kind in ("read_back", "contradiction", "consent"):
        assert said(seat, Ask(f"{kind}:1:Ann", "Ann", kind, {"text": ""})) == {"choice": 2}
    assert said(seat, Ask("red_lines:0:Ann", "Ann", "red_lines", {"text": "in other words"})) == {"choice": 2}
    assert "ballot:Ann" not in person.asked


def test_whoever_wants_the_questions_is_asked_them(tmp_path: Path) -> None:
    person = Person({"way": "questions"})
    seat = BallotSeat(person, SCENARIO, "Ann", tmp_path / "0.jsonl")
    for _ in range(2):
        assert said(seat, build_minimum_ask(SCENARIO, "Ann")) == {"choice": 2}
    assert person.asked == ["ballot:Ann", "minimum:Ann", "minimum:Ann"]


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"way": "ballot"}, ""),
        (BALLOT, ""),
        ({"way": "questions"}, ""),
        ({}, "'way' is None"),
        ({"way": "ballot", "points": {"town": {}}}, "there is no issue 'town'"),
        ({"way": "ballot", "points": {"place": {"Paris": 1}}}, "'place' has no option 'Paris'"),
        ({"way": "ballot", "points": {"place": {"Rome": 11}}}, "'Rome' gets whole points from 0 to 10"),
        ({"way": "ballot", "points": {"place": {"Rome": True}}}, "'Rome' gets whole points"),
        ({"way": "ballot", "points": {"place": 3}}, "'place' has points by option"),
        ({"way": "ballot", "share": 101}, "'share' is a number from 0 to 100"),
        ({"way": "ballot", "lines": "no"}, "'lines' is a list"),
    ],
)
def test_what_is_not_a_ballot_is_refused_with_its_reason(tmp_path: Path, body: dict[str, Any], why: str) -> None:
    ask = BallotSeat(Person(None), SCENARIO, "Ann", tmp_path / "0.jsonl").ask
    fault = explain_invalid_ballot_paper(ask, body)
    assert (fault or "").startswith(why)
    assert bool(fault) == bool(why)


def test_its_form_has_steps_for_each_option_and_asks_for_nothing_else(tmp_path: Path) -> None:
    ballot, one_by_one = build_answer_schema(BallotSeat(Person(None), SCENARIO, "Ann", tmp_path / "0.jsonl").ask)[
        "oneOf"
    ]
    row = ballot["properties"]["points"]["properties"]["place"]["properties"]["Oslo"]
    assert [step["const"] for step in row["oneOf"]] == [0, 3, 5, 8, 10]
    assert row["default"] == 0
    assert one_by_one["properties"] == {"way": {"const": "questions"}}
