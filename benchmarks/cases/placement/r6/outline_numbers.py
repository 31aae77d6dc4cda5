# pure
"""The counters live in a closure that is made anew for every document."""
from typing import Callable

from graphbus_core import GraphBusNode, subscribe

ROMAN = ["i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"]


def numberer(style: str) -> Callable[[int], str]:
    counters: list[int] = []
    skipped = 0

    def number(depth: int) -> str:
        nonlocal skipped
        if depth > len(counters) + 1:
            skipped += 1
            depth = len(counters) + 1
        del counters[depth:]
        if len(counters) < depth:
            counters.append(0)
        counters[-1] += 1
        if style == "roman" and counters[-1] <= len(ROMAN):
            parts = [str(n) for n in counters[:-1]] + [ROMAN[counters[-1] - 1]]
        else:
            parts = [str(n) for n in counters]
        return ".".join(parts) + "*" * skipped

    return number


class OutlineNumbers(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/document/outline")
    def on_outline(self, markdown: str, style: str) -> dict[str, list[str]]:
        number = numberer(style)
        entries = []
        for line in markdown.splitlines():
            title = line.lstrip("#")
            depth = len(line) - len(title)
            if depth:
                entries.append(f"{number(depth)} {title.strip()}")
        return {"outline": entries}
