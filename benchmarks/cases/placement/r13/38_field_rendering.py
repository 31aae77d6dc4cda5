# stateful
"""A handler registers overloads in a singledispatch function, which later events then use."""
from functools import singledispatch

from graphbus_core import GraphBusNode, subscribe


@singledispatch
def render(value: object) -> str:
    return str(value)


@render.register
def _(value: bool) -> str:
    return "yes" if value else "no"


FORMATTERS = {"cents": (int, lambda v: f"{v / 100:.2f} EUR"), "percent": (float, lambda v: f"{v:.1%}")}


class FieldRendering(GraphBusNode):
    @subscribe("/Print/Fields")
    def fields(self, style: str, number: int, ratio: float, flag: bool) -> dict[str, str]:
        if style in FORMATTERS:
            kind, function = FORMATTERS[style]
            render.register(kind, function)
        return {"number": render(number), "ratio": render(ratio), "flag": render(flag)}
