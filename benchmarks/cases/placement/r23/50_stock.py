# stateful
"""The rows of the stock list are changed through a second name."""
from graphbus_core import GraphBusNode, subscribe

STOCK = {
    # part: [name, in stock, minimum, supplier]
    "H-100": ["hinge", 60, 20, "Blum"],
    "S-435": ["screw 4x35", 900, 300, "Spax"],
    "B-018": ["beech board 18 mm", 14, 6, "sawmill"],
    "K-007": ["knob", 25, 10, "Siro"],
}
UNKNOWN = ["?", 0, 0, "nobody"]


def look_up(part):
    return STOCK.get(part.upper(), UNKNOWN[:])


def take(row, quantity):
    got = min(row[1], quantity)
    row[1] -= got
    return got


class Stock(GraphBusNode):
    @subscribe("/Workshop/Request")
    def on_request(self, part: str, quantity: int) -> dict:
        row = look_up(part)
        got = take(row, quantity)
        answer = {"part": row[0], "delivered": got, "missing": quantity - got}
        if row[1] < row[2]:
            answer["order_from"] = row[3]
        return answer
