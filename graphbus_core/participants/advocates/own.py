"""An advocate's own preferences, as its questions give them to it alone, and the score they give a package."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphbus_core.participants.advocates.words import Package, Vocabulary

Packages = NDArray[np.int64]
Floats = NDArray[np.float64]
FORBIDDEN = -1e9  # the surplus of a package that crosses a red line


class Own:
    """What this advocate wants. `room`: how far its best package lies above its minimum."""

    def __init__(self, words: Vocabulary, yours: Mapping[str, Any]) -> None:
        self.words = words
        number = {name: i for i, name in enumerate(words.issues)}
        scores = yours.get("scores")
        self.rows = [
            np.array([float(scores[name][o]) if scores else 0.0 for o in row])
            for name, row in zip(words.issues, words.options, strict=True)
        ]
        self.conditionals = [(self._when(number, c["when"]), float(c["score"])) for c in yours["conditional_scores"]]
        self.forbidden = [self._when(number, f) for f in yours["forbidden"]]
        self.limits = [
            ({number[n]: np.array(v) for n, v in x["numbers"].items()}, x["at_least"], x["at_most"])
            for x in yours["limits"]
        ]
        self.silent = scores is None and not self.conditionals  # no score at all: only red lines speak
        least = sum(float(r.min()) for r in self.rows) + sum(min(0.0, s) for _, s in self.conditionals)
        minimum = yours.get("minimum")
        self.minimum = least if minimum is None else float(minimum)
        if self.silent:
            self.minimum = -1.0
        self.best = self._best()
        self.room = max(self.surplus(np.array([self.best]))[0], 1e-9)

    def _when(self, number: Mapping[str, int], when: Mapping[str, list[str]]) -> dict[int, list[int]]:
        return {number[n]: [self.words.options[number[n]].index(o) for o in options] for n, options in when.items()}

    def surplus(self, packages: Packages) -> Floats:
        """How far each package lies above the minimum; FORBIDDEN where it crosses a red line."""
        total = np.full(len(packages), -self.minimum)
        for i, row in enumerate(self.rows):
            total += row[packages[:, i]]
        for when, score in self.conditionals:
            total += score * _matches(packages, when)
        for when in self.forbidden:
            total[_matches(packages, when)] = FORBIDDEN
        for numbers, least, most in self.limits:
            amount = np.zeros(len(packages))
            for i, values in numbers.items():
                amount += values[packages[:, i]]
            if least is not None:
                total[amount < least - 1e-9] = FORBIDDEN
            if most is not None:
                total[amount > most + 1e-9] = FORBIDDEN
        return total

    @property
    def cares(self) -> set[int]:
        """The issues whose option makes a difference to it, by scores, conditions or red lines."""
        minded = {i for i, row in enumerate(self.rows) if row.max() - row.min() > 1e-9}
        for when, _ in self.conditionals:
            minded |= when.keys()
        for when in self.forbidden:
            minded |= when.keys()
        return minded.union(*(numbers.keys() for numbers, _, _ in self.limits))

    def _best(self) -> Package:
        """Its best package, by climbing where scores are conditional or red lines bind (exact where they do not)."""
        at = [int(r.argmax()) for r in self.rows]
        if not self.conditionals and not self.forbidden and not self.limits:
            return tuple(at)
        for _ in range(20):
            around = neighbourhood(tuple(at), self.words.shape)
            values = self.surplus(around)
            top = int(values.argmax())
            if values[top] <= self.surplus(np.array([at]))[0] + 1e-9:
                break
            at = [int(v) for v in around[top]]
        return tuple(at)


def neighbourhood(package: Package, shape: tuple[int, ...]) -> Packages:
    """The packages that differ in one issue, in canonical order."""
    out = []
    for i, count in enumerate(shape):
        for o in range(count):
            if o != package[i]:
                out.append((*package[:i], o, *package[i + 1 :]))
    return np.array(out, dtype=np.int64).reshape(len(out), len(shape))


def _matches(packages: Packages, when: Mapping[int, list[int]]) -> NDArray[np.bool_]:
    out = np.ones(len(packages), dtype=np.bool_)
    for i, options in when.items():
        out &= np.isin(packages[:, i], options)
    return out
