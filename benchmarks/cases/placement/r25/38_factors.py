# pure
"""Keeps a cache of factorisations, which changes no answer."""
from collections import Counter
from functools import lru_cache
from itertools import chain, count, takewhile
from math import prod

from graphbus_core import GraphBusNode, subscribe


def candidates():
    return chain((2, 3), (n + d for n in count(6, 6) for d in (-1, 1)))


def smallest_factor(n: int) -> int:
    upto_root = takewhile(lambda p: p * p <= n, candidates())
    return next((p for p in upto_root if n % p == 0), n)


@lru_cache(maxsize=512)
def factors(n: int) -> tuple[int, ...]:
    if n < 2:
        return ()
    p = smallest_factor(n)
    return (p, *factors(n // p))


def divisor_count(fs):
    return prod(k + 1 for k in Counter(fs).values())


def pretty(fs) -> str:
    powers = Counter(fs)
    return " * ".join(f"{p}^{k}" if k > 1 else str(p) for p, k in sorted(powers.items()))


class Factors(GraphBusNode):
    @subscribe("/numbers/factor")
    def on_number(self, number: int) -> dict[str, object]:
        fs = factors(abs(number))
        return {"text": pretty(fs) or str(number), "divisors": divisor_count(fs), "prime": len(fs) == 1}
