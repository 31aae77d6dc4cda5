"""Questions about named options that one party can answer without a table of scores, and what each answer says.

Most are graded: the least liked gets 0, the best 10, the others a whole number between. An order of five options holds
7 bits, their grades 12: with at most 15 questions that decides whether anything can be proved (docs/consent.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphbus_core.negotiation.consent.scenario.scenario import Issue, Outcome
from graphbus_core.negotiation.consent.sealed.fitting import UNIT, Fitting, Floats

NO_DEAL = "no deal"
TOP = 10  # the grade of the best; 0 is that of the least liked
SAME = 0.005  # of what lies between 0 and 10: so near are two that are "as good as" each other


class QueryKind(StrEnum):
    """What is compared."""

    OPTIONS = "options"  # of one issue, graded
    SWING = "swing"  # issues: what it matters to go from the worst to the best option, graded
    DEALS = "deals"  # a few packages, and perhaps no deal, graded
    PAIR = "pair"  # two packages: one, the other, or the same
    DEAL = "deal"  # one package, or no deal


GRADED = frozenset({QueryKind.OPTIONS, QueryKind.SWING, QueryKind.DEALS})


@dataclass(frozen=True, slots=True)
class Query:
    """One question. OPTIONS: an `issue`; SWING: `packages` of everyone's worst and best options; PAIR: two; DEAL: one.

    `none`: no deal is graded as well, last. An answer is the number of what is chosen, from 0; of the graded ones a
    grade for each.
    """

    kind: QueryKind
    packages: tuple[Outcome, ...] = ()
    issue: int = -1
    none: bool = False

    def count(self, shape: Sequence[int]) -> int:
        """How many things are graded, or can be chosen."""
        if self.kind is QueryKind.OPTIONS:
            return shape[self.issue]
        if self.kind is QueryKind.SWING:
            return len(shape)
        if self.kind is QueryKind.DEALS:
            return len(self.packages) + self.none
        return 3 if self.kind is QueryKind.PAIR else 2

    def wrong(self, shape: Sequence[int], answer: Any) -> str | None:
        """Why this is not an answer to it; None if it is one."""
        count = self.count(shape)
        if self.kind not in GRADED:
            whole = isinstance(answer, int) and not isinstance(answer, bool) and 0 <= answer < count
            return None if whole else f"answer with a number from 1 to {count}"
        fine = isinstance(answer, list | tuple) and len(answer) == count
        fine = fine and all(isinstance(g, int) and not isinstance(g, bool) and 0 <= g <= TOP for g in answer)
        if not fine:
            return f"give {count} grades, whole numbers from 0 to {TOP}, in the order of the list"
        if len(set(answer)) == 1 and (self.kind is not QueryKind.SWING or answer[0] == 0):
            return None  # all the same to this party
        if max(answer) != TOP:
            return f"the one that you like best, or that matters most, gets {TOP}"
        if self.kind is not QueryKind.SWING and min(answer) != 0:
            return "the one that you like least gets 0"
        return None

    def to_dict(self) -> dict[str, Any]:
        """As it is kept."""
        return {
            "kind": self.kind.value,
            "packages": [list(p) for p in self.packages],
            "issue": self.issue,
            "none": self.none,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Query:
        """Inverse of `to_dict`."""
        packages = tuple(tuple(int(o) for o in p) for p in data["packages"])
        return cls(QueryKind(data["kind"]), packages, int(data["issue"]), bool(data.get("none")))

    def said(self, issues: Sequence[Issue]) -> tuple[str, list[str]]:
        """The question in words, and its answers (or what is graded) in words, in their order."""
        grades = f"Grade each from 0 to {TOP}"
        if self.kind is QueryKind.OPTIONS:
            issue = issues[self.issue]
            name = f"{issue.name} ({issue.title})" if issue.title else issue.name
            return f"{grades} for {name}: the one you like least 0, the one you like best {TOP}.", [
                _meant(issue, o) for o in range(len(issue.options))
            ]
        if self.kind is QueryKind.SWING:
            worst, best = self.packages
            moves = [f"{_named(x, b)} instead of {_meant(x, w)}" for x, w, b in zip(issues, worst, best, strict=True)]
            asked = f"How much does each change matter to you, from 0 to {TOP}? The most important gets {TOP}."
            return asked, moves
        if self.kind is QueryKind.DEAL:
            return "Would you take this deal, or rather no deal at all?", [package(issues, self.packages[0]), NO_DEAL]
        differ = [i for i in range(len(issues)) if len({p[i] for p in self.packages}) > 1]
        same = [i for i in range(len(issues)) if i not in differ]
        rest = f" In all of them: {'; '.join(_named(issues[i], self.packages[0][i]) for i in same)}." if same else ""
        told = ["; ".join(_named(issues[i], p[i]) for i in differ) for p in self.packages]
        if self.kind is QueryKind.DEALS:
            told += [NO_DEAL] if self.none else []
            return f"{grades}: the deal you like least 0, the one you like best {TOP}.{rest}", told
        return f"Which would you rather have?{rest}", [*told, "the same to me"]

    def taught(self, fitting: Fitting, answer: Any) -> bool:
        """Tell the cloud of this answer; False where it contradicts what is known."""
        if self.kind is QueryKind.DEAL:
            return fitting.decide(self.packages[0], answer == 0)
        known = fitting.learn(*self.means(fitting, answer))
        if known:
            self.names_ends(fitting, answer)
        return known

    def names_ends(self, fitting: Fitting, answer: Any) -> None:
        """Of an issue's grades: which option is the worst and which the best. All the same: the first is both."""
        if self.kind is QueryKind.OPTIONS:
            fitting.ends[self.issue] = (answer.index(min(answer)), answer.index(max(answer)))

    def means(self, fitting: Fitting, answer: Any) -> tuple[list[Floats], list[float]]:
        """The answer as inequalities. All but the unit hold whatever the unit of worths is."""
        if self.kind is QueryKind.DEAL:
            none = fitting.none_row()
            if none is None:
                return [], []
            apart = fitting.row(self.packages[0]) - none
            return [apart if answer == 0 else -apart], [0.0]
        if self.kind is QueryKind.PAIR:
            apart = fitting.row(self.packages[0]) - fitting.row(self.packages[1])
            rows = [apart, -apart] if answer == 2 else [apart if answer == 0 else -apart]
            return rows, [0.0] * len(rows)
        items = self._items(fitting)
        if len(items) < len(answer):
            return [], []  # the ends that "no deal" is measured by were taken back: its grade says nothing now
        if self.kind is QueryKind.SWING:
            if max(answer) == 0:
                return [], []
            best = items[answer.index(max(answer))]
            rows = _graded(fitting.within, items, answer, np.zeros(fitting.width), best)
            return [best, *rows], [UNIT, *([0.0] * len(rows))]  # the greatest change is the unit of all worths
        if len(set(answer)) == 1:
            rows = [sign * (item - items[0]) for item in items[1:] for sign in (1, -1)]
        else:
            least, best = items[answer.index(0)], items[answer.index(TOP)]
            rows = _graded(fitting.within, items, answer, least, best)
            if self.kind is QueryKind.OPTIONS and sum(count > 1 for count in fitting.shape) == 1:
                # Nobody is asked what a single issue matters; without a unit nothing would contradict anything.
                return [best - least, *rows], [UNIT, *([0.0] * len(rows))]
        return rows, [0.0] * len(rows)

    def _items(self, fitting: Fitting) -> list[Floats]:
        """What multiplies worths to give that of each thing that is graded."""
        if self.kind is QueryKind.OPTIONS:
            return [fitting.option(self.issue, o) for o in range(fitting.shape[self.issue])]
        if self.kind is QueryKind.SWING:
            worst, best = self.packages
            return [fitting.option(i, best[i]) - fitting.option(i, worst[i]) for i in range(len(fitting.shape))]
        items = [fitting.row(p) for p in self.packages]
        none = fitting.none_row() if self.none else None
        return [*items, none] if none is not None else items

    def seen(self, fitting: Fitting) -> NDArray[np.float64]:
        """Where each preference of the cloud sees each deal, 0 for the least and 1 for the best of them."""
        worth = fitting.points @ np.array(self._items(fitting)).T
        low, high = worth.min(axis=1, keepdims=True), worth.max(axis=1, keepdims=True)
        return np.asarray((worth - low) / np.maximum(high - low, 1e-9))


