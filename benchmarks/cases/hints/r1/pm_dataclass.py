"""pydantic's own dataclass, with a constrained field and a standard dataclass inside."""

import dataclasses

from pydantic import Field, dataclasses as pd

from graphbus_core import GraphBusNode, schema_method, subscribe


@dataclasses.dataclass
class Owner:
    name: str
    team: str | None = None


@pd.dataclass
class Service:
    owner: Owner
    port: int = Field(ge=1, le=65535)
    tags: set[str] = Field(default_factory=set)


class Node(GraphBusNode):
    @subscribe("/Case/In")
    @schema_method(input_schema={"payload": Service}, output_schema={"ok": bool})
    def on(self, payload: Service) -> dict:
        return {"ok": True}


GOOD = [
    {"owner": {"name": "ann"}, "port": 1},
    {"owner": {"name": "", "team": None}, "port": 65535, "tags": []},
    {"owner": {"name": "ann", "team": "x"}, "port": 80, "tags": ["b", "a"]},
]
BAD = [
    {"owner": {"name": "ann"}, "port": 0},
    {"owner": {"team": "x"}, "port": 80},
    {"owner": {"name": "ann"}, "port": 65536},
    {"owner": {"name": "ann"}, "port": 80, "tags": [["a"]]},
]
