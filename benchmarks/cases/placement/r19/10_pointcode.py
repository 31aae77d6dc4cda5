# pure
"""cycle() and count() start anew for each code, since they are made inside the functions."""
from collections.abc import Iterator
from itertools import count, cycle, islice

from graphbus_core import GraphBusNode, subscribe

ALPHABET = "0123456789ABCDEFGHJKLMNPQRSTUVWXYZ"
VALUES = dict(zip(ALPHABET, count()))


def weighted(code: str, weights: Iterator[int]) -> Iterator[int]:
    for char, weight in zip(code, weights):
        product = VALUES[char] * weight
        yield product // 10 + product % 10


def check_char(code: str) -> str:
    total = sum(weighted(code, cycle((1, 2))))
    return ALPHABET[-total % len(ALPHABET)]


def groups(code: str) -> Iterator[str]:
    chars = iter(code)
    sizes = cycle((2, 4, 3))
    while group := "".join(islice(chars, next(sizes))):
        yield group


def suggestions(code: str) -> Iterator[str]:
    """Codes with two swapped neighbours that would be right."""
    for place in range(len(code) - 2):
        swapped = code[:place] + code[place + 1] + code[place] + code[place + 2:]
        if swapped != code and check_char(swapped[:-1]) == swapped[-1]:
            yield swapped


class PointCodes(GraphBusNode):
    @subscribe("/Energy/Points")
    def on_code(self, code: str) -> dict[str, object]:
        plain = "".join(filter(VALUES.__contains__, code.upper()))
        if len(plain) < 5:
            return {"valid": False, "code": plain, "perhaps": []}
        valid = check_char(plain[:-1]) == plain[-1]
        perhaps = [] if valid else list(islice(suggestions(plain), 2))
        return {"valid": valid, "code": " ".join(groups(plain)), "perhaps": perhaps}
