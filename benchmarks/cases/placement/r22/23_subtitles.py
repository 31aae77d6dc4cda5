# pure
"""Reads a cue with a token iterator that the call makes and uses up."""
import re
from collections.abc import Iterator

from graphbus_core import GraphBusNode, subscribe

TOKEN = re.compile(r"<(?P<tag>/?\w+)>|\{(?P<note>[^}]*)\}|(?P<word>[^\s<{]+)")
STAMP = re.compile(r"(\d+):(\d\d):(\d\d),(\d{3})")


def to_ms(stamp: str) -> int:
    hours, minutes, seconds, ms = map(int, STAMP.fullmatch(stamp).groups())
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms


def to_stamp(ms: int) -> str:
    seconds, ms = divmod(ms, 1000)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours:02d}:{minutes:02d}:{seconds:02d},{ms:03d}"


def tokens(text: str) -> Iterator[tuple[str, str]]:
    for match in TOKEN.finditer(text):
        yield match.lastgroup, match[match.lastgroup]


class Subtitler(GraphBusNode):
    @subscribe("/Cue")
    def on_cue(self, text: str, start: str, rate: int) -> dict[str, object]:
        stream = tokens(text)
        italics = False
        words: list[str] = []
        notes: list[str] = []
        for kind, value in stream:
            if kind == "tag":
                italics = value == "i"
            elif kind == "note":
                notes.append(value)
            else:
                words.append(value.upper() if italics else value)
        line = " ".join(words)
        length = max(900, len(line) * 1000 // rate)
        return {"line": line, "notes": notes, "end": to_stamp(to_ms(start) + length)}
