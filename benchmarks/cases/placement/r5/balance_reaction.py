# pure
"""Keeps nothing: the matrix is changed in place, but it is built from the event's own reaction."""
import re
from fractions import Fraction
from functools import reduce
from math import gcd, lcm

from graphbus_core import GraphBusNode, subscribe

ATOM = re.compile(r"([A-Z][a-z]?)(\d*)")


def matrix_of(left: list[str], right: list[str]) -> list[list[Fraction]]:
    sides = [(formula, 1) for formula in left] + [(formula, -1) for formula in right]
    counts: list[dict[str, int]] = []
    for formula, sign in sides:
        count: dict[str, int] = {}
        for symbol, number in ATOM.findall(formula):
            count[symbol] = count.get(symbol, 0) + sign * int(number or 1)
        counts.append(count)
    symbols = sorted({symbol for count in counts for symbol in count})
    return [[Fraction(count.get(symbol, 0)) for count in counts] for symbol in symbols]


def reduce_rows(rows: list[list[Fraction]]) -> list[int]:
    pivots: list[int] = []
    for column in range(len(rows[0])):
        at = len(pivots)
        pick = next((i for i in range(at, len(rows)) if rows[i][column]), None)
        if pick is None:
            continue
        rows[at], rows[pick] = rows[pick], rows[at]
        rows[at] = [value / rows[at][column] for value in rows[at]]
        for i, row in enumerate(rows):
            if i != at and row[column]:
                rows[i] = [a - row[column] * b for a, b in zip(row, rows[at])]
        pivots.append(column)
    return pivots


class BalanceReaction(GraphBusNode):
    """Balances a reaction such as H2 + O2 -> H2O."""

    @subscribe("/Chem/Reaction")
    def on_reaction(self, reaction: str) -> str:
        left, right = ([part.strip() for part in side.split("+")] for side in reaction.split("->"))
        rows = matrix_of(left, right)
        width = len(left) + len(right)
        if reduce_rows(rows) != list(range(width - 1)):
            return "no single answer"
        free = [-rows[i][-1] for i in range(width - 1)] + [Fraction(1)]
        whole = [int(value * lcm(*(f.denominator for f in free))) for value in free]
        if min(whole) <= 0:
            return "impossible"
        whole = [value // reduce(gcd, whole) for value in whole]
        named = [f"{'' if n == 1 else n}{f}" for n, f in zip(whole, left + right)]
        return " + ".join(named[:len(left)]) + " -> " + " + ".join(named[len(left):])
