from pydantic import BaseModel, Field

from graphbus_core import GraphBusNode, depends_on, publishes, schema_method, subscribe


class Closed(BaseModel):
    table: int
    total: float


class Declaration(BaseModel):
    """Net of 20 % tax. The ministry calls the column TOTAL."""

    table: int
    net: float = Field(serialization_alias="total")


class Waiter(GraphBusNode):
    @publishes("/Table/Closed", {"table": int, "total": float})
    def close(self, table: int) -> None:
        self.publish("/Table/Closed", Closed(table=table, total=120.0).model_dump())


class TaxOffice(GraphBusNode):
    @subscribe("/Table/Closed")
    def report(self, payload: Declaration):
        row = payload if isinstance(payload, Declaration) else Declaration.model_validate(payload)
        return row.model_dump(by_alias=True)
