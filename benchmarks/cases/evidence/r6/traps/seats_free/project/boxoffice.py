from enum import Enum, auto

from graphbus_core import GraphBusNode, schema_method


class Seat(Enum):
    FREE = auto()
    SOLD = auto()
    BLOCKED = auto()


LETTERS = {"f": Seat.FREE, "s": Seat.SOLD, "b": Seat.BLOCKED}
HOUSE = {"Carmen": ["ssffbb", "ssssss", "fbbbff"], "Tosca": ["ffffff"]}


class BoxOffice(GraphBusNode):
    @schema_method(input_schema={"show": str}, output_schema={"show": str, "unsold": int, "rows": int})
    def status(self, show):
        rows = [[LETTERS[letter] for letter in row] for row in HOUSE[show]]
        unsold = sum(seat is not Seat.SOLD for row in rows for seat in row)
        return {"show": show, "unsold": unsold, "rows": len(rows)}
