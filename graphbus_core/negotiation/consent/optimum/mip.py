"""Optima of domains that cannot be enumerated, as mixed-integer programs for HiGHS. Every answer is scored again.

One binary variable an option, one choice an issue; conditional scores and forbidden combinations are linked to them.
Nash is the greatest sum of logarithms of surpluses: outer approximation by tangents, exact to `GAP`, because the
program only ever overestimates a concave function and each new tangent is right where the last answer lies.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from graphbus_core.errors import ScenarioError
from graphbus_core.negotiation.consent.optimum.results import (
    Efficiency,
    Optima,
    Optimum,
    Relaxation,
    compute_relaxation,
    compute_unit_cost,
    nash_product,
)
from graphbus_core.negotiation.consent.scenario.model import (
    EPSILON,
    Advocate,
    Forbidden,
    MinimumScore,
    Package,
    RedLine,
    Scenario,
)

GAP = 1e-7  # of the logarithm of the Nash product
SLACK = 1e-6  # rows are this much wider than what they mean; what slips through is excluded by name
MAX_TANGENT_ROUNDS = 60
MAX_EXCLUDED = 200
BUDGET_S = 60.0  # of the solver's own time for one question; then the best deal known, with the bound that is proved
SHARE_S = 15.0  # of it for the sum and for the least gain, before the product gets the rest
MAX_LOG = 700.0  # a float holds no exponential beyond
_INF = math.inf
Row = tuple[float, float, dict[int, float]]  # low <= sum <= high


class SolverTimeout(ScenarioError):
    """The solver's time ran out before it knew any deal, or that there is none."""


