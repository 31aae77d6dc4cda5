"""How a decision came, for whoever was not there: the vote, who blocked what, who moved; from the facts alone."""

from __future__ import annotations

from graphbus_core.negotiation.consent.course import tell_course
from graphbus_core.negotiation.consent.events import (
    MEDIATOR,
    CheckCalled,
    CheckFailed,
    Consented,
    Ended,
    Objected,
    ProposalTabled,
    StoodAside,
)
from graphbus_core.negotiation.core import Event

LISBON, OSLO = {"place": "Lisbon", "month": "May"}, {"place": "Oslo", "month": "May"}


def check(number: int, by: str, terms: object, *votes: Event) -> list[Event]:
    """A check in the words of whoever calls it, with its votes."""
    return [CheckCalled(by, number, str(number), terms, True, ""), *votes]


def end(status: str = "DONE", reason: str = "everyone consents") -> Ended:
    """The last fact."""
    return Ended(status, reason, 9, 2, 1, "1", LISBON)


def test_nothing_is_told_before_the_end() -> None:
    assert tell_course(check(1, "Ann", LISBON, Consented("Ann", 1, "1"))) == ""


def test_an_agreement_says_at_which_vote_and_whose() -> None:
    facts = [*check(1, "Ann", LISBON, Consented("Ann", 1, "1"), StoodAside("Cem", 1, "1", "tired")), end()]
    assert tell_course(facts) == "Agreed at the first vote, on what Ann proposed; Cem stood aside."


def test_who_blocked_what_and_who_moved_is_named() -> None:
    facts = [
        *check(1, "Ann", LISBON, Objected("Ben", 1, "1", "Too far", False), Objected("Cem", 1, "1", "…", True)),
        CheckFailed(1, "1", ("Ben", "Cem")),
        *check(2, "Ann", OSLO, Consented("Ben", 2, "2")),
        end(),
    ]
    assert tell_course(facts) == (
        "Agreed at the second vote, on what Ann proposed. Ben (“Too far”) blocked Lisbon, May; Cem did not answer on "
        "Lisbon, May, then Ann put Oslo in place of Lisbon."
    )


def test_a_sealed_table_says_who_put_the_package() -> None:
    """The mediator has one name, and only what was put to all is told."""
    tabled = ProposalTabled(1, MEDIATOR, LISBON, "", "", "why", "1")
    assert tell_course([tabled, CheckCalled("", 1, "1", LISBON, False, "asks"), end()]) == (
        "Agreed at the first vote, on what GraphBus proposed."
    )
    assert tell_course([end("INCOMPLETE", "no deal is good enough for all")]) == (
        "No agreement after 0 votes: no deal is good enough for all."
    )


def test_of_many_votes_the_last_are_told() -> None:
    facts: list[Event] = []
    for number in range(1, 5):
        facts += check(number, "Ann", [f"line {number}"], Objected("Ben", number, "", "No", False))
    told = tell_course([*facts, end("INCOMPLETE", "everybody passed")])
    assert told == (
        "No agreement after 4 votes: everybody passed. 2 votes failed earlier. Ben (“No”) blocked line 3, then Ann "
        "proposed line 4; Ben (“No”) blocked line 4."
    )


def test_beyond_the_sixth_a_vote_is_told_by_its_number() -> None:
    facts = [fact for number in range(1, 22) for fact in check(number, "Ann", LISBON)]
    assert tell_course([*facts, end()]).startswith("Agreed at vote 21, on what Ann proposed. 18 votes failed earlier.")
