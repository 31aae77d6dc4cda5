"""No repair without evidence: what counts as evidence, what does not, and what is asked instead."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from graphbus_core.participants.rules import name_matching
from graphbus_core.participants.rules.repair_proposals import propose
from tests.participants.test_rules import asked


def said(folder: Path, sent: str, taken: str, producer: str, consumer: str, **more: Any) -> dict[str, Any]:
    """What B answers in round 2."""
    ask = asked(folder, sent, taken, producer, consumer)["B"]
    mismatches = [{**m, **more} for m in ask.about["mismatches"]]
    return propose({**ask.about, "round": 2, "mismatches": mismatches})


def names_of(answer: dict[str, Any]) -> list[str]:
    """The candidates of the one question."""
    (question,) = answer["questions"]
    return [c["name"] for c in question["candidates"]]


GIVE = "def make(self, n): return {}"


@pytest.mark.parametrize(
    ("sent", "wanted", "kind"),
    [
        ("weight_g", "weight_kg", "float"),
        ("end_date", "start_date", "str"),
        ("full_name", "last_name", "str"),
        ("password", "colour", "str"),
        ("billing_address", "shipping_address", "{'street': str}"),
        ("customer_id", "id", "int"),
        ("seconds", "second", "int"),
        ("v1_1", "v11", "str"),
    ],
)
def test_the_only_two_left_are_a_question(sent: str, wanted: str, kind: str, tmp_path: Path) -> None:
    """One type, one shape, a likeness of names: none of it is evidence. The question names the candidate."""
    answer = said(
        tmp_path,
        f'{{"{sent}": {kind}}}',
        f'{{"{wanted}": {kind}}}',
        GIVE,
        f"def show(self, {wanted}): return {{'line': ''}}",
    )
    assert answer["proposals"] == []
    assert names_of(answer) == [sent]


@pytest.mark.parametrize(
    ("sent", "wanted", "kind"),
    [
        ("userName", "user_name", "str"),
        ("user-name", "username", "str"),
        ("note", "notes", "str"),
        ("rate_Mbps", "rate_MBps", "float"),
        ("id", "a_id", "int"),
    ],
)
def test_names_alike_and_the_producers_own_prefix_only_rank(sent: str, wanted: str, kind: str, tmp_path: Path) -> None:
    """The likeliest name stands first in the question, and nothing is proposed. The producer's class is A."""
    answer = said(
        tmp_path,
        f'{{"zone": {kind}, "{sent}": {kind}}}',
        f'{{"{wanted}": {kind}}}',
        GIVE,
        f"def show(self, {wanted}): return {{'line': ''}}",
    )
    assert answer["proposals"] == []
    assert names_of(answer) == [sent, "zone"]


def test_what_code_shows_is_evidence_and_two_flows_are_a_question(tmp_path: Path) -> None:
    """The build finds calls that carry a value; where they do not agree, nobody guesses which is right."""
    flow = {
        "sent": "amount",
        "taken": "qty",
        "kind": "flow",
        "says": "a call gives 'amount' as 'qty'",
        "where": "m.py:3",
    }
    forms = ('{"amount": int, "left": int}', '{"qty": int}', GIVE, "def show(self, qty): return {'line': ''}")
    answer = said(tmp_path, *forms, evidence=[flow])
    assert answer["proposals"][0]["diff"][0]["to"] == "amount"
    assert "m.py:3" in answer["proposals"][0]["rationale"]
    answer = said(tmp_path, *forms, evidence=[flow, {**flow, "sent": "left"}])
    assert answer["proposals"] == []
    assert sorted(names_of(answer)) == ["amount", "left"]


def test_a_default_does_not_hide_a_field_that_may_be_meant(tmp_path: Path) -> None:
    """`currency` has a default, and something of its type is sent: to go without it may be to lose it."""
    show = "def show(self, currency='EUR'): return {'line': currency}"
    answer = said(tmp_path, '{"ccy": str}', '{"currency": str}', GIVE, show)
    assert answer["proposals"] == []
    assert names_of(answer) == ["ccy", "without"]


@pytest.mark.parametrize(
    ("sent", "taken", "show", "label", "asks"),
    [
        ("ccy", "currency", "currency='EUR'", "currency becomes ccy", "Is currency in B.show the same as ccy?"),
        (None, "currency", "currency='EUR'", "currency may be left out", "May currency be left out?"),
        ("n: float", "n: int", "n", "n may be a fraction, too", "May n be a fraction, too?"),
        ("n: str", "n: int", "n", "n may be a text, too", "May n be a text, too?"),
    ],
)
def test_an_answer_has_words_of_its_own(
    sent: str | None, taken: str, show: str, label: str, asks: str, tmp_path: Path
) -> None:
    """What happens by it, and the question where it is the only one: whoever shows it makes up no other words."""

    def schema(field: str | None) -> str:
        name, _, kind = (field or "").partition(": ")
        return f'{{"{name}": {kind or "str"}}}' if name else "{}"

    answer = said(tmp_path, schema(sent), schema(taken), GIVE, f"def show(self, {show}): return {{'line': ''}}")
    candidate = answer["questions"][0]["candidates"][0]
    assert candidate["label"] == label
    assert candidate["asks"].startswith(asks)


def test_what_nearly_sufficed_stands_first_with_its_reason(tmp_path: Path) -> None:
    """A call that carries the value under a condition is no proof; whoever answers wants to look there first."""
    nearly = {"sent": "left", "taken": "qty", "kind": "nearly", "says": "but it is made under a condition"}
    forms = ('{"amount": int, "left": int}', '{"qty": int}', GIVE, "def show(self, qty): return {'line': ''}")
    answer = said(tmp_path, *forms, evidence=[{**nearly, "where": "m.py:3"}])
    assert names_of(answer) == ["left", "amount"]
    assert "under a condition (m.py:3)" in answer["questions"][0]["candidates"][0]["says"]


