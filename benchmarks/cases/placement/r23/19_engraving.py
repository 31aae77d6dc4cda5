# pure
"""The global buffer is overwritten in its whole length by every event."""
from graphbus_core import GraphBusNode, subscribe

WIDTH = 18
BUFFER = bytearray(b" " * WIDTH * 2)
REPLACE = {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "é": "e"}


def ascii_only(text):
    out = ""
    for c in text:
        c = REPLACE.get(c, c)
        out += c if c.isascii() and c.isprintable() else "?"
    return out


def write(row, text):
    text = ascii_only(text)[:WIDTH].center(WIDTH)
    BUFFER[row * WIDTH:(row + 1) * WIDTH] = text.encode("ascii")


def strokes():
    n = 0
    for byte in BUFFER:
        if byte != 32:
            n += 2 if chr(byte).isupper() else 1
    return n


class Engraving(GraphBusNode):
    @subscribe("/Finish/Engraving")
    def on_engraving(self, name: str, year: int, motto: str = "") -> dict:
        write(0, "%s %d" % (name, year))
        write(1, motto)
        return {
            "plate": [BUFFER[:WIDTH].decode(), BUFFER[WIDTH:].decode()],
            "seconds": strokes() * 7,
        }
