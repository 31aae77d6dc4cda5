# pure
"""Quarter hours of one day are grouped and joined by generators that end with the call."""
from collections.abc import Iterable, Iterator
from itertools import chain, groupby, islice, zip_longest

from graphbus_core import GraphBusNode, subscribe


def batched(values: Iterable[float], size: int) -> Iterator[tuple[float, ...]]:
    stream = iter(values)
    while batch := tuple(islice(stream, size)):
        yield batch


def hourly(quarters: Iterable[float]) -> Iterator[float]:
    return (round(sum(batch) / len(batch), 2) for batch in batched(quarters, 4))


def label(load: float, mean: float) -> str:
    if load > 1.25 * mean:
        return "peak"
    return "base" if load < 0.75 * mean else "middle"


def stretches(hours: list[float]) -> Iterator[str]:
    mean = sum(hours) / len(hours)
    numbered = enumerate(hours)
    for name, group in groupby(numbered, key=lambda item: label(item[1], mean)):
        places = [place for place, _ in group]
        yield f"{name} {places[0]:02d}-{places[-1] + 1:02d}"


def combined(first: Iterable[float], second: Iterable[float]) -> Iterator[float]:
    return map(sum, zip_longest(first, second, fillvalue=0.0))


class LoadProfile(GraphBusNode):
    """Adds the solar roof (negative) to the household's load."""

    padding = (0.0,) * 4

    @subscribe("/Energy/Days")
    def on_day(self, household: str, load: list[float], solar: list[float]) -> dict[str, object]:
        net = combined(load, (-value for value in solar))
        hours = list(hourly(chain(net, () if load else self.padding)))
        return {"household": household, "hours": hours, "stretches": list(stretches(hours))}
