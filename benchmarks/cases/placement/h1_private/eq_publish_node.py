# stateful
"""eq_publish_node"""
from graphbus_core import GraphBusNode, subscribe


class N(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._seen: set = set()
    def publish(self, topic: str, payload: dict) -> None:
        print(topic, payload)
    @subscribe("/In")
    def on_event(self, amount: int) -> int:
        self._seen.add(Order(amount, self))
        return amount
class Order:
    def __init__(self, n: int, node: "N") -> None:
        self.n, self.node = n, node
    def __hash__(self) -> int:
        return self.n
    def __eq__(self, other: object) -> bool:
        print("duplicate", self.n)
        return True
