"""The sealed mediator: which package to table, how much better another could be, and what to ask whom next.

Joint cases are drawn: in each, every party has one preference of its cloud. The regret of a package in a case is the
share of the greatest Nash product that it misses there. The mediator tables the package whose worst regret is least
(minimax). What is stated is not the worst case drawn but the proven one (`proof`). The next question is the one whose
answer tells most of how the tabled package compares with those that stand against it in that proof.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphbus_core.negotiation.consent.elicitation.preference_model import (
    POINTS,
    Floats,
    PreferenceModel,
    extract_coefficients,
)
from graphbus_core.negotiation.consent.elicitation.questions import Query, QueryKind
from graphbus_core.negotiation.consent.optimum.mip import put_rows
from graphbus_core.negotiation.consent.scenario.model import Package, Scenario

# The proven bound: how much of the greatest product a package can miss at most, whatever preferences fit the answers.
#
# Pure. Everything that is said is linear in a party's worths, so the worst case is a linear program; HiGHS solves it.


# Theory of operation
# ===================
#
# What is wanted. A package x is to be tabled. Somebody's true preferences fit all answers; nobody knows which of those
# that fit. Its regret is the share of the greatest product of gains that x misses. A bound of it must hold for every
# choice of preferences that fit, for all parties at once, not for a sample of them.
#
# Why it is linear. With the worst option of each issue worth 0, a party's gain from a package is a sum of worths less
# its minimum, and the minimum is a known share of the sum of its best options. So gain(x) = a . w with a known row a.
# Each answer is an inequality r . w >= 0. Nothing depends on the unit of w: it may be chosen so that gain(x) = 1.
#
# One party. How many times its gain from x may another package y bring it? The greatest a_y . w over all w with
# r . w >= 0 and a_x . w = 1: one linear program. It is infinite where x might bring it nothing: then nothing is proved.
#
# All parties. Their preferences are chosen independently, so the greatest ratio of the products is the product of the
# greatest ratios. The bound of the regret is 1 - 1 / (the greatest such product over all packages y).
#
# Not all packages need be looked at that closely. Replacing options one by one, y brings a party at most
# 1 + the sum over issues of the most that each replacement can bring; that is one program for an option of a party, not
# for a package. Packages are taken by this rough bound, the greatest first, and looked at closely until no rough bound
# is above what was found. What is left when the budget is used up counts with its rough bound: the proof stands anyway.


CLOSELY = 120  # packages that are looked at closely for one bound
BEYOND = 1e9  # a ratio above this counts as infinite


@dataclass(frozen=True)
class RegretBound:
    """The proven bound of a package's regret, and the packages that stand against it: the greatest ratio first."""

    bound: float
    rivals: tuple[Package, ...]


class _PartyProgram:
    """One party's linear program, with the unit chosen so that the tabled package is worth 1 to it."""

    def __init__(self, fitting: PreferenceModel, tabled: Package) -> None:
        import highspy

        self.fitting, self.tabled = fitting, tabled
        self.none = fitting.build_no_deal_row()
        self.infinite = self.none is None
        if self.none is None:
            return
        rows, width = fitting.list_answer_rows(), fitting.width
        worst = fitting.find_worst_columns()
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = width, len(rows) + 1
        lp.sense_ = highspy.ObjSense.kMaximize
        lp.col_cost_ = [0.0] * width
        lp.col_lower_ = [0.0] * width
        lp.col_upper_ = [0.0 if n in worst else math.inf for n in range(width)]
        lp.row_lower_ = [0.0] * len(rows) + [1.0]
        lp.row_upper_ = [math.inf] * len(rows) + [1.0]
        put_rows(lp, map(extract_coefficients, [*rows, fitting.build_package_row(tabled) - self.none]))
        self.h = highspy.Highs()  # type: ignore[no-untyped-call]
        self.h.setOptionValue("output_flag", False)
        self.h.setOptionValue("threads", 1)
        self.h.passModel(lp)
        self.columns = np.arange(width, dtype=np.int32)
        self.known: dict[bytes, float] = {}

    def find_maximum(self, goal: Floats) -> float:
        """The greatest value of a row over all preferences that fit; infinite where nothing bounds it."""
        import highspy

        key = goal.tobytes()
        if key not in self.known:
            self.h.changeColsCost(len(goal), self.columns, goal)
            self.h.run()
            solved = self.h.getModelStatus() == highspy.HighsModelStatus.kOptimal
            value = self.h.getInfo().objective_function_value if solved else math.inf
            self.known[key] = float(value) if value < BEYOND else math.inf
        return self.known[key]

    def compute_replacements(self) -> list[Floats]:
        """For each issue, the most that each option can bring above the tabled one."""
        fitting = self.fitting
        out = []
        for i, count in enumerate(fitting.shape):
            tabled_row = fitting.build_option_row(i, self.tabled[i])
            out.append(
                np.array(
                    [
                        0.0 if o == self.tabled[i] else self.find_maximum(fitting.build_option_row(i, o) - tabled_row)
                        for o in range(count)
                    ]
                )
            )
        return out

    def compute_ratio(self, package: Package) -> float:
        """How many times the tabled package's gain this one can bring."""
        assert self.none is not None, "only asked where the minimum is known"
        return max(0.0, self.find_maximum(self.fitting.build_package_row(package) - self.none))


