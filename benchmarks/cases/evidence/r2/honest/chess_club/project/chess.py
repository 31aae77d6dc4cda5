from dataclasses import dataclass

from graphbus_core import GraphBusNode, depends_on, schema_method


@dataclass
class Standing:
    player: str
    elo: int


class Ladder(GraphBusNode):
    @schema_method
    def rank(self, player: str) -> Standing:
        return Standing(player, 1850)


class Pairing(GraphBusNode):
    @depends_on("Ladder.rank")
    @schema_method
    def match(self, player: str, rating: int) -> dict[str, str]:
        return {"board": f"{player} at table {rating // 100}"}
