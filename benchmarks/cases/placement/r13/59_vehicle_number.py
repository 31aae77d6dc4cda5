# pure
"""Keeps nothing: transliteration tables are constants, the check digit comes from the number."""
from graphbus_core import GraphBusNode, subscribe

VALUES = {**{str(d): d for d in range(10)},
          **dict(zip("ABCDEFGH", range(1, 9))),
          **dict(zip("JKLMN", range(1, 6))),
          "P": 7, "R": 9,
          **dict(zip("STUVWXYZ", range(2, 10)))}
WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
CONTINENTS = [("AH", "Africa"), ("JR", "Asia"), ("SZ", "Europe"), ("15", "North America")]


def check_digit(vin: str) -> str:
    rest = sum(VALUES[c] * w for c, w in zip(vin, WEIGHTS)) % 11
    return "X" if rest == 10 else str(rest)


class VehicleNumber(GraphBusNode):
    confusing = str.maketrans({"O": "0", "I": "1", "Q": "0", " ": "", "-": ""})

    def _continent(self, first: str) -> str:
        for bounds, name in CONTINENTS:
            if bounds[0] <= first <= bounds[1]:
                return name
        return "other"

    @subscribe("/Motor/Vin")
    def check(self, plate: str, vin: str) -> dict[str, object]:
        cleaned = vin.upper().translate(self.confusing)
        if len(cleaned) != 17 or any(c not in VALUES for c in cleaned):
            return {"plate": plate, "valid": False, "vin": cleaned}
        expected = check_digit(cleaned)
        return {
            "plate": plate,
            "valid": True,
            "vin": cleaned,
            "digit_ok": cleaned[8] == expected,
            "from": self._continent(cleaned[0]),
        }
