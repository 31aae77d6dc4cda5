from graphbus_core import GraphBusNode, subscribe

from codes import free_bin


class PutawayNode(GraphBusNode):
    @subscribe("/Putaway")
    def on_piece(self, article: str, size: str) -> dict:
        return {"article": article, "bin": free_bin(size)}
