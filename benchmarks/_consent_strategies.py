"""What a seat gains that does not keep to honest ballots: ten strategies, at every position of every table.

The others are honest. A gain is a share of the most that a seat could have while all others still gain; no deal is 0.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._consent_rivals import Lifted
from benchmarks._consent_tables import interval, play
from graphbus_core.errors import ScenarioError
from graphbus_core.negotiation.consent.scenario.model import Advocate, Issue, Preferences, Scenario, build_minimum_line
from graphbus_core.negotiation.consent.shut_ballots import BallotBox, BallotStage
from graphbus_core.negotiation.core import Ask, Reply, View
from graphbus_core.participants.advocates import RuleAdvocate
from graphbus_core.participants.advocates.shut_voting import ShutVoting
from graphbus_core.participants.advocates.statements import Vocabulary
from graphbus_core.participants.advocates.utility import Floats, Packages, Utility
from graphbus_core.sessions.consent.preparation import refuse_second_seats

Row = Callable[[str, str, str, bool], None]
GOAL = 0.05


def read_tables(folder: Path) -> Iterator[Scenario]:
    """The tables of a stranger (`FORMAT.md`), with private preferences."""
    for path in sorted((folder / "tables").glob("*.json")):
        data = json.loads(path.read_text(encoding="utf-8"))
        issues = tuple(Issue(i["name"], tuple(map(str, i["options"]))) for i in data["issues"])
        seats = []
        for name in data["parties"]:
            worth, weights = data["worth"][name], data["weights"][name]
            scores = tuple(tuple(100 * weights[i.name] * worth[i.name][o] for o in i.options) for i in issues)
            least = 100 * data["minimum"][name]
            seats.append(Advocate(name, scores=scores, minimum=least, red_lines=(build_minimum_line(name, least),)))
        yield Scenario(path.stem, issues, tuple(seats), preferences=Preferences.PRIVATE)


class Overheard(RuleAdvocate):
    """Honest, and every ballot that it opens is seen at once by whoever listens."""

    def __init__(self, seed: int, opened: dict[str, Any]) -> None:
        super().__init__(seed)
        self.opened = opened

    async def answer(self, ask: Ask, view: View) -> Reply:
        """The honest answer, overheard."""
        reply = await super().answer(ask, view)
        if ask.kind == BallotStage.OPEN:
            self.opened[ask.to] = reply.body
        return reply


class Reader(Overheard):
    """Sees all other ballots first, adds them up with its own, and keeps its own shut where the deal is a poor one.

    `swaps`: it opens another ballot then, one that asks for its best.
    """

    def __init__(self, seed: int, opened: dict[str, Any], swaps: bool) -> None:
        super().__init__(seed, opened)
        self.swaps = swaps

    async def answer(self, ask: Ask, view: View) -> Reply:
        """Waits for the others; then what pays, as far as it can see."""
        reply = await super().answer(ask, view)
        if ask.kind != BallotStage.OPEN or reply.body is None:
            return reply
        while len(self.opened) < len(ask.about["advocates"]):
            await asyncio.sleep(0)
        if self._foresee(ask) >= 0.5:
            return reply
        return Reply({**reply.body, "ballot": reply.body["ballot"][::-1]} if self.swaps else None)

    def _foresee(self, ask: Ask) -> float:
        words = Vocabulary.from_issues(ask.about["issues"])
        own = self._find_utility(words, ask.about)
        box = BallotBox.from_facts(list(ask.about["advocates"]), words.shape, ask.about["said"])
        for name, body in self.opened.items():
            box.open(name, body["ballot"], body["masks"])
        winner = ShutVoting(words, own, ask.to, b"", box).winner
        return 0.0 if winner is None else float(own.compute_surplus(np.array([winner]))[0] / own.room)


class Shut(RuleAdvocate):
    """Commits, and never opens."""

    async def answer(self, ask: Ask, view: View) -> Reply:
        """Silence where a ballot is to be opened."""
        return Reply(None) if ask.kind == BallotStage.OPEN else await super().answer(ask, view)


class Hasty(RuleAdvocate):
    """Calls a check of its own best before anybody can ask about what the ballots came to."""

    async def answer(self, ask: Ask, view: View) -> Reply:
        """Its best, where nothing has been checked yet."""
        if ask.kind == "turn" and ask.about["may_check"] and ask.about["proposal"] is None:
            words = Vocabulary.from_issues(ask.about["issues"])
            return Reply({"move": "check", "terms": words.build_terms(self._find_utility(words, ask.about).best)})
        return await super().answer(ask, view)


class BentUtility(Utility):
    """A utility whose gains are told with another curve: the share of its room to some power."""

    power = 1.0

    def compute_surplus(self, packages: Packages) -> Floats:
        """The same packages are acceptable; how good they are is bent."""
        true = super().compute_surplus(packages)
        room = getattr(self, "room", 0.0)
        return np.where(true > 0, room * np.clip(true / room, 0, 1) ** self.power, true) if room else true


class Bending(RuleAdvocate):
    """Honest about what it can live with, and bends how good the rest is."""

    def __init__(self, seed: int, power: float) -> None:
        super().__init__(seed, "bending")
        self.power = power

    def _find_utility(self, words: Vocabulary, about: Mapping[str, Any]) -> Utility:
        own = BentUtility(words, about["yours"])
        own.power = self.power
        return own


def _tell_each_other(table: Scenario, first: str, second: str) -> Scenario:
    """The two of them as one mind: both want what is good for both, each within its own minimum."""
    pair = [table.find_advocate(n) for n in (first, second)]
    room = [a.ceiling - a.floor or 1.0 for a in pair]
    seats = []
    for seat in table.advocates:
        if seat.name in (first, second):
            rows = zip(*(a.scores or () for a in pair), strict=True)
            scores = tuple(tuple(50 * (x / room[0] + y / room[1]) for x, y in zip(a, b, strict=True)) for a, b in rows)
            least = 50 * sum(a.floor / r for a, r in zip(pair, room, strict=True))
            seat = replace(seat, scores=scores, minimum=least, red_lines=(build_minimum_line(seat.name, least),))
        seats.append(seat)
    return replace(table, advocates=tuple(seats))


def _play_one(table: Scenario, who: str, make: Callable[[int, dict[str, Any]], Any], seed: int) -> tuple[float, ...]:
    opened: dict[str, Any] = {}
    seats = {n: make(seed, opened) if n == who else Overheard(seed, opened) for n in table.names}
    return play(table, seats).gains


STRATEGIES: Mapping[str, Callable[[int, dict[str, Any]], Any]] = {
    "reads the others first, and keeps a poor one shut": lambda s, o: Reader(s, o, False),
    "reads the others first, and opens another one": lambda s, o: Reader(s, o, True),
    "withholds: never opens": lambda s, o: Shut(s),
    "rushes: checks its own best first": lambda s, o: Hasty(s),
    "exaggerates its minimum by .1 of its room": lambda s, o: Lifted(s, 0.1),
    "exaggerates its minimum by .25": lambda s, o: Lifted(s, 0.25),
    "bends its levels, power 2": lambda s, o: Bending(s, 2.0),
    "bends its levels, power 4": lambda s, o: Bending(s, 4.0),
}
FREE = (
    "exaggerates",
    "bends",
    "under a false name",
)  # what no rule can make worthless: as little as can be (docs/consent.md)


def measure(folder: Path, row: Row) -> None:
    """One line a strategy: what it gains over honest, and what the others lose."""
    tables = list(read_tables(folder))
    games = [(t, who) for t in tables for who in t.names]
    honest = {t.topic: play(t, {n: RuleAdvocate(1) for n in t.names}).gains for t in tables}
    print(f"{len(tables)} tables, {len(games)} positions, {sum(map(any, honest.values()))} tables agree honestly")
    for name, make in STRATEGIES.items():
        own, others = [], []
        for table, who in games:
            gains, at = _play_one(table, who, make, 1), table.names.index(who)
            own.append(gains[at] - honest[table.topic][at])
            others += [g - h for n, (g, h) in enumerate(zip(gains, honest[table.topic], strict=True)) if n != at]
        _tell(name, own, others, row)
    own, others = [], []
    for table in (t for t in tables if len(t.names) > 2):
        for at, first in enumerate(table.names):
            second = table.names[(at + 1) % len(table.names)]
            minds = {a.name: a for a in _tell_each_other(table, first, second).advocates}
            lying = {n: _Posing(table, minds[n]) if n in (first, second) else RuleAdvocate(1) for n in table.names}
            gains = play(table, lying).gains
            change = dict(
                zip(table.names, (g - h for g, h in zip(gains, honest[table.topic], strict=True)), strict=True)
            )
            own.append((change[first] + change[second]) / 2)
            others += [c for n, c in change.items() if n not in (first, second)]
    _tell("colludes with one other (the two of them)", own, others, row)
    own, others = [], []
    for table, who in ((t, w) for t, w in games if len(t.names) < 6):
        again = replace(table.find_advocate(who), name=f"{who} again")
        again = replace(again, red_lines=(build_minimum_line(again.name, again.floor),))
        double = replace(table, advocates=(*table.advocates, again))
        gains, at = play(double, {n: RuleAdvocate(1) for n in double.names}).gains, table.names.index(who)
        own.append(gains[at] - honest[table.topic][at])
        others += [g - h for n, (g, h) in enumerate(zip(gains, honest[table.topic], strict=False)) if n != at]
    _tell("under a false name sits twice", own, others, row)
    begun = sum(_may_sit_twice(table, who) for table, who in games)
    row("sits twice as the person that it is", f"begins at {begun} of {len(games)} tables", "none", not begun)


def _may_sit_twice(table: Scenario, who: str) -> bool:
    again = replace(table.find_advocate(who), name=f"{who} again", person=who)
    try:
        refuse_second_seats(replace(table, advocates=(*table.advocates, again)), table.topic)
    except ScenarioError:
        return False
    return True


class _Posing(RuleAdvocate):
    """Answers from another's table."""

    def __init__(self, table: Scenario, mind: Advocate) -> None:
        super().__init__(1, "posing")
        self.table, self.mind = table, mind

    def _find_utility(self, words: Vocabulary, about: Mapping[str, Any]) -> Utility:
        rows = zip(self.table.issues, self.mind.scores or (), strict=True)
        scores = {i.name: dict(zip(i.options, row, strict=True)) for i, row in rows}
        return Utility(words, {**about["yours"], "scores": scores, "minimum": self.mind.minimum})


def _tell(name: str, own: list[float], others: list[float], row: Row) -> None:
    mean, half = interval(own)
    told = f"{mean:+.3f} ± {half:.3f}, the others {interval(others)[0]:+.3f}"
    row(
        name,
        told,
        "as little as can be" if name.startswith(FREE) else f"<= +{GOAL:g}",
        mean <= GOAL or name.startswith(FREE),
    )
