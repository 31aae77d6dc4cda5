# pure
"""Cuts the clicks of one upload into sessions with a generator that ends with the upload; counters live in the call."""
from collections import Counter, deque
from collections.abc import Generator, Iterable
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit

from graphbus_core import GraphBusNode, subscribe


@dataclass
class Session:
    first: int
    last: int
    pages: list[str] = field(default_factory=list)
    campaign: str | None = None

    def touch(self, at: int, url: str) -> None:
        parts = urlsplit(url)
        self.last = at
        if not self.pages or self.pages[-1] != parts.path:
            self.pages.append(parts.path or "/")
        self.campaign = self.campaign or next(iter(parse_qs(parts.query).get("utm_campaign", [])), None)


def collector(idle: int) -> Generator[Session | None, tuple[int, str] | None, None]:
    """Takes clicks and gives a session as soon as it is over."""
    current: Session | None = None
    finished: Session | None = None
    while True:
        click = yield finished
        finished = None
        if click is None:
            finished, current = current, None
            continue
        at, url = click
        if current is None or at - current.last > idle:
            finished, current = current, Session(at, at)
        current.touch(at, url)


def sessions(clicks: Iterable[tuple[int, str]], idle: int) -> list[Session]:
    run = collector(idle)
    next(run)
    done = [run.send(click) for click in clicks]
    done.append(run.send(None))
    run.close()
    return [session for session in done if session]


def transitions(pages: list[str]) -> Counter[str]:
    window: deque[str] = deque(maxlen=2)
    counts: Counter[str] = Counter()
    for page in pages:
        window.append(page)
        if len(window) == 2:
            counts[" > ".join(window)] += 1
    return counts


class Clickstream(GraphBusNode):
    idle_seconds = 1800

    @subscribe("/web/clicks")
    def on_clicks(self, visitor: str, clicks: list[tuple[int, str]]) -> dict[str, object]:
        found = sessions(sorted((at, url) for at, url in clicks), self.idle_seconds)
        total: Counter[str] = Counter()
        for session in found:
            total.update(transitions(session.pages))
        return {
            "visitor": visitor,
            "sessions": [{"seconds": s.last - s.first, "pages": len(s.pages), "campaign": s.campaign} for s in found],
            "moves": sorted(total.items(), key=lambda item: (-item[1], item[0]))[:3],
            "bounces": sum(len(s.pages) == 1 for s in found),
        }
