"""Sealed lines: one JSON object a line, with a checksum over the line and a hash that chains it to the one before.

    {"seq":7,"kind":"round_started","event":{…},"at":1770.25,"hash":"…","crc":"…"}

`hash` covers the facts and nothing else: sequence number, kind, event and the hash before. Two runs with the same facts
therefore end with the same hash. `crc` covers the whole line, times included. Pure: text in, text out.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any
from zlib import crc32

FORMAT = "graphbus-log/1"
HASH_SIZE = 32  # hex digits

_encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), default=list)
# `encode` makes a new C encoder at every call, which costs as much as a small fact; this one is made once.
_c_encoder: Any = getattr(json.encoder, "c_make_encoder", None)  # None where there is no C accelerator
_parts: Callable[[Any, int], Iterable[str]] = (
    _c_encoder(None, list, json.encoder.encode_basestring, None, ":", ",", False, False, True)
    if _c_encoder is not None
    else lambda value, _: _encoder.iterencode(value)
)
_ascii = json.JSONEncoder(ensure_ascii=True, separators=(",", ":"), default=list)
_LINE = re.compile(
    rb'(\{"seq":(\d+),"kind":"(\w+)","event":(.*)),"at":([0-9.]+|null),"hash":"([0-9a-f]{32})","crc":"([0-9a-f]{8})"\}',
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class SealedLine:
    """One line, read and found sound in itself."""

    seq: int
    kind: str
    event: bytes
    at: float | None
    hash: str
    facts: bytes  # what the hash covers, besides the hash before

    def decode_event(self) -> dict[str, Any]:
        """The event's fields."""
        fields: dict[str, Any] = json.loads(self.event)
        return fields


def encode(value: Any) -> bytes:
    """JSON in UTF-8; where a text has no UTF-8 (a lone surrogate), escaped."""
    try:
        return "".join(_parts(value, 0)).encode()
    except UnicodeEncodeError:
        return _ascii.encode(value).encode()


def compute_genesis_hash(protocol: str) -> str:
    """The hash before the first fact."""
    return hashlib.sha256(f"{FORMAT} {protocol}".encode()).hexdigest()[:HASH_SIZE]


def compute_chain_hash(before: str, facts: bytes) -> str:
    """The hash of a line's facts after the hash before."""
    return hashlib.sha256(before.encode() + facts).hexdigest()[:HASH_SIZE]


def seal_line(seq: int, kind: str, event: Mapping[str, Any], time_s: float | None, before: str) -> tuple[bytes, str]:
    """A line with its newline, and its hash."""
    facts = b'{"seq":%d,"kind":"%s","event":%s' % (seq, kind.encode(), encode(event))
    hashed = compute_chain_hash(before, facts)
    text = b'%s,"at":%s,"hash":"%s"' % (facts, b"null" if time_s is None else b"%.3f" % time_s, hashed.encode())
    return b'%s,"crc":"%08x"}\n' % (text, crc32(text)), hashed


def parse_line(line: bytes) -> SealedLine | None:
    """A line without its newline, or None where it is not one or was altered."""
    match = _LINE.fullmatch(line)
    if match is None or crc32(line[: match.start(7) - len(b',"crc":"')]) != int(match[7], 16):
        return None
    time_s = None if match[5] == b"null" else float(match[5])
    return SealedLine(int(match[2]), match[3].decode(), match[4], time_s, match[6].decode(), match[1])


def seal_object(value: Mapping[str, Any]) -> bytes:
    """A line that stands alone, with a checksum: headers and answers."""
    text = encode(value)[:-1]
    return b'%s,"crc":"%08x"}\n' % (text, crc32(text))


def parse_object(line: bytes) -> dict[str, Any] | None:
    """The object of a line that stands alone, or None where it was altered."""
    text, mark, tail = line.rpartition(b',"crc":"')
    if not mark or len(tail) != 10 or not tail.endswith(b'"}'):
        return None
    # Digit for digit: as a number, 2F and 2f are the same, and one flipped bit makes one of the other.
    if tail[:8] != b"%08x" % crc32(text):
        return None
    try:
        value = json.loads(text + b"}")
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
