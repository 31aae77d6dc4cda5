"""A disclosed table that opens with a proposal: one question to whoever opens it, and nobody is asked about its own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.serving import V1, Served, serve, until

__all__ = ["serve"]
Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(300)
DECISION = """\
topic: Where the team meets
issues: {place: [Lisbon, Oslo], month: [May, September]}
advocates: {Ann: {}, Ben: {}, Cem: {}}
"""
TERMS = {"place": "Lisbon", "month": "May"}


class Table:
    """Three people at a disclosed table."""

    def __init__(self, served: Served) -> None:
        self.operator = V1(served)
        body = {"scenario": DECISION, "humans": ["Ann", "Ben", "Cem"], "preferences": "disclosed"}
        begun = self.operator("POST", "/consents", {**body, "open_by_proposal": True})
        self.id = begun["id"]
        self.seats = {seat["name"]: V1(served, seat["key"]) for seat in begun["seats"]}
        self.asked: list[tuple[str, str]] = []

    def take(self, name: str) -> dict[str, object]:
        """The question to that person, as soon as there is one."""
        [question] = until(lambda: self.seats[name]("GET", "/questions")["items"], 90)
        self.asked.append((name, question["kind"]))
        return dict(question)

    def answer(self, name: str, body: object) -> None:
        """Answer it."""
        self.seats[name]("POST", f"/questions/{self.take(name)['id']}/answer", body)

    def read(self) -> dict[str, object]:
        """The decision as everybody sees it."""
        return dict(self.operator("GET", f"/consents/{self.id}"))


def test_three_people_agree_with_one_answer_each(serve: Serve) -> None:
    """The first proposes, with a line of what matters; the others are asked once; nobody's words are made up."""
    table = Table(serve("hello"))
    question = table.take("Ann")
    assert question["about"]["others"] == ["Ben", "Cem"]  # type: ignore[index]
    road = f"/questions/{question['id']}/answer"
    for wrong in ({"way": "else"}, {"way": "propose"}, {"way": "propose", "terms": {"place": "Rome", "month": "May"}}):
        assert table.seats["Ann"].refused("POST", road, wrong)[0] == 422
    assert [table.seats[name]("GET", "/questions")["items"] for name in ("Ben", "Cem")] == [[], []]
    table.seats["Ann"]("POST", road, {"way": "propose", "terms": TERMS, "priority": "Sun"})
    table.answer("Ben", {"answer": "consent"})
    table.answer("Cem", {"answer": "consent"})
    until(lambda: table.read()["state"] == "ended", 90)
    told = table.read()
    assert told["status"] == "DONE"
    assert table.asked == [("Ann", "opening"), ("Ben", "consent"), ("Cem", "consent")]
    said = [(block["who"], block["kind"], block["text"]) for block in told["said"]]  # type: ignore[attr-defined]
    assert [who for who, kind, _ in said if kind == "consent"] == ["Ann", "Ben", "Cem"]
    assert [who for who, kind, text in said if kind == "advocate" and "Sun" in text] == ["Ann"]
    assert not [text for who, _, text in said if who in ("Ben", "Cem") and "PRIORITY" in text]


def test_whoever_opens_may_let_another_begin(serve: Serve) -> None:
    """Then it has said nothing, and the next one has its turn; what it proposes asks it nothing, either."""
    table = Table(serve("hello"))
    table.answer("Ann", {"way": "wait"})
    table.answer("Ben", {"move": "check", "terms": TERMS})
    table.answer("Ann", {"answer": "consent"})
    table.answer("Cem", {"answer": "consent"})
    until(lambda: table.read()["state"] == "ended", 90)
    assert [kind for name, kind in table.asked if name == "Ben"] == ["turn"]


def test_whoever_votes_may_say_what_matters_to_them(serve: Serve) -> None:
    """With the one answer that they are asked for: it is their position, and the vote stays a vote."""
    table = Table(serve("hello"))
    table.answer("Ann", {"way": "propose", "terms": TERMS})
    question = table.take("Ben")
    assert question["answer_schema"]["properties"]["priority"]["title"] == "My position"  # type: ignore[index]
    road = f"/questions/{question['id']}/answer"
    assert table.seats["Ben"].refused("POST", road, {"answer": "consent", "priority": "x" * 2_001})[0] == 422
    assert table.seats["Ben"].refused("POST", road, {"priority": "No vote"})[0] == 422
    table.seats["Ben"]("POST", road, {"answer": "object", "reason": "Too far", "priority": "Short ways"})
    table.answer("Cem", {"answer": "consent"})
    until(lambda: "Too far" in str(table.read()["said"]), 90)
    assert table.asked == [("Ann", "opening"), ("Ben", "consent"), ("Cem", "consent")]
    said = [(block["who"], block["kind"], block["text"]) for block in table.read()["said"]]  # type: ignore[attr-defined]
    assert [who for who, kind, text in said if kind == "advocate" and "PRIORITY: Short ways" in text] == ["Ben"]
    assert [text for who, kind, text in said if (who, kind) == ("Ben", "object")] == ["Too far"]


def test_a_vote_with_a_position_outlives_a_stop(serve: Serve) -> None:
    """What was answered is not asked again when the decision goes on."""
    table = Table(serve("hello"))
    table.answer("Ann", {"way": "propose", "terms": TERMS, "priority": "Sun"})
    table.answer("Ben", {"answer": "consent", "priority": "Short ways"})
    table.take("Cem")
    table.operator("POST", f"/consents/{table.id}/cancel")
    until(lambda: table.read()["state"] == "stopped", 90)
    table.operator("POST", f"/consents/{table.id}/resume")
    table.answer("Cem", {"answer": "consent", "priority": "Low prices"})
    until(lambda: table.read()["state"] == "ended", 90)
    told = table.read()
    assert told["status"] == "DONE"
    assert [name for name, kind in table.asked if kind == "consent"] == ["Ben", "Cem", "Cem"]
    for words in ("Sun", "Short ways", "Low prices"):
        assert words in str(told["said"])
