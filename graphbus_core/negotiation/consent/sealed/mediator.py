"""The sealed mediator: which package to table, how much better another could be, and what to ask whom next.

Joint cases are drawn: in each, every party has one preference of its cloud. The regret of a package in a case is the
share of the greatest Nash product that it misses there. The mediator tables the package whose worst regret is least
(minimax), and says that worst regret. A question is worth what it takes off the regret that is to be expected after
its answer; the one that takes off most is asked next.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphbus_core.negotiation.consent.scenario.scenario import Outcome, Scenario
from graphbus_core.negotiation.consent.sealed.fitting import POINTS, Fitting, Floats
from graphbus_core.negotiation.consent.sealed.questions import Kind, Question

LOOKED_AT = 20_000  # packages; of more, a drawn part
CONTENDING = 50  # packages that are best in some case: what questions are about
SPREAD = 3.0  # of the worst regret and the mean one: minimax first, the mean where worst cases are alike
WIDER = 1.2  # the stated bound is this many times the worst regret that was seen
BOUND_CASES = 2_000  # joint cases that the stated bound is the worst of
PROVED = 0.05  # regret at which nobody is asked any more
SORTED = 4  # packages in a question that asks for their order
FAINT = 1e-3  # a smaller gain counts as this one, a loss as its square
LIKELY, COARSE = 500, 40  # packages that are weighed in all cases, after a look at all of them in a few


@dataclass(frozen=True)
class Standing:
    """What the answers so far come to. `bound`: the greatest regret of `package` in any case that fits them all."""

    package: Outcome
    bound: float
    mean: float


class SealedMediator:
    """The clouds of all parties, and what follows from them. `red_lines` of the scenario bind from the start."""

    def __init__(self, scenario: Scenario, seed: int = 0) -> None:
        self.scenario = scenario
        self.shape = tuple(len(i.options) for i in scenario.issues)
        self.parties = {n: Fitting(self.shape, seed * 1_000 + k) for k, n in enumerate(scenario.names)}
        self.seed = seed
        self.asked: dict[str, list[Question]] = {n: [] for n in scenario.names}
        self.refused: set[Outcome] = set()
        self.packages = self._packages()
        self._standing: Standing | None = None
        self._regret: Floats | None = None

    def _packages(self) -> NDArray[np.int64]:
        size = self.scenario.size
        if size <= LOOKED_AT:
            found = np.indices(self.shape, dtype=np.int64).reshape(len(self.shape), -1).T
        else:
            rng = np.random.default_rng(self.seed)
            found = np.stack([rng.integers(0, n, LOOKED_AT) for n in self.shape], axis=1)
        fine = [p for p in found.tolist() if self._permitted(tuple(p))]
        return np.array(fine, dtype=np.int64).reshape(len(fine), len(self.shape))

    def _permitted(self, package: Outcome) -> bool:
        return all(self.scenario.violation(line, package) <= 0 for line in self.scenario.red_lines())

    def learn(self, party: str, question: Question, answer: Any) -> bool:
        """Take up an answer. False, and nothing changed, where it contradicts what this party said before."""
        fitting = self.parties[party]
        known = question.taught(fitting, answer)
        if known:
            self.asked[party].append(question)
            self._standing = None
        return known

    def replace(self, party: str, fitting: Fitting) -> None:
        """Another cloud for a party that has taken an answer back."""
        self.parties[party] = fitting
        self._standing = None

    def refuse(self, party: str, package: Outcome) -> None:
        """A party objected to this package: it is not tabled again, and is no gain to that party where that can be."""
        fitting = self.parties[party]
        fitting.decide(package, False)
        self.refused.add(package)
        self._standing = None

    # ------------------------------------------------------------------ what to table

    def standing(self) -> Standing | None:
        """The package with the least worst regret; None where red lines and objections leave no package."""
        if self._standing is None:
            self._weigh()
        return self._standing

    def _weigh(self) -> None:
        left = self.packages
        if self.refused:
            gone = {tuple(p) for p in self.refused}
            left = np.array([p for p in left.tolist() if tuple(p) not in gone], dtype=np.int64)
        if not len(left):
            return
        rng = np.random.default_rng(self.seed + 1)
        self._cases = {n: rng.permutation(POINTS) for n in self.parties}
        if len(left) > LIKELY:
            few = self._logs(left, slice(0, COARSE))
            left = left[np.argsort(-_shares(sum(few.values())).mean(axis=1), kind="stable")[:LIKELY]]
        self._likely = left
        logs = self._logs(left)
        total = sum(log[:, self._cases[n]] for n, log in logs.items())
        share = _shares(total)
        often = np.bincount(total.argmax(axis=0), minlength=len(left))
        chosen = np.unique(
            np.concatenate(
                [np.argsort(-often, kind="stable")[:CONTENDING], np.argsort(-share.mean(axis=1))[:CONTENDING]]
            )
        )
        self._left = left[chosen]
        self._regret = (1.0 - share[chosen]).astype(np.float64)
        worst, mid = self._regret.max(axis=1), self._regret.mean(axis=1)
        place = int((worst + SPREAD * mid).argmin())
        self._standing = Standing(tuple(int(o) for o in self._left[place]), float(worst[place]), float(mid[place]))

    def _logs(self, packages: NDArray[np.int64], points: slice = slice(None)) -> dict[str, Any]:
        """The logarithm of each gain, a party at a time."""
        out = {}
        for name, fitting in self.parties.items():
            gain = fitting.gains(packages)[:, points]
            out[name] = np.log(np.maximum(gain, np.where(gain > 0, FAINT, FAINT**2))).astype(np.float32)
        return out

    def bound(self) -> float:
        """What is stated: the greatest regret of what is tabled over many more joint cases, and a margin.

        It is no proof over the whole polytope: that bound (every party at its worst at once) says next to nothing.
        """
        standing = self.standing()
        if standing is None:
            return 1.0
        place = int(np.flatnonzero((self._likely == np.array(standing.package)).all(axis=1))[0])
        logs = self._logs(self._likely)
        rng = np.random.default_rng(self.seed + 2)
        worst = standing.bound
        for _ in range(BOUND_CASES // POINTS):
            total = sum(log[:, rng.permutation(POINTS)] for log in logs.values())
            worst = max(worst, float((1.0 - np.exp(total[place] - total.max(axis=0))).max()))
        return min(1.0, WIDER * worst + 0.01)  # a cloud is a sample: what lies beyond it is reckoned with

    # ------------------------------------------------------------------ what to ask

    def next_question(self, party: str) -> Question | None:
        """The question whose answer is expected to take most off the regret; None where none is left to ask."""
        standing = self.standing()
        if standing is None or self._regret is None or standing.bound <= PROVED:
            return None
        fitting = self.parties[party]
        cases = self._cases[party]
        fixed = self._to_begin_with(party)
        if fixed is not None:
            return fixed
        best: tuple[float, int] | None = None
        options = self._candidates(party, standing.package)
        for n, question in enumerate(options):
            answers = question.answered_by(fitting)[cases]
            expected, open_ = 0.0, 0.0
            for value in np.unique(answers):
                mine = answers == value
                share = float(mine.mean())
                expected += share * float(self._regret[:, mine].mean(axis=1).min())
                open_ -= share * float(np.log(share))
            if open_ < 0.1:
                continue
            expected -= 0.1 * standing.mean * open_  # of two that promise the same, the more open one
            if best is None or expected < best[0] - 1e-12:
                best = (expected, n)
        return None if best is None else options[best[1]]

    def _to_begin_with(self, party: str) -> Question | None:
        """The order of each issue's options, then of the issues: what every later question builds on."""
        asked = {(q.kind, q.issue) for q in self.asked[party]}
        for i, count in enumerate(self.shape):
            if count > 1 and (Kind.ORDER, i) not in asked:
                return Question(Kind.ORDER, issue=i)
        if len(self.shape) > 1 and (Kind.SWING, -1) not in asked:
            points = self.parties[party].points.mean(axis=0)
            rows = [points[s : s + n] for s, n in zip(self.parties[party].starts, self.shape, strict=True)]
            worst = tuple(int(r.argmin()) for r in rows)
            return Question(Kind.SWING, (worst, tuple(int(r.argmax()) for r in rows)))
        return None

    def _candidates(self, party: str, tabled: Outcome) -> list[Question]:
        """Questions about what is in contention: this package or that, this for that, this or no deal."""
        rng = np.random.default_rng(self.seed + 7 * len(self.asked[party]))
        contending = [tuple(int(o) for o in p) for p in self._left]
        out: list[Question] = [Question(Kind.DEAL, (tabled,))]
        for k in rng.permutation(len(contending))[:24]:
            other = contending[k]
            if other != tabled:
                out.append(Question(Kind.PAIR, (tabled, other)))
                out += self._trade(tabled, other, rng)
                out += self._trade(contending[int(rng.integers(0, len(contending)))], other, rng)
        for _ in range(24):
            some = rng.permutation(len(contending))[:SORTED]
            if len(some) == SORTED:
                out.append(Question(Kind.SORT, tuple(contending[k] for k in some)))
        known = set(self.asked[party])
        return [q for q in dict.fromkeys(out) if q not in known]

    def _trade(self, tabled: Outcome, other: Outcome, rng: np.random.Generator) -> list[Question]:
        """From two packages, two that differ in two issues only: this for that."""
        differ = [i for i in range(len(self.shape)) if tabled[i] != other[i]]
        if len(differ) < 2:
            return []
        a, b = rng.permutation(differ)[:2]
        first = tuple(other[i] if i == a else tabled[i] for i in range(len(self.shape)))
        second = tuple(other[i] if i == b else tabled[i] for i in range(len(self.shape)))
        return [Question(Kind.PAIR, (first, second))]


def _shares(total: Any) -> Any:
    """Of the greatest product of each case."""
    return np.exp(total - total.max(axis=0))
