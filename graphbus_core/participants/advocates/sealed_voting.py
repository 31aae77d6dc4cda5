"""Ballots as 0.2.0 cast them, in turns: kept tables that began so go on so. Read from nothing but what was said.

All state a key with their positions; then each casts its ballot in its turn; whoever comes next asks everyone about the
best package that all can live with. Tables that begin now commit first (`shut_voting`).
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from graphbus_core.negotiation.consent.events import SEALED
from graphbus_core.participants.advocates.ballot import (
    COARSE,
    Numbers,
    combine_ballots,
    compute_levels,
    decode_ballot,
    derive_stream,
    encode_ballot,
    find_common_ground,
    mask_ballot,
)
from graphbus_core.participants.advocates.statements import Package, Vocabulary
from graphbus_core.participants.advocates.utility import Packages, Utility, list_packages

KEY = "My key for sealed ballots: "
MOST = 2_500  # packages on one ballot
STEPS = 1 << 16  # steps of an option's worth, in the first round about many packages


@dataclass
class Ballots:
    """What was said of ballots so far. `due`: rounds that must be closed before anybody says anything else.

    `broken`: somebody who was to cast a ballot did something else. `over`: all have, and something else was said.
    """

    names: Sequence[str]
    due: int = 1
    keys: dict[str, bytes] = field(default_factory=dict)
    rounds: list[dict[str, str]] = field(default_factory=lambda: [{}])
    broken: bool = False
    over: bool = False

    @classmethod
    def from_facts(cls, names: Sequence[str], facts: Sequence[Mapping[str, Any]], due: int) -> Ballots:
        """From everything that was said."""
        ballots = cls(names, due)
        for fact in facts:
            kind = fact["fact"]
            if kind == "position_stated":
                _take_key(ballots.keys, fact)
            elif kind == "discussed" and fact["text"].startswith(SEALED) and not ballots.over:
                ballots._cast(fact["by"], fact["text"].removeprefix(SEALED))
            elif kind in ("check_called", "discussed", "passed", "proposal_tabled"):
                ballots.over = len(ballots.closed_rounds) >= due
                ballots.broken = ballots.broken or not ballots.over
        return ballots

    def _cast(self, who: str, text: str) -> None:
        if who in self.rounds[-1] or who not in self.keys:
            self.broken = True
            return
        self.rounds[-1][who] = text
        if len(self.rounds[-1]) == len(self.names):
            self.rounds.append({})

    @property
    def closed_rounds(self) -> list[dict[str, str]]:
        """The rounds in which everyone has cast a ballot."""
        return [r for r in self.rounds if len(r) == len(self.names)]

    @property
    def includes_everyone(self) -> bool:
        """Whether all have stated a key, and so far kept to casting ballots."""
        return len(self.keys) == len(self.names) and not self.broken


def _take_key(keys: dict[str, bytes], fact: Mapping[str, Any]) -> None:
    _, mark, rest = fact["rationale"].partition(KEY)
    if not mark:
        return
    try:
        key = base64.b64decode(rest[:44], validate=True)
    except ValueError:
        return
    if len(key) == 32 and key not in keys.values():
        keys[fact["advocate"]] = key


def count_rounds_due(shape: Sequence[int]) -> int:
    """How many rounds of ballots a table of these issues takes at least."""
    return 2 if float(np.prod(np.array(shape, dtype=np.float64))) > MOST else 1


@dataclass
class SealedVoting:
    """One advocate's part in the ballots of one table."""

    words: Vocabulary
    own: Utility
    you: str
    secret: bytes
    ballots: Ballots
    turns: int  # left

    @property
    def size(self) -> int:
        """How many packages there are."""
        return int(np.prod(np.array(self.words.shape, dtype=np.float64)))

    @property
    def preliminary_rounds(self) -> int:
        """How many rounds come before the packages themselves are weighed."""
        return self.ballots.due - 1

    @property
    def is_open(self) -> bool:
        """Whether the table talks in sealed ballots: all have keys, and the turns hold the rounds and a check."""
        count = len(self.ballots.names)
        needed = (
            1 + self.preliminary_rounds - min(len(self.ballots.closed_rounds), 1 + self.preliminary_rounds)
        ) * count - len(self.ballots.rounds[-1])
        return self.ballots.includes_everyone and self.turns >= max(0, needed) + count

    @property
    def owes_ballot(self) -> bool:
        """Whether it is this advocate's to cast a ballot now."""
        if self.ballots.over or self.you in self.ballots.rounds[-1] or self.winner is not None:
            return False
        closed_count = len(self.ballots.closed_rounds)
        if closed_count <= self.preliminary_rounds:
            return True
        count = len(self.ballots.names)
        more = (closed_count - self.preliminary_rounds) * MOST < self.size  # packages that no ballot was about yet
        return more and self.turns - (count - len(self.ballots.rounds[-1])) >= count

    def build_ballot(self) -> str:
        """The text of the ballot of the round that is open."""
        number = len(self.ballots.closed_rounds)
        about = self._hash_round(number)
        if number < self.preliminary_rounds:
            plain = score_options(self.own)
        else:
            surplus = self.own.compute_surplus(self._list_candidates(number))
            plain = compute_levels(surplus / self.own.room, COARSE)
            noise = derive_stream(self.secret, b"noise" + about, len(plain), COARSE)
            plain = np.where(surplus >= -1e-9, plain, noise).astype(np.uint32)
        return SEALED + encode_ballot(mask_ballot(plain, self.you, self.secret, self.ballots.keys, about), COARSE)

    @property
    def winner(self) -> Package | None:
        """The best package that all can live with, by the rounds that are closed; None while there is none."""
        ground = self.common_ground
        return max(ground, key=lambda p: (ground[p], tuple(-o for o in p))) if ground else None

    @property
    def common_ground(self) -> dict[Package, int]:
        """Every package that all can live with, and how good it is for all together."""
        totals: dict[Package, int] = {}
        for number, cast in enumerate(self.ballots.closed_rounds):
            if number < self.preliminary_rounds:
                continue
            packages = self._list_candidates(number)
            parts = {n: decode_ballot(t, len(packages), COARSE) for n, t in cast.items()}
            if any(p is None for p in parts.values()):
                continue  # somebody's ballot is not one: nothing can be read from this round
            total = find_common_ground(
                combine_ballots({n: p for n, p in parts.items() if p is not None}), len(cast), COARSE
            )
            for place in np.flatnonzero(total >= 0):
                totals[tuple(int(v) for v in packages[place])] = int(total[place])
        return totals

    def _hash_round(self, number: int) -> bytes:
        plain = json.dumps([self.words.issues, self.words.options, number], ensure_ascii=False)
        return hashlib.sha256(plain.encode()).digest()

    def _list_candidates(self, number: int) -> Packages:
        """The packages that the ballots of that round are about: all of them, or the next likely ones."""
        if not self.preliminary_rounds:
            return list_packages(self.words.shape)
        first_round = self.ballots.closed_rounds[0]
        count = sum(self.words.shape)
        parts = {n: decode_ballot(t, count, COARSE) for n, t in first_round.items()}
        good = {n: p for n, p in parts.items() if p is not None}
        worth = combine_ballots(good) if len(good) == len(parts) else np.zeros(count, dtype=np.uint32)
        ranked = find_likely(
            self.words.shape, tuple(int(w) for w in worth), MOST * (number - self.preliminary_rounds + 1)
        )
        return ranked[MOST * (number - self.preliminary_rounds) :]


