"""What an order must look like."""
from dataclasses import dataclass

MAX_LINES = 50


@dataclass(frozen=True)
class Outcome:
    """True when there are no problems."""
    problems: tuple

    def __bool__(self):
        return not self.problems


def validate(order):
    """Return whether the order can be taken, and why not."""
    problems = []
    if not order.get("customer"):
        problems.append("no customer")
    lines = order.get("lines", [])
    if not 0 < len(lines) <= MAX_LINES:
        problems.append(f"{len(lines)} lines")
    for number, line in enumerate(lines, 1):
        if line["count"] <= 0 or line["price"] < 0:
            problems.append(f"line {number}")
    return Outcome(tuple(problems))


def total(order):
    return sum(line["count"] * line["price"] for line in order["lines"])
