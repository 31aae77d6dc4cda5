import desk
from graphbus_core import GraphBusNode, subscribe


class Placement(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/News/Placed")
    def on_event(self, section: str, headline: str) -> dict[str, object]:
        old = desk.board.put(section, headline)
        return {"replaced": old, "with": headline}
