# stateful
"""Reads the radio frames of the light; a character cut in two at the end of a frame waits in the decoder."""
import codecs
import re
from dataclasses import dataclass

from graphbus_core import GraphBusNode, subscribe

FIELD = re.compile(r"(?P<key>[a-zäöü]+)=(?P<value>[^;]*);?")
CHARACTER = {"Fl": "flashing", "Oc": "occulting", "Iso": "isophase", "F": "fixed"}


@dataclass(frozen=True)
class Frame:
    text: str
    fields: dict[str, str]

    @property
    def visibility(self) -> float:
        raw = self.fields.get("sicht", self.fields.get("vis", "0"))
        try:
            return float(raw.replace(",", "."))
        except ValueError:
            return 0.0


def checksum(data: bytes) -> str:
    total = 0
    for byte in data:
        total = (total * 31 + byte) & 0xFFFF
    return f"{total:04x}"


def describe(light: str) -> str:
    """'Fl(3) 12s' -> 'flashing, group of 3, 12 s'"""
    match = re.match(r"([A-Z][a-z]*)(?:\((\d)\))?\s*(\d+)s", light)
    if match is None:
        return "unknown"
    kind, group, period = match.groups()
    return ", ".join(filter(None, (CHARACTER.get(kind, kind), group and f"group of {group}", f"{period} s")))


class RadioLog(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._text = codecs.getincrementaldecoder("utf-8")(errors="replace")

    @subscribe("/Lighthouse/Frame")
    def on_frame(self, payload: str, light: str) -> dict[str, object]:
        data = bytes.fromhex(payload)
        text = self._text.decode(data)
        frame = Frame(text, {m["key"]: m["value"].strip() for m in FIELD.finditer(text)})
        return {"sum": checksum(data), "text": frame.text, "fog_horn": 0 < frame.visibility < 2, "light": describe(light)}
