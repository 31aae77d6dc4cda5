from typing import Annotated, Literal, TypedDict

from graphbus_core import GraphBusNode, subscribe

Cell = str | int | float | bool | None


class Column(TypedDict):
    name: str
    type: Literal["text", "number", "flag"]


class Batch(TypedDict):
    source: Annotated[str, "object storage key"]
    columns: list[Column]
    rows: list[list[Cell]]
    sequence: Annotated[tuple[int, int], "part, of how many"]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on_event(self, payload: Batch) -> None: ...


GOOD = [
    {"source": "s3/a.csv", "columns": [], "rows": [], "sequence": [1, 1]},
    {"source": "s3/a.csv", "columns": [{"name": "n", "type": "number"}], "rows": [[1], [2.5], [None], ["x"]],
     "sequence": [1, 2]},
    {"source": "s3/a.csv", "columns": [{"name": "n", "type": "flag"}], "rows": [[], [True, False]],
     "sequence": [2, 2]},
]
BAD = [
    {"source": "s3/a.csv", "columns": [], "rows": [1, 2], "sequence": [1, 1]},
    {"source": "s3/a.csv", "columns": [], "rows": [[{"v": 1}]], "sequence": [1, 1]},
    {"source": "s3/a.csv", "columns": [{"name": "n", "type": "date"}], "rows": [], "sequence": [1, 1]},
    {"source": "s3/a.csv", "columns": [], "rows": [], "sequence": "1/2"},
    {"source": "s3/a.csv", "columns": [], "rows": [], "sequence": [1, True]},
    {"source": None, "columns": [], "rows": [], "sequence": [1, 1]},
]
