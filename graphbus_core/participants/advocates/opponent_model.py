"""What was said at the table, understood: who said yes and no to what, what was tabled, and what to say oneself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from graphbus_core.participants.advocates.statements import Opinion, Package, Vocabulary
from graphbus_core.participants.advocates.utility import Floats, Packages, Utility, list_neighbours

# What an advocate believes of another, from nothing but what that one said: a plane between yes and no.
#
# Whoever says which packages it can live with draws a half-space: its score less its minimum is positive on one side. A
# half-space fixes that surplus up to its unit, and the Nash product does not depend on units. So a Bayesian logistic
# regression over one-hot options (Gaussian prior, Laplace approximation) learns what is needed, numbers never said.
# `serves me well` is the same plane moved towards the package that its speaker would decide alone, by a share that all
# rule advocates know (`SHARES`, by the number of the proposal spoken of); of others only yes and no are read.


SHARES = (0.6, 0.4, 0.3, 0.2, 0.1)  # of the way from the minimum to the best, by proposal number, in turn
LEAST = 0.01  # as little as this share of its room an advocate wants before it says that it can live with a package
PRIOR = 0.1
SCALE = 3.0
KNOTS = 8  # a numeric issue with more options is learnt at this many points, straight lines between
NEWTON_STEPS = 40

Label = tuple[Package, float, bool]  # package, share, said yes


class Features:
    """How a package is seen: one weight an option, or a knot for long numeric issues; and a constant."""

    def __init__(self, shape: tuple[int, ...], numeric: tuple[bool, ...]) -> None:
        self.blocks: list[Floats] = []
        for count, ordered in zip(shape, numeric, strict=True):
            if ordered and count > KNOTS:
                place = np.arange(count) * (KNOTS - 1) / (count - 1)
                self.blocks.append(np.maximum(0.0, 1 - np.abs(place[:, None] - np.arange(KNOTS)[None, :])))
            else:
                self.blocks.append(np.eye(count))

    def encode(self, packages: Packages) -> Floats:
        """One row a package."""
        parts = [block[packages[:, i]] for i, block in enumerate(self.blocks)]
        return np.hstack([*parts, np.ones((len(packages), 1))])


@lru_cache(maxsize=32)
def build_features(shape: tuple[int, ...], numeric: tuple[bool, ...]) -> Features:
    """The features of a domain, made once."""
    return Features(shape, numeric)


class Belief:
    """Mean and covariance of one other advocate's surplus, in a unit of its own."""

    def __init__(self, weights: Floats, covariance: Floats) -> None:
        self.weights = weights
        self.covariance = covariance

    def estimate_gain(self, rows: Floats, boldness: float) -> Floats:
        """The expected positive part of the surplus. `boldness` scales doubt: more of it tries the unknown."""
        mean = SCALE * (rows @ self.weights)
        doubt = SCALE * np.sqrt(np.maximum(((rows @ self.covariance) * rows).sum(axis=1), 1e-12))
        doubt *= boldness
        z = np.clip(mean / doubt, -40, 40)
        likely = 1 / (1 + np.exp(-1.702 * z))
        expected: Floats = np.maximum(doubt * np.exp(-z * z / 2) / 2.5066 + mean * likely, 1e-6)
        return expected


@lru_cache(maxsize=256)
def fit_belief(
    shape: tuple[int, ...], numeric: tuple[bool, ...], alone: Package | None, labels: tuple[Label, ...]
) -> Belief:
    """What to believe of one who would decide `alone` and said these labels. A pure function of what was said."""
    encoder = build_features(shape, numeric)
    width = sum(b.shape[1] for b in encoder.blocks) + 1
    if not labels:
        return Belief(np.zeros(width), np.eye(width) / PRIOR)
    rows = encoder.encode(np.array([p for p, _, _ in labels], dtype=np.int64))
    if alone is not None:
        shares = np.array([share for _, share, _ in labels])
        rows = rows - shares[:, None] * encoder.encode(np.array([alone], dtype=np.int64))
    else:
        keep = np.array([share <= LEAST for _, share, _ in labels])
        if not keep.any():
            return Belief(np.zeros(width), np.eye(width) / PRIOR)
        rows, labels = rows[keep], tuple(lab for lab, k in zip(labels, keep, strict=True) if k)
    signs = np.array([1.0 if yes else -1.0 for _, _, yes in labels])
    return Belief(*_fit(rows * SCALE * signs[:, None]))


def _fit(rows: Floats) -> tuple[Floats, Floats]:
    """The most likely weights and their covariance: damped Newton on a strictly convex loss."""
    width = rows.shape[1]
    weights = np.zeros(width)
    prior = np.eye(width) * PRIOR

    def compute_loss(w: Floats) -> float:
        return float(np.logaddexp(0, -rows @ w).sum() + PRIOR / 2 * (w @ w))

    value = compute_loss(weights)
    for _ in range(NEWTON_STEPS):
        p = 1 / (1 + np.exp(np.clip(rows @ weights, -500, 500)))
        gradient = -(rows.T @ p) + PRIOR * weights
        curvature = (rows * (p * (1 - p))[:, None]).T @ rows + prior
        step = np.linalg.solve(curvature, gradient)
        size = 1.0
        while size > 1e-6 and compute_loss(weights - size * step) > value - 1e-4 * size * float(gradient @ step):
            size /= 2
        weights = weights - size * step
        lower = compute_loss(weights)
        if value - lower < 1e-9:
            break
        value = lower
    p = 1 / (1 + np.exp(np.clip(rows @ weights, -500, 500)))
    curvature = (rows * (p * (1 - p))[:, None]).T @ rows + prior
    covariance: Floats = np.asarray(np.linalg.inv(curvature), dtype=np.float64)
    return weights, covariance


