# pure
"""Decodes each sentence from itself alone; the table of decoders is filled at import by a decorator."""
from collections.abc import Callable
from functools import reduce
from operator import xor

from graphbus_core import GraphBusNode, subscribe

Decoder = Callable[[list[str]], dict[str, object]]
DECODERS: dict[str, Decoder] = {}
QUALITY = ("none", "gps", "dgps", "pps", "rtk", "float rtk", "estimated")


def sentence(kind: str) -> Callable[[Decoder], Decoder]:
    def register(func: Decoder) -> Decoder:
        DECODERS[kind] = func
        return func
    return register


def degrees(value: str, hemisphere: str) -> float | None:
    if not value:
        return None
    head, minutes = divmod(float(value), 100)
    result = head + minutes / 60
    return round(-result if hemisphere in "SW" else result, 6)


@sentence("GGA")
def gga(f: list[str]) -> dict[str, object]:
    return {
        "lat": degrees(f[1], f[2]),
        "lon": degrees(f[3], f[4]),
        "quality": QUALITY[int(f[5] or 0)],
        "satellites": int(f[6] or 0),
    }


@sentence("VTG")
def vtg(f: list[str]) -> dict[str, object]:
    return {"course": float(f[0] or 0), "kmh": float(f[6] or 0)}


@sentence("ZDA")
def zda(f: list[str]) -> dict[str, object]:
    hhmmss, day, month, year = f[:4]
    return {"utc": f"{year}-{month}-{day}T{hhmmss[:2]}:{hhmmss[2:4]}:{hhmmss[4:6]}Z"}


def checksum(payload: str) -> int:
    return reduce(xor, payload.encode("ascii", "replace"), 0)


class Receiver(GraphBusNode):
    @subscribe("/gnss/sentence")
    def on_sentence(self, text: str) -> dict[str, object]:
        payload, star, given = text.strip().removeprefix("$").partition("*")
        if star and f"{checksum(payload):02X}" != given.upper():
            return {"ok": False, "why": "checksum"}
        talker, *fields = payload.split(",")
        decoder = DECODERS.get(talker[2:])
        if decoder is None:
            return {"ok": False, "why": f"no decoder for {talker}"}
        try:
            return {"ok": True, "talker": talker[:2], **decoder(fields)}
        except (ValueError, IndexError) as problem:
            return {"ok": False, "why": type(problem).__name__}
