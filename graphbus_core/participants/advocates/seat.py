"""A rule advocate: it says what it could live with, listens, and tables what it believes best for all.

Stateless: the question carries what was said, so an advocate that is started again goes on as if nothing had happened.
A proposal it tables is the one with the greatest expected product of everybody's gains, its own known, the others'
believed (`beliefs`), among those nobody has refused. It consents where it gains and knows nothing clearly better for
all; in the last check that the turns can hold every package above its minimum will do. Where everyone casts sealed
ballots it does that instead (`sealed`).
"""

from __future__ import annotations

import hashlib
import json
import math
import random
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from graphbus_core.negotiation.core import Ask, Reply, View
from graphbus_core.participants.advocates.beliefs import LEAST, belief, features
from graphbus_core.participants.advocates.candidates import candidates
from graphbus_core.participants.advocates.hearing import Hearing, verdicts
from graphbus_core.participants.advocates.own import Floats, Own, Packages
from graphbus_core.participants.advocates.sealed import Ballots, Sealing, empty, key_text, rounds_due
from graphbus_core.participants.advocates.words import Package, Vocabulary

INDIFFERENT = 0.05  # in the logarithm of the product: less than this is no reason to object
BOLD, SOBER = 1.5, 0.6  # how much doubt counts as promise, before and after patience runs out
MEDIATOR = "mediator"
IN_PRIVATE = "What I can live with, I say under seal, or of a package on the table"
TRIED = 3.0  # a package tabled before must be this much better (logarithm) to be tabled again
HOPELESS = -1e9


