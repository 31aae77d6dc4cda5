"""No repair without evidence: what counts as evidence, what does not, and what is asked instead."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from graphbus_core.participants.rules import name_matching
from graphbus_core.participants.rules.evidence import CONFIDENCE, EvidenceKind, is_explained, is_explained_in_line
from graphbus_core.participants.rules.method_source import explain_cannot_take
from graphbus_core.participants.rules.repair_proposals import propose
from tests.participants.test_rules import asked, ops


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
    ("sent", "wanted", "kind", "evidence"),
    [
        ("userName", "user_name", "str", "name"),
        ("user-name", "username", "str", "name"),
        ("note", "notes", "str", "name"),
        ("category", "categories", "list[str]", "name"),
        ("id", "a_id", "int", "prefix"),
    ],
)
def test_one_name_in_two_spellings_and_the_own_prefix(
    sent: str, wanted: str, kind: str, evidence: str, tmp_path: Path
) -> None:
    """The producer's class is A: its `id` may feed `a_id`."""
    answer = said(
        tmp_path,
        f'{{"{sent}": {kind}, "n": int}}',
        f'{{"{wanted}": {kind}}}',
        GIVE,
        f"def show(self, {wanted}): return {{'line': ''}}",
    )
    (proposal,) = answer["proposals"]
    assert proposal["diff"][0]["to"] == sent
    assert proposal["confidence"] == CONFIDENCE[EvidenceKind(evidence)]
    assert f"Evidence ({proposal['confidence']:g}): {evidence}: " in proposal["rationale"]


def test_a_rival_makes_a_question_of_it(tmp_path: Path) -> None:
    """Two spellings of the name are sent; or two fields ask for the one that is."""
    answer = said(
        tmp_path,
        '{"user_name": str, "username": str}',
        '{"userName": str}',
        GIVE,
        "def show(self, userName): return {'line': userName}",
    )
    assert answer["proposals"] == []
    assert sorted(names_of(answer)) == ["user_name", "username"]
    (tmp_path / "two").mkdir()
    answer = said(
        tmp_path / "two",
        '{"user_name": str}',
        '{"userName": str, "username": str}',
        GIVE,
        "def show(self, userName, username): return {'line': username}",
    )
    assert answer["proposals"] == []
    assert len(answer["questions"]) == 2


@pytest.mark.parametrize(
    ("one", "other", "wanted"), [("charges", "Charge", "charge"), ("seat_no", "seatNos", "seatNo")]
)
def test_a_plural_beside_it_makes_a_question_of_a_spelling(one: str, other: str, wanted: str, tmp_path: Path) -> None:
    """A number in the plural is another quantity; but it could be what the singular means."""
    body = f"def show(self, n, {wanted}): return {{'line': ''}}"
    sent, taken = f'{{"n": int, "{one}": int, "{other}": int}}', f'{{"n": int, "{wanted}": int}}'
    answer = said(tmp_path, sent, taken, GIVE, body)
    assert answer["proposals"] == []
    assert {one, other} <= set(names_of(answer))


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
    ("sent", "wanted", "more", "passes"),
    [
        ('{"title": str}', "city", {}, True),
        ('{"title": str}', "city", {"in_cycle": True}, False),  # the value of the round before
        ('{"title": str, "town": str}', "city", {}, False),  # a rival
        ('{"title": str}', "total", {}, False),  # a stage's own total is another
        ('{"title": str}', "id", {}, False),
    ],
)
def test_a_field_is_passed_on_where_nothing_else_can_be_meant(
    sent: str, wanted: str, more: dict[str, Any], passes: bool, tmp_path: Path
) -> None:
    """Under its own name, which keeps its meaning from stage to stage; never round a cycle."""
    make = f"def make(self, {wanted}): return {{'title': ''}}"
    show = f"def show(self, title, {wanted}): return {{'line': title}}"
    taken = f'{{"title": str, "{wanted}": str}}'
    asked(tmp_path, sent, taken, make, show)
    source = (tmp_path / "nodes.py").read_text().replace('input_schema={"n": int}', f'input_schema={{"{wanted}": str}}')
    (tmp_path / "nodes.py").write_text(source)
    asks = reasked(tmp_path)
    changed = [{**m, **more} for m in asks["A"].about["mismatches"]]
    made = ops(asks["A"], mismatches=changed)
    assert bool(made) is passes, made
    if not passes and not more:
        answer = propose({**asks["B"].about, "round": 2})
        assert "pass on" in names_of(answer)
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


@pytest.mark.parametrize(
    ("text", "field", "named"),
    [
        ("the fetcher's `quantity`", "quantity", True),
        ("same as unit_price of the order", "unit_price", True),
        ("the total number of items", "total", False),  # a word of English
        ("weight, not `weight_g`", "weight_g", False),
        ("`price` converted to cents", "price", False),
        ("sum of unit_price and tax", "unit_price", False),
        ("smaller than full_length where it bends", "full_length", False),  # what is compared differs
        ("lives with head_name", "head_name", False),  # nothing is denied, and nothing is said to be the same
        ("at most burn_hours.", "burn_hours", False),
        ("what Forge.heat calls `glow`", "glow", True),
        ("quantity as Fetcher.get gives it", "quantity", True),  # whose it is stands beside a plain word
        ("the quantity that Fetcher.get gives", "quantity", True),
        ("half of the quantity of Fetcher.get", "quantity", False),
        (None, "x", False),
    ],
)
def test_a_description_names_a_field_or_only_uses_its_word(text: str | None, field: str, named: bool) -> None:
    """In one of a few forms, in quotes or with an underscore; anything else says nothing."""
    assert is_explained(text, "mine", field, ("Fetcher", "get")) is named


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("colour: the `glow` of Forge.", True),
        ("colour (str): same as `glow`", True),
        ("`glow` is what Smith.strike calls `colour`.", True),
        ("What it is heated to: `glow` is what Smith.strike calls `colour`.", True),
        ("Strike by `colour` (the glow of Forge.heat), twice.", True),
        ("Strike by `colour` (less than the glow of Forge.heat).", False),
        ("colour: follows the `glow` by an hour", False),
        ("Heats it. The `glow` says how hot.", False),  # it does not speak of the field
    ],
)
def test_a_line_of_a_docstring_says_that_two_fields_are_one(line: str, named: bool) -> None:
    """And nothing beside it."""
    assert is_explained_in_line(line, "colour", "glow", ("Forge", "heat")) is named


