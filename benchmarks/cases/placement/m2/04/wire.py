"""Frames of the field gateway: type, length, payload, XOR check."""
import struct
from functools import reduce
from operator import xor

FIELDS = ">hHHh"            # soil temp c/100, soil moisture permille, light, battery mV
_frame = bytearray(struct.calcsize(FIELDS))


def unhex(text: str) -> bytes:
    return bytes.fromhex(text.replace(":", ""))


def decode(payload: bytes) -> tuple[int, int, int, int]:
    # older probes leave the last fields out
    view = memoryview(_frame)
    view[:len(payload)] = payload
    return struct.unpack_from(FIELDS, _frame)


def parity(payload: bytes) -> int:
    return reduce(xor, payload, 0x5A)
