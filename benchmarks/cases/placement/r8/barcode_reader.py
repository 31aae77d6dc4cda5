# pure
"""Keeps a table of patterns that is made at the first event and is always the same."""
from functools import cached_property

from graphbus_core import GraphBusNode, subscribe

LEFT = ("0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111", "0001011")


class ReadError(Exception):
    pass


def inverted(bits: str) -> str:
    return bits.translate(str.maketrans("01", "10"))


def check_digit(digits: list[int]) -> int:
    weighted = sum(d * (1 if i % 2 else 3) for i, d in enumerate(reversed(digits), 0))
    return -weighted % 10


class BarcodeReader(GraphBusNode):
    """Reads EAN-8 codes from the bits that the camera saw."""

    @cached_property
    def _codes(self) -> dict[str, int]:
        codes = {bits: digit for digit, bits in enumerate(LEFT)}
        codes.update({inverted(bits): digit for digit, bits in enumerate(LEFT)})
        return codes

    def _decode(self, bits: str) -> list[int]:
        if len(bits) != 67 or bits[:3] != "101" or bits[31:36] != "01010" or bits[-3:] != "101":
            raise ReadError("guards")
        halves = bits[3:31] + bits[36:64]
        try:
            return [self._codes[halves[i:i + 7]] for i in range(0, 56, 7)]
        except KeyError as exc:
            raise ReadError(f"pattern {exc.args[0]}") from exc

    @subscribe("/Scanner/Bits")
    def on_bits(self, lane: int, bits: str) -> dict[str, object]:
        try:
            digits = self._decode(bits)
        except ReadError:
            try:
                digits = self._decode(bits[::-1])
            except ReadError as exc:
                return {"lane": lane, "error": str(exc)}
        valid = check_digit(digits[:-1]) == digits[-1]
        return {"lane": lane, "code": "".join(map(str, digits)), "valid": valid}
