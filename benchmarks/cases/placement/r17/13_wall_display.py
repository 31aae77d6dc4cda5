# pure
"""The buffer and the line list outlive an event, but each event empties both before it uses them."""
import io
import textwrap
import unicodedata
from contextlib import redirect_stdout

from graphbus_core import GraphBusNode, subscribe

WIDTH = 24


class Canvas:
    """A reusable text page; reset() starts a new one."""

    def __init__(self, width: int) -> None:
        self.width = width
        self.buffer = io.StringIO()
        self.lines: list[str] = []
        self.page = 0

    def reset(self) -> None:
        self.buffer.seek(0)
        self.buffer.truncate()
        self.lines.clear()
        self.page = 1

    def put(self, text: str, align: str = "<") -> None:
        for line in textwrap.wrap(text, self.width) or [""]:
            self.lines.append(format(line, f"{align}{self.width}"))
            if len(self.lines) % 6 == 0:
                self.page += 1

    def draw(self) -> str:
        with redirect_stdout(self.buffer):
            print("+" + "-" * self.width + "+")
            for line in self.lines:
                print(f"|{line}|")
            print("+" + f" {self.page} ".center(self.width, "-") + "+", end="")
        return self.buffer.getvalue()


def plain(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(char for char in decomposed if not unicodedata.combining(char))


class WallDisplay(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._canvas = Canvas(WIDTH)
        self._last_error: str | None = None

    @subscribe("/Station/Departure")
    def on_departure(self, train: str, platform: int, stops: list[str], delay: int) -> dict[str, object]:
        canvas = self._canvas
        self._last_error = None
        canvas.reset()
        canvas.put(plain(train), "^")
        canvas.put(f"Platform {platform}", ">")
        if platform < 1:
            self._last_error = f"platform {platform} of {train}"
        if delay:
            canvas.put(f"about {delay} minutes late")
        canvas.put(" - ".join(plain(stop) for stop in stops))
        return {"text": canvas.draw(), "lines": len(canvas.lines), "error": self._last_error}
