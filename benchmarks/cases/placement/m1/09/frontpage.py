import desk
from graphbus_core import GraphBusNode, subscribe


class FrontPage(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/News/FrontPageAsked")
    def on_event(self, edition: str) -> str:
        rows = [f"{s.title}: {desk.board.slots[s.key]}" for s in desk.SECTIONS]
        return edition + " | " + " | ".join(rows)
