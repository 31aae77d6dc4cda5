# pure
"""The table of primes grows as larger numbers come in, but a longer table gives the same factors."""
from bisect import bisect_left
from math import isqrt

from graphbus_core import GraphBusNode, subscribe

_primes = [2, 3, 5, 7]


def extend_to(limit: int) -> None:
    candidate = _primes[-1]
    while candidate < limit:
        candidate += 2
        root = isqrt(candidate)
        for p in _primes:
            if p > root:
                _primes.append(candidate)
                break
            if candidate % p == 0:
                break


def is_prime(n: int) -> bool:
    extend_to(n)
    place = bisect_left(_primes, n)
    return place < len(_primes) and _primes[place] == n


class FactorService(GraphBusNode):
    LIMIT = 10_000_000

    def __init__(self) -> None:
        super().__init__()

    @subscribe("/factor")
    def on_factor(self, n: int) -> dict[str, object]:
        if not 1 < n <= self.LIMIT:
            return {"n": n, "factors": []}
        extend_to(isqrt(n) + 1)
        rest, factors = n, []
        for p in _primes:
            if p * p > rest:
                break
            while rest % p == 0:
                factors.append(p)
                rest //= p
        if rest > 1:
            factors.append(rest)
        return {"n": n, "factors": factors}

    @subscribe("/prime")
    def on_prime(self, n: int) -> dict[str, object]:
        return {"n": n, "prime": 1 < n <= 5000 and is_prime(n)}
