"""Ballots that stay shut until all are in: who has committed, who has opened, and what an unopened one costs.

Pure, and without numbers: what a ballot holds is for the seats to read (`participants.advocates.sealed_voting`).
"""

# Theory of operation
# ===================
#
# What is wanted. Whoever casts the last ballot must not know the others' when it chooses its own. So ballots go round
# in three steps, and everybody is asked at once in each.
#
#     commit   a hash of the ballot, of a salt and of the hashes of the masks in it
#     open     ballot, salt and the masks' hashes; they must give that hash
#     unmask   only where somebody did not open: everybody else tells the masks that it shares with that seat
#
# Why it is enough. When the first ballot opens, every other one is bound. Whoever reads faster than the others can
# still do one thing: keep its own shut. That costs it its say, and nobody else anything.
#
# What a ballot that is not opened costs. Its seat has no say in this decision any more: it takes no turn, it is not
# asked in a check, and its consent is not needed. The masks that the others share with it do not cancel in the sum. So
# each of them tells the seed of that mask, which must have the hash that it committed to, and the mask is taken away.
# Whoever tells no seed, or another, has no say either. The masks among those who kept to it stay secret.
#
# Against whom. Against a seat that sees every word as it falls, also the log. Not against who runs the negotiation,
# and who has the scenario file. Two seats that commit to false masks on purpose, one of which then stays shut, can
# bring the table to nothing, themselves with it.

from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

KEY = "My key for ballots that stay shut: "
WHOLE = 20_000  # packages that are weighed at once; of more, a first round weighs the options alone
_KEY = re.compile(re.escape(KEY) + r"([A-Za-z0-9+/]{43}=)")
_HASH = re.compile(r"[0-9a-f]{64}")
MAX_BALLOT = 2_000_000  # characters


class BallotStage(StrEnum):
    """What is asked of everybody at once."""

    COMMIT = "commit"
    OPEN = "open"
    UNMASK = "unmask"
    OVER = "over"


def render_key(public: bytes) -> str:
    """How a key is stated in a position."""
    return f"{KEY}{base64.b64encode(public).decode()}."


def parse_key(rationale: str) -> bytes | None:
    """The key that a position states, or None."""
    match = _KEY.search(rationale)
    return base64.b64decode(match[1]) if match else None