class RuleAdvocate:
    """One seat. `seed` settles ties; two advocates with the same seed still differ by their names.

    `secret`: what its ballots are sealed with. Without one it is made of the seed and the advocate's own preferences,
    which keeps logs the same from run to run, and hides nothing from somebody who knows both. `ballots`: whether it
    takes part in sealed ballots where everyone does (`sealed`); else, and with other seats at the table, it talks.
    """

    def __init__(self, seed: int = 0, secret: str = "", ballots: bool = True) -> None:
        self.seed = seed
        self.secret = secret
        self.ballots = ballots
        self._own: dict[str, Own] = {}  # memos both: a question alone would do
        self._hearing: Hearing | None = None

    async def answer(self, ask: Ask, view: View) -> Reply:
        """The answer to a question of the consent negotiation."""
        return Reply(self.body(ask))

    def body(self, ask: Ask) -> dict[str, Any]:
        """The answer's body. Pure: the question and the seed alone decide it."""
        about = ask.about
        if not about["issues"]:
            return _without_issues(ask)
        words = Vocabulary.of(about["issues"])
        own = self._preferences(words, about)
        if ask.kind == "position":
            return self._position(ask, words, own)
        sealing = self.sealing(words, own, about)
        if sealing is not None:
            return _by_ballot(ask, sealing)
        mind = _Mind(self, ask, words, own)
        return mind.turn() if ask.kind == "turn" else mind.consent()

    def sealing(self, words: Vocabulary, own: Own, about: Mapping[str, Any]) -> Sealing | None:
        """This advocate's part in the sealed ballots; None where the table talks in words."""
        if not self.ballots or about.get("preferences") != "private":
            return None
        ballots = Ballots.heard(list(about["advocates"]), about["said"], rounds_due(words.shape))
        left = about["max_turns"] - about["turns"]
        found = Sealing(words, own, about["you"], self._sealed_with(about), ballots, left)
        return found if found.open else None

    def _sealed_with(self, about: Mapping[str, Any]) -> bytes:
        plain = json.dumps([self.secret, self.seed, about["you"], about["yours"]], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(b"seal" + plain.encode()).digest()

    def _preferences(self, words: Vocabulary, about: Mapping[str, Any]) -> Own:
        name = about["you"]
        if name not in self._own:
            self._own[name] = Own(words, about["yours"])
        return self._own[name]

    def hearing(self, words: Vocabulary, about: Mapping[str, Any]) -> Hearing:
        """What was said, understood; only what is new since the last question is read again."""
        said = about["said"]
        kept = self._hearing
        if kept is not None and kept.heard is said:
            return kept
        if kept is None or kept.words != words or not kept.continues(said):
            kept = self._hearing = Hearing(words, list(about["advocates"]))
        kept.hear(said)
        return kept

    def _position(self, ask: Ask, words: Vocabulary, own: Own) -> dict[str, Any]:
        """The four texts: as given, and after them what the others may reckon with."""
        about = ask.about
        given = about["given"]
        never = [line for line in about["yours"]["red_lines"] if "minimum" not in line]
        private = about.get("preferences") == "private"
        rationale, trade = (key_text(self._sealed_with(about)) if self.ballots else ""), IN_PRIVATE
        if not private:
            live, serves = verdicts(own, own.best, 1)
            rationale, trade = words.alone(own.best, own.cares), f"{words.live(live)} {words.serves(serves)}"
        return {
            "priority": given["priority"] or about["priority"] or about["you"],
            "rationale": _join(given["rationale"], rationale),
            "red_line": given["red_line"] or ("; ".join(never) if never else "Less than I can live with"),
            "willing_to_trade": _join(given["willing_to_trade"], trade),
        }


def _by_ballot(ask: Ask, sealing: Sealing) -> dict[str, Any]:
    """The answer at a table that talks in sealed ballots."""
    about = ask.about
    winner = sealing.winner
    if ask.kind == "consent":
        proposal = about["proposal"]
        package = sealing.words.package(proposal["terms"]) if isinstance(proposal["terms"], Mapping) else None
        if package is not None and package == winner and not about["red_lines_crossed"]:
            return {"answer": "consent", "hash": proposal["hash"]}
        return {"answer": "object", "reason": "This is not what everyone's ballots came to."}
    if sealing.owes:
        return {"move": "discuss", "text": sealing.ballot()}
    if winner is not None and about["may_check"] and about["proposal"] is None:
        return {"move": "check", "terms": sealing.words.terms(winner)}
    return {"move": "pass", "why": empty(sealing.ballots.names) if winner is None else ""}


class _Mind:
    """One question thought through."""

    def __init__(self, seat: RuleAdvocate, ask: Ask, words: Vocabulary, own: Own) -> None:
        self.ask, self.words, self.own = ask, words, own
        self.about = ask.about
        self.you: str = ask.about["you"]
        self.names: list[str] = list(ask.about["advocates"])
        self.rng = random.Random(f"{seat.seed}:{self.you}:{ask.id.partition('#')[0]}")
        self._seat = seat
        self.late = ask.about["checks_left"] <= (ask.kind == "turn")

    @property
    def said(self) -> Hearing:
        """What was said so far; nothing is read before it is needed."""
        return self._seat.hearing(self.words, self.about)

    # ------------------------------------------------------------------ what is best

    def worth(self, packages: Packages) -> Floats:
        """The logarithm of the expected product of gains; HOPELESS where somebody cannot."""
        surplus = self.own.surplus(packages)
        total: Floats = np.log(np.maximum(surplus, 0.005 * self.own.room) / self.own.room)
        rows = features(self.words.shape, self.words.numeric).of(packages)
        for name in self.names:
            if name != self.you:
                believed = belief(
                    self.words.shape, self.words.numeric, self.said.alone.get(name), self.said.labels_of(name)
                )
                gain = believed.gain(rows, SOBER if self.late else BOLD)
                total = total + np.log(gain / gain.max())
        bad = set().union(*(self.said.refused_by(n) for n in self.names if n != self.you))
        if bad:
            total[_among(packages, bad, self.words.shape)] = HOPELESS
        total[surplus < (0.0 if self.late else LEAST * self.own.room) - 1e-9] = HOPELESS
        return total

    def choices(self) -> Packages:
        """The packages to choose from."""
        starts = [self.own.best, *self.said.tabled, *self.said.alone.values()]
        return candidates(self.words.shape, starts, self.worth, self.you)

    # ------------------------------------------------------------------ a turn

    def turn(self) -> dict[str, Any]:
        """Check what is fresh on the table; else ask everyone about what it believes best for all, or table it."""
        about = self.about
        standing = about["proposal"]
        if standing is not None and not standing["objections"] and standing["by"] != self.you:
            if about["may_check"]:
                return {"move": "check"}
            package = self.words.package(standing["terms"])
            spoken = self.said.spoken_of.get(standing["number"], set())
            if package is not None and self.you not in spoken and about.get("may_speak", True):
                return {"move": "discuss", "text": self._speak(package, standing["number"])}
        offer = self.propose()
        if offer["move"] != "propose":
            return offer
        if about["may_check"]:
            return {**offer, "move": "check"}
        return offer if about.get("may_speak", True) else {"move": "pass", "why": "A check cannot be held any more."}

    def _speak(self, package: Package, number: int) -> str:
        live, serves = verdicts(self.own, package, number, self.late)
        return f"On proposal {number}: {self.words.live(live)} {self.words.serves(serves)}"

    def propose(self) -> dict[str, Any]:
        """The package that it believes best for all, among those nobody refused and that were not tried yet."""
        packages = self.choices()
        worth = self.worth(packages)
        if not self.late and self.said.tabled:
            again = _among(packages, self.said.tabled, self.words.shape)
            worth = np.where(again, worth - TRIED, worth)
        top = worth.max()
        if top <= HOPELESS / 2:
            return self._give_up(packages)
        package = _tuple(packages[self.rng.choice(np.flatnonzero(worth >= top - 1e-9).tolist())])
        return self._offer(package)

    def _give_up(self, packages: Packages) -> dict[str, Any]:
        """Nothing is left that everybody might accept: what it can live with itself, fewest refusals first."""
        surplus = self.own.surplus(packages)
        good = np.flatnonzero(surplus >= -1e-9)
        if not len(good):
            return {"move": "pass", "why": "Nothing that I know of is possible for me."}
        refusals = self.said.refusals()
        counts = [refusals.get(_tuple(packages[g]), 0) for g in good]
        least = min(counts)
        package = _tuple(packages[self.rng.choice([int(g) for g, c in zip(good, counts, strict=True) if c == least])])
        return self._offer(package)

    def _offer(self, package: Package) -> dict[str, Any]:
        number = self.said.numbers + 1
        live, serves = verdicts(self.own, package, number, self.late)
        return {
            "move": "propose",
            "terms": self.words.terms(package),
            "offer": self.words.live(live),
            "want": self.words.serves(serves),
            "rationale": "From what was said I believe that everybody can live with this.",
        }

    # ------------------------------------------------------------------ a check

    def consent(self) -> dict[str, Any]:
        """Yes where it gains and knows nothing clearly better for all; else what would help."""
        proposal = self.about["proposal"]
        number = proposal["number"]
        package = self.words.package(proposal["terms"])
        if package is None or self.about["red_lines_crossed"]:
            reason = "This crosses a line that I cannot cross."
            if package is not None:
                live, serves = verdicts(self.own, package, number, self.late)
                reason = f"{self.words.live(live)} {self.words.serves(serves)}"
            return {"answer": "object", "reason": reason}
        surplus = float(self.own.surplus(np.array([package]))[0])
        if surplus < -1e-9:
            return self._object(package, number, "")
        if self.late or self.about["last_chance"] or proposal["by"] == MEDIATOR or self.own.silent:
            return {"answer": "consent", "hash": proposal["hash"]}
        if surplus < LEAST * self.own.room - 1e-9:
            return self._object(package, number, "")
        packages = np.vstack([self.choices(), [package]])
        worth = self.worth(packages)
        if worth[-1] >= worth.max() - INDIFFERENT:
            return {"answer": "consent", "hash": proposal["hash"]}
        return self._object(package, number, " I believe that another change serves everybody better.")

    def _object(self, package: Package, number: int, more: str) -> dict[str, Any]:
        live, serves = verdicts(self.own, package, number, self.late)
        return {"answer": "object", "reason": f"{self.words.live(live)} {self.words.serves(serves)}{more}"}


def _without_issues(ask: Ask) -> dict[str, Any]:
    """With nothing but texts a rule has nothing to weigh: it states its priority, passes, and objects."""
    given = ask.about.get("given", {})
    if ask.kind == "position":
        return {**given, "priority": given.get("priority") or ask.about["priority"] or ask.about["you"]}
    if ask.kind == "turn":
        return {"move": "pass", "why": "A rule advocate cannot weigh words."}
    return {"answer": "object", "reason": "A rule advocate cannot weigh words; seat a model or a person here."}


def _join(*parts: str) -> str:
    said = [p.strip() for p in parts if p and p.strip()]
    return " ".join([p if p.endswith((".", "!", "?")) else f"{p}." for p in said[:-1]] + said[-1:])


def _among(packages: Packages, some: Collection[Package], shape: tuple[int, ...]) -> Any:
    """Which packages are among `some`: by their place in canonical order, where that fits a word."""
    if math.prod(shape) < 1 << 62:
        place = np.ones(len(shape), dtype=np.int64)
        for i in range(len(shape) - 2, -1, -1):
            place[i] = place[i + 1] * shape[i + 1]
        return np.isin(packages @ place, np.array(list(some), dtype=np.int64) @ place)
    chosen = set(some)
    return np.array([tuple(p) in chosen for p in packages.tolist()], dtype=np.bool_)


def _tuple(row: Any) -> Package:
    return tuple(int(v) for v in row)
