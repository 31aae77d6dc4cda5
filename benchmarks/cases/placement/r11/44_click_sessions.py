# pure
"""Splits the clicks of one event into sessions by their own timestamps; keeps nothing."""
from collections import Counter
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import accumulate, groupby, pairwise

from graphbus_core import GraphBusNode, subscribe

GAP = timedelta(minutes=30)


@dataclass(frozen=True, order=True)
class Click:
    at: datetime
    page: str

    @classmethod
    def parse(cls, text: str) -> "Click | None":
        moment, _, page = text.strip().partition(" ")
        try:
            return cls(datetime.fromisoformat(moment), page or "/")
        except ValueError:
            return None


def _sessions(clicks: list[Click]) -> list[list[Click]]:
    breaks = [0, *(int(b.at - a.at > GAP) for a, b in pairwise(clicks))]
    numbers = accumulate(breaks)
    return [[click for _, click in group] for _, group in groupby(zip(numbers, clicks), key=lambda p: p[0])]


def _summary(session: list[Click]) -> dict:
    pages = Counter(click.page for click in session)
    favourite, times = min(pages.items(), key=lambda item: (-item[1], item[0]))
    return {
        "start": session[0].at.isoformat(timespec="minutes"),
        "seconds": int((session[-1].at - session[0].at).total_seconds()),
        "clicks": len(session),
        "bounce": len(session) == 1,
        "favourite": f"{favourite} ({times})",
    }


class ClickSessions(GraphBusNode):
    @subscribe("/Web/Clicks")
    def on_clicks(self, visitor: str, clicks: list[str]) -> dict:
        parsed = sorted(c for c in map(Click.parse, clicks) if c is not None)
        sessions = [_summary(s) for s in _sessions(parsed)] if parsed else []
        return {"visitor": visitor, "sessions": sessions, "unreadable": len(clicks) - len(parsed)}
