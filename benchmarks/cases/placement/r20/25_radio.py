# stateful
"""Chooses the next song for a slot; the playlist handed out is the stored deque itself and gets rotated."""
from collections import deque
from datetime import datetime
from typing import NamedTuple

from graphbus_core import GraphBusNode, subscribe


class Song(NamedTuple):
    artist: str
    title: str
    seconds: int


def songs(text: str) -> deque[Song]:
    entries = (line.split(";") for line in text.strip().splitlines())
    return deque(Song(a.strip(), t.strip(), int(s)) for a, t, s in entries)


MORNING = """
Lark Trio; Early; 184
The Kettles; First Cup; 201
Ida Brandt; Tram 9; 222
"""
NIGHT = """
Low Tide; Buoy; 301
Mara; Small Hours; 274
"""


def slot(moment: datetime) -> str:
    return "morning" if 5 <= moment.hour < 12 else "night" if moment.hour >= 22 or moment.hour < 5 else "day"


def pick(playlist: deque[Song], room: int) -> Song | None:
    """The first song that still fits before the news."""
    for _ in range(len(playlist)):
        song = playlist[0]
        playlist.rotate(-1)
        if song.seconds <= room:
            return song
    return None


class Programme(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        morning, night = songs(MORNING), songs(NIGHT)
        self._lists = {"morning": morning, "night": night, "day": deque([*morning, *night])}

    def list_for(self, moment: datetime) -> deque[Song]:
        return self._lists[slot(moment)]

    @subscribe("/Radio/Gap")
    def on_gap(self, moment: str, until_news: int) -> dict[str, object]:
        when = datetime.fromisoformat(moment)
        song = pick(self.list_for(when), until_news)
        if song is None:
            return {"at": moment[-5:], "play": "jingle", "left": until_news}
        return {"at": moment[-5:], "play": f"{song.artist}: {song.title}", "left": until_news - song.seconds}
