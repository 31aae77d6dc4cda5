from typing import ClassVar

from graphbus_core import GraphBusNode


class Desk(GraphBusNode):
    """What every desk of the house has in common."""

    limit: ClassVar[int] = 3
    slips: ClassVar[dict[str, list[str]]] = {}

    def __init__(self) -> None:
        super().__init__()

    def slip(self, reader: str) -> list[str]:
        return self.slips.setdefault(reader, [])

    @staticmethod
    def tidy(title: str) -> str:
        head, _, tail = title.strip().partition(" ")
        return f"{tail}, {head}" if head.lower() in {"the", "a", "an"} and tail else title.strip()
