"""An advocate's own preferences, as its questions give them to it alone, and the score they give a package."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphbus_core.participants.advocates.statements import Package, Vocabulary

Packages = NDArray[np.int64]
Floats = NDArray[np.float64]
SETTLING = 8  # steps of a mean field, each twice as sure
FORBIDDEN = -1e9  # the surplus of a package that crosses a red line


class Utility:
    """What this advocate wants. `room`: how far its best package lies above its minimum."""

    def __init__(self, words: Vocabulary, yours: Mapping[str, Any]) -> None:
        self.words = words
        number = {name: i for i, name in enumerate(words.issues)}
        scores = yours.get("scores")
        self.rows = [
            np.array([float(scores[name][o]) if scores else 0.0 for o in row])
            for name, row in zip(words.issues, words.options, strict=True)
        ]
        self.conditionals = [
            (self._index_options(number, c["when"]), float(c["score"])) for c in yours["conditional_scores"]
        ]
        self.forbidden = [self._index_options(number, f) for f in yours["forbidden"]]
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
        # What a forbidden combination counts for while the room is not known.
        self.room = sum(float(np.ptp(r)) for r in self.rows) + sum(abs(score) for _, score in self.conditionals) + 1.0
        self.best = self._find_best()
        self.room = max(self.compute_surplus(np.array([self.best]))[0], 1e-9)

    def _index_options(self, number: Mapping[str, int], when: Mapping[str, list[str]]) -> dict[int, list[int]]:
        return {number[n]: [self.words.options[number[n]].index(o) for o in options] for n, options in when.items()}

    def compute_surplus(self, packages: Packages) -> Floats:
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

    def compute_option_worth(self, shares: Sequence[Floats]) -> list[Floats]:
        """What each option is worth on average, where each issue's options are taken with these shares, independently.

        Exact for scores and conditional scores; a forbidden combination counts as the loss of all room. Limits do not
        count.
        """
        rectangles = [*self.conditionals, *((when, -self.room) for when in self.forbidden)]
        out = [row.copy() for row in self.rows]
        for when, score in rectangles:
            chances = {i: float(shares[i][options].sum()) for i, options in when.items()}
            for i, options in when.items():
                rest = math.prod(chance for j, chance in chances.items() if j != i)
                out[i][options] += score * rest
        return out

    @property
    def relevant_issues(self) -> set[int]:
        """The issues whose option makes a difference to it, by scores, conditions or red lines."""
        minded = {i for i, row in enumerate(self.rows) if row.max() - row.min() > 1e-9}
        for when, _ in self.conditionals:
            minded |= when.keys()
        for when in self.forbidden:
            minded |= when.keys()
        return minded.union(*(numbers.keys() for numbers, _, _ in self.limits))

    def _find_best(self) -> Package:
        """Its best package: exact where scores add up and nothing is ruled out, else the better of two climbs.

        The second one begins where a mean field ends: options by what they are worth on average, ever more surely.
        """
        first = tuple(int(r.argmax()) for r in self.rows)
        if not self.conditionals and not self.forbidden and not self.limits:
            return first
        found = [self._climb(start) for start in (first, self._settle_options())]
        values = self.compute_surplus(np.array(found))
        return found[int(values.argmax())]

    def _settle_options(self) -> Package:
        shares = [np.full(len(row), 1 / len(row)) for row in self.rows]
        for step in range(SETTLING):
            worth = self.compute_option_worth(shares)
            spread = max(sum(float(w.max() - w.min()) for w in worth) / len(worth), 1e-12)
            likely = [np.exp(2.0**step * (w - w.max()) / spread) for w in worth]
            shares = [w / w.sum() for w in likely]
        return tuple(int(share.argmax()) for share in shares)

    def _climb(self, start: Package) -> Package:
        position = start
        for _ in range(4 * len(start) + 20):
            around = list_neighbours(position, self.words.shape)
            values = self.compute_surplus(around)
            top = int(values.argmax())
            if values[top] <= self.compute_surplus(np.array([position]))[0] + 1e-9:
                break
            position = tuple(int(v) for v in around[top])
        return position


def list_neighbours(package: Package, shape: tuple[int, ...]) -> Packages:
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


# The packages an advocate chooses from: all of them where they are few, else those that climbing finds.


FEW = 6_000  # outcomes that are all looked at
DRAWN = 800  # random packages beside the climb, where there are more
CLIMBS = 6
STEPS = 25
LOOKS = 8_000  # packages looked at in all climbs together


def find_candidates(
    shape: tuple[int, ...], starts: Iterable[Package], worth: Callable[[Packages], Floats], salt: str
) -> Packages:
    """Packages worth a look, each once, in a fixed order. `worth` tells which way is up."""
    size = int(np.prod(np.array(shape, dtype=np.float64)))
    if size <= FEW:
        return list_packages(shape)
    best: dict[Package, None] = dict.fromkeys(starts)
    rng = random.Random(salt)
    drawn = [tuple(rng.randrange(n) for n in shape) for _ in range(DRAWN)]
    steps = max(3, min(STEPS, LOOKS // (CLIMBS * sum(shape))))
    pool = np.array([*best, *drawn], dtype=np.int64)
    value = worth(pool)
    for place in np.argsort(-value, kind="stable")[:CLIMBS]:
        position = tuple(int(v) for v in pool[place])
        height = float(value[place])
        for _ in range(steps):
            around = list_neighbours(position, shape)
            heights = worth(around)
            for better in np.argsort(-heights, kind="stable")[:20]:
                best[tuple(int(v) for v in around[better])] = None
            top = int(heights.argmax())
            if heights[top] <= height + 1e-9:
                break
            position, height = tuple(int(v) for v in around[top]), float(heights[top])
        best[position] = None
    return np.array(sorted(best), dtype=np.int64)


@lru_cache(maxsize=8)
def list_packages(shape: tuple[int, ...]) -> Packages:
    """Every package, in canonical order."""
    return np.indices(shape, dtype=np.int64).reshape(len(shape), -1).T.copy()
