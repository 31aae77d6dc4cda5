# pure
"""The sessions are cut from the clicks of a single event by a local generator."""
from collections.abc import Iterable, Iterator
from itertools import groupby, pairwise
from operator import itemgetter

from graphbus_core import GraphBusNode, subscribe

Click = tuple[str, int, str]

_GAP_SECONDS = 1800


def sessions(clicks: Iterable[Click]) -> Iterator[list[Click]]:
    current: list[Click] = []
    for click in clicks:
        if current and click[1] - current[-1][1] > _GAP_SECONDS:
            yield current
            current = []
        current.append(click)
    if current:
        yield current


def describe(session: list[Click]) -> dict[str, object]:
    moves = [(a[2], b[2]) for a, b in pairwise(session) if a[2] != b[2]]
    return {
        "start": session[0][1],
        "seconds": session[-1][1] - session[0][1],
        "pages": len({page for _, _, page in session}),
        "moves": moves,
    }


class Visits(GraphBusNode):
    """Cuts a day's clicks into visits."""

    @subscribe("/Clicks/Day")
    def on_event(self, site: str, clicks: list[Click]) -> dict[str, object]:
        ordered = sorted(clicks, key=itemgetter(0, 1))
        visits = {
            visitor: [describe(session) for session in sessions(group)]
            for visitor, group in groupby(ordered, key=itemgetter(0))
        }
        return {"site": site, "visits": visits}
