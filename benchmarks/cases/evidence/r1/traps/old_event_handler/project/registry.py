from graphbus_core import GraphBusNode, publishes


class Registry(GraphBusNode):
    @publishes("/Land/Moved", {"plot": str, "former_owner": str})
    def transfer(self, plot: str, buyer: str):
        self.publish("/Land/Moved", {"plot": plot, "former_owner": "Old Meyer"})
