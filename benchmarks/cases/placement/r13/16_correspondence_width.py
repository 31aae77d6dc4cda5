# stateful
"""The shared TextWrapper's width is set for one channel and never put back."""
import textwrap

from graphbus_core import GraphBusNode, subscribe

_wrapper = textwrap.TextWrapper(width=60, break_long_words=False)
CHANNEL_WIDTHS = {"sms": 28, "fax": 48}


def layout(text: str, channel: str) -> list[str]:
    width = CHANNEL_WIDTHS.get(channel)
    if width is not None:
        _wrapper.width = width
    return _wrapper.wrap(text)


class Correspondence(GraphBusNode):
    @subscribe("/Letters/Layout")
    def on_text(self, channel: str, text: str) -> dict[str, object]:
        lines = layout(" ".join(text.split()), channel)
        return {"channel": channel, "lines": lines, "pages": -(-len(lines) // 3)}
