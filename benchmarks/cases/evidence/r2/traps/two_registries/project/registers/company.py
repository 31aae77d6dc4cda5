from typing import NewType

from graphbus_core import GraphBusNode, depends_on, schema_method

Ref = NewType("Ref", str)


class Company(GraphBusNode):
    @depends_on("Land.parcel")
    @schema_method
    def owner(self, reference: Ref) -> dict[str, str]:
        return {"name": {"HRB 12/7": "Acme", "12/7": "Zeta Club"}.get(reference, "unknown")}
