"""One advocate's part in the ballots that stay shut until all are in: what it commits to, opens, tells and reads.

Stateless: the question carries what was said, and what was committed to is computed again when it is opened. A first
round of a large table weighs the options alone; the next ones are about the packages that this makes likely.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from graphbus_core.negotiation.consent.shut_ballots import (
    WHOLE,
    BallotBox,
    BallotRound,
    BallotStage,
    compute_commitment,
    compute_seed_hash,
)
from graphbus_core.participants.advocates.ballot import (
    Words32,
    add_masks,
    compute_levels,
    decode_ballot,
    derive_stream,
    encode_ballot,
    find_common_ground,
    x25519,
)
from graphbus_core.participants.advocates.sealed_voting import find_likely, score_options
from graphbus_core.participants.advocates.statements import Package, Vocabulary
from graphbus_core.participants.advocates.utility import Packages, Utility, list_packages


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
        ballot = encode_ballot(add_masks(self._fill_in(number), self.you, seeds))
        salt = hashlib.sha256(b"salt" + self.secret + self._describe_round(number)).hexdigest()
        if kind == BallotStage.COMMIT:
            return {"commitment": compute_commitment(self.you, number, ballot, salt, masks)}
        return {"ballot": ballot, "salt": salt, "masks": masks}

    @property
    def needs_more(self) -> bool:
        """Whether a further round could find what the closed ones have not."""
        return self.winner is None and self.weighed < math.prod(self.words.shape)

    @property
    def weighed(self) -> int:
        """How many packages the closed rounds were about."""
        rounds = len(self.box.closed_rounds)
        size = math.prod(self.words.shape)
        return min(size, (rounds - 1) * WHOLE) if self.box.is_large else size

    @cached_property
    def winner(self) -> Package | None:
        """The best package that all can live with, by the rounds that are closed; None while there is none."""
        ground = self.common_ground
        return max(ground, key=lambda p: (ground[p], tuple(-o for o in p))) if ground else None

    @cached_property
    def common_ground(self) -> dict[Package, int]:
        """Every package that all can live with, and how good it is for all together."""
        totals: dict[Package, int] = {}
        for number, closed in enumerate(self.box.closed_rounds):
            if self.box.is_large and number == 0:
                continue
            packages = self._list_candidates(number)
            total = self._add_up(closed, number, len(packages))
            if total is None:
                continue
            ground = find_common_ground(total, len(closed.openings) - len(self._list_shut(closed)))
            for place in np.flatnonzero(ground >= 0):
                totals[tuple(int(v) for v in packages[place])] = int(ground[place])
        return totals

    def _list_shut(self, closed: BallotRound) -> list[str]:
        """Who opened a ballot of that round and does not count."""
        return [n for n in self.box.list_shut(closed) if n in closed.openings]

    def _add_up(self, closed: BallotRound, number: int, count: int) -> Words32 | None:
        """The sum of the ballots that count, without the masks that do not cancel; None where one is not a ballot."""
        shut = self.box.list_shut(closed)
        total = np.zeros(count, dtype=np.uint32)
        for name, opened in closed.openings.items():
            if name in shut:
                continue
            part = decode_ballot(opened.ballot, count)
            if part is None:
                return None
            # Taken away, what the seat had added for each of those who stayed shut.
            told = {n: closed.seeds[name][n] for n in shut}
            total = total + part - add_masks(np.zeros(count, dtype=np.uint32), name, told)
        return total

    def _fill_in(self, number: int) -> Words32:
        """The ballot before it is masked."""
        if self.box.is_large and number == 0:
            return score_options(self.own)
        surplus = self.own.compute_surplus(self._list_candidates(number))
        levels = compute_levels(surplus / self.own.room)
        noise = derive_stream(self.secret, b"noise" + self._describe_round(number), len(levels))
        return np.where(surplus >= -1e-9, levels, noise).astype(np.uint32)

    def _derive_seeds(self, number: int) -> dict[str, str]:
        """The seed of the mask that it shares with each other seat that has a say in this round."""
        rounds = self.box.rounds
        voters = rounds[number].voters if number < len(rounds) else self.box.voters
        about = self._describe_round(number)
        return {n: _derive_seed(self.secret, self.box.keys[n], self.you, n, about) for n in voters if n != self.you}

    def _describe_round(self, number: int) -> bytes:
        plain = json.dumps([self.words.issues, self.words.options, number], ensure_ascii=False)
        return hashlib.sha256(plain.encode()).digest()

    @property
    def options_worth(self) -> Words32 | None:
        """What each option is worth to all together, by the first round of a large table; None: it cannot be read."""
        return self._add_up(self.box.closed_rounds[0], 0, sum(self.words.shape))

    def _list_candidates(self, number: int) -> Packages:
        """The packages that the ballots of that round are about: all of them, or the next likely ones."""
        if not self.box.is_large:
            return list_packages(self.words.shape)
        worth = self.options_worth
        if worth is None:
            worth = np.zeros(sum(self.words.shape), dtype=np.uint32)
        ranked = find_likely(self.words.shape, tuple(int(w) for w in worth), WHOLE * number)
        return ranked[WHOLE * (number - 1) :]


@lru_cache(maxsize=4096)
def _derive_seed(secret: bytes, key: bytes, you: str, other: str, about: bytes) -> str:
    low, high = sorted((you, other))
    return hashlib.sha256(b"mask" + x25519(secret, key) + f"{low}\0{high}\0".encode() + about).hexdigest()
