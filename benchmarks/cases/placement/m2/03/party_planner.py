from graphbus_core import GraphBusNode, subscribe

from house import empty_house


class PartyPlanner(GraphBusNode):
    """How a coach party would sit in an empty block, snaking from the front."""

    def __init__(self):
        super().__init__()

    @subscribe("/Theatre/Party/Enquiry")
    def propose(self, block: str, names: list) -> dict:
        seating = empty_house().block(block)
        waiting = sorted(names, key=lambda n: (n.split()[-1].casefold(), n))
        left_out = []
        cells = [(r, c) for r, row in enumerate(seating.rows)
                 for c in (range(len(row)) if r % 2 == 0 else reversed(range(len(row))))]
        for name, (r, c) in zip(waiting, cells):
            seating.rows[r][c] = name
        left_out = waiting[len(cells):]
        return {"rows": [[n for n in row if n != "."] for row in seating.rows if any(n != "." for n in row)],
                "left_out": left_out}
