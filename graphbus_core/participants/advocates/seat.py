"""A rule advocate: it says what it could live with, listens, and tables what it believes best for all.

Stateless: the question carries what was said, so an advocate that is started again goes on as if nothing had happened.
A proposal it tables is the one with the greatest expected product of everybody's gains, its own known, the others'
believed (`beliefs`), among those nobody has refused. It consents where it gains and knows nothing clearly better for
all. Patience is bounded: late in the talk every package above its minimum will do.
"""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

from graphbus_core.negotiation.core import Ask, Reply, View
from graphbus_core.participants.advocates.beliefs import LEAST, SHARES, Label, belief, features, known_bad
from graphbus_core.participants.advocates.candidates import candidates
from graphbus_core.participants.advocates.own import Floats, Own, Packages, neighbourhood
from graphbus_core.participants.advocates.words import Package, Verdict, Vocabulary

PATIENCE = 20  # speaking turns; after them whatever lies above the minimum is good enough
INDIFFERENT = 0.05  # in the logarithm of the product: less than this is no reason to object
BOLD, SOBER = 1.5, 0.6  # how much doubt counts as promise, before and after patience runs out
MEDIATOR = "mediator"
TRIED = 3.0  # a package tabled before must be this much better (logarithm) to be tabled again
FEW_OPTIONS = 12  # of an issue with more, this many changes are learnt from a sentence,
FEW_CHANGES = 80  # and of all issues together; others from the next sentence
HOPELESS = -1e9


