from graphbus_core import GraphBusNode, subscribe

import catalog


class Suggest(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/Shop/ItemViewed")
    def on_event(self, sku: str, source: str) -> dict[str, object]:
        item = catalog.find(sku)
        tags = item.tagged(source)
        near = sorted(i.title for i in catalog.ITEMS.values() if i is not item and set(i.tags) & set(tags))
        return {"tags": tags, "near": near}
