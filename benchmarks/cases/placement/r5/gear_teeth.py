# pure
"""Keeps a list of primes that grows with the largest request, yet a factorisation never depends on its length."""
from math import gcd, isqrt

from graphbus_core import GraphBusNode, subscribe


class Primes:
    """All primes up to a limit that is raised when it is needed."""

    def __init__(self) -> None:
        self._known = [2, 3, 5, 7]
        self._limit = 10

    def _raise_to(self, limit: int) -> None:
        if limit <= self._limit:
            return
        sieve = bytearray([1]) * (limit + 1)
        for number in range(2, isqrt(limit) + 1):
            if sieve[number]:
                sieve[number * number::number] = bytes(len(range(number * number, limit + 1, number)))
        self._known = [number for number in range(2, limit + 1) if sieve[number]]
        self._limit = limit

    def factors(self, number: int) -> list[int]:
        self._raise_to(isqrt(number) + 1)
        found = []
        for prime in self._known:
            if prime * prime > number:
                break
            while number % prime == 0:
                found.append(prime)
                number //= prime
        return found + [number] if number > 1 else found


class GearTeeth(GraphBusNode):
    """Says how often the same two teeth of a pair of gears meet, and which pairs wear evenly."""

    def __init__(self) -> None:
        super().__init__()
        self._primes = Primes()

    @subscribe("/Gear/Pair")
    def on_pair(self, driver: int, driven: int) -> dict[str, object]:
        if driver < 2 or driven < 2:
            return {"error": "too few teeth"}
        shared = gcd(driver, driven)
        return {
            "turns_until_repeat": driven // shared,
            "hunting": shared == 1,
            "factors": [self._primes.factors(driver), self._primes.factors(driven)],
        }
