"""Red lines in words: read whole, or not applied and asked; never the opposite, and never half of it."""

from __future__ import annotations

import asyncio
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from graphbus_core.negotiation.consent.red_lines import boxes
from graphbus_core.negotiation.consent.red_lines.actions import ACTIONS
from graphbus_core.negotiation.consent.red_lines.grammar import GRAMMAR, ORDER, WORDS
from graphbus_core.negotiation.consent.red_lines.reading import read_sentence
from graphbus_core.negotiation.consent.red_lines.wording import build_red_lines, describe_excluded
from graphbus_core.negotiation.consent.scenario.model import Advocate, Issue, Limit, Preferences, Scenario
from graphbus_core.negotiation.core import Ask, Reply, View
from graphbus_core.sessions.consent.elicitation import PreferenceElicitation

PRICE = Issue("price", ("100", "200", "300", "400"), (100.0, 200.0, 300.0, 400.0), "EUR")
START = Issue("start", ("2026-02-15", "2026-03-01", "2026-03-15", "2026-04-01"))
VENUE = Issue("venue", ("Harbour Hall", "Old Mill", "City Library"))
ISSUES = (PRICE, START, VENUE)
SHAPE = (4, 4, 3)
DOCS = Path(__file__).resolve().parents[2] / "docs" / "red-lines.md"


def out(test: str) -> set[tuple[int, ...]]:
    """The packages of which a condition over price, start (as text) and venue (its first letter) is true."""
    found = set()
    for package in product(*map(range, SHAPE)):
        price, start, venue = (i.options[o] for i, o in zip(ISSUES, package, strict=True))
        if eval(test, {"price": float(price), "start": start, "venue": venue[0]}):
            found.add(package)
    return found


