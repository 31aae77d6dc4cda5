from typing import TypedDict

from graphbus_core import GraphBusNode, schema_method


class Sample(TypedDict):
    wind: float


class Mast(GraphBusNode):
    """An anemometer from an old sailing boat."""

    @schema_method
    def sample(self) -> Sample:
        return Sample(wind=20.0)