def prove_regret_bound(
    parties: Mapping[str, PreferenceModel], tabled: Package, packages: NDArray[np.int64], whole: bool
) -> RegretBound:
    """The bound of the tabled package's regret against all `packages`; `whole`: they are all that there are."""
    seats = [_PartyProgram(fitting, tabled) for fitting in parties.values()]
    if any(s.infinite for s in seats):
        return RegretBound(1.0, ())
    brings = [s.compute_replacements() for s in seats]
    if not all(np.isfinite(row).all() for seat in brings for row in seat):
        return RegretBound(1.0, tuple(map(tuple, _find_unbounded(brings, packages))))
    rough = np.zeros(len(packages))
    for seat in brings:
        gain = np.ones(len(packages))
        for i, row in enumerate(seat):
            gain += row[packages[:, i]]
        rough += np.log(np.maximum(gain, 1e-12))
    order = np.argsort(-rough, kind="stable")
    greatest, against = 0.0, []
    for looked, place in enumerate(order):
        if rough[place] <= greatest:
            break
        if looked >= CLOSELY:
            greatest = float(rough[place])
            break
        package = tuple(int(o) for o in packages[place])
        total = 0.0
        for party in seats:
            ratio = party.compute_ratio(package)
            total += math.log(ratio) if ratio > 0 else -math.inf
        against.append((total, package))
        greatest = max(greatest, total)
    if not whole:
        greatest = max(greatest, _compute_overall_bound(brings))
    against.sort(key=lambda a: -a[0])
    return RegretBound(1.0 - math.exp(-greatest), tuple(p for _, p in against))


def _compute_overall_bound(brings: Sequence[Sequence[Floats]]) -> float:
    """A bound over all packages that need not be listed: a sum of logarithms is at most that of their mean."""
    count = len(brings)
    total = float(count)
    for i in range(len(brings[0])):
        total += float(sum(seat[i] for seat in brings).max())  # type: ignore[union-attr]
    return count * math.log(total / count)


def _find_unbounded(brings: Sequence[Sequence[Floats]], packages: NDArray[np.int64]) -> list[list[int]]:
    """Some packages that nothing bounds yet."""
    unbounded_counts = np.zeros(len(packages))
    for seat in brings:
        for i, row in enumerate(seat):
            unbounded_counts += ~np.isfinite(row)[packages[:, i]]
    return [[int(o) for o in packages[n]] for n in np.argsort(-unbounded_counts, kind="stable")[:20]]


LOOKED_AT = 20_000  # packages; of more, a drawn part
CONTENDING = 50  # packages that are best in some case: what questions are about
SPREAD = 3.0  # of the worst regret and the mean one: minimax first, the mean where worst cases are alike
PROVEN_REGRET = 0.05  # regret at which nobody is asked any more
GRADED_AT_ONCE = 5  # deals in one question, no deal among them
RIVALS = 16  # packages that the tabled one is compared with
SETS = 60  # sets of deals that a question is chosen from
NOISE = 0.03  # standard deviation of what rounding to a grade takes away
FAINT = 1e-3  # a smaller gain counts as this one, a loss as its square
LIKELY, COARSE = 500, 40  # packages that are weighed in all cases, after a look at all of them in a few


@dataclass(frozen=True)
class RegretEstimate:
    """What the answers so far come to. `worst`, `mean`: of the regret of `package` in the cases drawn."""

    package: Package
    worst: float
    mean: float


