from pydantic import BaseModel

from graphbus_core import GraphBusNode, schema_method


class Spec(BaseModel):
    example: str
    pattern: str


class FieldSpec(GraphBusNode):
    @schema_method(input_schema={"kind": str}, output_schema=Spec)
    def describe(self, kind) -> Spec:
        if kind == "zip":
            return Spec(example="02139", pattern=r"\d{5}")
        return Spec(example="ann", pattern=r"[a-z]+")
