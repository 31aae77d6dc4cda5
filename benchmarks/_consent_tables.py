"""Tables for the tournament of private advocates: domains, how one table is played, and what is measured of it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

import numpy as np

from graphbus_core.logs.memory import MemoryAnswers, MemoryLog
from graphbus_core.negotiation.consent.events import ConsentConfig, Outcome, Status
from graphbus_core.negotiation.consent.protocol import ConsentProtocol
from graphbus_core.negotiation.consent.scenario.model import Advocate, Issue, Preferences, Scenario, build_minimum_line
from graphbus_core.negotiation.consent.shut_ballots import BallotBox
from graphbus_core.negotiation.consent.state import State
from graphbus_core.negotiation.core import Driver, Participant, Session
from graphbus_core.participants.advocates.opponent_model import OpponentModel, build_features, fit_belief
from graphbus_core.participants.advocates.shut_voting import ShutVoting
from graphbus_core.participants.advocates.statements import Vocabulary
from graphbus_core.participants.advocates.utility import Utility

RARE = 0.01  # of the outcomes, or fewer, are acceptable to all in a quarter of the generated domains
Seat = Callable[[int], Participant]


def domain(seed: int) -> Scenario:
    """Three to six parties, four to six issues of three to five options, additive scores, a deal that exists.

    Minimums are the same quantile of everybody's outcomes, set so that the wanted share of outcomes is acceptable to
    all: .1 to 1 % in every fourth domain, 1 to 20 % in the others.
    """
    rng = random.Random(f"domain:{seed}")
    while True:
        issues = tuple(
            Issue(chr(65 + i), tuple(f"{chr(65 + i)}{j + 1}" for j in range(rng.randint(3, 5))))
            for i in range(rng.randint(4, 6))
        )
        names = [f"P{p}" for p in range(3 + seed % 4)]
        tables = []
        for _ in names:
            weights = [rng.expovariate(1.0) + 0.1 for _ in issues]
            tables.append(
                tuple(
                    tuple(round(100 * w * rng.random() / sum(weights)) for _ in x.options)
                    for w, x in zip(weights, issues, strict=True)
                )
            )
        scores = np.array([_all(t) for t in tables])
        rare = seed // 4 % 4 == 0
        share = rng.uniform(0.001, RARE) if rare else 10 ** rng.uniform(-2, -0.7)
        size = scores.shape[1]
        if rare and size * RARE < 2:
            continue
        low, high = 0.0, 1.0
        for _ in range(30):
            q = (low + high) / 2
            minimums = np.floor(np.quantile(scores, q, axis=1))
            good = (scores >= minimums[:, None]).all(axis=0).mean()
            low, high = (q, high) if good > share else (low, q)
        minimums = np.floor(np.quantile(scores, low, axis=1))
        acceptable = (scores >= minimums[:, None]).all(axis=0)
        gains = np.where(acceptable, np.maximum(scores - minimums[:, None], 0).prod(axis=0), 0)
        if gains.max() <= 0 or (rare and acceptable.mean() > RARE):
            continue
        seats = tuple(
            Advocate(n, priority=f"P of {n}", scores=t, minimum=float(m), red_lines=(build_minimum_line(n, float(m)),))
            for n, t, m in zip(names, tables, minimums, strict=True)
        )
        return Scenario(f"domain {seed}", issues, seats, preferences=Preferences.PRIVATE)


def _all(table: Sequence[Sequence[float]]) -> np.ndarray:
    return np.array([sum(row) for row in product(*table)])


@dataclass(frozen=True)
class Truth:
    """All outcomes of a domain: scores a party, minimums, who gains what."""

    scores: np.ndarray
    minimums: np.ndarray
    shape: tuple[int, ...]

    @property
    def acceptable(self) -> np.ndarray:
        return (self.scores >= self.minimums[:, None] - 1e-9).all(axis=0)

    def place(self, outcome: Sequence[int]) -> int:
        return int(np.ravel_multi_index(tuple(outcome), self.shape))


_TRUTHS: dict[object, Truth] = {}


def truth(scenario: Scenario) -> Truth:
    """Once a domain and order of its advocates."""
    key = (scenario.topic, tuple((a.name, a.scores, a.minimum) for a in scenario.advocates))
    if key not in _TRUTHS:
        _TRUTHS[key] = _truth(scenario)
    return _TRUTHS[key]


def _truth(scenario: Scenario) -> Truth:
    scores = np.array([_all(a.scores or ()) for a in scenario.advocates])
    minimums = np.array([a.floor for a in scenario.advocates])
    return Truth(scores, minimums, tuple(len(i.options) for i in scenario.issues))


@dataclass(frozen=True)
class Played:
    """What came of one table. Gains are shares of the most that a party could gain where all others still would."""

    agreed: bool
    nash: float
    pareto: bool
    gains: tuple[float, ...]
    turns: int
    heard: tuple[float, ...]


def shuffled(scenario: Scenario, seed: int) -> Scenario:
    """The same domain, with the advocates in another order."""
    seats = list(scenario.advocates)
    random.Random(f"order:{seed}").shuffle(seats)
    return replace(scenario, advocates=tuple(seats))


def play(scenario: Scenario, seats: Mapping[str, Participant], max_turns: int = 30, listen: bool = False) -> Played:
    """One table to its end."""
    log = MemoryLog()
    session: Session[State, Outcome] = Session(ConsentProtocol(), ConsentConfig(scenario, max_turns), log)
    outcome = asyncio.run(Driver(seats, MemoryAnswers()).run(session))
    known = truth(scenario)
    gains = np.zeros(len(scenario.names))
    nash, pareto = 0.0, False
    done = outcome.status is Status.DONE
    if done:
        at = known.place(scenario.parse_terms(outcome.terms))
        mine = known.scores[:, at]
        good = known.acceptable
        if not good.any():  # agreed on without somebody who lost its say: measured against everything
            good = np.ones_like(good)
        room = np.maximum(known.scores[:, good].max(axis=1) - known.minimums, 1e-9)
        gains = (mine - known.minimums) / room
        best = np.maximum(known.scores - known.minimums[:, None], 0).prod(axis=0)[good].max()
        nash = float(np.maximum(mine - known.minimums, 0).prod() / best) if best > 0 else 1.0
        better = (known.scores[:, good] >= mine[:, None] - 1e-9).all(axis=0)
        better &= (known.scores[:, good] > mine[:, None] + 1e-9).any(axis=0)
        pareto = not better.any()
    heard = tuple(listener(scenario, session.state.said)) if listen else ()
    return Played(done, nash, pareto, tuple(map(float, gains)), outcome.turns, heard)


def listener(scenario: Scenario, said: list[dict[str, Any]]) -> list[float]:
    """How well somebody who heard every public word rebuilds each advocate's scores: the correlation over all outcomes.

    It learns as the advocates themselves do (the same reading of the sentences, the same Bayesian fit), and beside that
    by counting what each offered and consented to; the better of the two counts, an advocate at a time.
    """
    words = Vocabulary.from_issues({i.name: {"options": list(i.options)} for i in scenario.issues})
    hearing = OpponentModel(words, list(scenario.names))
    hearing.learn(said)
    known = truth(scenario)
    packages = np.indices(known.shape).reshape(len(known.shape), -1).T
    rows = build_features(words.shape, words.numeric).encode(packages)
    out = []
    summed = _opened_by_anybody(scenario, words, said)
    for n, name in enumerate(scenario.names):
        labels = hearing.list_labels(name)
        learnt = rows @ fit_belief(words.shape, words.numeric, hearing.alone.get(name), labels).weights
        counted = np.zeros(len(packages))
        for package, _, yes in labels:
            counted += (packages == np.array(package)).sum(axis=1) * (1 if yes else -0.5)
        tried = [learnt, counted, *(s[n] for s in summed)]
        out.append(max(0.0, *(correlation(t, known.scores[n]) for t in tried)))
    return out


def _opened_by_anybody(scenario: Scenario, words: Vocabulary, said: list[dict[str, Any]]) -> list[np.ndarray]:
    """What anybody can compute from sealed ballots: their sum, on the packages that all can live with.

    Three guesses at everybody's scores: a ridge regression of those sums over the options, one of being common ground
    at all, and the options' summed worth of a first round about many packages.
    """
    box = BallotBox.from_facts(scenario.names, words.shape, said)
    if not box.closed_rounds:
        return []
    blank = {"scores": None, "conditional_scores": [], "forbidden": [], "limits": [], "minimum": None}
    voting = ShutVoting(words, Utility(words, blank), "nobody", b"", box)
    count, shape = len(scenario.names), words.shape
    rows = build_features(shape, words.numeric).encode(np.indices(shape).reshape(len(shape), -1).T)
    out = []
    ground = voting.common_ground
    inside = np.zeros(len(rows))
    for package in ground:
        inside[np.ravel_multi_index(package, shape)] = 1.0
    out.append(_ridge(rows, inside - inside.mean(), rows))
    if len(ground) > 2:
        at = [int(np.ravel_multi_index(p, shape)) for p in ground]
        value = np.array([ground[p] for p in ground], dtype=float)
        out.append(_ridge(rows[at], value - value.mean(), rows))
    if box.is_large and (worth := voting.options_worth) is not None:
        out.append(rows[:, :-1] @ worth.astype(float))
    return [np.tile(o, (count, 1)) for o in out]


def _ridge(rows: np.ndarray, values: np.ndarray, at: np.ndarray) -> np.ndarray:
    weights = np.linalg.solve(rows.T @ rows + np.eye(rows.shape[1]), rows.T @ values)
    return at @ weights


def correlation(a: np.ndarray, b: np.ndarray) -> float:
    """Pearson's; 0 where one of them does not vary."""
    if a.std() < 1e-12 or b.std() < 1e-12:
        return 0.0
    return float(np.corrcoef(a, b)[0, 1])


def interval(values: Iterable[float]) -> tuple[float, float]:
    """Mean, and half the width of its 95 % interval."""
    v = np.array(list(values), dtype=float)
    return float(v.mean()) if len(v) else float("nan"), float(1.96 * v.std() / max(1, len(v)) ** 0.5) if len(v) else 0.0
