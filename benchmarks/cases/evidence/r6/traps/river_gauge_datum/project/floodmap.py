from graphbus_core import GraphBusNode, subscribe

CELLS = {
    (0, 0): 6.2,
    (0, 1): 5.0,
    (1, 0): 7.9,
    (1, 1): 4.4,
}


class FloodMap(GraphBusNode):
    SYSTEM_PROMPT = "I mark the cells under water."

    def __init__(self):
        super().__init__()
        self.wet = set()

    @subscribe("/Gauge/Read")
    def mark(self, station: str, height_m: float):
        self.wet = {cell for cell, ground in CELLS.items() if ground < height_m}
        return {"station": station, "cells": sorted(self.wet)}
