from typing import TypedDict

from graphbus_core import GraphBusNode, depends_on, schema_method


class EncoderResult(TypedDict):
    how: str


class Encoder(GraphBusNode):
    def fallback(self):
        return "onehot"

    @depends_on("Parameter.describe")
    @schema_method
    def encode(self, is_numeric: bool) -> EncoderResult:
        return {"how": "scale" if is_numeric else self.fallback()}


class OrdinalEncoder(Encoder):
    def fallback(self):
        return "ordinal"
