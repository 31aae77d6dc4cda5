# pure
"""The table of switch positions is worked out at the start into tuples, and searched by fresh iterators afterwards."""
from collections.abc import Iterator
from itertools import combinations, compress, dropwhile, product

from graphbus_core import GraphBusNode, subscribe

SWITCHES = ("Q1", "Q2", "Q3", "Q4")
CAPACITY = (40, 25, 25, 10)


def positions() -> Iterator[tuple[bool, ...]]:
    for setting in product((False, True), repeat=len(SWITCHES)):
        if not (setting[0] and setting[3]):
            yield setting


def strength(setting: tuple[bool, ...]) -> int:
    return sum(compress(CAPACITY, setting))


class SwitchPlan(GraphBusNode):
    """Finds the weakest setting that carries a load without the blocked switches."""

    def __init__(self) -> None:
        super().__init__()
        self._plans = tuple(sorted(positions(), key=lambda setting: (strength(setting), sum(setting))))
        self._rivals = frozenset(combinations(("Q2", "Q3"), 2))

    def _allowed(self, blocked: set[str]) -> Iterator[tuple[bool, ...]]:
        for setting in self._plans:
            if blocked.isdisjoint(compress(SWITCHES, setting)):
                yield setting

    @subscribe("/Energy/Switching")
    def on_request(self, station: str, load: int, blocked: list[str]) -> dict[str, object]:
        candidates = dropwhile(lambda setting: strength(setting) < load, self._allowed(set(blocked)))
        setting = next(candidates, None)
        if setting is None:
            return {"station": station, "possible": False, "close": [], "spare": 0}
        closed = list(compress(SWITCHES, setting))
        watch = any(set(pair) <= set(closed) for pair in self._rivals)
        return {"station": station, "possible": True, "close": closed, "spare": strength(setting) - load, "watch": watch}
