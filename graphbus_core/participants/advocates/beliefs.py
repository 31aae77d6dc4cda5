"""What an advocate believes of another, from nothing but what that one said: a plane between yes and no.

Whoever says which packages it can live with draws a half-space: its score less its minimum is positive on one side. A
half-space fixes that surplus up to its unit, and the Nash product does not depend on units. So a Bayesian logistic
regression over one-hot options (Gaussian prior, Laplace approximation) learns what is needed, numbers never said.
`serves me well` is the same plane moved towards the package that its speaker would decide alone, by a share that all
rule advocates know (`SHARES`, by the number of the proposal spoken of); of others only yes and no are read.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np

from graphbus_core.participants.advocates.own import Floats, Packages
from graphbus_core.participants.advocates.words import Package

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

    def of(self, packages: Packages) -> Floats:
        """One row a package."""
        parts = [block[packages[:, i]] for i, block in enumerate(self.blocks)]
        return np.hstack([*parts, np.ones((len(packages), 1))])


@lru_cache(maxsize=32)
def features(shape: tuple[int, ...], numeric: tuple[bool, ...]) -> Features:
    """The features of a domain, made once."""
    return Features(shape, numeric)


class Belief:
    """Mean and covariance of one other advocate's surplus, in a unit of its own."""

    def __init__(self, weights: Floats, covariance: Floats) -> None:
        self.weights = weights
        self.covariance = covariance

    def gain(self, rows: Floats, boldness: float) -> Floats:
        """The expected positive part of the surplus. `boldness` scales doubt: more of it tries the unknown."""
        mean = SCALE * (rows @ self.weights)
        doubt = SCALE * np.sqrt(np.maximum(((rows @ self.covariance) * rows).sum(axis=1), 1e-12))
        doubt *= boldness
        z = np.clip(mean / doubt, -40, 40)
        likely = 1 / (1 + np.exp(-1.702 * z))
        expected: Floats = np.maximum(doubt * np.exp(-z * z / 2) / 2.5066 + mean * likely, 1e-6)
        return expected


@lru_cache(maxsize=256)
def belief(
    shape: tuple[int, ...], numeric: tuple[bool, ...], alone: Package | None, labels: tuple[Label, ...]
) -> Belief:
    """What to believe of one who would decide `alone` and said these labels. A pure function of what was said."""
    seen = features(shape, numeric)
    width = sum(b.shape[1] for b in seen.blocks) + 1
    if not labels:
        return Belief(np.zeros(width), np.eye(width) / PRIOR)
    rows = seen.of(np.array([p for p, _, _ in labels], dtype=np.int64))
    if alone is not None:
        shares = np.array([share for _, share, _ in labels])
        rows = rows - shares[:, None] * seen.of(np.array([alone], dtype=np.int64))
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

    def loss(w: Floats) -> float:
        return float(np.logaddexp(0, -rows @ w).sum() + PRIOR / 2 * (w @ w))

    value = loss(weights)
    for _ in range(NEWTON_STEPS):
        p = 1 / (1 + np.exp(np.clip(rows @ weights, -500, 500)))
        gradient = -(rows.T @ p) + PRIOR * weights
        curvature = (rows * (p * (1 - p))[:, None]).T @ rows + prior
        step = np.linalg.solve(curvature, gradient)
        size = 1.0
        while size > 1e-6 and loss(weights - size * step) > value - 1e-4 * size * float(gradient @ step):
            size /= 2
        weights = weights - size * step
        lower = loss(weights)
        if value - lower < 1e-9:
            break
        value = lower
    p = 1 / (1 + np.exp(np.clip(rows @ weights, -500, 500)))
    curvature = (rows * (p * (1 - p))[:, None]).T @ rows + prior
    covariance: Floats = np.asarray(np.linalg.inv(curvature), dtype=np.float64)
    return weights, covariance


def known_bad(labels: Iterable[Iterable[Label]]) -> set[Package]:
    """Packages that somebody said it cannot live with."""
    return {p for said in labels for p, share, yes in said if share <= LEAST and not yes}
