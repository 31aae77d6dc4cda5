from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class Result(TypedDict):
    player_id: int
    points: int


class Match(GraphBusNode):
    @schema_method
    def result(self) -> Result:
        return {"player_id": 31, "points": 9000}


class Board(GraphBusNode):
    @depends_on("Match.result")
    @schema_method
    def post(self, player: int, score: int) -> dict[str, str]:
        return {"row": f"#{player}: {score}"}
