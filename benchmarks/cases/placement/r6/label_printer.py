# stateful
"""Pages come back to a pool, and clearing a page forgets its lines but not the bold that an urgent label switched on."""
from contextlib import contextmanager
from typing import Iterator

from graphbus_core import GraphBusNode, subscribe


class Page:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.bold = False
        self.copies = 1

    def clear(self) -> None:
        self.lines.clear()
        self.copies = 1

    def text(self, line: str) -> None:
        self.lines.append(f"^B{line}" if self.bold else line)

    def render(self) -> str:
        return "\n".join(self.lines) + f"\n^PQ{self.copies}"


class PagePool:
    def __init__(self) -> None:
        self._free: list[Page] = []

    @contextmanager
    def page(self) -> Iterator[Page]:
        page = self._free.pop() if self._free else Page()
        try:
            yield page
        finally:
            page.clear()
            self._free.append(page)


class LabelPrinter(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._pool = PagePool()

    @subscribe("/label/print")
    def on_print(self, name: str, street: str, urgent: bool, copies: int) -> dict[str, str]:
        with self._pool.page() as page:
            if urgent:
                page.bold = True
                page.text("** EXPRESS **")
            page.text(name)
            page.text(street)
            page.copies = max(1, copies)
            return {"zpl": page.render()}
