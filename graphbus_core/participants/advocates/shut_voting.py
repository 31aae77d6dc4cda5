"""One advocate's part in the ballots that stay shut until all are in: what it commits to, opens, tells and reads.

Stateless: the question carries what was said, and what was committed to is computed again when it is opened. A first
round of a large table weighs the options alone; the next ones weigh the packages that this makes likely as well.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from graphbus_core.negotiation.consent.shut_ballots import (
    BallotBox,
    BallotRound,
    BallotStage,
    compute_commitment,
    compute_seed_hash,
)
from graphbus_core.participants.advocates.ballot import (
    FINE,
    Numbers,
    add_masks,
    compute_levels,
    decode_ballot,
    derive_stream,
    encode_ballot,
    find_common_ground,
    x25519,
)
from graphbus_core.participants.advocates.sealed_voting import find_likely
from graphbus_core.participants.advocates.statements import Package, Vocabulary
from graphbus_core.participants.advocates.utility import Floats, Packages, Utility, list_neighbours, list_packages

# Theory of a large table
# =======================
#
# What is wanted. The greatest product of gains among more packages than anybody can write down, scores that depend on
# each other among them, while each seat tells no more than a part of a sum.
#
# What goes round. In each round a ballot holds two things: a level for each of the packages that the rounds before made
# likely, and what each option is worth to this seat on average, where the table seems to go (a mean field: each
# issue's options are taken independently, with shares that everybody computes from the last round's sums). Where scores
# add up that is the option's score. Where they depend on each other, it is the score that the others' likely options
# leave of it, and the next round knows these better. The shares begin even, and grow twice as sure with each round.
#
# Why the sums find a product. The greatest product of gains is where the sum of gains, each divided by the gain there,
# is greatest (the gradient of the logarithm). So each seat weighs its options by one over its share at the best package
# so far, half way in each round. It does that by itself: nobody is told a weight.

IN_ROUND = 12_000  # packages in each round of a large table
STEPS = 1 << 40  # of an option's worth
MOST_WORTH = 1 << 12  # a seat's room; more is cut off, or sums could run over
LEAST_SHARE = 0.05
SUREST = 64.0


@dataclass(frozen=True)
class ReadRound:
    """What a closed round tells. `worth`: of each option, to all. `best`: by then; `leading`: its level."""

    packages: Packages
    ground: dict[Package, int]
    worth: Numbers | None
    best: Package | None
    leading: dict[Package, int]


@dataclass
class ShutVoting:
    """One advocate at a table that casts ballots. `box`: what was said of them so far."""

    words: Vocabulary
    own: Utility
    you: str
    secret: bytes
    box: BallotBox

    def answer(self, kind: str, about: Mapping[str, Any]) -> dict[str, Any]:
        """What it says to a question about the ballots."""
        number = about["round"]
        if kind == BallotStage.UNMASK:
            seeds = self._derive_seeds(number)
            return {"seeds": {n: seeds[n] for n in about["shut"]}}
        if about.get("may_decline") and not self.needs_more:
            return {"commitment": ""}
        seeds = self._derive_seeds(number)
        masks = {n: compute_seed_hash(seed) for n, seed in seeds.items()}
        ballot = encode_ballot(add_masks(self._fill_in(number), self.you, seeds), FINE)
        salt = hashlib.sha256(b"salt" + self.secret + self._describe_round(number)).hexdigest()
        if kind == BallotStage.COMMIT:
            return {"commitment": compute_commitment(self.you, number, ballot, salt, masks)}
        return {"ballot": ballot, "salt": salt, "masks": masks}

    @property
    def needs_more(self) -> bool:
        """Whether a further round could find something better: the shares are not sure yet, or the last one did."""
        if not self.box.is_large:
            return False
        if self.winner is None:
            return len(self._read) < 2 or self.weighed < math.prod(self.words.shape)
        return 2.0 ** len(self._read) < SUREST or self._read[-1].best != self._read[-2].best

    @property
    def weighed(self) -> int:
        """How many packages the closed rounds were about."""
        if not self.box.is_large:
            return math.prod(self.words.shape)
        packages = np.ascontiguousarray(np.concatenate([r.packages for r in self._read]))
        whole = np.dtype((np.void, packages.dtype.itemsize * packages.shape[1]))
        return len(np.unique(packages.view(whole)))

    @cached_property
    def winner(self) -> Package | None:
        """The best package that all can live with, by the rounds that are closed; None while there is none."""
        return self._read[-1].best if self._read else None

    @cached_property
    def common_ground(self) -> dict[Package, int]:
        """Every package that all can live with, and how good it is for all together."""
        return {package: level for read in self._read for package, level in read.ground.items()}

    @property
    def options_worth(self) -> Numbers | None:
        """What each option is worth to all together, by the first round of a large table; None: it cannot be read."""
        return self._read[0].worth if self.box.is_large and self._read else None

    @cached_property
    def _read(self) -> list[ReadRound]:
        """The closed rounds, each with what it tells."""
        out: list[ReadRound] = []
        for closed in self.box.closed_rounds:
            packages = self._list_candidates(out)
            options = sum(self.words.shape) if self.box.is_large else 0
            total = self._add_up(closed, len(packages) + options)
            ground: dict[Package, int] = {}
            if total is not None:
                levels = find_common_ground(
                    total[: len(packages)], len(closed.openings) - len(self._list_shut(closed)), FINE
                )
                places = np.flatnonzero(levels >= 0)
                ground = {tuple(int(v) for v in packages[at]): int(levels[at]) for at in places}
            worth = total[len(packages) :] if total is not None and options else None
            known = {**(out[-1].leading if out else {}), **ground}
            best = max(known, key=lambda p: (known[p], tuple(-o for o in p))) if known else None
            out.append(ReadRound(packages, ground, worth, best, {best: known[best]} if best is not None else {}))
        return out

    def _list_shut(self, closed: BallotRound) -> list[str]:
        """Who opened a ballot of that round and does not count."""
        return [n for n in self.box.list_shut(closed) if n in closed.openings]

    def _add_up(self, closed: BallotRound, count: int) -> Numbers | None:
        """The sum of the ballots that count, without the masks that do not cancel; None where one is not a ballot."""
        shut = self.box.list_shut(closed)
        total = np.zeros(count, dtype=FINE.kind)
        for name, opened in closed.openings.items():
            if name in shut:
                continue
            part = decode_ballot(opened.ballot, count, FINE)
            if part is None:
                return None
            # Taken away, what the seat had added for each of those who stayed shut.
            told = {n: closed.seeds[name][n] for n in shut}
            total = total + part - add_masks(np.zeros(count, dtype=FINE.kind), name, told)
        return total

    def _fill_in(self, number: int) -> Numbers:
        """The ballot before it is masked: a level for each package, and in a large table what each option is worth."""
        before = self._read[:number]
        packages = self._list_candidates(before)
        surplus = self.own.compute_surplus(packages)
        levels = compute_levels(surplus / self.own.room, FINE)
        noise = derive_stream(self.secret, b"noise" + self._describe_round(number), len(levels), FINE)
        plain = np.where(surplus >= -1e-9, levels, noise)
        return np.concatenate([plain, self._weigh_options(before)]) if self.box.is_large else plain

    def _weigh_options(self, before: list[ReadRound]) -> Numbers:
        """What each option is worth to it where the table seems to go; the more, the less it gains there."""
        weight = 1.0
        for read in before:
            aim = read.best if read.best is not None else find_favourite(self.words.shape, read.worth)
            share = float(self.own.compute_surplus(np.array([aim]))[0]) / self.own.room
            weight = math.sqrt(weight / min(1.0, max(LEAST_SHARE, share)))
        shares = find_shares(self.words.shape, before[-1].worth if before else None, len(before))
        rows = self.own.compute_option_worth(shares)
        worth = np.concatenate([(row - row.min()) / self.own.room for row in rows])
        return np.rint(np.clip(weight * worth, 0, MOST_WORTH) * STEPS).astype(FINE.kind)

    def _list_candidates(self, before: list[ReadRound]) -> Packages:
        """The packages that the next ballots are about: all of them, or those that the rounds before make likely."""
        if not self.box.is_large:
            return list_packages(self.words.shape)
        if not before:
            return np.empty((0, len(self.words.shape)), dtype=np.int64)
        worth = before[-1].worth
        numbers = tuple(int(w) for w in worth) if worth is not None else (0,) * sum(self.words.shape)
        return draw_candidates(self.words.shape, numbers, len(before), before[-1].best)

    def _derive_seeds(self, number: int) -> dict[str, str]:
        """The seed of the mask that it shares with each other seat that has a say in this round."""
        rounds = self.box.rounds
        voters = rounds[number].voters if number < len(rounds) else self.box.voters
        about = self._describe_round(number)
        return {n: _derive_seed(self.secret, self.box.keys[n], self.you, n, about) for n in voters if n != self.you}

    def _describe_round(self, number: int) -> bytes:
        plain = json.dumps([self.words.issues, self.words.options, number], ensure_ascii=False)
        return hashlib.sha256(plain.encode()).digest()


def find_shares(shape: Sequence[int], worth: Numbers | None, number: int) -> list[Floats]:
    """How likely each option of each issue is by then: the better for all together, the more, and ever more surely."""
    if worth is None:
        return [np.full(count, 1 / count) for count in shape]
    rows = np.split(worth.astype(np.float64), np.cumsum(shape)[:-1])
    spread = sum(float(r.max() - r.min()) for r in rows) / len(rows)
    sureness = min(SUREST, 2.0 ** (1 + number)) / max(spread, 1e-12)
    # Rounded: two machines whose last digits differ must draw the same packages.
    likely = [np.floor(np.exp(sureness * (row - row.max())) * 2**30) + 1 for row in rows]
    return [row / row.sum() for row in likely]


def find_favourite(shape: Sequence[int], worth: Numbers | None) -> Package:
    """The package of the options that are worth most to all together."""
    if worth is None:
        return (0,) * len(shape)
    return tuple(int(row.argmax()) for row in np.split(worth, np.cumsum(shape)[:-1]))


@lru_cache(maxsize=32)
def draw_candidates(shape: tuple[int, ...], worth: tuple[int, ...], number: int, best: Package | None) -> Packages:
    """`IN_ROUND` packages: the greatest sums, those around the best one that is known, and a draw by the shares.

    The draw comes from a stream that everybody computes alike.
    """
    numbers = np.array(worth, dtype=np.int64)
    parts = [find_likely(shape, worth, IN_ROUND // 4)]
    shares = find_shares(shape, numbers, number)
    count = IN_ROUND - len(parts[0])
    about = json.dumps([shape, worth, number]).encode()
    stream = derive_stream(b"draw", about, count * (len(shape) + 2), FINE).reshape(-1, count)
    unit = stream.astype(np.float64) / 2.0**64
    drawn = np.stack([np.searchsorted(np.cumsum(s)[:-1], u, side="right") for s, u in zip(shares, unit, strict=False)])
    drawn = drawn.T.astype(np.int64)
    if best is not None:
        around = list_neighbours(best, shape)
        near = around[:count]
        drawn[: len(near)] = near
        # Two such changes at once, for as many as half of the draw.
        first, second = ((u * len(around)).astype(np.int64)[: count // 2] for u in unit[-2:])
        both = np.where(around[first] != np.array(best), around[first], around[second])
        drawn[len(near) : len(near) + len(both)] = both[: count - len(near)]
    return np.concatenate([*parts, drawn])


@lru_cache(maxsize=4096)
def _derive_seed(secret: bytes, key: bytes, you: str, other: str, about: bytes) -> str:
    low, high = sorted((you, other))
    return hashlib.sha256(b"mask" + x25519(secret, key) + f"{low}\0{high}\0".encode() + about).hexdigest()
