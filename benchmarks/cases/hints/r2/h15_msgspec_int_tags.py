"""msgspec Structs with whole numbers as tags, held in a list inside a Struct with a lower-cased tag."""
import msgspec

from graphbus_core import GraphBusNode, subscribe


class Move(msgspec.Struct, tag_field="op", tag=1):
    dx: int
    dy: int


class Say(msgspec.Struct, tag_field="op", tag=2):
    text: str


class Turn(msgspec.Struct, tag=str.lower):
    player: str
    actions: list[Move | Say]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Turn) -> None:
        self.got = payload


GOOD = [
    {"type": "turn", "player": "w", "actions": []},
    {"type": "turn", "player": "w", "actions": [{"op": 1, "dx": 0, "dy": -1}, {"op": 2, "text": "gg"}]},
]
BAD = [
    {"type": "Turn", "player": "w", "actions": []},
    {"type": "turn", "player": "w", "actions": [{"op": 3, "text": "gg"}]},
    {"type": "turn", "player": "w", "actions": [{"op": 1, "text": "gg"}]},
    {"type": "turn", "player": "w", "actions": [{"op": "Move", "dx": 0, "dy": -1}]},
    {"type": "turn", "player": "w", "actions": [{"dx": 0, "dy": -1}]},
]