READ = [
    ("never more than 300", "price > 300"),
    ("not above 300 euros", "price > 300"),
    ("No more than 300 €, please.", "price > 300"),
    ("at most EUR 300", "price > 300"),
    ("I can't pay more than three hundred euros", "price > 300"),
    ("300 max", "price > 300"),
    ("never more then 300", "price > 300"),
    ("The price must not exceed 300", "price > 300"),
    ("300 is the most I can pay", "price > 300"),
    ("under 300", "price >= 300"),
    ("no less than 200", "price < 200"),
    ("not cheaper than 200", "price < 200"),
    ("between 200 and 300 euros", "price < 200 or price > 300"),
    ("not under 200 and not over 300", "price < 200 or price > 300"),
    ("must not be more than 1.000 euros", "False"),
    ("not before March", "start < '2026-03'"),
    ("no later than 15 March", "start > '2026-03-15'"),
    ("after the 1st of March", "start <= '2026-03-01'"),
    ("from March 15", "start < '2026-03-15'"),
    ("no February, no April", "start[5:7] in ('02', '04')"),
    ("neither March nor April", "start >= '2026-03'"),
    ("only in March", "start[5:7] != '03'"),
    ("no Sundays", "start != '2026-04-01'"),
    ("anything but Harbour Hall", "venue == 'H'"),
    ("nothing except Old Mill", "venue != 'O'"),
    ("Old Mill or nothing", "venue != 'O'"),
    ("only Old Mill or Harbour Hall", "venue == 'C'"),
    ("neither Harbour Hall nor the Library", "venue != 'O'"),
    ("not without Old Mill", "venue != 'O'"),
    ("Harbour Hall doesn't work for me", "venue == 'H'"),
    ("Harbor Hall is out", "venue == 'H'"),
    ("Old Mill is fine, Harbour Hall isn't", "venue == 'H'"),
    ("no Old Mill, because I hate the smell", "venue == 'O'"),
    ("never Old Mill in March", "venue == 'O' and start[5:7] == '03'"),
    ("not both Old Mill and a start in March", "venue == 'O' and start[5:7] == '03'"),
    ("not in March unless the venue is Old Mill", "start[5:7] == '03' and venue != 'O'"),
    ("unless it's Old Mill, no more than 200", "venue != 'O' and price > 200"),
    ("Old Mill only if it's under 300", "venue == 'O' and price >= 300"),
    ("Old Mill is fine as long as it's under 300", "venue == 'O' and price >= 300"),
    ("if it's Old Mill, at most 200", "venue == 'O' and price > 200"),
    ("It can't be Old Mill if the price is above 200", "venue == 'O' and price > 200"),
    ("I'd prefer Old Mill", "False"),
    ("not in February, I'm at the client's both days", "start < '2026-03'"),
    ("I get seasick, so no more than 200", "price > 200"),
    ("no Old Mill, they don't publish their books", "venue == 'O'"),
    ("Old Mill is out, and so is Harbour Hall", "venue != 'C'"),
    ("I'm away from March 1 to March 15", "'2026-03-01' <= start <= '2026-03-15'"),
    ("we can't begin until March", "start < '2026-03'"),
    ("March is too late for us", "start >= '2026-03'"),
    ("not later than mid-March", "start > '2026-03-20'"),  # all that people mean by it comes to the same here
    ("March 1 is the earliest", "start < '2026-03-01'"),
    ("in March at the latest", "start > '2026-03-31'"),
    ("My maximum price is 300.", "price > 300"),
    ("300 euros, not a cent more", "price > 300"),
    ("between 200 and 300, no more", "price < 200 or price > 300"),
    ("Less than 200 and I'm out", "price < 200"),
    ("At least 200, or we don't talk", "price < 200"),
    ("Old Mill yes, Harbour Hall no", "venue == 'H'"),
    ("Old Mill is fine, but not in March", "venue == 'O' and start[5:7] == '03'"),
    ("Old Mill is okay, but only in March", "venue == 'O' and start[5:7] != '03'"),
    ("Old Mill or the library, no Harbour Hall", "venue == 'H'"),
    ("I can live with Old Mill, but then no more than 200", "venue == 'O' and price > 200"),
    ("The library is too small below 200 euros", "venue == 'C' and price < 200"),
    ("Harbour Hall only in March or in April", "venue == 'H' and start[5:7] == '02'"),
    ("400 is fine as long as it's Old Mill, otherwise at most 200", "(400 if venue == 'O' else 200) < price"),
    ("no more than 200, except at Old Mill, where at most 300", "price > (300 if venue == 'O' else 200)"),
    ("if it's Old Mill, no February and no more than 300", "venue == 'O' and (start < '2026-03' or price > 300)"),
    ("I don't mind the price", "False"),
]
ASKED = [
    "by March",  # its first day or its last
    "I'd rather not go above 300",  # a wish or a limit
    "up to 300 is fine",
    "no more than 300 or the Old Mill",
    "Old Mill, but not in March",
    "at least 300, at most 200",  # nothing would be left
    "I used to love Old Mill",
    "no more than 20 a head",  # of whom there may be many
    "no more than 3 weeks",
    "is 300 possible?",
    "Whatever helps the team",
    "I like it",
    "no Harbour Hall, no canoeing",  # the second half is a line, of what the table calls otherwise
    "Harbour Hall or the Old Mill is out",  # one of the two, or both
    "no Harbour Hall and no March unless it's under 300",  # unless what
    "either Old Mill or Harbour Hall has to go",
    "300 for Old Mill? Only if it's in March, I guess",
    "There's no way around Old Mill",
    "not only Old Mill",
    "I can't leave Old Mill out",
    "I could do without Old Mill",
    "Old Mill isn't really our thing",
    "no Old Mill and Harbour Hall",  # neither, or not both
    "not Old Mill or Harbour Hall in March",  # whose March
    "no Old Mill for 200",  # for just that, or less
    "Old Mill, but only in March",  # wanted, or let pass
    "",
]


@pytest.mark.parametrize(("text", "test"), READ)
def test_what_is_read_excludes_just_what_was_meant(text: str, test: str) -> None:
    reading = read_sentence(text, (*ISSUES,))
    assert reading.excluded is not None, (reading.readings, reading.unread)
    found = {p for p in product(*map(range, SHAPE)) if boxes.contains(reading.excluded, p)}
    assert found == out(test)
    assert boxes.count(reading.excluded, SHAPE) == len(found)
    scenario = Scenario("x", ISSUES, (Advocate("A", red_lines=build_red_lines("A", text, reading.excluded, ISSUES)),))
    assert {p for p in product(*map(range, SHAPE)) if scenario.find_crossed_lines("A", p)} == found


@pytest.mark.parametrize("text", ASKED)
def test_what_is_not_read_whole_is_not_applied(text: str) -> None:
    issues = (*ISSUES, Issue("guests", ("10", "20"), (10.0, 20.0), "people")) if "head" in text else ISSUES
    assert read_sentence(text, issues).excluded is None


