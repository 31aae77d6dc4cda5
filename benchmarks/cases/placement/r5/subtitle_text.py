# pure
"""Keeps incremental decoders for reuse, and each block resets its decoder before and finishes it after."""
import codecs
from typing import Iterable, Iterator

from graphbus_core import GraphBusNode, subscribe

DECODERS = {
    name: codecs.getincrementaldecoder(name)(errors="replace") for name in ("utf-8", "cp1252", "utf-16")
}


def decoded(pieces: Iterable[bytes], encoding: str) -> Iterator[str]:
    decoder = DECODERS[encoding]
    decoder.reset()
    for piece in pieces:
        yield decoder.decode(piece)
    yield decoder.decode(b"", final=True)


def millis(stamp: str) -> int:
    clock, _, fraction = stamp.strip().partition(",")
    hours, minutes, seconds = map(int, clock.split(":"))
    return ((hours * 60 + minutes) * 60 + seconds) * 1000 + int(fraction or 0)


def read_block(text: str) -> dict[str, object]:
    times, *words = [line for line in text.lstrip("\ufeff").splitlines() if line.strip()]
    start, _, end = times.partition("-->")
    length = millis(end) - millis(start)
    shown = " / ".join(words)
    return {"ms": length, "text": shown, "fast": len(shown) * 1000 > 20 * max(length, 1)}


class SubtitleText(GraphBusNode):
    """Reads one block of a subtitle file that arrives in pieces."""

    @subscribe("/Subtitle/Block")
    def on_block(self, encoding: str, pieces: list[str]) -> dict[str, object]:
        if encoding not in DECODERS:
            return {"error": f"encoding {encoding}"}
        try:
            return read_block("".join(decoded(map(bytes.fromhex, pieces), encoding)))
        except UnicodeError as error:
            return {"error": str(error)}
        except ValueError:
            return {"error": "no times"}
