from graphbus_core import GraphBusNode, subscribe

from house_style import make_wrapper, wrapper


class Narrow(GraphBusNode):
    """Column settings for the side bar."""

    @subscribe("/print/columns")
    def columns(self, points: int) -> str:
        wrapper.width = max(12, points // 6)
        return "set"


class Proof(GraphBusNode):
    @subscribe("/print/proof")
    def proof(self, text: str) -> list[str]:
        return wrapper.wrap(text)


class Caption(GraphBusNode):
    @subscribe("/print/caption")
    def caption(self, text: str, columns: int) -> str:
        own = make_wrapper(columns)
        if len(text) > 60:
            own.subsequent_indent = "  "
        return own.fill(text)
