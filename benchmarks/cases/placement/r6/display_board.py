# stateful
"""The text buffer is rewound but not cut, so the end of a longer line shows behind a shorter one."""
import io

from graphbus_core import GraphBusNode, subscribe

WIDTH = 32


class LineWriter:
    def __init__(self) -> None:
        self._out = io.StringIO()

    def begin(self) -> None:
        self._out.seek(0)

    def put(self, text: str, width: int = 0) -> None:
        self._out.write(text.ljust(width))

    def finish(self) -> str:
        return self._out.getvalue()[:WIDTH].rstrip()


class DisplayBoard(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._writer = LineWriter()

    @subscribe("/departures/row")
    def on_row(self, line: str, destination: str, minutes: int) -> dict[str, str]:
        writer = self._writer
        writer.begin()
        writer.put(line, 5)
        writer.put(destination)
        writer.put(" now" if minutes <= 0 else f" {minutes} min")
        return {"row": writer.finish()}
