# pure
"""Keeps nothing: tables in globals that are only read."""
from graphbus_core import GraphBusNode, subscribe

# kg per cubic metre: cement, lime, sand, water
MIX = {
    "M2.5": (190, 90, 1450, 260),
    "M5": (240, 60, 1430, 265),
    "M10": (330, 30, 1380, 275),
    "M15": (410, 0, 1330, 285),
}
PARTS = ("cement", "lime", "sand", "water")
BAG = {"cement": 25, "lime": 20}

# joints, m3 of mortar for one m2 of wall by wall thickness in cm
WALL = ((11.5, 0.012), (17.5, 0.021), (24.0, 0.030), (36.5, 0.048))


def per_m2(thickness):
    best = WALL[-1][1]
    for t, m3 in WALL:
        if thickness <= t:
            best = m3
            break
    return best


def bags(kg, size):
    n = int(kg // size)
    if n * size < kg:
        n += 1
    return n


class MortarNode(GraphBusNode):
    @subscribe("/Site/WallOrdered")
    def on_wall(self, quality: str, square_metres: float, thickness: float, waste: int) -> dict[str, object]:
        if quality not in MIX:
            return {"error": "no mix %s" % quality}
        m3 = square_metres * per_m2(thickness) * (100 + waste) / 100.0
        order = {}
        for i in range(len(PARTS)):
            kg = MIX[quality][i] * m3
            if PARTS[i] in BAG:
                order[PARTS[i]] = "%d bags" % bags(kg, BAG[PARTS[i]])
            else:
                order[PARTS[i]] = "%.0f kg" % kg
        return {"m3": round(m3, 3), "order": order}
