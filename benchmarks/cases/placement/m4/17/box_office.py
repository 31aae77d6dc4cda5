from graphbus_core import GraphBusNode, subscribe

import hall


class BestSeat(GraphBusNode):
    @subscribe("/theatre/best")
    def best(self, row: str, party: int) -> dict:
        seats = hall.row_view(row)
        run = bytes(party)
        at = bytes(seats).find(run)
        if at < 0:
            return {"row": row, "sorry": True}
        seats[at:at + party] = b"\x01" * party
        return {"seats": [f"{row}{n + 1}" for n in range(at, at + party)], "price": party * hall.PRICE[row]}


class SchoolPlan(GraphBusNode):
    """Draws where classes would sit in an empty hall."""

    @subscribe("/theatre/school")
    def draw(self, sizes: list[int]) -> list[str]:
        plan = bytearray(len(hall.seat_map))
        at = 0
        for n, size in enumerate(sizes):
            for _ in range(min(size, len(plan) - at)):
                plan[at] = n + 1
                at += 1
        return ["".join(".123456789"[b] for b in hall.row_view(row, plan)) for row in hall.ROWS]
