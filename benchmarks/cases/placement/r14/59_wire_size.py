# stateful
"""Keeps the memo of a reused Pickler, so later dumps refer to strings sent earlier."""
import io
import pickle

from graphbus_core import GraphBusNode, subscribe


class Frame:
    """One buffer and one pickler, made once: they are not cheap."""

    def __init__(self) -> None:
        self.buffer = io.BytesIO()
        self.pickler = pickle.Pickler(self.buffer, protocol=4)

    def measure(self, message: dict[str, object]) -> int:
        self.buffer.seek(0)
        self.buffer.truncate()
        self.pickler.dump(message)
        return self.buffer.tell()


class WireSize(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._frame = Frame()

    @subscribe("/Wire/Message")
    def on_event(self, customer: str, items: int) -> dict[str, object]:
        size = self._frame.measure({"customer_name": customer, "item_count": items, "schema": "orders/v2"})
        return {"bytes": size, "fragmented": size > 64}
