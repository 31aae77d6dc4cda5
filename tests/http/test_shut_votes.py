"""Votes stay shut until all have voted: on no page, in no answer of the API, and not in the stream."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from graphbus_core.negotiation.consent.events import CheckCalled, CheckFailed, Consented, Objected, ProposalTabled
from graphbus_core.negotiation.consent.shut_votes import build_shown_fact, find_open_check
from graphbus_core.negotiation.core import Event
from tests.http.test_seats import DECISION, NAMES, TERMS
from tests.serving import V1, Served, until

Serve = Callable[..., Served]
pytestmark = pytest.mark.timeout(300)


def test_of_an_open_check_who_has_answered_is_told() -> None:
    """A check that is over is told whole; of the one behind it nothing but who has answered."""
    tabled = ProposalTabled(1, "Ann", TERMS, "", "", "", "1")
    first = [CheckCalled("Ann", 1, "1", TERMS, False, ""), Objected("Ben", 1, "1", "too dear", False)]
    second = [CheckCalled("Ann", 2, "2", TERMS, True, ""), Consented("Cem", 2, "2"), Objected("Ben", 2, "2", "", True)]
    closed = [tabled, *first, CheckFailed(1, "1", ("Ben",))]

    def show(*events: Event) -> list[tuple[str, object]]:
        """Kinds of facts, and whose vote stands for nothing but an answer."""
        opened = find_open_check(events)
        rows = [build_shown_fact(event, is_open=place > opened) for place, event in enumerate(events)]
        return [(kind, data if kind == "voted" else None) for kind, data in rows]

    over = [("proposal_tabled", None), ("check_called", None), ("objected", None), ("check_failed", None)]
    shut = [("voted", {"advocate": name, "number": 2}) for name in ("Cem", "Ben")]
    assert show(tabled, *first) == [*over[:2], ("voted", {"advocate": "Ben", "number": 1})]
    assert show(*closed) == over
    assert show(*closed, *second) == [*over, ("check_called", None), *shut]


def test_nobody_reads_a_vote_before_all_have_voted(serve: Serve) -> None:
    """Neither a seat that has voted, nor one that has not, nor the operator; afterwards everybody does."""
    served = serve("hello")
    operator = V1(served)
    begun = operator("POST", "/consents", {"scenario": DECISION, "humans": list(NAMES)})
    seats = {one["name"]: V1(served, one["key"]) for one in begun["seats"]}
    road = f"/consents/{begun['id']}"

    def answer(name: str, kind: str, body: object) -> None:
        """Say that, as soon as it is asked."""

        def is_asked() -> bool:
            for question in seats[name]("GET", "/questions")["items"]:
                if question["kind"] == kind:
                    seats[name]("POST", f"/questions/{question['id']}/answer", body)
                    return True
            return False

        until(is_asked, 90)

    for name in NAMES:
        answer(name, "position", {"priority": "mine"})
    first = until(lambda: operator("GET", road)["waiting_for"], 90)[0]
    answer(first, "turn", {"move": "check", "terms": TERMS})
    voted = next(name for name in NAMES if name != first)  # who asks for consent has given it
    answer(voted, "consent", {"answer": "object", "reason": "It is too dear for us"})
    until(lambda: voted not in operator("GET", road)["waiting_for"], 90)
    until(lambda: [one for one in operator("GET", road)["said"] if one["kind"] == "voted"], 90)

    def tell() -> str:
        """All that anybody is told of it."""
        readers = (operator, *seats.values())
        messages = operator("GET", "/stream?after=0&limit=1000")
        log = operator("GET", f"/negotiations/{begun['id']}/facts?limit=1000")
        whole = operator("GET", f"/negotiations/{begun['id']}")
        questions = [reader("GET", "/questions") for reader in readers]
        return json.dumps([[reader("GET", road) for reader in readers], questions, messages, log, whole])

    told = tell()
    assert "too dear" not in told
    assert '"objected"' not in told
    assert '"kind": "object"' not in told
    assert voted in told
    for name in NAMES:
        if name not in (first, voted):
            answer(name, "consent", {"answer": "consent"})
    until(lambda: "too dear" in json.dumps(operator("GET", road)["said"]), 90)
    assert "too dear" in json.dumps(operator("GET", f"/negotiations/{begun['id']}/facts?limit=1000"))
