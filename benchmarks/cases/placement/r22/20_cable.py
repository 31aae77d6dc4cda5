# pure
"""Packs a message bit by bit into a buffer of the call."""
import zlib

from graphbus_core import GraphBusNode, subscribe

CODES = dict(
    pair.split(":")
    for pair in (
        "a:.- b:-... c:-.-. d:-.. e:. f:..-. g:--. h:.... i:.. j:.--- k:-.- l:.-.. m:-- n:-. o:--- "
        "p:.--. q:--.- r:.-. s:... t:- u:..- v:...- w:.-- x:-..- y:-.-- z:--.. 0:----- 4:....- 5:....."
    ).split()
)
UNITS = {".": 1, "-": 3}


def morse(text: str) -> str:
    return " / ".join(" ".join(CODES.get(ch, "..--..") for ch in word) for word in text.lower().split())


def units(code: str) -> int:
    total = 0
    for word in code.split(" / "):
        letters = word.split(" ")
        total += sum(sum(UNITS[s] for s in letter) + len(letter) - 1 for letter in letters)
        total += 3 * (len(letters) - 1) + 7
    return total - 7


def packed(code: str) -> bytes:
    buffer = bytearray()
    bits = filled = 0
    for symbol in code:
        bits = bits << 2 | ".- /".index(symbol)
        filled += 1
        if filled == 4:
            buffer.append(bits)
            bits = filled = 0
    if filled:
        buffer.append(bits << 2 * (4 - filled))
    return bytes(buffer)


class CableOffice(GraphBusNode):
    @subscribe("/Message")
    def on_message(self, text: str, mode: str) -> dict[str, object]:
        code = morse(text)
        body = packed(code).hex() if mode == "packed" else code
        return {"body": body, "units": units(code), "crc": f"{zlib.crc32(body.encode()):08x}"}
