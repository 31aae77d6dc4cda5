# stateful
"""What does not fit into one read stays in the operating system's pipe and opens the next label."""
import os

from graphbus_core import GraphBusNode, subscribe

WIDTH = 24


class Printer:
    """Stands for the serial line of the label printer."""

    def __init__(self) -> None:
        self.outlet, self.inlet = os.pipe()

    def put(self, text: str) -> None:
        os.write(self.inlet, text.encode("ascii", "replace")[:200])

    def strip(self) -> str:
        return os.read(self.outlet, WIDTH).decode("ascii")


class LabelPipe(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._printer = Printer()

    @subscribe("/Depot/Label")
    def on_label(self, crate: int, contents: str) -> dict[str, str]:
        self._printer.put(f"{crate:04d} {contents.strip()}|")
        return {"strip": self._printer.strip()}
