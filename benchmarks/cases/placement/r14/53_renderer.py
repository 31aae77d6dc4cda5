# stateful
"""Keeps options in the keywords dictionary of a functools.partial object, which can be written."""
import textwrap
from functools import partial

from graphbus_core import GraphBusNode, subscribe

_fill = partial(textwrap.fill, width=40, initial_indent="", subsequent_indent="")


def layout(text: str, **options: object) -> str:
    settings = _fill.keywords
    settings.update((key, value) for key, value in options.items() if value is not None)
    return _fill(text, **settings)


class NoticeRenderer(GraphBusNode):
    """Wraps notices for the printers in the depots."""

    @subscribe("/Notice/Print")
    def on_event(self, text: str, width: int | None, indent: str | None) -> dict[str, object]:
        body = layout(" ".join(text.split()), width=width, subsequent_indent=indent)
        return {"lines": body.splitlines()}
