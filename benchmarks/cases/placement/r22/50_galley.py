# stateful
"""Text runs into a buffer whose length decides the page."""
import io
import textwrap

from graphbus_core import GraphBusNode, subscribe

MEASURE = 32
PAGE_CHARS = 180


def justify(line: str, width: int) -> str:
    words = line.split()
    if len(words) < 2:
        return line
    gaps = width - sum(map(len, words))
    each, extra = divmod(gaps, len(words) - 1)
    parts = [w + " " * (each + (i < extra)) for i, w in enumerate(words[:-1])]
    return "".join(parts) + words[-1]


def set_lines(text: str, indent: int) -> list[str]:
    lines = textwrap.wrap(" " * indent + text, MEASURE)
    return [justify(line, MEASURE) for line in lines[:-1]] + lines[-1:]


class Compositor(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self.galley = io.StringIO()

    @subscribe("/Paragraph")
    def on_paragraph(self, text: str, indent: int) -> dict[str, object]:
        lines = set_lines(text, indent)
        starts = self.galley.tell() // PAGE_CHARS + 1
        print(*lines, sep="\n", file=self.galley)
        ends = self.galley.tell() // PAGE_CHARS + 1
        return {"lines": lines, "page": starts, "breaks": ends > starts}
