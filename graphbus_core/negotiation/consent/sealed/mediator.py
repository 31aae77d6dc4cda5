"""The sealed mediator: which package to table, how much better another could be, and what to ask whom next.

Joint cases are drawn: in each, every party has one preference of its cloud. The regret of a package in a case is the
share of the greatest Nash product that it misses there. The mediator tables the package whose worst regret is least
(minimax). What is stated is not the worst case drawn but the proven one (`proof`). The next question is the one whose
answer tells most of how the tabled package compares with those that stand against it in that proof.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphbus_core.negotiation.consent.scenario.scenario import Outcome, Scenario
from graphbus_core.negotiation.consent.sealed.fitting import POINTS, Fitting
from graphbus_core.negotiation.consent.sealed.proof import Proven, prove
from graphbus_core.negotiation.consent.sealed.queries import Query, QueryKind

LOOKED_AT = 20_000  # packages; of more, a drawn part
CONTENDING = 50  # packages that are best in some case: what questions are about
SPREAD = 3.0  # of the worst regret and the mean one: minimax first, the mean where worst cases are alike
PROVED = 0.05  # regret at which nobody is asked any more
GRADED_AT_ONCE = 5  # deals in one question, no deal among them
RIVALS = 16  # packages that the tabled one is compared with
SETS = 60  # sets of deals that a question is chosen from
NOISE = 0.03  # standard deviation of what rounding to a grade takes away
FAINT = 1e-3  # a smaller gain counts as this one, a loss as its square
LIKELY, COARSE = 500, 40  # packages that are weighed in all cases, after a look at all of them in a few


@dataclass(frozen=True)
class RegretStanding:
    """What the answers so far come to. `worst`, `mean`: of the regret of `package` in the cases drawn."""

    package: Outcome
    worst: float
    mean: float


class SealedMediator:
    """The clouds of all parties, and what follows from them. `red_lines` of the scenario bind from the start."""

    def __init__(self, scenario: Scenario, seed: int = 0) -> None:
        self.scenario = scenario
        self.shape = tuple(len(i.options) for i in scenario.issues)
        self.parties = {n: Fitting(self.shape, seed * 1_000 + k) for k, n in enumerate(scenario.names)}
        self.seed = seed
        self.asked: dict[str, list[Query]] = {n: [] for n in scenario.names}
        self.refused: set[Outcome] = set()
        self.packages = self._packages()
        self.whole = scenario.size <= LOOKED_AT
        self._standing: RegretStanding | None = None
        self._proven: Proven | None = None

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

    def learn(self, party: str, question: Query, answer: Any) -> bool:
        """Take up an answer. False, and nothing changed, where it contradicts what this party said before."""
        fitting = self.parties[party]
        known = question.taught(fitting, answer)
        if known:
            self.asked[party].append(question)
            self._standing = self._proven = None
        return known

    def replace(self, party: str, fitting: Fitting) -> None:
        """Another cloud for a party that has taken an answer back."""
        self.parties[party] = fitting
        self._standing = self._proven = None

    def refuse(self, party: str, package: Outcome) -> None:
        """A party objected to this package: it is not tabled again, and does not count as its gain where possible."""
        fitting = self.parties[party]
        fitting.decide(package, False)
        self.refused.add(package)
        self._standing = self._proven = None

    # ------------------------------------------------------------------ what to table

    def standing(self) -> RegretStanding | None:
        """The package with the least worst regret; None where red lines and objections leave no package."""
        if self._standing is None:
            self._weigh()
        return self._standing

    def _open(self) -> NDArray[np.int64]:
        """The packages that nobody has objected to."""
        if not self.refused:
            return self.packages
        left = [p for p in self.packages.tolist() if tuple(p) not in self.refused]
        return np.array(left, dtype=np.int64).reshape(len(left), len(self.shape))

    def _weigh(self) -> None:
        left = self._open()
        if not len(left):
            return
        rng = np.random.default_rng(self.seed + 1)
        cases = {n: rng.permutation(POINTS) for n in self.parties}
        if len(left) > LIKELY:
            few = self._logs(left, slice(0, COARSE))
            left = left[np.argsort(-_shares(sum(few.values())).mean(axis=1), kind="stable")[:LIKELY]]
        logs = self._logs(left)
        total = sum(log[:, cases[n]] for n, log in logs.items())
        share = _shares(total)
        often = np.bincount(total.argmax(axis=0), minlength=len(left))
        chosen = np.unique(
            np.concatenate(
                [np.argsort(-often, kind="stable")[:CONTENDING], np.argsort(-share.mean(axis=1))[:CONTENDING]]
            )
        )
        self._left = left[chosen]
        regret = (1.0 - share[chosen]).astype(np.float64)
        worst, mid = regret.max(axis=1), regret.mean(axis=1)
        place = int((worst + SPREAD * mid).argmin())
        self._standing = RegretStanding(
            tuple(int(o) for o in self._left[place]), float(worst[place]), float(mid[place])
        )

    def _logs(self, packages: NDArray[np.int64], points: slice = slice(None)) -> dict[str, Any]:
        """The logarithm of each gain, a party at a time."""
        out = {}
        for name, fitting in self.parties.items():
            gain = fitting.gains(packages)[:, points]
            out[name] = np.log(np.maximum(gain, np.where(gain > 0, FAINT, FAINT**2))).astype(np.float32)
        return out

    def proven(self) -> Proven:
        """The bound of the tabled package's regret that holds for whatever fits the answers, and its rivals."""
        standing = self.standing()
        if standing is None:
            return Proven(1.0, ())
        if self._proven is None:
            self._proven = prove(self.parties, standing.package, self._open(), self.whole)
        return self._proven

    def bound(self) -> float:
        """What is stated: proven, not sampled (`proof`)."""
        return self.proven().bound

    # ------------------------------------------------------------------ what to ask

    def next_question(self, party: str) -> Query | None:
        """The question whose answer is expected to tell most of how the rivals compare; None where none is left."""
        fixed = self._to_begin_with(party)
        if fixed is not None:
            return fixed
        standing = self.standing()
        if standing is None or self.bound() <= PROVED:
            return None
        rivals = self._rivals(standing.package)
        known = set(self.asked[party])
        if len(rivals) < 2:
            few = Query(QueryKind.PAIR if rivals else QueryKind.DEAL, (standing.package, *rivals))
            return None if few in known else few
        return self._deals(party, standing.package, rivals, known)

    def _rivals(self, tabled: Outcome) -> list[Outcome]:
        """What the tabled package is to be compared with: what the proof names first, then what the cloud does."""
        named = [*self.proven().rivals[:RIVALS], *(tuple(int(o) for o in p) for p in self._left)]
        return [p for p in dict.fromkeys(named) if p != tabled][:RIVALS]

    def _to_begin_with(self, party: str) -> Query | None:
        """Each issue's options, then the issues: what every later question builds on."""
        asked = {(q.kind, q.issue) for q in self.asked[party]}
        for i, count in enumerate(self.shape):
            if count > 1 and (QueryKind.OPTIONS, i) not in asked:
                return Query(QueryKind.OPTIONS, issue=i)
        known = self.parties[party].ends
        if len(self.shape) > 1 and (QueryKind.SWING, -1) not in asked and len(known) == len(self.shape):
            ends = [known[i] for i in range(len(self.shape))]
            return Query(QueryKind.SWING, (tuple(w for w, _ in ends), tuple(b for _, b in ends)))
        return None

    def _deals(self, party: str, tabled: Outcome, rivals: Sequence[Outcome], known: set[Query]) -> Query | None:
        """Of many sets of deals the one whose grades leave the least doubt about the rivals.

        As in Bayesian linear regression: what is in doubt is the logarithm of each rival's gain over the tabled one's;
        what is seen is where each deal lies between the least and the best of its set, give or take half a grade.
        """
        fitting = self.parties[party]
        rng = np.random.default_rng(self.seed + 7 * len(self.asked[party]))
        logs = np.log(np.maximum(fitting.gains(np.array([tabled, *rivals])), FAINT))
        doubt = logs[1:] - logs[0]
        doubt = doubt - doubt.mean(axis=1, keepdims=True)
        best: tuple[float, Query] | None = None
        pool = [tabled, *rivals]
        for n in range(SETS):
            none = n % 2 == 0 and fitting.none_row() is not None
            size = min(GRADED_AT_ONCE - none, len(pool))
            some = tuple(pool[int(k)] for k in rng.permutation(len(pool))[:size])
            question = Query(QueryKind.DEALS, some, none=none)
            if question in known:
                continue
            seen = question.seen(fitting).T
            seen = seen - seen.mean(axis=1, keepdims=True)
            noise = np.eye(len(seen)) * (NOISE**2 * seen.shape[1])
            cross = doubt @ seen.T
            told = float((np.linalg.solve(seen @ seen.T + noise, cross.T) * cross.T).sum())
            if best is None or told > best[0]:
                best = (told, question)
        return None if best is None else best[1]


def _shares(total: Any) -> Any:
    """Of the greatest product of each case."""
    return np.exp(total - total.max(axis=0))
