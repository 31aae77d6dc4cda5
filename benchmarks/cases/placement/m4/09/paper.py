from operator import itemgetter

from graphbus_core import GraphBusNode, subscribe

from house_style import STOCK


class PaperFinder(GraphBusNode):
    @subscribe("/print/paper")
    def best(self, key: str, count: int) -> list[str]:
        STOCK.sort(key=itemgetter(key))
        return [s["name"] for s in STOCK[:count]]
