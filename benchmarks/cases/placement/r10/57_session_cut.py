# pure
"""Keeps nothing: sessions are cut out of the clicks that come in one event."""
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate, chain, groupby, pairwise
from operator import attrgetter
from statistics import median
from typing import Any

from graphbus_core import GraphBusNode, subscribe

GAP = timedelta(minutes=30)


@dataclass(frozen=True, order=True)
class Click:
    user: str
    at: datetime
    page: str


def clicks(raw: Iterable[list[str]]) -> Iterator[Click]:
    for user, moment, page in raw:
        yield Click(user, datetime.fromisoformat(moment), page.split("?", 1)[0])


def sessions(ordered: list[Click]) -> Iterator[list[Click]]:
    breaks = (later.at - earlier.at > GAP for earlier, later in pairwise(ordered))
    numbers = accumulate(chain((0,), (int(cut) for cut in breaks)))
    for _, members in groupby(zip(numbers, ordered), key=lambda pair: pair[0]):
        yield [click for _, click in members]


def summary(session: list[Click]) -> dict[str, Any]:
    first, last = session[0], session[-1]
    return {
        "start": first.at.isoformat(),
        "seconds": int((last.at - first.at).total_seconds()),
        "pages": len({click.page for click in session}),
        "exit": last.page,
        "bounce": len(session) == 1,
    }


class SessionCut(GraphBusNode):
    @subscribe("/clicks/batch")
    def on_batch(self, raw: list[list[str]]) -> dict[str, Any]:
        try:
            ordered = sorted(clicks(raw))
        except ValueError as error:
            return {"error": str(error)}
        by_user = {user: [summary(s) for s in sessions(list(group))] for user, group in groupby(ordered, key=attrgetter("user"))}
        lengths = [entry["seconds"] for entries in by_user.values() for entry in entries]
        return {"users": by_user, "median": median(lengths) if lengths else None}
