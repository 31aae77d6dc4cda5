# stateful
from graphbus_core import GraphBusNode, subscribe


class ParcelSorter(GraphBusNode):
    """Sends a parcel that came twice to the inspector."""

    def __init__(self):
        super().__init__()
        self.seen = []

    @subscribe("/Parcel/Scanned")
    def on(self, payload):
        codes = self.seen
        again = payload["code"] in codes
        codes.append(payload["code"])
        self.publish("/Parcel/Sorted", {"code": payload["code"], "again": again})
