# pure
"""Everything that is collected about the wagons lives in local variables of one call."""
from collections.abc import Callable, Iterator
from itertools import count

from graphbus_core import GraphBusNode, subscribe

Rule = Callable[[str], str]


def not_twice() -> Rule:
    seen: set[str] = set()

    def rule(wagon: str) -> str:
        if wagon in seen:
            return "listed twice"
        seen.add(wagon)
        return ""

    return rule


def brakes_alternate(allowed: int) -> Rule:
    run = 0

    def rule(wagon: str) -> str:
        nonlocal run
        run = run + 1 if wagon.endswith("x") else 0
        return "too many unbraked wagons" if run > allowed else ""

    return rule


def check_digit(wagon: str) -> str:
    digits = [int(char) for char in wagon if char.isdigit()]
    if len(digits) < 4:
        return "number too short"
    doubled = (digit * (2 - place % 2) for place, digit in enumerate(reversed(digits[:-1]), 1))
    return "" if sum(doubled) % 10 == digits[-1] else "check digit"


def remarks(wagons: list[str], rules: list[Rule]) -> Iterator[str]:
    for place, wagon in zip(count(1), wagons):
        for rule in rules:
            problem = rule(wagon)
            if problem:
                yield f"wagon {place} ({wagon}): {problem}"


class ConsistCheck(GraphBusNode):
    @subscribe("/Rail/Consists")
    def on_consist(self, train: str, wagons: list[str]) -> dict[str, object]:
        found = list(remarks(wagons, [check_digit, not_twice(), brakes_alternate(2)]))
        return {"train": train, "wagons": len(wagons), "ready": not found, "remarks": found}