class IntegerProgram:
    """The linear form of a scenario as seen by some of its advocates (default all)."""

    def __init__(self, scenario: Scenario, names: Sequence[str] | None = None) -> None:
        self.scenario = scenario
        chosen = [a for a in scenario.advocates if names is None or a.name in names]
        self.parties = [a for a in chosen if a.has_scores]
        self.lines = tuple(line for a in chosen for line in a.red_lines)
        self.left_s = BUDGET_S
        self.proved = True  # whether the last program was solved to its end
        self.lower: list[float] = []
        self.upper: list[float] = []
        self.whole: list[bool] = []
        self.rows: list[Row] = []
        self.option = [[self._add_variable(0, 1, True) for _ in issue.options] for issue in scenario.issues]
        for row in self.option:
            self.rows.append((1, 1, dict.fromkeys(row, 1.0)))
        self.score = {party.name: self._build_score_terms(party) for party in self.parties}
        self.floor = {party.name: party.floor for party in self.parties}

    def _add_variable(self, low: float, high: float, whole: bool = False) -> int:
        self.lower.append(low)
        self.upper.append(high)
        self.whole.append(whole)
        return len(self.lower) - 1

    def _add_conjunction(self, when: Mapping[int, frozenset[int]]) -> int:
        """A variable that is 1 exactly where every issue has one of its options."""
        both = self._add_variable(0, 1)
        short: dict[int, float] = {both: 1.0}
        for issue, options in when.items():
            self.rows.append((-_INF, 0, {both: 1.0, **{self.option[issue][o]: -1.0 for o in options}}))
            for o in options:
                short[self.option[issue][o]] = -1.0
        self.rows.append((1 - len(when), _INF, short))
        return both

    def _build_score_terms(self, party: Advocate) -> dict[int, float]:
        terms: dict[int, float] = {}
        for row, values in zip(self.option, party.scores or (), strict=False):
            terms.update({v: s for v, s in zip(row, values, strict=True) if s})
        for c in party.conditionals:
            both = self._add_conjunction(c.when)
            terms[both] = terms.get(both, 0.0) + c.score
        return terms

    def build_line_row(self, line: RedLine) -> Row:
        """The red line as a row."""
        rule = line.rule
        if isinstance(rule, MinimumScore):
            return (rule.value - SLACK, _INF, self.score[line.advocate])
        if isinstance(rule, Forbidden):
            cells = {self.option[i][o]: 1.0 for i, options in rule.combination.items() for o in options}
            return (-_INF, len(rule.combination) - 1, cells)
        terms: dict[int, float] = {}
        for i in rule.issues:
            for o, number in enumerate(self.scenario.issues[i].numbers or ()):
                terms[self.option[i][o]] = terms.get(self.option[i][o], 0.0) + number
        least = -_INF if rule.at_least is None else rule.at_least - SLACK
        most = _INF if rule.at_most is None else rule.at_most + SLACK
        return (least, most, terms)

    def solve(
        self, goal: Mapping[int, float], rows: Sequence[Row], hard: Sequence[RedLine] = (), at_most_s: float = BUDGET_S
    ) -> tuple[float, Package] | None:
        """The outcome that makes `goal` greatest, with the bound that proves it; None where no outcome fits.

        `hard`: red lines that `rows` stand for; an outcome that crosses one by less than the rows can tell is excluded.
        """
        rows = list(rows)
        for _ in range(MAX_EXCLUDED):
            solution = self._solve(goal, rows, at_most_s)
            if solution is None or not any(self.scenario.measure_violation(line, solution[1]) > 0 for line in hard):
                return solution
            cells = {self.option[i][o]: 1.0 for i, o in enumerate(solution[1])}
            rows.append((-_INF, len(cells) - 1, cells))
        raise ScenarioError(f"{self.scenario.topic}: the scores lie too close to the red lines to be settled exactly.")

    def _solve(self, goal: Mapping[int, float], rows: Sequence[Row], at_most_s: float) -> tuple[float, Package] | None:
        import highspy

        h = highspy.Highs()  # type: ignore[no-untyped-call]
        limit = max(0.5, min(self.left_s, at_most_s))
        for option, value in (
            ("output_flag", False),
            ("threads", 1),
            ("mip_rel_gap", 0.0),
            ("mip_abs_gap", GAP / 10),
            ("time_limit", limit),
        ):
            h.setOptionValue(option, value)
        h.passModel(self._build_model(goal, [*self.rows, *rows]))
        h.run()
        self.left_s -= h.getRunTime()
        status = h.getModelStatus()
        if status == highspy.HighsModelStatus.kInfeasible:
            return None
        self.proved = status == highspy.HighsModelStatus.kOptimal
        x = h.getSolution().col_value
        if not self.proved and (status != highspy.HighsModelStatus.kTimeLimit or not any(x)):
            raise SolverTimeout(
                f"{self.scenario.topic}: the solver found no deal within {limit:.0f} s and cannot say that there is "
                f"none ({h.modelStatusToString(status)}). Take fewer issues, options or red lines."
            )
        outcome = tuple(max(range(len(row)), key=lambda o: x[row[o]]) for row in self.option)
        return float(h.getInfo().mip_dual_bound), outcome

    def _build_model(self, goal: Mapping[int, float], every: Sequence[Row]) -> Any:
        """The program as the solver takes it."""
        import highspy

        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = len(self.lower), len(every)
        lp.sense_ = highspy.ObjSense.kMaximize
        lp.col_cost_ = [goal.get(v, 0.0) for v in range(len(self.lower))]
        lp.col_lower_, lp.col_upper_ = self.lower, self.upper
        kinds = (highspy.HighsVarType.kContinuous, highspy.HighsVarType.kInteger)
        lp.integrality_ = [kinds[w] for w in self.whole]
        lp.row_lower_, lp.row_upper_ = [r[0] for r in every], [r[1] for r in every]
        put_rows(lp, (terms for _, _, terms in every))
        return lp

    # ------------------------------------------------------------------ optima

    def find_optima(self) -> Optima | None:
        """Nash, egalitarian and utilitarian, each proved by the solver's bound, or given with it when time is up."""
        line_rows = [self.build_line_row(line) for line in self.lines]
        total: dict[int, float] = {}
        for terms in self.score.values():
            for v, s in terms.items():
                total[v] = total.get(v, 0.0) + s
        solution = self.solve(total, line_rows, self.lines, SHARE_S)
        if solution is None:
            return None
        utilitarian = self._build_optimum(solution, lambda o: sum(p.score(o) for p in self.parties))
        if not self.parties:
            return Optima(utilitarian, utilitarian, utilitarian)
        least = self._add_variable(-1e12, 1e12)
        rows = [(self.floor[p.name], _INF, {**self.score[p.name], least: -1.0}) for p in self.parties]
        solution = self.solve({least: 1.0}, [*line_rows, *rows], self.lines, SHARE_S)
        assert solution is not None, "feasible a moment ago"
        egalitarian = self._build_optimum(solution, self._compute_least_gain)
        return Optima(self._find_nash(line_rows, utilitarian, egalitarian), egalitarian, utilitarian)

    def find_ideals(self) -> list[float] | None:
        """The most that each party gains over the permitted outcomes, as far as it is proved; None: there are none."""
        line_rows = [self.build_line_row(line) for line in self.lines]
        out = []
        for p in self.parties:
            solution = self.solve(self.score[p.name], line_rows, self.lines, SHARE_S)
            if solution is None:
                return None
            out.append(p.score(solution[1]) - self.floor[p.name])
        return out

    def find_fairest(self, scale: Sequence[float] | None) -> Optimum | None:
        """The permitted outcome with the greatest least gain (over `scale`), and of those the greatest sum of them.

        Two programs, not one for every rank: where outcomes cannot be counted, the sum stands for the later ranks.
        """
        line_rows = [self.build_line_row(line) for line in self.lines]
        unit = scale or [1.0] * len(self.parties)
        least = self._add_variable(-1e12, 1e12)
        rows: list[Row] = []
        for p, u in zip(self.parties, unit, strict=True):
            scaled = {v: s / u for v, s in self.score[p.name].items()}
            rows.append((self.floor[p.name] / u, _INF, {**scaled, least: -1.0}))
        solution = self.solve({least: 1.0}, [*line_rows, *rows], self.lines)
        if solution is None:
            return None

        def compute_worth(outcome: Package) -> float:
            both = zip(self.parties, unit, strict=True)
            return min(((p.score(outcome) - self.floor[p.name]) / u for p, u in both), default=0.0)

        first = self._build_optimum(solution, compute_worth)
        goal: dict[int, float] = {}
        for p, u in zip(self.parties, unit, strict=True):
            for v, s in self.score[p.name].items():
                goal[v] = goal.get(v, 0.0) + s / u
        proved = self.proved
        again = self.solve(goal, [*line_rows, *rows, (first.value - SLACK, _INF, {least: 1.0})], self.lines)
        self.proved = proved
        return (
            first
            if again is None or compute_worth(again[1]) < first.value - SLACK
            else self._build_optimum((solution[0], again[1]), compute_worth)
        )

    def _compute_least_gain(self, outcome: Package) -> float:
        return min((p.score(outcome) - self.floor[p.name] for p in self.parties), default=0.0)

    def _compute_product(self, outcome: Package) -> float:
        return nash_product([p.score(outcome) - self.floor[p.name] for p in self.parties])

    def _build_optimum(self, solution: tuple[float, Package], value: Callable[[Package], float]) -> Optimum:
        bound, outcome = solution
        worth = float(value(outcome))
        scores = tuple(p.score(outcome) for p in self.parties)
        return Optimum(worth, outcome, scores, None if self.proved else max(bound, worth))

    def _find_nash(self, line_rows: list[Row], *starts: Optimum) -> Optimum:
        if starts[1].value <= EPSILON and starts[1].bound is None:  # someone stands at its floor whatever is chosen
            self.proved = True
            return self._build_optimum((0.0, starts[0].outcome), self._compute_product)
        logs: dict[str, int] = {}
        tangents: list[Row] = []
        for p in self.parties:
            logs[p.name] = self._add_variable(-60, 1e6)
            high = max(s.scores[self.parties.index(p)] for s in starts) - self.floor[p.name]
            for k in range(14):
                tangents.append(self._build_tangent(p, logs[p.name], max(high, 1e-3) * 1.35 * 0.62**k))
        best = max((self._climb(s.outcome) for s in starts), key=self._compute_product)
        least = _INF  # the lowest bound proved so far, of the logarithm
        for _ in range(MAX_TANGENT_ROUNDS):
            if self.left_s <= 0:
                break
            solution = self.solve(dict.fromkeys(logs.values(), 1.0), [*line_rows, *tangents], self.lines)
            assert solution is not None, "feasible a moment ago"
            least = min(least, solution[0])
            outcome = self._climb(solution[1]) if not self.proved else solution[1]
            best = max(best, outcome, key=self._compute_product)
            value = self._compute_product(best)
            if value > 0 and least - math.log(value) <= GAP:
                self.proved = True
                return self._build_optimum((value, best), self._compute_product)
            for p in self.parties:
                surplus = p.score(solution[1]) - self.floor[p.name]
                tangents.append(self._build_tangent(p, logs[p.name], max(surplus, 1e-6)))
        self.proved = False
        return self._build_optimum((math.exp(min(least, MAX_LOG)), best), self._compute_product)

    def _climb(self, outcome: Package) -> Package:
        """The best outcome that single changes lead to: what is known while the solver has proved nothing."""
        best, worth = outcome, self._compute_product(outcome)
        improved = True
        while improved:
            improved = False
            for i, issue in enumerate(self.scenario.issues):
                for o in range(len(issue.options)):
                    other = (*best[:i], o, *best[i + 1 :])
                    value = self._compute_product(other)
                    if value <= worth * (1 + 1e-12):
                        continue
                    if not any(self.scenario.measure_violation(line, other) > 0 for line in self.lines):
                        best, worth, improved = other, value, True
        return best

    def _build_tangent(self, party: Advocate, log: int, surplus: float) -> Row:
        """log(s) <= log(at) + (s - at) / at, with s = score - floor."""
        high = math.log(surplus) - 1 - self.floor[party.name] / surplus
        return (-_INF, high, {log: 1.0, **{v: -s / surplus for v, s in self.score[party.name].items()}})

    # ------------------------------------------------------------------ proofs

    def check_efficiency(self, outcome: Package) -> Efficiency:
        """The permitted outcome that dominates this one with the greatest sum, as far as the time allows to tell."""
        rows = [self.build_line_row(line) for line in self.lines]
        goal: dict[int, float] = {}
        for p in self.parties:
            rows.append((p.score(outcome) - SLACK, _INF, self.score[p.name]))
            for v, s in self.score[p.name].items():
                goal[v] = goal.get(v, 0.0) + s
        try:
            solution = self.solve(goal, rows, self.lines)
        except SolverTimeout:
            return Efficiency(None, False)
        own = sum(p.score(outcome) for p in self.parties)
        if solution is None:
            return Efficiency(None, True)
        if sum(p.score(solution[1]) for p in self.parties) > own + 1e-6:
            return Efficiency(solution[1], True)
        # An unfinished search that found nothing better has not shown that there is nothing better.
        return Efficiency(None, self.proved or solution[0] <= own + 1e-6)

    def find_crossed_when_keeping(self, chosen: frozenset[int]) -> frozenset[int] | None:
        """The lines (by number) that a best outcome crosses which keeps the chosen ones; None: none keeps them."""
        outcome = self._find_fewest_crossed(chosen)
        if outcome is None:
            return None
        return frozenset(i for i, line in enumerate(self.lines) if self.scenario.measure_violation(line, outcome) > 0)

    def _find_fewest_crossed(self, chosen: frozenset[int]) -> Package | None:
        solution = self.solve(*self._build_fewest_goal(chosen), [self.lines[i] for i in chosen])
        return None if solution is None else solution[1]

    def find_cheapest_relaxation(self) -> Relaxation:
        """As few lines as possible, then as cheap as possible."""
        solution = self.solve(*self._build_fewest_goal(frozenset()))
        assert solution is not None, "every line is soft"
        fewest = compute_relaxation(self.scenario, self.lines, solution[1])
        rows, crossed, by = self._build_soft_rows(frozenset())
        rows.append((-_INF, len(fewest.steps), dict.fromkeys(crossed.values(), 1.0)))
        price = {by[n]: -compute_unit_cost(self.scenario, line) for n, line in enumerate(self.lines)}
        for n, line in enumerate(self.lines):
            if isinstance(line.rule, Forbidden):
                price[crossed[n]] = price.pop(by[n])
        solution = self.solve(price, rows)
        cheapest = fewest if solution is None else compute_relaxation(self.scenario, self.lines, solution[1])
        return min(fewest, cheapest, key=lambda r: (len(r.steps), r.cost))

    def _build_fewest_goal(self, hard: frozenset[int]) -> tuple[dict[int, float], list[Row]]:
        """Cross as few lines as possible, and none of the hard ones."""
        rows, crossed, _ = self._build_soft_rows(hard)
        return dict.fromkeys(crossed.values(), -1.0), rows

    def _build_soft_rows(self, hard: frozenset[int]) -> tuple[list[Row], dict[int, int], dict[int, int]]:
        """Rows in which every line but the hard ones may be crossed; the variables that tell so, and by how much."""
        rows: list[Row] = []
        crossed: dict[int, int] = {}
        by: dict[int, int] = {}
        for n, line in enumerate(self.lines):
            low, high, terms = self.build_line_row(line)
            if n in hard:
                rows.append((low, high, terms))
                continue
            crossed[n] = self._add_variable(0, 1, True)
            reach = sum(abs(s) for s in terms.values()) + max(abs(v) for v in (low, high) if math.isfinite(v)) + 1
            by[n] = self._add_variable(0, reach)
            if not isinstance(line.rule, Forbidden):
                low, high = low + SLACK, high - SLACK
            if math.isfinite(low):
                rows.append((low, _INF, {**terms, by[n]: 1.0}))
            if math.isfinite(high):
                rows.append((-_INF, high, {**terms, by[n]: -1.0}))
            rows.append((-_INF, 0, {by[n]: 1.0, crossed[n]: -reach}))
        return rows, crossed, by


def put_rows(program: Any, rows: Iterable[Mapping[int, float]]) -> None:
    """Give a program of HiGHS its rows, each as column -> coefficient."""
    import highspy

    starts: list[int] = [0]
    columns: list[int] = []
    values: list[float] = []
    for terms in rows:
        columns.extend(terms)
        values.extend(terms.values())
        starts.append(len(columns))
    matrix = program.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kRowwise
    matrix.start_, matrix.index_, matrix.value_ = starts, columns, values
