from graphbus_core import GraphBusNode

class Kettle(GraphBusNode):
    def boil(self, litres: float) -> dict[str, int]: ...

class Cup(GraphBusNode):
    def steep(self, start: int) -> dict[str, int]: ...
