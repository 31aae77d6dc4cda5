from itertools import chain, cycle, repeat

from graphbus_core import GraphBusNode, subscribe
from theory import pitch, scale

PATTERN = cycle((0, 2, 4, 2))


def encore_songs():
    yield "Harbour Lights"
    yield "Slow Train"
    yield from repeat("The Long Goodbye", 2)


encores = chain(encore_songs(), ["Lights out"])


class Arpeggiator(GraphBusNode):
    @subscribe("/Pedal/Down")
    def step(self, root: str, mode: str) -> dict:
        notes = scale(root, mode)
        return {"note": notes[next(PATTERN) % len(notes)]}


class EncoreCaller(GraphBusNode):
    @subscribe("/Applause")
    def applause(self, loudness: int) -> str:
        if loudness < 80:
            return "bow"
        return next(encores, "house lights")


class Capo(GraphBusNode):
    @subscribe("/Capo")
    def capo(self, shape: str, sounding: str) -> int:
        return (pitch(sounding) - pitch(shape)) % 12
