"""An array_like Struct (a JSON list on the wire) inside an ordinary one."""
import msgspec

from graphbus_core import GraphBusNode, subscribe


class Candle(msgspec.Struct, array_like=True):
    ts: int
    open: float
    close: float
    volume: int = 0


class Candles(msgspec.Struct):
    symbol: str
    rows: list[Candle]
    last: Candle | None = None


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Candles) -> None:
        self.got = payload


GOOD = [
    {"symbol": "ABC", "rows": [[1, 2.5, 2.75], [2, 2.75, 3, 400]]},
    {"symbol": "ABC", "rows": [], "last": [1, 2.5, 2.75, 10]},
]
BAD = [
    {"symbol": "ABC", "rows": [{"ts": 1, "open": 2.5, "close": 2.75}]},
    {"symbol": "ABC", "rows": [[1, 2.5]]},
    {"symbol": "ABC", "rows": [[1, "2.5x", 2.75]]},
    {"symbol": "ABC", "rows": [], "last": []},
    {"symbol": "ABC", "rows": [1, 2.5, 2.75]},
]
