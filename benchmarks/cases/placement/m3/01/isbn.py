import re

from graphbus_core import GraphBusNode, subscribe

from catalogue import TITLES

_DIGITS = re.compile(r"[^0-9Xx]")
_WEIGHTS = tuple(1 if i % 2 == 0 else 3 for i in range(12))


def check_digit(twelve: str) -> str:
    s = sum(w * int(c) for w, c in zip(_WEIGHTS, twelve))
    return str(-s % 10)


class IsbnDoor(GraphBusNode):
    @subscribe("/Scan")
    def scanned(self, code: str) -> dict:
        bare = _DIGITS.sub("", code).upper()
        if len(bare) == 10:
            bare = "978" + bare[:9]
            bare += check_digit(bare)
        ok = len(bare) == 13 and bare.isdigit() and check_digit(bare[:12]) == bare[12]
        found = TITLES.get(bare) if ok else None
        return {"isbn": bare, "valid": ok, "title": found.name if found else None}