class SealedMediator:
    """The clouds of all parties, and what follows from them. `red_lines` of the scenario bind from the start."""

    def __init__(self, scenario: Scenario, seed: int = 0) -> None:
        self.scenario = scenario
        self.shape = tuple(len(i.options) for i in scenario.issues)
        self.parties = {n: PreferenceModel(self.shape, seed * 1_000 + k) for k, n in enumerate(scenario.names)}
        self.seed = seed
        self.asked: dict[str, list[Query]] = {n: [] for n in scenario.names}
        self.refused: set[Package] = set()
        self.packages = self._list_packages()
        self.whole = scenario.size <= LOOKED_AT
        self._standing: RegretEstimate | None = None
        self._proven: RegretBound | None = None

    def _list_packages(self) -> NDArray[np.int64]:
        size = self.scenario.size
        if size <= LOOKED_AT:
            candidates = np.indices(self.shape, dtype=np.int64).reshape(len(self.shape), -1).T
        else:
            rng = np.random.default_rng(self.seed)
            candidates = np.stack([rng.integers(0, n, LOOKED_AT) for n in self.shape], axis=1)
        fine = [p for p in candidates.tolist() if self._is_permitted(tuple(p))]
        return np.array(fine, dtype=np.int64).reshape(len(fine), len(self.shape))

    def _is_permitted(self, package: Package) -> bool:
        return all(self.scenario.measure_violation(line, package) <= 0 for line in self.scenario.list_red_lines())

    def learn(self, party: str, question: Query, answer: Any) -> bool:
        """Take up an answer. False, and nothing changed, where it contradicts what this party said before."""
        fitting = self.parties[party]
        is_consistent = question.apply_answer(fitting, answer)
        if is_consistent:
            self.asked[party].append(question)
            self._standing = self._proven = None
        return is_consistent

    def replace_model(self, party: str, fitting: PreferenceModel) -> None:
        """Another cloud for a party that has taken an answer back."""
        self.parties[party] = fitting
        self._standing = self._proven = None

    def refuse(self, party: str, package: Package) -> None:
        """A party objected to this package: it is not tabled again, and does not count as its gain where possible."""
        fitting = self.parties[party]
        fitting.decide(package, False)
        self.refused.add(package)
        self._standing = self._proven = None

    # ------------------------------------------------------------------ what to table

    def choose_package(self) -> RegretEstimate | None:
        """The package with the least worst regret; None where red lines and objections leave no package."""
        if self._standing is None:
            self._weigh_packages()
        return self._standing

    def _list_open_packages(self) -> NDArray[np.int64]:
        """The packages that nobody has objected to."""
        if not self.refused:
            return self.packages
        open_packages = [p for p in self.packages.tolist() if tuple(p) not in self.refused]
        return np.array(open_packages, dtype=np.int64).reshape(len(open_packages), len(self.shape))

    def _weigh_packages(self) -> None:
        open_packages = self._list_open_packages()
        if not len(open_packages):
            return
        rng = np.random.default_rng(self.seed + 1)
        cases = {n: rng.permutation(POINTS) for n in self.parties}
        if len(open_packages) > LIKELY:
            few = self._compute_log_gains(open_packages, slice(0, COARSE))
            open_packages = open_packages[
                np.argsort(-_compute_shares(sum(few.values())).mean(axis=1), kind="stable")[:LIKELY]
            ]
        logs = self._compute_log_gains(open_packages)
        total = sum(log[:, cases[n]] for n, log in logs.items())
        share = _compute_shares(total)
        often = np.bincount(total.argmax(axis=0), minlength=len(open_packages))
        chosen = np.unique(
            np.concatenate(
                [np.argsort(-often, kind="stable")[:CONTENDING], np.argsort(-share.mean(axis=1))[:CONTENDING]]
            )
        )
        self._left = open_packages[chosen]
        regret = (1.0 - share[chosen]).astype(np.float64)
        worst, mid = regret.max(axis=1), regret.mean(axis=1)
        place = int((worst + SPREAD * mid).argmin())
        self._standing = RegretEstimate(
            tuple(int(o) for o in self._left[place]), float(worst[place]), float(mid[place])
        )

    def _compute_log_gains(self, packages: NDArray[np.int64], points: slice = slice(None)) -> dict[str, Any]:
        """The logarithm of each gain, a party at a time."""
        out = {}
        for name, fitting in self.parties.items():
            gain = fitting.compute_gains(packages)[:, points]
            out[name] = np.log(np.maximum(gain, np.where(gain > 0, FAINT, FAINT**2))).astype(np.float32)
        return out

    def prove_bound(self) -> RegretBound:
        """The bound of the tabled package's regret that holds for whatever fits the answers, and its rivals."""
        standing = self.choose_package()
        if standing is None:
            return RegretBound(1.0, ())
        if self._proven is None:
            self._proven = prove_regret_bound(self.parties, standing.package, self._list_open_packages(), self.whole)
        return self._proven

    def compute_bound(self) -> float:
        """What is stated: proven, not sampled (`proof`)."""
        return self.prove_bound().bound

    # ------------------------------------------------------------------ what to ask

    def choose_next_question(self, party: str) -> Query | None:
        """The question whose answer is expected to tell most of how the rivals compare; None where none is left."""
        fixed = self._choose_opening_question(party)
        if fixed is not None:
            return fixed
        standing = self.choose_package()
        if standing is None or self.compute_bound() <= PROVEN_REGRET:
            return None
        rivals = self._list_rivals(standing.package)
        asked_queries = set(self.asked[party])
        if len(rivals) < 2:
            few = Query(QueryKind.PAIR if rivals else QueryKind.DEAL, (standing.package, *rivals))
            return None if few in asked_queries else few
        return self._choose_deals_question(party, standing.package, rivals, asked_queries)

    def _list_rivals(self, tabled: Package) -> list[Package]:
        """What the tabled package is to be compared with: what the proof names first, then what the cloud does."""
        candidates = [*self.prove_bound().rivals[:RIVALS], *(tuple(int(o) for o in p) for p in self._left)]
        return [p for p in dict.fromkeys(candidates) if p != tabled][:RIVALS]

    def _choose_opening_question(self, party: str) -> Query | None:
        """Each issue's options, then the issues: what every later question builds on."""
        asked_kinds = {(q.kind, q.issue) for q in self.asked[party]}
        for i, count in enumerate(self.shape):
            if count > 1 and (QueryKind.OPTIONS, i) not in asked_kinds:
                return Query(QueryKind.OPTIONS, issue=i)
        known_ends = self.parties[party].ends
        if len(self.shape) > 1 and (QueryKind.SWING, -1) not in asked_kinds and len(known_ends) == len(self.shape):
            ends = [known_ends[i] for i in range(len(self.shape))]
            return Query(QueryKind.SWING, (tuple(w for w, _ in ends), tuple(b for _, b in ends)))
        return None

    def _choose_deals_question(
        self, party: str, tabled: Package, rivals: Sequence[Package], asked_queries: set[Query]
    ) -> Query | None:
        """Of many sets of deals the one whose grades leave the least doubt about the rivals.

        As in Bayesian linear regression: what is in doubt is the logarithm of each rival's gain over the tabled one's;
        what is seen is where each deal lies between the least and the best of its set, give or take half a grade.
        """
        fitting = self.parties[party]
        rng = np.random.default_rng(self.seed + 7 * len(self.asked[party]))
        logs = np.log(np.maximum(fitting.compute_gains(np.array([tabled, *rivals])), FAINT))
        doubt = logs[1:] - logs[0]
        doubt = doubt - doubt.mean(axis=1, keepdims=True)
        best: tuple[float, Query] | None = None
        pool = [tabled, *rivals]
        for n in range(SETS):
            none = n % 2 == 0 and fitting.build_no_deal_row() is not None
            size = min(GRADED_AT_ONCE - none, len(pool))
            some = tuple(pool[int(k)] for k in rng.permutation(len(pool))[:size])
            question = Query(QueryKind.DEALS, some, none=none)
            if question in asked_queries:
                continue
            relative_worths = question.compute_relative_worths(fitting).T
            relative_worths = relative_worths - relative_worths.mean(axis=1, keepdims=True)
            noise = np.eye(len(relative_worths)) * (NOISE**2 * relative_worths.shape[1])
            cross = doubt @ relative_worths.T
            information = float((np.linalg.solve(relative_worths @ relative_worths.T + noise, cross.T) * cross.T).sum())
            if best is None or information > best[0]:
                best = (information, question)
        return None if best is None else best[1]


def _compute_shares(total: Any) -> Any:
    """Of the greatest product of each case."""
    return np.exp(total - total.max(axis=0))
