# stateful
"""The text wrapper keeps the width and the indent that an earlier event set when a later one gives none."""
import textwrap

from graphbus_core import GraphBusNode, subscribe

WRAPPER = textwrap.TextWrapper(width=40, break_long_words=False, drop_whitespace=True)

BULLETS = {"list": "- ", "quote": "> ", "step": "* "}


def configure(width: int, style: str) -> textwrap.TextWrapper:
    wrapper = WRAPPER
    if width:
        wrapper.width = max(10, min(width, 120))
    if style in BULLETS:
        wrapper.initial_indent = BULLETS[style]
        wrapper.subsequent_indent = " " * len(BULLETS[style])
    return wrapper


class Layout(GraphBusNode):
    """Lays out paragraphs for the plain text mail."""

    @subscribe("/mail/paragraph")
    def on_paragraph(self, text: str, style: str, width: int) -> dict[str, object]:
        collapsed = " ".join(text.split())
        if not collapsed:
            return {"lines": [], "longest": 0}
        lines = configure(width, style).wrap(collapsed)
        return {"lines": lines, "longest": max(map(len, lines))}