def score_options(own: Utility) -> Numbers:
    """What each option is worth, as a share of this advocate's room."""
    rows = [np.rint((r - r.min()) / own.room * STEPS) for r in own.rows]
    return np.concatenate(rows).clip(0, 64 * STEPS).astype(np.uint32)


@lru_cache(maxsize=16)
def find_likely(shape: tuple[int, ...], worth: tuple[int, ...], count: int) -> Packages:
    """The `count` packages with the greatest sums of their options' worth, greatest first: a beam, issue by issue."""
    picks = np.zeros((1, 0), dtype=np.int64)
    sums = np.zeros(1, dtype=np.int64)
    offset = 0
    for options in shape:
        row = np.array(worth[offset : offset + options], dtype=np.int64)
        offset += options
        joined = (sums[:, None] + row[None, :]).ravel()
        chosen = np.hstack([np.repeat(picks, options, axis=0), np.tile(np.arange(options), len(sums))[:, None]])
        keep = np.argsort(-joined, kind="stable")[:count]  # what is best in the end is among the best so far
        sums, picks = joined[keep], chosen[keep]
    return picks


def render_no_deal(words: Sequence[str], weighed: int = 0, size: int = 0) -> str:
    """What is said where nothing is common ground. `weighed`: how many of all packages the ballots were about."""
    who = ", ".join(words)
    if weighed < size:
        return (
            f"By everyone's ballots none of the {weighed} likeliest of {size} packages will do for all of {who}. The "
            "others were not weighed; each further round takes two turns of everyone."
        )
    return f"By everyone's ballots there is nothing that all of {who} can live with."
