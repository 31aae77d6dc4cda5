# pure
from itertools import groupby
from operator import itemgetter

from graphbus_core import GraphBusNode, subscribe


class BusGrouper(GraphBusNode):
    @subscribe("/Riders/Booked")
    def on(self, payload):
        riders = sorted(payload["riders"], key=itemgetter(0))
        buses = {line: [name for _, name in group] for line, group in groupby(riders, key=itemgetter(0))}
        self.publish("/Buses/Filled", {"buses": buses})