class RuleAdvocate:
    """One seat. `seed` settles ties; two advocates with the same seed still differ by their names."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed
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
        mind = _Mind(self, ask, words, own)
        return mind.turn() if ask.kind == "turn" else mind.consent()

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
        live, serves = verdicts(own, own.best, 1)
        never = [line for line in about["yours"]["red_lines"] if "minimum" not in line]
        return {
            "priority": given["priority"] or about["priority"] or about["you"],
            "rationale": _join(given["rationale"], words.alone(own.best)),
            "red_line": given["red_line"] or ("; ".join(never) if never else "Less than I can live with"),
            "willing_to_trade": _join(given["willing_to_trade"], words.live(live), words.serves(serves)),
        }


class _Mind:
    """One question thought through."""

    def __init__(self, seat: RuleAdvocate, ask: Ask, words: Vocabulary, own: Own) -> None:
        self.ask, self.words, self.own = ask, words, own
        self.about = ask.about
        self.you: str = ask.about["you"]
        self.names: list[str] = list(ask.about["advocates"])
        self.rng = random.Random(f"{seat.seed}:{self.you}:{ask.id.partition('#')[0]}")
        self._seat = seat
        spoken = ask.about["speaking_turns"] - (ask.kind == "consent")  # the proposal that is checked is the last one
        self.late = spoken >= PATIENCE or self._turns_left() < 2 * len(self.names)

    @property
    def said(self) -> Hearing:
        """What was said so far; nothing is read before it is needed."""
        return self._seat.hearing(self.words, self.about)

    def _turns_left(self) -> int:
        return int(self.about["max_turns"] - self.about["turns"])

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
        """Check what is fresh on the table, else table something better."""
        about = self.about
        standing = about["proposal"]
        if standing is not None and not standing["objections"]:
            package = self.words.package(standing["terms"])
            if about["may_check"] and standing["by"] != self.you:
                return {"move": "check"}
            spoken = self.said.spoken_of.get(standing["number"], set())
            if package is not None and standing["by"] != self.you and self.you not in spoken:
                return {"move": "discuss", "text": self._speak(package, standing["number"])}
        return self.propose()

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


class Hearing:
    """Everything that was said so far, understood: labels by advocate, what was tabled, who spoke of what."""

    def __init__(self, words: Vocabulary, names: list[str]) -> None:
        self.words = words
        self.alone: dict[str, Package] = {}
        self.tabled: list[Package] = []
        self.numbers = 0
        self.spoken_of: dict[int, set[str]] = {}
        self._labels: dict[str, dict[tuple[Package, float], bool]] = {n: {} for n in names}
        self._packages: dict[int, Package] = {}
        self._heard: list[Mapping[str, Any]] = []
        self.heard: list[Mapping[str, Any]] | None = None  # the very list that was taken up last
        self._fixed: dict[str, tuple[Label, ...]] = {}
        self._bad: dict[str, set[Package]] = {}

    def continues(self, said: list[Mapping[str, Any]]) -> bool:
        """Whether `said` begins with what was heard already."""
        count = len(self._heard)
        return count <= len(said) and (not count or said[count - 1] == self._heard[-1])

    def hear(self, said: list[Mapping[str, Any]]) -> None:
        """Take up the rest."""
        for fact in said[len(self._heard) :]:
            self._hear(fact)
            self._heard.append(fact)
        self.heard = said

    def labels_of(self, name: str) -> tuple[Label, ...]:
        """What this advocate said yes and no to."""
        if name not in self._fixed:
            self._fixed[name] = tuple((p, share, yes) for (p, share), yes in self._labels.get(name, {}).items())
        return self._fixed[name]

    def refused_by(self, name: str) -> set[Package]:
        """What this advocate said it cannot live with."""
        if name not in self._bad:
            self._bad[name] = known_bad([self.labels_of(name)])
        return self._bad[name]

    def refusals(self) -> dict[Package, int]:
        """How many advocates said that they cannot live with a package."""
        out: dict[Package, int] = {}
        for said in self._labels.values():
            for (package, share), yes in said.items():
                if share <= LEAST and not yes:
                    out[package] = out.get(package, 0) + 1
        return out

    def _hear(self, fact: Mapping[str, Any]) -> None:
        kind = fact["fact"]
        if kind == "position_stated":
            alone = self.words.heard_alone(fact["rationale"])
            if alone is not None:
                self.alone[fact["advocate"]] = alone
                self._understand(fact["advocate"], alone, 1, fact["willing_to_trade"])
        elif kind in ("proposal_tabled", "check_called"):
            package = self.words.package(fact["terms"]) if isinstance(fact["terms"], Mapping) else None
            self.numbers = max(self.numbers, fact["number"])
            if package is not None:
                self._packages[fact["number"]] = package
                if kind == "proposal_tabled":
                    self.tabled.append(package)
                    if fact["by"] in self._labels:
                        self._label(fact["by"], package, LEAST, True)
                        self._understand(fact["by"], package, fact["number"], f"{fact['offer']} {fact['want']}")
        elif kind == "discussed":
            spoken = self._packages.get(self.numbers)
            if spoken is not None:
                self.spoken_of.setdefault(self.numbers, set()).add(fact["by"])
                self._understand(fact["by"], spoken, self.numbers, fact["text"])
        elif kind in ("consented", "objected"):
            answered = self._packages.get(fact["number"])
            if answered is not None and not fact.get("silent"):
                yes = kind == "consented"
                if yes or not self._understand(fact["advocate"], answered, fact["number"], fact["reason"]):
                    self._label(fact["advocate"], answered, LEAST, yes)

    def _understand(self, who: str, package: Package, number: int, text: str) -> bool:
        """Take up both sentences, if they are there; whether the first one is."""
        live, serves = self.words.heard(text)
        share = SHARES[(number - 1) % len(SHARES)]
        for verdict, at in ((live, LEAST), (serves, share)):
            if verdict is None:
                continue
            self._label(who, package, at, verdict.itself)
            few = min(FEW_OPTIONS, max(2, FEW_CHANGES // len(self.words.shape)))
            for i, count in enumerate(self.words.shape):
                step = max(1, -(-count // few)) if count > few else 1
                for o in range(number % step, count, step):
                    if o != package[i]:
                        changed = (*package[:i], o, *package[i + 1 :])
                        self._label(who, changed, at, (i, o) in verdict.changes)
        return live is not None

    def _label(self, who: str, package: Package, share: float, yes: bool) -> None:
        if who in self._labels:
            self._fixed.pop(who, None)
            self._bad.pop(who, None)
            self._labels[who][package, share] = yes
            if yes and share > LEAST:
                self._labels[who][package, LEAST] = True


def verdicts(own: Own, package: Package, number: int, late: bool = False) -> tuple[Verdict, Verdict]:
    """What this advocate can live with and what serves it well, of this package and of those one change away."""
    around = neighbourhood(package, own.words.shape)
    surplus = own.surplus(np.vstack([np.array([package]), around]))
    pairs = [(i, o) for i, count in enumerate(own.words.shape) for o in range(count) if o != package[i]]
    least = (0.0 if late else LEAST) * own.room
    share = SHARES[(number - 1) % len(SHARES)] * own.room

    def verdict(bound: float) -> Verdict:
        yes = surplus >= bound - 1e-9
        return Verdict(bool(yes[0]), frozenset(p for p, y in zip(pairs, yes[1:], strict=True) if y))

    return verdict(least), verdict(share)


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
