"""All outcomes of a scenario as blocks of numbers: scores a party, red lines crossed. The ground of everything exact.

The last issues form the tail, whose score vectors are computed once; each choice of the first issues is a block: the
tail shifted. Memory is bounded by the block, whatever the number of outcomes. It knows no optimum and no file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from graphbus_core.negotiation.consent.scenario.scenario import (
    EPSILON,
    Conditional,
    Forbidden,
    Limit,
    MinimumScore,
    Outcome,
    RedLine,
    Scenario,
)

NARROW, WIDE = (
    512,
    1_000_000,
)  # a tail below the one takes in one more issue, up to the other: blocks cost Python's time
TAIL = 32_768  # outcomes a block: a row of a party fits the second-level cache
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Block:
    """Outcomes that share their first options. `scores[p]` holds party p's score of each outcome of the tail."""

    head: tuple[int, ...]
    scores: Floats


def _tail_of(shape: Sequence[int]) -> tuple[int, int]:
    """(first issue of the tail, its outcomes): as many of the last issues as fit a block."""
    split, width = len(shape), 1
    while split > 0 and width * shape[split - 1] <= (WIDE if width < NARROW < TAIL else TAIL):
        split -= 1
        width *= shape[split]
    return split, width


class Grid:
    """The outcomes of a scenario as seen by some of its advocates (`names`, default all).

    `floor[p]`: where party p stands without an agreement: its minimum, or the least its scores can add up to.
    """

    def __init__(self, scenario: Scenario, names: Sequence[str] | None = None) -> None:
        self.scenario = scenario
        chosen = [a for a in scenario.advocates if names is None or a.name in names]
        self.parties = [a for a in chosen if a.scored]
        self.lines: tuple[RedLine, ...] = tuple(line for a in chosen for line in a.red_lines)
        self.shape = tuple(len(i.options) for i in scenario.issues)
        self.split, self.width = _tail_of(self.shape)
        axes = np.indices(self.shape[self.split :], dtype=np.int32).reshape(len(self.shape) - self.split, self.width)
        self._axes = {self.split + n: axis for n, axis in enumerate(axes)}
        self._scores = [[np.array(row, dtype=np.float64) for row in self._table(p)] for p in range(len(self.parties))]
        self._tail = np.zeros((len(self.parties), self.width))
        for p, tables in enumerate(self._scores):
            for issue, axis in self._axes.items():
                self._tail[p] += tables[issue][axis]
        self._mixed: list[tuple[int, dict[int, frozenset[int]], Bools | None, float]] = []
        for p, party in enumerate(self.parties):
            for conditional in party.conditionals:
                self._place(p, conditional)
        self.tail_high = self._tail.max(axis=1) if self.width else np.zeros(len(self.parties))
        self.floor = np.array([p.floor for p in self.parties])
        self._index = {party.name: p for p, party in enumerate(self.parties)}

    def _place(self, p: int, conditional: Conditional) -> None:
        """A conditional score of the tail alone is added to it now; one that asks the head too waits for each head."""
        head = {i: o for i, o in conditional.when.items() if i < self.split}
        mask = self._mask({i: o for i, o in conditional.when.items() if i >= self.split})
        if head:
            self._mixed.append((p, head, mask, conditional.score))
        else:
            self._tail[p] += conditional.score if mask is None else conditional.score * mask

    def _table(self, p: int) -> tuple[tuple[float, ...], ...]:
        return self.parties[p].scores or tuple((0.0,) * n for n in self.shape)

    def _mask(self, when: dict[int, frozenset[int]]) -> Bools | None:
        """Which outcomes of the tail match; None: all."""
        mask: Bools | None = None
        for issue, options in when.items():
            part = np.isin(self._axes[issue], np.fromiter(options, dtype=np.int32))
            mask = part if mask is None else np.logical_and(mask, part)
        return mask

    @property
    def size(self) -> int:
        """How many outcomes there are."""
        return self.scenario.size

    def heads(self) -> Iterator[tuple[int, ...]]:
        """The choices of the first issues, in canonical order."""
        return product(*(range(n) for n in self.shape[: self.split]))

    def head_scores(self, head: tuple[int, ...]) -> Floats:
        """What the head alone gives each party."""
        out = np.zeros(len(self.parties))
        for p, tables in enumerate(self._scores):
            out[p] = sum(tables[i][o] for i, o in enumerate(head))
        return out

    def head_bonus(self, head: tuple[int, ...]) -> Floats:
        """The most that conditional scores over head and tail can add for each party: for bounds."""
        out = np.zeros(len(self.parties))
        for p, when, _, score in self._mixed:
            if score > 0 and all(head[i] in o for i, o in when.items()):
                out[p] += score
        return out

    def block(self, head: tuple[int, ...]) -> Block:
        """The scores of the tail's outcomes under this head."""
        scores = self._tail + self.head_scores(head)[:, None]
        for p, when, mask, score in self._mixed:
            if all(head[i] in o for i, o in when.items()):
                scores[p] += score if mask is None else score * mask
        return Block(head, scores)

    def crosses(self, line: RedLine, block: Block) -> Bools:
        """Which outcomes of the block cross the line."""
        rule = line.rule
        if isinstance(rule, MinimumScore):
            short: Bools = block.scores[self._index[line.advocate]] < rule.value - EPSILON
            return short
        if isinstance(rule, Forbidden):
            if any(block.head[i] not in o for i, o in rule.combination.items() if i < self.split):
                return np.zeros(self.width, dtype=np.bool_)
            mask = self._mask({i: o for i, o in rule.combination.items() if i >= self.split})
            return np.ones(self.width, dtype=np.bool_) if mask is None else mask
        total = self._numbers(rule, block)
        out = np.zeros(self.width, dtype=np.bool_)
        if rule.at_most is not None:
            out |= total > rule.at_most + EPSILON
        if rule.at_least is not None:
            out |= total < rule.at_least - EPSILON
        return out

    def violation(self, line: RedLine, block: Block) -> Floats:
        """By how much each outcome crosses the line, in the line's own unit."""
        rule = line.rule
        if isinstance(rule, MinimumScore):
            short = rule.value - block.scores[self._index[line.advocate]]
        elif isinstance(rule, Forbidden):
            return self.crosses(line, block).astype(np.float64)
        else:
            total = self._numbers(rule, block)
            short = np.full(self.width, -np.inf)
            if rule.at_most is not None:
                short = np.maximum(short, total - rule.at_most)
            if rule.at_least is not None:
                short = np.maximum(short, rule.at_least - total)
        return np.where(short > EPSILON, short, 0.0)

    def _numbers(self, rule: Limit, block: Block) -> Floats:
        total = np.zeros(self.width)
        for i in rule.issues:
            numbers = np.array(self.scenario.issues[i].numbers or ())
            total += numbers[block.head[i]] if i < self.split else numbers[self._axes[i]]
        return total

    def allowed(self, block: Block) -> Bools:
        """Which outcomes of the block cross none of the chosen advocates' lines."""
        out = np.ones(self.width, dtype=np.bool_)
        for line in self.lines:
            out &= ~self.crosses(line, block)
        return out

    def outcome(self, block: Block, position: int) -> Outcome:
        """The outcome at that place of the block."""
        tail = np.unravel_index(position, self.shape[self.split :]) if self.split < len(self.shape) else ()
        return block.head + tuple(int(v) for v in tail)

    def scores_of(self, outcome: Outcome) -> Floats:
        """What one outcome is worth to each party."""
        return np.array([party.score(outcome) for party in self.parties])