def test_a_question_shows_both_places_with_a_value_and_what_is_written(tmp_path: Path) -> None:
    """So that a person can answer it without opening a file."""
    places = [
        {"sent": "left", "taken": "qty", "kind": "producer", "says": "A.make gives left = 4", "where": "a.py:8"},
        {"sent": "n", "taken": "qty", "kind": "producer", "says": "A.make", "where": "a.py:8"},
        {"sent": "on", "taken": "qty", "kind": "producer", "says": "A.make gives on = 5", "where": "a.py:8"},
        {"sent": "", "taken": "qty", "kind": "consumer", "says": "B.show, called with qty = 5", "where": "b.py:9"},
    ]
    answer = said(tmp_path, '{"left": int}', '{"qty": int}', GIVE, "def show(self, qty): return {}", evidence=places)
    (question,) = answer["questions"]
    assert "Look at b.py:9 (B.show, called with qty = 5); a.py:8 (A.make gives left = 4, on = 5)." in question["text"]
    assert question["candidates"][0]["says"] == "'qty' becomes 'left', which A.make sends"


@pytest.mark.parametrize(
    ("sent", "wanted", "more", "offered"),
    [
        ('{"title": str}', "city", {}, ["pass on"]),
        ('{"title": str}', "city", {"in_cycle": True}, []),  # the value of the round before
        ('{"title": str, "town": str}', "city", {}, ["town", "pass on"]),
    ],
)
def test_what_the_producer_receives_is_offered_and_never_passed_on_unasked(
    sent: str, wanted: str, more: dict[str, Any], offered: list[str], tmp_path: Path
) -> None:
    """It may have become stale. The producer alone sees the way, so it asks, at once; never round a cycle."""
    make = f"def make(self, {wanted}): return {{'title': ''}}"
    show = f"def show(self, title, {wanted}): return {{'line': title}}"
    asked(tmp_path, sent, f'{{"title": str, "{wanted}": str}}', make, show)
    source = (tmp_path / "nodes.py").read_text().replace('input_schema={"n": int}', f'input_schema={{"{wanted}": str}}')
    (tmp_path / "nodes.py").write_text(source)
    asks = reasked(tmp_path)
    changed = [{**m, **more} for m in asks["A"].about["mismatches"]]
    answer = propose({**asks["A"].about, "mismatches": changed})
    assert answer["proposals"] == []
    assert [names_of(answer)] == [offered] if offered else "questions" not in answer
    if more:
        (question,) = propose({**asks["B"].about, "round": 2, "mismatches": changed})["questions"]
        assert (question["candidates"], "the value of the round before" in question["text"]) == ([], True)


def reasked(folder: Path) -> dict[str, Any]:
    """The questions of round 1 for what stands in the folder."""
    from graphbus_core.analysis.links import link
    from graphbus_core.analysis.scan import scan
    from graphbus_core.config import SafetyConfig
    from graphbus_core.logs.memory import MemoryLog
    from graphbus_core.negotiation.core import Ask, Session
    from graphbus_core.negotiation.proposal.config import ProposalConfig
    from graphbus_core.negotiation.proposal.protocol import ProposalProtocol

    agents = scan(str(folder)).agents
    linked = link(agents)
    config = ProposalConfig(agents, linked.links, linked.mismatches, SafetyConfig(max_negotiation_rounds=3))
    session: Session[Any, Any] = Session(ProposalProtocol(), config, MemoryLog())
    session.advance()
    return {want.to: want for want in session.pending() if isinstance(want, Ask)}


def test_a_description_that_names_a_field_only_ranks(tmp_path: Path) -> None:
    """`weight_kg` is "the `weight_g` of the parcel", and the value would be off by a thousand."""
    taken = "{'weight_kg': Annotated[float, 'the `tare` of the parcel']}"
    show = "def show(self, weight_kg): return {'line': ''}"
    answer = said(tmp_path, "{'weight_g': float, 'tare': float}", taken, GIVE, show)
    assert answer["proposals"] == []
    assert names_of(answer) == ["tare", "weight_g"]


def test_the_likeness_of_names_is_an_order() -> None:
    """By words, whatever parts them; else by letters."""
    assert name_matching.measure_likeness("user_name", "userName") > name_matching.measure_likeness("user_name", "city")
    assert name_matching.split_words("HTTPServer-name") == ["http", "server", "name"]
    assert not name_matching.is_mentioned("rate", "the exchange_rate")


def test_a_wider_type_is_a_question(tmp_path: Path) -> None:
    """A body that happens to run with it may hide a unit."""
    show = "def show(self, title): return {'line': title.upper()}"
    answer = said(tmp_path, '{"title": int}', '{"title": str}', "def make(self, n): return {'title': n}", show)
    assert answer["proposals"] == []
    assert names_of(answer) == ["consumer takes both"]
    assert answer["questions"][0]["text"].endswith("Shall it take both from now on, or stay as it is?")


def test_where_there_is_nothing_to_choose_from_the_reason_is_said(tmp_path: Path) -> None:
    """For `graphbus why A.make B.show`."""
    answer = said(tmp_path, '{"n": int}', '{"title": list[str]}', GIVE, "def show(self, title): return {'line': ''}")
    (left,) = answer["left"]
    assert (left["link"], left["field"]) == ("A.make => B.show", "title")
    assert "'n', of another type" in left["why"]
