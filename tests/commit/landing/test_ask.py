"""What no candidate holds is laid before the owners of both sides: offers by region, accepted by hash, then gates."""

from __future__ import annotations

import re

import pytest

from graphbus_core.commit.landing.regions import WHOLE, Place, apply_decisions, list_regions
from graphbus_core.services.landing import explain_landing, land_branches
from graphbus_core.sessions.document.directory import NegotiationDirectory
from graphbus_core.sessions.document.turn_api import deliver_brief, take_turn
from tests.commit.landing.test_land import LOWER, MODULE, UPPER, Shop, shop

__all__ = ["shop"]  # the fixture

BOTH = '''def label(name, loud=False):
    """The label."""
    return name.upper() if loud else name.lower()
'''


def open_table(shop: Shop) -> NegotiationDirectory:
    """Two branches that rewrote one statement, and the table that asks their owners."""
    shop.branch("upper", {"shop.py": UPPER})
    shop.branch("lower", {"shop.py": LOWER})
    shop.land("upper")
    before = shop.state()
    landings, notes = land_branches(shop.folder, ("lower",), verify=None, ask=True)
    assert not landings[0]["good"]
    assert shop.state() == before
    assert "seat ours is free" in "\n".join(notes)
    (folder,) = (shop.folder / ".git" / "graphbus" / "tables").iterdir()
    return NegotiationDirectory(folder)


def agree(table: NegotiationDirectory, text: str) -> None:
    """`ours` offers a text, and `theirs` accepts it by its hash: a script, as a person or an agent would."""
    assert table.register("ours").ok
    assert table.register("theirs").ok
    brief = deliver_brief(table, "ours")
    assert "return name.upper()" in brief
    assert "return name.lower()" in brief
    assert take_turn(table, "ours", f"@offer 1\n```python\n{text}```\n").ok
    digest = re.search(r"ours offers \[([0-9a-f]+)\]", deliver_brief(table, "theirs", everything=True))
    assert digest is not None
    assert take_turn(table, "theirs", f"@accept 1 {digest[1]}\n").ok


def test_what_the_owners_agreed_on_lands_and_why_tells_of_it(shop: Shop) -> None:
    """The decided text stands, the rest of both branches is merged, and the log knows whose offer it was."""
    agree(open_table(shop), BOTH)
    landings, notes = land_branches(shop.folder, ("lower",), verify="true", ask=True)
    assert (landings[0]["status"], notes) == ("landed", [])
    assert (shop.folder / "shop.py").read_text() == MODULE[: MODULE.index("def label")] + BOTH
    (line,) = (text for text in explain_landing(shop.folder, landings[0]["id"]) if "decided" in text)
    assert re.search(r"shop.py: label: decided, the offer [0-9a-f]{8} of ours, accepted by theirs", line)


def test_half_an_agreement_lands_nothing(shop: Shop) -> None:
    """An offer that nobody accepted is no decision; landing again says who is awaited."""
    table = open_table(shop)
    table.register("ours")
    table.register("theirs")
    take_turn(table, "ours", f"@offer 1\n```python\n{BOTH}```\n")
    before = shop.state()
    landings, notes = land_branches(shop.folder, ("lower",), verify="true", ask=True)
    assert not landings[0]["good"]
    assert "theirs has the turn" in "\n".join(notes)
    assert shop.state() == before


def test_a_decision_goes_through_the_gates(shop: Shop) -> None:
    """Both may be wrong: what does not parse, or names what is not there, does not land."""
    agree(open_table(shop), "def label(name):\n    return unheard_of(name)\n")
    before = shop.state()
    landings, _ = land_branches(shop.folder, ("lower",), verify="true", ask=True)
    assert not landings[0]["good"]
    assert "unheard_of" in landings[0]["why"]
    assert shop.state() == before


THREE = (
    b"class A:\n    def f(self):\n        return 1\n",
    b"class A:\n    @cached\n    def f(self):\n        return 2\n",
    b"class A:\n    def f(self):\n        return 3\n",
)


@pytest.mark.parametrize(
    ("symbol", "region", "ours"),
    [
        ("A.f", "A.f", "    @cached\n    def f(self):\n        return 2\n"),
        ("A.g", "A", THREE[1].decode()),
        ("module", WHOLE, THREE[1].decode()),
    ],
)
def test_a_region_is_the_smallest_definition_that_both_sides_have(symbol: str, region: str, ours: str) -> None:
    """With its decorators; what only one side has is told by what stands around it."""
    (found,) = list_regions([Place("a.py", symbol, "why", 2)], lambda path: THREE)
    assert (found.symbol, found.ours) == (region, ours)


def test_a_decision_is_written_at_the_place_it_stands_at() -> None:
    """Whatever indentation it was offered at; an empty one takes the definition away."""
    for text in ("def f(self):\n    return 5\n", "    def f(self):\n        return 5\n"):
        decided = apply_decisions("a.py", THREE[1], {("a.py", "A.f"): text})
        assert decided == b"class A:\n    def f(self):\n        return 5\n"
    assert apply_decisions("a.py", THREE[1], {("a.py", "A.f"): ""}) == b"class A:\n"
    assert apply_decisions("b.py", THREE[1], {("a.py", "A.f"): ""}) == THREE[1]
