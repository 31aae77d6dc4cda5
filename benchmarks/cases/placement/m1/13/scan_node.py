from graphbus_core import GraphBusNode, subscribe

import freight


class ScanNode(GraphBusNode):
    def __init__(self, repository: freight.Repository = freight.REPOSITORY) -> None:
        super().__init__()
        self._repository = repository

    @subscribe("/Freight/ParcelScanned")
    def handle(self, parcel: str, depot: str) -> dict[str, object]:
        origin = self._repository.load(parcel)
        self._repository.save(parcel, depot)
        return {"from": origin, "to": depot}
