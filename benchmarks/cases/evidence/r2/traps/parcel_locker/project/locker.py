from pydantic import BaseModel

from graphbus_core import GraphBusNode, depends_on, schema_method


class Compartment(BaseModel):
    id: str
    size: str


class Locker(GraphBusNode):
    free = ["C-12", "C-13"]

    @schema_method
    def store(self, parcel: str) -> Compartment:
        return Compartment(id=self.free[0], size="M")


class PickupMail(GraphBusNode):
    @depends_on("Locker.store")
    @schema_method
    def compose(self, parcel_id: str) -> dict[str, str]:
        return {"body": f"Your parcel {parcel_id} is waiting."}
