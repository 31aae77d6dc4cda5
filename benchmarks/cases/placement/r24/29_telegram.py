# stateful
"""List items change the shared wrapper's indents, and ordinary paragraphs after them do not change them back."""
import re
import textwrap

from graphbus_core import GraphBusNode, subscribe

BULLET = re.compile(r"^([-*]|\d+\.)\s+")


class Layout:
    wrapper = textwrap.TextWrapper(width=30, break_long_words=False)

    @classmethod
    def paragraph(cls, text, width):
        w = cls.wrapper
        w.width = width
        mark = BULLET.match(text)
        if mark:
            w.subsequent_indent = " " * mark.end()
        elif text.startswith("> "):
            text = text[2:]
            w.initial_indent = w.subsequent_indent = "| "
        return w.wrap(text)


class Telegram(GraphBusNode):
    cost_per_line = 35

    def __init__(self):
        super().__init__()
        self.layout = Layout()

    @subscribe("/telegraph/text")
    def on_text(self, text: str, width: int) -> dict:
        lines = self.layout.paragraph(" ".join(text.split()), width)
        longest = max(map(len, lines), default=0)
        return {
            "lines": lines,
            "longest": longest,
            "cost": self.cost_per_line * len(lines),
        }
