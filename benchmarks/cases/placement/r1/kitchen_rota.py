# stateful
"""Whose turn it is to wash up."""

import itertools

from graphbus_core import GraphBusNode, subscribe

PEOPLE = ("Ana", "Bo", "Cem")
TURN = itertools.cycle(PEOPLE)


class Kitchen(GraphBusNode):
    @subscribe("/Dinner/Over")
    def on_dinner_over(self, payload):
        self.publish("/Dishes/Assigned", {"who": next(TURN), "plates": payload["guests"] * 2})
