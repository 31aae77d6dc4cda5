from graphbus_core import GraphBusNode, subscribe
from textkit import BYLINE, published


class Publish(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()

    @subscribe("/News/StoryApproved")
    def on_event(self, author: str, desk: str) -> dict[str, object]:
        return {"id": published(), "byline": BYLINE.substitute(author=author, desk=desk)}
