"""Counting and allocating."""
from collections import Counter
from fractions import Fraction

from graphbus_core import GraphBusNode, depends_on, schema_method

BALLOTS = {
    "north": Counter({"Spruce": 4100, "Larch": 2900, "Fir": 310, "": 55}),
    "isle": Counter({"Spruce": 820}),
}


class Count(GraphBusNode):
    SYSTEM_PROMPT = "I count."

    @schema_method(
        input_schema={"district": str, "list_name": str},
        output_schema={"district": str, "votes": int, "invalid": int},
    )
    def district(self, district, list_name):
        box = BALLOTS[district]
        return {"district": district, "votes": box[list_name], "invalid": box[""]}


class Seats(GraphBusNode):
    SYSTEM_PROMPT = "I allocate."
    hurdle = Fraction(5, 100)

    @depends_on("Count.district")
    @schema_method(
        input_schema={"district": str, "valid": int},
        output_schema={"needed": int},
    )
    def threshold(self, district, valid):
        needed = valid * self.hurdle
        return {"needed": -(-needed.numerator // needed.denominator)}

    def highest_average(self, votes, seats):
        won = Counter()
        for _ in range(seats):
            best = max(votes, key=lambda name: Fraction(votes[name], won[name] + 1))
            won[best] += 1
        return dict(won)
