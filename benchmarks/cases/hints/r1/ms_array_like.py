"""array_like: the struct is an array in JSON, in the order of its fields."""

import msgspec

from graphbus_core import GraphBusNode, subscribe


class Candle(msgspec.Struct, array_like=True):
    time: int
    open: float
    close: float
    flags: list[str] = []


class Series(msgspec.Struct):
    symbol: str
    candles: list[Candle]


class Node(GraphBusNode):
    @subscribe("/Case/In")
    def on(self, payload: Series) -> None:
        self.series = payload


GOOD = [
    {"symbol": "A", "candles": []},
    {"symbol": "A", "candles": [[1, 2, 3.5]]},
    {"symbol": "", "candles": [[1, 2.5, 3, ["x"]], [2, 0, 0, []]]},
]
BAD = [
    {"symbol": "A", "candles": [{"time": 1, "open": 2, "close": 3}]},
    {"symbol": "A", "candles": [[1, 2]]},
    {"symbol": "A", "candles": [[1, 2, None]]},
    {"symbol": "A", "candles": [[1, 2, 3, "x"]]},
    {"symbol": "A", "candles": [1, 2, 3]},
]
