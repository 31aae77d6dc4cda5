# pure
"""Keeps nothing that lasts: the builder on self is emptied before each waybill is put together."""
from graphbus_core import GraphBusNode, subscribe


class Builder:
    width = 24

    def __init__(self) -> None:
        self.rows: list[str] = []
        self.total = 0

    def reset(self) -> "Builder":
        self.rows = []
        self.total = 0
        return self

    def row(self, text: str, grams: int) -> "Builder":
        self.total += grams
        self.rows.append(f"{len(self.rows) + 1:>2} {text[:self.width]:<{self.width}} {grams:>6}")
        return self

    def build(self) -> str:
        return "\n".join([*self.rows, f"{'':>2} {'TOTAL':<{self.width}} {self.total:>6}"])


class NarrowBuilder(Builder):
    width = 12


class Waybill(GraphBusNode):
    builder_class: type[Builder] = NarrowBuilder

    def __init__(self) -> None:
        super().__init__()
        self._builder = self.builder_class()

    @subscribe("/Consignment/Closed")
    def on_closed(self, consignment: str, pieces: list[list[str | int]]) -> dict[str, str | int]:
        builder = self._builder.reset()
        for text, grams in pieces:
            builder.row(str(text), int(grams))
        return {
            "consignment": consignment,
            "waybill": builder.build(),
            "grams": builder.total,
        }
