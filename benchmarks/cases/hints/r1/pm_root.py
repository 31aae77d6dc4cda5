"""A RootModel: the payload is a list, not an object."""

from pydantic import BaseModel, Field, RootModel

from graphbus_core import GraphBusNode, subscribe


class Vote(BaseModel):
    voter: str
    points: int = Field(ge=0, le=12)


class Votes(RootModel[list[Vote]]):
    pass


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Votes) -> None:
        self.votes = payload


GOOD = [
    [],
    [{"voter": "CH", "points": 0}],
    [{"voter": "CH", "points": 12}, {"voter": "", "points": 1}],
]
BAD = [
    {"root": []},
    [{"voter": "CH", "points": 13}],
    [{"voter": "CH", "points": -1}],
    [{"voter": "CH"}],
    [[]],
]
