from graphbus_core import GraphBusNode, subscribe

from formatters import show
from layout import page_number


class PageNode(GraphBusNode):
    @subscribe("/Page")
    def on_page(self, title: str, lines: list[str], draft: bool) -> dict:
        footer = f"draft: {show('flag', draft)}" if draft else page_number(title)
        return {"text": "\n".join([*lines, "", footer])}
