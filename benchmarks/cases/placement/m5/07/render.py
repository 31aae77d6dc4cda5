from __future__ import annotations

import textwrap

from graphbus_core import GraphBusNode, subscribe

from styles import Box, Caption


class CaptionRenderer(GraphBusNode):
    @subscribe("/Sub/Caption")
    def on_caption(self, text: str, size: int, row: int) -> dict[str, object]:
        cap = Caption(size, row)
        lines = textwrap.wrap(text, width=900 // cap.size)
        return {"lines": lines, "row": cap.row - len(lines) + 1}


class BoxRenderer(GraphBusNode):
    @subscribe("/Sub/Box")
    def on_box(self, text: str, size: int, margin: int) -> dict[str, object]:
        box = Box(size, margin)
        width = max(10, (1920 - 2 * box.margin) // box.size)
        return {"lines": textwrap.wrap(text, width), "size": box.size}
