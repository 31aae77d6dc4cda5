# stateful
"""Tests membership in a module-level filter object, which is an iterator and is used up as events search in it."""
from graphbus_core import GraphBusNode, subscribe

_TABLE = """
B   Berlin      active
HH  Hamburg     active
M   Muenchen    active
BN  Bonn        retired
K   Koeln       active
S   Stuttgart   active
F   Frankfurt   active
L   Leipzig     active
DD  Dresden     active
HB  Bremen      active
"""

_ROWS = [line.split() for line in _TABLE.strip().splitlines()]
NAMES = {code: name for code, name, _ in _ROWS}
ACTIVE = map(lambda row: row[0], filter(lambda row: row[2] == "active", _ROWS))


def _split(plate: str) -> tuple[str, str]:
    code, _, rest = plate.upper().replace(" ", "-").partition("-")
    return code.strip(), rest.strip("- ")


class PlateRegion(GraphBusNode):
    @subscribe("/Parking/Plate")
    def on_plate(self, gate: int, plate: str) -> dict:
        code, rest = _split(plate)
        if not rest:
            return {"gate": gate, "error": "unreadable"}
        if code not in ACTIVE:
            return {"gate": gate, "plate": f"{code}-{rest}", "region": None}
        return {"gate": gate, "plate": f"{code}-{rest}", "region": NAMES[code]}