def test_a_bare_number_that_could_be_of_two_issues_is_asked_about() -> None:
    nights = Issue("nights", ("100", "200"), (100.0, 200.0), "nights")
    assert len(read_sentence("no more than 100", (PRICE, nights)).readings) == 2
    assert read_sentence("no more than 100 euros", (PRICE, nights)).excluded == ({0: frozenset({1, 2, 3})},)
    assert read_sentence("no more than 100 nights", (PRICE, nights)).excluded == ({1: frozenset({1})},)


def test_it_is_said_back_as_what_it_excludes() -> None:
    reading = read_sentence("never more than 300", ISSUES).excluded
    assert reading is not None
    assert describe_excluded(reading, ISSUES) == "12 of 48 deals are out: every deal in which price is 400"
    (line,) = build_red_lines("A", "never more than 300", reading, ISSUES)
    assert line.rule == Limit((0,), None, 300.0)


def test_the_docs_list_the_grammar_and_every_rule_has_a_meaning() -> None:
    text = DOCS.read_text(encoding="utf-8")
    assert WORDS.strip() in text
    assert ORDER.strip() in text
    assert {way.action for ways in GRAMMAR.values() for way in ways if way.action} <= ACTIONS.keys()
    named = {p[1:-1] for ways in GRAMMAR.values() for way in ways for p, _ in way.parts if p.startswith("<")}
    assert named <= GRAMMAR.keys()


BOXES = st.lists(
    st.dictionaries(st.integers(0, 2), st.frozensets(st.integers(0, 2), min_size=1), max_size=3), max_size=3
).map(tuple)


@settings(deadline=None, max_examples=60)
@given(BOXES, BOXES)
def test_boxes_are_sets(a: boxes.Packages, b: boxes.Packages) -> None:
    """Union, intersection, complement and count, against every package."""
    every = list(product(range(3), repeat=3))

    def listed(packages: boxes.Packages) -> set[tuple[int, ...]]:
        return {p for p in every if boxes.contains(packages, p)}

    assert listed(boxes.unite(a, b)) == listed(a) | listed(b)
    assert listed(boxes.intersect(a, b)) == listed(a) & listed(b)
    assert listed(boxes.complement(a, (3, 3, 3))) == set(every) - listed(a)
    assert boxes.count(a, (3, 3, 3)) == len(listed(a))
    assert boxes.are_equal(a, b, (3, 3, 3)) == (listed(a) == listed(b))


class Person:
    """Says one red line, and answers what is asked about it from a list."""

    def __init__(self, line: str, *answers: dict[str, Any]) -> None:
        self.line, self.answers = line, list(answers)
        self.asked: list[str] = []

    async def answer(self, ask: Ask, view: View) -> Reply:
        """The line, then the answers in order."""
        if ask.kind == "minimum":
            return Reply({"share": 0})
        if ask.kind == "dependence":
            return Reply({"choice": 1})
        if ask.id == f"red_lines:{ask.to}":
            return Reply({"lines": [self.line] if self.line else []})
        self.asked.append(ask.about["text"])
        return Reply(self.answers.pop(0))


def crossed(person: Person) -> set[tuple[int, ...]]:
    """What this person's red lines exclude after all that was asked."""
    scenario = Scenario("x", ISSUES, (Advocate("Ann"), Advocate("Bob")), preferences=Preferences.SEALED)
    asking = PreferenceElicitation(scenario, {"Ann": person, "Bob": Person("")}, None)
    asyncio.run(asking.begin())
    return {p for p in product(*map(range, SHAPE)) if asking.scenario.find_crossed_lines("Ann", p)}


def test_a_yes_applies_it_and_a_no_gives_one_more_try() -> None:
    assert crossed(Person("never more than 300", {"choice": 1})) == out("price > 300")
    again = Person("never more than 300", {"choice": 2}, {"lines": ["not above 200"]}, {"choice": 1})
    assert crossed(again) == out("price > 200")
    assert "not applied" in again.asked[1]
    assert "not above 300" in again.asked[1], "it offers forms"
    left = Person("I used to love Old Mill", {"lines": ["neither do I"]})
    assert crossed(left) == set()
    assert "'I used to love Old Mill'" in left.asked[0]


def test_two_readings_are_both_said_back_and_one_is_chosen() -> None:
    assert crossed(Person("by March", {"choice": 1})) == out("start > '2026-03-31'")
    person = Person("by March", {"choice": 2})
    assert crossed(person) == out("start > '2026-03-01'")
    assert "2 ways" in person.asked[0]
    assert crossed(Person("by March", {"choice": 3}, {"lines": []})) == set()