def collect_refused(labels: Iterable[Iterable[Label]]) -> set[Package]:
    """Packages that somebody said it cannot live with."""
    return {p for labelled in labels for p, share, yes in labelled if share <= LEAST and not yes}


FEW_OPTIONS = 12  # of an issue with more, this many changes are learnt from a sentence,
FEW_CHANGES = 80  # and of all issues together; others from the next sentence


class OpponentModel:
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

    def is_continued_by(self, facts: list[Mapping[str, Any]]) -> bool:
        """Whether `said` begins with what was heard already."""
        count = len(self._heard)
        return count <= len(facts) and (not count or facts[count - 1] == self._heard[-1])

    def learn(self, facts: list[Mapping[str, Any]]) -> None:
        """Take up the rest."""
        for fact in facts[len(self._heard) :]:
            self._learn_fact(fact)
            self._heard.append(fact)
        self.heard = facts

    def list_labels(self, name: str) -> tuple[Label, ...]:
        """What this advocate said yes and no to."""
        if name not in self._fixed:
            self._fixed[name] = tuple((p, share, yes) for (p, share), yes in self._labels.get(name, {}).items())
        return self._fixed[name]

    def list_refused_by(self, name: str) -> set[Package]:
        """What this advocate said it cannot live with."""
        if name not in self._bad:
            self._bad[name] = collect_refused([self.list_labels(name)])
        return self._bad[name]

    def count_refusals(self) -> dict[Package, int]:
        """How many advocates said that they cannot live with a package."""
        out: dict[Package, int] = {}
        for labels in self._labels.values():
            for (package, share), yes in labels.items():
                if share <= LEAST and not yes:
                    out[package] = out.get(package, 0) + 1
        return out

    def _learn_fact(self, fact: Mapping[str, Any]) -> None:
        kind = fact["fact"]
        if kind == "position_stated":
            alone = self.words.parse_ideal(fact["rationale"])
            if alone is not None:
                self.alone[fact["advocate"]] = alone
                self._learn_sentences(fact["advocate"], alone, 1, fact["willing_to_trade"])
        elif kind in ("proposal_tabled", "check_called"):
            package = self.words.find_package(fact["terms"]) if isinstance(fact["terms"], Mapping) else None
            self.numbers = max(self.numbers, fact["number"])
            if package is not None:
                self._packages[fact["number"]] = package
                if kind == "proposal_tabled":
                    self.tabled.append(package)
                    if fact["by"] in self._labels:
                        self._add_label(fact["by"], package, LEAST, True)
                        self._learn_sentences(fact["by"], package, fact["number"], f"{fact['offer']} {fact['want']}")
        elif kind == "discussed":
            spoken = self._packages.get(self.numbers)
            if spoken is not None:
                self.spoken_of.setdefault(self.numbers, set()).add(fact["by"])
                self._learn_sentences(fact["by"], spoken, self.numbers, fact["text"])
        elif kind in ("consented", "objected"):
            answered = self._packages.get(fact["number"])
            if answered is not None and not fact.get("silent"):
                yes = kind == "consented"
                if yes or not self._learn_sentences(fact["advocate"], answered, fact["number"], fact["reason"]):
                    self._add_label(fact["advocate"], answered, LEAST, yes)

    def _learn_sentences(self, who: str, package: Package, number: int, text: str) -> bool:
        """Take up both sentences, if they are there; whether the first one is."""
        live, serves = self.words.parse_opinions(text)
        share = SHARES[(number - 1) % len(SHARES)]
        for verdict, threshold in ((live, LEAST), (serves, share)):
            if verdict is None:
                continue
            self._add_label(who, package, threshold, verdict.itself)
            few = min(FEW_OPTIONS, max(2, FEW_CHANGES // len(self.words.shape)))
            for i, count in enumerate(self.words.shape):
                step = max(1, -(-count // few)) if count > few else 1
                for o in range(number % step, count, step):
                    if o != package[i]:
                        changed = (*package[:i], o, *package[i + 1 :])
                        self._add_label(who, changed, threshold, (i, o) in verdict.changes)
        return live is not None

    def _add_label(self, who: str, package: Package, share: float, yes: bool) -> None:
        if who in self._labels:
            self._fixed.pop(who, None)
            self._bad.pop(who, None)
            self._labels[who][package, share] = yes
            if yes and share > LEAST:
                self._labels[who][package, LEAST] = True


def judge_package(own: Utility, package: Package, number: int, late: bool = False) -> tuple[Opinion, Opinion]:
    """What this advocate can live with and what serves it well, of this package and of those one change away."""
    around = list_neighbours(package, own.words.shape)
    surplus = own.compute_surplus(np.vstack([np.array([package]), around]))
    pairs = [(i, o) for i, count in enumerate(own.words.shape) for o in range(count) if o != package[i]]
    least = (0.0 if late else LEAST) * own.room
    share = SHARES[(number - 1) % len(SHARES)] * own.room

    def judge_against(bound: float) -> Opinion:
        yes = surplus >= bound - 1e-9
        return Opinion(bool(yes[0]), frozenset(p for p, y in zip(pairs, yes[1:], strict=True) if y))

    return judge_against(least), judge_against(share)
