from corrections import apply
from graphbus_core import GraphBusNode, subscribe


class CopyDesk(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/News/CopyFiled")
    def on_event(self, text: str) -> str:
        return apply(text)
