"""Questions about named options that one party can answer without a number, and what each answer says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphbus_core.negotiation.consent.scenario.scenario import Issue, Outcome
from graphbus_core.negotiation.consent.sealed.fitting import NEARLY, SAME, UNIT, Fitting, Floats

NO_DEAL = "no deal"


class Kind(StrEnum):
    """What is compared."""

    ORDER = "order"  # options of one issue, best first
    SWING = "swing"  # issues: which would first be moved from its worst to its best option
    SORT = "sort"  # a few packages, best first
    PAIR = "pair"  # two packages: one, the other, or the same
    DEAL = "deal"  # one package, or no deal


@dataclass(frozen=True, slots=True)
class Question:
    """One question. ORDER: an `issue`; SWING: `packages` of everyone's worst and best options; PAIR: two; DEAL: one.

    An answer is the number of what is chosen, from 0; of ORDER and SWING all numbers, best or first one first.
    """

    kind: Kind
    packages: tuple[Outcome, ...] = ()
    issue: int = -1

    def wrong(self, shape: Sequence[int], answer: Any) -> str | None:
        """Why this is no answer to it; None if it is one."""
        if self.kind in (Kind.ORDER, Kind.SWING, Kind.SORT):
            counts = {Kind.SWING: len(shape), Kind.SORT: len(self.packages)}
            count = counts.get(self.kind, shape[self.issue])
            fine = isinstance(answer, list | tuple) and sorted(answer) == list(range(count))
            return None if fine else f"name each of 1 to {count} once, the best first, like `2 1 3`"
        count = 3 if self.kind is Kind.PAIR else 2
        whole = isinstance(answer, int) and not isinstance(answer, bool) and 0 <= answer < count
        return None if whole else f"answer with a number from 1 to {count}"

    def to_dict(self) -> dict[str, Any]:
        """As it is kept."""
        return {
            "kind": self.kind.value,
            "packages": [list(p) for p in self.packages],
            "issue": self.issue,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Question:
        """Inverse of `to_dict`."""
        packages = tuple(tuple(int(o) for o in p) for p in data["packages"])
        return cls(Kind(data["kind"]), packages, int(data["issue"]))

    def said(self, issues: Sequence[Issue]) -> tuple[str, list[str]]:
        """The question in words, and its answers in words, in their order."""
        if self.kind is Kind.ORDER:
            issue = issues[self.issue]
            name = f"{issue.name} ({issue.title})" if issue.title else issue.name
            return f"Put these in order for {name}, the one you like best first.", [
                _meant(issue, o) for o in range(len(issue.options))
            ]
        if self.kind is Kind.SWING:
            worst, best = self.packages
            moves = [f"{_named(x, b)} instead of {_meant(x, w)}" for x, w, b in zip(issues, worst, best, strict=True)]
            return (
                "If you could have these changes one after the other, in which order? The most important first.",
                moves,
            )
        if self.kind is Kind.DEAL:
            return "Would you take this deal, or rather no deal at all?", [_package(issues, self.packages[0]), NO_DEAL]
        differ = [i for i in range(len(issues)) if len({p[i] for p in self.packages}) > 1]
        same = [i for i in range(len(issues)) if i not in differ]
        rest = f" In all of them: {'; '.join(_named(issues[i], self.packages[0][i]) for i in same)}." if same else ""
        told = ["; ".join(_named(issues[i], p[i]) for i in differ) for p in self.packages]
        if self.kind is Kind.SORT:
            return f"Put these deals in order, the one you like best first.{rest}", told
        return f"Which would you rather have?{rest}", [*told, "the same to me"]

    def taught(self, fitting: Fitting, answer: Any) -> bool:
        """Tell the cloud of this answer; False where it contradicts what is known."""
        if self.kind is Kind.DEAL:
            return fitting.decide(self.packages[0], answer == 0)
        return fitting.learn(*self.means(fitting, answer))

    def means(self, fitting: Fitting, answer: Any) -> tuple[list[Floats], list[float]]:
        """The answer as inequalities."""
        if self.kind in (Kind.ORDER, Kind.SWING, Kind.SORT):
            if self.kind is Kind.SORT:
                ranked = [fitting.row(self.packages[n]) for n in answer]
            elif self.kind is Kind.ORDER:
                ranked = [fitting.option(self.issue, o) for o in answer]
            else:
                worst, best = self.packages
                ranked = [fitting.option(i, best[i]) - fitting.option(i, worst[i]) for i in answer]
            rows = [a - b for a, b in pairwise(ranked)]
            if self.kind is not Kind.SWING:
                return rows, [-NEARLY] * len(rows)
            return [ranked[0], *rows], [UNIT, *([-NEARLY] * len(rows))]  # the greatest change is the unit of all worths
        apart = fitting.row(self.packages[0]) - fitting.row(self.packages[1])
        if answer == 2:
            return [apart, -apart], [-SAME, -SAME]
        return [apart if answer == 0 else -apart], [-NEARLY]

    def answered_by(self, fitting: Fitting) -> NDArray[np.int64]:
        """What each preference of the cloud would answer to a pair, a deal or a sort, as a number for each answer."""
        if self.kind is Kind.SORT:
            order = np.argsort(-fitting.gains(np.array(self.packages)), axis=0, kind="stable")
            return np.asarray(
                (order * len(self.packages) ** np.arange(len(order))[:, None]).sum(axis=0), dtype=np.int64
            )
        if self.kind is Kind.DEAL:
            return np.asarray(fitting.gains(np.array(self.packages))[0] < 0, dtype=np.int64)
        first = fitting.points @ fitting.row(self.packages[0])
        second = fitting.points @ fitting.row(self.packages[1])
        return np.asarray(second > first, dtype=np.int64)


def _named(issue: Issue, option: int) -> str:
    return f"{issue.name}: {_meant(issue, option)}"


def _meant(issue: Issue, option: int) -> str:
    name = issue.options[option]
    meaning = issue.meanings.get(name, "")
    return f"{name} ({meaning})" if meaning else name


def _package(issues: Sequence[Issue], package: Outcome) -> str:
    return "; ".join(_named(i, o) for i, o in zip(issues, package, strict=True))
