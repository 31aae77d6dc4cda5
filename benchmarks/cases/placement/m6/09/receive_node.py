from graphbus_core import GraphBusNode, subscribe

from codes import new_batch


class ReceiveNode(GraphBusNode):
    @subscribe("/Receive")
    def on_delivery(self, supplier: str, pieces: int) -> dict:
        if pieces <= 0:
            return {"accepted": False}
        return {"accepted": True, "batch": f"{supplier[:3].upper()}-{new_batch()}", "pieces": pieces}
