# stateful
"""Writes the melt record; the protocol is a scratch file and the mean is taken over all that stands in it."""
import struct
import tempfile
from statistics import fmean
from typing import BinaryIO, Iterator

from graphbus_core import GraphBusNode, subscribe

LINE = struct.Struct("<4sHf")
POURING = {"iron": (1320, 1420), "brnz": (1040, 1200), "alum": (680, 760)}


class Protocol:
    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def write(self, alloy: str, celsius: int, kilos: float) -> None:
        self._file.seek(0, 2)
        self._file.write(LINE.pack(alloy.encode("ascii"), celsius, kilos))

    def lines(self, alloy: str) -> Iterator[tuple[int, float]]:
        self._file.seek(0)
        while len(chunk := self._file.read(LINE.size)) == LINE.size:
            name, celsius, kilos = LINE.unpack(chunk)
            if name.rstrip(b"\0").decode("ascii") == alloy:
                yield celsius, kilos


def code(alloy: str) -> str:
    vowelless = alloy[0] + "".join(c for c in alloy[1:] if c not in "aeiou")
    return {"iron": "iron", "aluminium": "alum"}.get(alloy, vowelless[:4])


def judge(alloy: str, celsius: int) -> str:
    low, high = POURING.get(alloy, (0, 9999))
    return "too cold" if celsius < low else "too hot" if celsius > high else "pour"


class Furnace(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.protocol = Protocol(tempfile.TemporaryFile())

    @subscribe("/Foundry/Melt")
    def on_melt(self, alloy: str, celsius: int, kilos: float) -> dict[str, object]:
        short = code(alloy.lower())
        self.protocol.write(short, celsius, kilos)
        melts = list(self.protocol.lines(short))
        mean = fmean([c for c, _ in melts], weights=[k for _, k in melts])
        return {"alloy": short, "verdict": judge(short, celsius), "off_mean": round(celsius - mean, 1)}
