"""What was said at the table, understood: who said yes and no to what, what was tabled, and what to say oneself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from graphbus_core.participants.advocates.beliefs import LEAST, SHARES, Label, known_bad
from graphbus_core.participants.advocates.own import Own, neighbourhood
from graphbus_core.participants.advocates.words import Opinion, Package, Vocabulary

FEW_OPTIONS = 12  # of an issue with more, this many changes are learnt from a sentence,
FEW_CHANGES = 80  # and of all issues together; others from the next sentence


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


def verdicts(own: Own, package: Package, number: int, late: bool = False) -> tuple[Opinion, Opinion]:
    """What this advocate can live with and what serves it well, of this package and of those one change away."""
    around = neighbourhood(package, own.words.shape)
    surplus = own.surplus(np.vstack([np.array([package]), around]))
    pairs = [(i, o) for i, count in enumerate(own.words.shape) for o in range(count) if o != package[i]]
    least = (0.0 if late else LEAST) * own.room
    share = SHARES[(number - 1) % len(SHARES)] * own.room

    def verdict(bound: float) -> Opinion:
        yes = surplus >= bound - 1e-9
        return Opinion(bool(yes[0]), frozenset(p for p, y in zip(pairs, yes[1:], strict=True) if y))

    return verdict(least), verdict(share)