def graded(worths: Sequence[float], least: float, best: float) -> list[int]:
    """The grades that these worths get: 0 and 10 only for what is as good as the least and the best."""
    if best - least <= 1e-12:
        return [0] * len(worths)
    out = []
    for worth in worths:
        at = (worth - least) / (best - least)
        grade = round(TOP * at)
        if at > SAME:
            grade = max(1, grade)
        if at < 1 - SAME:
            grade = min(TOP - 1, grade)
        out.append(grade)
    return out


def _graded(within: float, items: Sequence[Floats], grades: Sequence[int], least: Floats, best: Floats) -> list[Floats]:
    """A grade as two inequalities: as many steps below and above it, of what lies between 0 and 10, as `within` says.

    0 and 10 are given only to what is as good as the least and the best; so 1 begins, and 9 ends, right there. Whoever
    is known to be less exact (`within` above a half) may have meant a step beside that as well.
    """
    span = best - least
    around = within / TOP
    more = around - 0.5 / TOP
    rows = []
    for item, grade in zip(items, grades, strict=True):
        if item is least or item is best:
            continue
        at = grade / TOP
        low, high = at - around, at + around
        if grade in (0, TOP):
            low, high = (-SAME, SAME + more) if grade == 0 else (1 - SAME - more, 1 + SAME)
        elif grade == 1:
            low = min(0.0, low)
        elif grade == TOP - 1:
            high = max(1.0, high)
        rows += [item - least - low * span, high * span - (item - least)]
    return rows


def _named(issue: Issue, option: int) -> str:
    return f"{issue.name}: {_meant(issue, option)}"


def _meant(issue: Issue, option: int) -> str:
    name = issue.options[option]
    meaning = issue.meanings.get(name, "")
    return f"{name} ({meaning})" if meaning else name


def package(issues: Sequence[Issue], outcome: Outcome) -> str:
    """A package in words."""
    return "; ".join(_named(i, o) for i, o in zip(issues, outcome, strict=True))
