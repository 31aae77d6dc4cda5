from functools import cache

from graphbus_core import GraphBusNode, subscribe

from catalog import TRACKS, artist


@cache
def likeness(a: str, b: str) -> float:
    x, y = TRACKS[a][3], TRACKS[b][3]
    return len(x & y) / len(x | y)


class Radio(GraphBusNode):
    """Builds a station around a seed track: near ones first, no artist twice in a row."""

    def __init__(self):
        super().__init__()

    @subscribe("/Music/Radio/Started")
    def station(self, seed: str, minutes: int) -> dict:
        queue = sorted(TRACKS.keys() - {seed}, key=lambda t: (-likeness(*sorted((seed, t))), t))
        playlist, left = [seed], minutes * 60 - TRACKS[seed][2]
        while queue and left > 0:
            pick = next((t for t in queue if artist(t) != artist(playlist[-1])), queue[0])
            queue.remove(pick)
            playlist.append(pick)
            left -= TRACKS[pick][2]
        return {"playlist": playlist, "over": -left if left < 0 else 0}
