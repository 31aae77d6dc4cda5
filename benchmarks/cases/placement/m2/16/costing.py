import math

from graphbus_core import GraphBusNode, subscribe

import store


class BlankCost(GraphBusNode):
    """Cost of a bar or plate blank from the price list."""

    def __init__(self):
        super().__init__()

    @subscribe("/Plant/Blank/Costed")
    def cost(self, material: str, shape: str, mm: list, pieces: int) -> dict:
        row = store.db.execute("SELECT density, cents_per_kg FROM material WHERE code = ?", (material,)).fetchone()
        if row is None:
            return {"error": f"unknown material {material}"}
        volume = math.pi * (mm[0] / 2) ** 2 * mm[1] if shape == "bar" else math.prod(mm)
        kg = volume * row["density"] / 1e6
        return {"kg": round(kg * pieces, 3), "cents": math.ceil(kg * pieces * row["cents_per_kg"])}