def test_a_description_that_names_a_field_of_another_unit_is_no_evidence(tmp_path: Path) -> None:
    """It names it, and the value would be off by a thousand. Of one unit it is evidence."""
    for wanted, meant in (("weight_kg", False), ("mass", True)):
        folder = tmp_path / wanted
        folder.mkdir()
        taken = f"{{'{wanted}': Annotated[float, 'the `weight_g` of the parcel']}}"
        show = f"def show(self, {wanted}): return {{'line': ''}}"
        answer = said(folder, "{'weight_g': float}", taken, GIVE, show)
        assert bool(answer["proposals"]) is meant, answer


def test_opposites_and_bare_names() -> None:
    """Units, sides and roles tell two fields apart, however alike they are."""
    assert name_matching.are_opposed("start_date", "end_date")
    assert name_matching.are_opposed("billing_address", "shipping_address")
    assert not name_matching.are_opposed("user_name", "username")
    assert name_matching.is_bare("Id")
    assert not name_matching.is_bare("customer_id")
    assert name_matching.has_own_prefix("shop.CustomerService", "id", "customer_id")
    assert not name_matching.has_own_prefix("Order", "customer_id", "id")


@pytest.mark.parametrize(
    ("body", "own", "added", "takes"),
    [
        ("return {'line': f'{x}'}", "int", "str", True),
        ("return {'line': x % 2}", "int", "str", False),
        ("return {'line': x * 2}", "int", "float", True),
        ("return {'line': '-' * x}", "int", "float", False),
        ("return {'line': list(range(x))}", "int", "float", False),
        ("return {'line': ','.join(x)}", "list", "str", False),
        ("return {'line': x.upper()}", "str", "None", False),
        ("return {'line': f'{x}'}", "str", "None", False),  # it would print None
        ("return {'line': x or '-'}", "str", "None", True),
        ("return {'line': x.upper() if x else ''}", "str", "None", True),
        ("return {'line': x.upper() if x is not None else ''}", "str", "None", True),
        ("return {'line': ','.join(x) if isinstance(x, list) else x}", "list", "str", True),
        ("self.kept = x", "int", "str", False),  # lost from sight
        ("x = x + 1\n    return {'line': f'{x}'}", "int", "str", False),
        ("y = x\n    return {'line': f'{y}'}", "int", "str", True),
        ("return {'line': f'{x:d}'}", "int", "float", False),
        ("return {'line': helper(x)}", "int", "str", False),
    ],
)
def test_a_body_takes_the_wider_type_or_not(body: str, own: str, added: str, takes: bool) -> None:
    """Every use is found, and is one that the type allows; what is handed to unread code is not."""
    function = ast.parse(f"def show(self, x):\n    {body}\n").body[0]
    assert isinstance(function, ast.FunctionDef)
    assert (explain_cannot_take(function, "x", frozenset({own}), frozenset({added})) is None) is takes


def test_fields_of_elements_are_followed() -> None:
    """Through loops and comprehensions; a record that is handed on whole is lost from sight."""
    looped = ast.parse("def show(self, rows):\n    return {'line': [f\"{r['qty']}\" for r in rows]}\n").body[0]
    handed = ast.parse("def show(self, rows):\n    return {'line': [plain(r) for r in rows]}\n").body[0]
    assert isinstance(looped, ast.FunctionDef)
    assert isinstance(handed, ast.FunctionDef)
    types = frozenset({"int"}), frozenset({"str"})
    assert explain_cannot_take(looped, "rows[].qty", *types) is None
    assert explain_cannot_take(handed, "rows[].qty", *types) is not None


def test_a_wider_type_that_the_body_does_not_take_is_a_question(tmp_path: Path) -> None:
    """With the line that does not take it."""
    show = "def show(self, title): return {'line': title.upper()}"
    answer = said(tmp_path, '{"title": int}', '{"title": str}', "def make(self, n): return {'title': n}", show)
    assert answer["proposals"] == []
    assert names_of(answer) == ["both types"]
    assert "title.upper()" in answer["questions"][0]["candidates"][0]["says"]


def test_where_there_is_nothing_to_choose_from_the_reason_is_said(tmp_path: Path) -> None:
    """For `graphbus why A.make B.show`."""
    answer = said(tmp_path, '{"n": int}', '{"title": list[str]}', GIVE, "def show(self, title): return {'line': ''}")
    (left,) = answer["left"]
    assert (left["link"], left["field"]) == ("A.make => B.show", "title")
    assert "'n', of another type" in left["why"]
