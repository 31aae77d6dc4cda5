from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Cells(TypedDict):
    cells: int | list[int]


class Grid(GraphBusNode):
    @schema_method
    def cells(self, one: bool = False) -> Cells:
        return {"cells": 4 if one else [4, 2]}


class Plot(GraphBusNode):
    @depends_on("Grid.cells")
    @schema_method
    def draw(self, cells: list[int]) -> dict[str, str]:
        rows = [cells] if isinstance(cells, int) else cells
        return {"plot": "\n".join("#" * n for n in rows)}
