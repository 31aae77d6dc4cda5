from graphbus_core import GraphBusNode, depends_on, schema_method


class Tracker(GraphBusNode):
    @depends_on("Depot.scan")
    @schema_method
    def update(self, parcel: str, recieved_at: str) -> dict[str, str]:
        return {"row": f"{parcel} in depot since {recieved_at[:10]}"}