def compute_commitment(who: str, number: int, ballot: str, salt: str, masks: Mapping[str, str]) -> str:
    """What a seat commits to: its name, the round, the ballot, and the hash of each mask's seed."""
    plain = json.dumps([who, number, salt, ballot, dict(masks)], sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(plain.encode()).hexdigest()


def compute_seed_hash(seed: str) -> str:
    """What a seed is recognized by."""
    return hashlib.sha256(f"seed {seed}".encode()).hexdigest()


@dataclass(frozen=True)
class OpenedBallot:
    """A ballot as it was opened, with the hash of the seed of each mask in it."""

    ballot: str
    masks: Mapping[str, str]


@dataclass
class BallotRound:
    """One round: who takes part, and what they did. `seeds`: who told which seed of a mask shared with whom."""

    voters: tuple[str, ...]
    commitments: dict[str, str] = field(default_factory=dict)
    openings: dict[str, OpenedBallot] = field(default_factory=dict)
    seeds: dict[str, dict[str, str]] = field(default_factory=dict)


@dataclass
class BallotBox:
    """The ballots of one table so far: a fold over its facts."""

    names: tuple[str, ...]
    shape: tuple[int, ...]
    keys: dict[str, bytes] = field(default_factory=dict)
    rounds: list[BallotRound] = field(default_factory=list)
    forfeited: dict[str, int] = field(default_factory=dict)  # who has no say any more, since which round

    @classmethod
    def from_facts(cls, names: Sequence[str], shape: Sequence[int], facts: Iterable[Mapping[str, Any]]) -> BallotBox:
        """From everything that was said."""
        box = cls(tuple(names), tuple(shape))
        for fact in facts:
            match fact["fact"]:
                case "position_stated":
                    box.take_key(fact["advocate"], fact["rationale"])
                case "ballot_committed":
                    box.commit(fact["advocate"], fact["round"], fact["commitment"])
                case "ballot_opened":
                    box.open(fact["advocate"], fact["ballot"], fact["masks"])
                case "masks_told":
                    box.tell_seeds(fact["advocate"], fact["seeds"])
                case "ballot_forfeited":
                    box.forfeit(fact["advocate"], fact["round"])
        return box

    # ------------------------------------------------------------------ what happened

    def take_key(self, who: str, rationale: str) -> None:
        """A position may state a key; one that somebody stated already does not count."""
        key = parse_key(rationale)
        if key is not None and key not in self.keys.values():
            self.keys[who] = key

    def commit(self, who: str, number: int, commitment: str) -> None:
        """A seat is bound; "": it needs no further ballot."""
        self._begin(number)
        self.rounds[-1].commitments[who] = commitment

    def _begin(self, number: int) -> None:
        if len(self.rounds) <= number:
            self.rounds.append(BallotRound(self.voters))

    def open(self, who: str, ballot: str, masks: Mapping[str, str]) -> None:
        """A ballot is open."""
        self.rounds[-1].openings[who] = OpenedBallot(ballot, masks)

    def tell_seeds(self, who: str, seeds: Mapping[str, str]) -> None:
        """Masks shared with those who stayed shut."""
        self.rounds[-1].seeds.setdefault(who, {}).update(seeds)

    def forfeit(self, who: str, number: int) -> None:
        """A seat has no say any more."""
        self._begin(number)
        self.forfeited[who] = number

    # ------------------------------------------------------------------ what follows

    @property
    def voters(self) -> tuple[str, ...]:
        """Who has a say."""
        return tuple(n for n in self.names if n not in self.forfeited)

    @property
    def is_large(self) -> bool:
        """Whether a first round weighs the options alone."""
        return math.prod(self.shape) > WHOLE

    @property
    def rounds_due(self) -> int:
        """The fewest rounds from which anything can be read."""
        return 2 if self.is_large else 1

    @property
    def least_turns(self) -> int:
        """The fewest turns of the whole negotiation: positions, commitments and openings, answers to one check."""
        return len(self.names) * (2 + 2 * self.rounds_due)

    @property
    def closed_rounds(self) -> list[BallotRound]:
        """The rounds that can be read: whose ballots are open, with every mask that does not cancel."""
        closed = self.rounds if not self.rounds or not self._list_due()[1] else self.rounds[:-1]
        return [r for r in closed if r.openings]

    def find_stage(self, turns_left: int) -> tuple[BallotStage, int, tuple[str, ...]]:
        """What is asked now, in which round, and of whom."""
        if self.rounds:
            stage, due = self._list_due()
            if due:
                return stage, len(self.rounds) - 1, due
        count = len(self.voters)
        needed = count * (2 * max(1, self.rounds_due - len(self.rounds)) + 1)
        if not count or turns_left < needed or self._is_over():
            return BallotStage.OVER, len(self.rounds), ()
        return BallotStage.COMMIT, len(self.rounds), self.voters

    def _is_over(self) -> bool:
        """Whether no further round can follow."""
        if not self.rounds:
            return len(self.keys) < len(self.names)
        # A round in which nobody opened anything, or in a small table the only one.
        return not self.rounds[-1].openings or not self.is_large

    def _list_due(self) -> tuple[BallotStage, tuple[str, ...]]:
        """What the last round still waits for."""
        current = self.rounds[-1]
        left = [n for n in current.voters if n not in self.forfeited]
        if due := [n for n in left if n not in current.commitments]:
            return BallotStage.COMMIT, tuple(due)
        if not any(current.commitments.values()):
            return BallotStage.OVER, ()
        if due := [n for n in left if n not in current.openings]:
            return BallotStage.OPEN, tuple(due)
        shut = set(self.list_shut(current))
        due = [n for n in left if not shut <= current.seeds.get(n, {}).keys()]
        return BallotStage.UNMASK, tuple(due)

    def find_decliner(self) -> str | None:
        """Who cast nothing in a round in which others did, once all are in."""
        if not self.rounds or self._list_due()[0] is not BallotStage.OPEN:
            return None
        return next((n for n, c in self.rounds[-1].commitments.items() if not c and n not in self.forfeited), None)

    def list_shut(self, current: BallotRound) -> list[str]:
        """Who took part in a round and does not count in its sum."""
        # Who forfeits in a later round was counted here, and is a voter of that one.
        later = self.rounds[self.rounds.index(current) + 1 :]
        return [n for n in current.voters if n in self.forfeited and not any(n in r.voters for r in later)]


def explain_invalid_ballot(kind: str, about: Mapping[str, Any], body: Mapping[str, Any]) -> str | None:
    """Why the body is not a commitment, opening or list of seeds; None if it is one."""
    if kind == BallotStage.COMMIT:
        value = body.get("commitment")
        fine = isinstance(value, str) and (_HASH.fullmatch(value) or (value == "" and about["may_decline"]))
        return None if fine else "'commitment' is 64 hexadecimal digits"
    if kind == BallotStage.OPEN:
        ballot, salt, masks = body.get("ballot"), body.get("salt"), body.get("masks")
        if not isinstance(ballot, str) or len(ballot) > MAX_BALLOT or not isinstance(salt, str) or len(salt) > 200:
            return "'ballot' and 'salt' are text"
        if not _is_hash_table(masks):
            return "'masks' has 64 hexadecimal digits for every other advocate"
        if compute_commitment(about["you"], about["round"], ballot, salt, masks or {}) != about["commitment"]:
            return "this is not what was committed to"
        return None
    seeds = body.get("seeds")
    if not _is_hash_table(seeds) or set(seeds or {}) != set(about["shut"]):
        return f"'seeds' has 64 hexadecimal digits for each of {', '.join(about['shut'])}"
    if any(compute_seed_hash(seed) != about["masks"].get(n) for n, seed in (seeds or {}).items()):
        return "a seed is not the one that was committed to"
    return None


def _is_hash_table(table: Any) -> bool:
    return isinstance(table, Mapping) and all(isinstance(v, str) and _HASH.fullmatch(v) for v in table.values())
