# pure
"""Keeps one text wrapper for the node's life, set up at the start and from then on only used."""
import unicodedata
from textwrap import TextWrapper

from graphbus_core import GraphBusNode, subscribe

WIDTH = 32


def plain(text: str) -> str:
    """The printer knows ASCII only."""
    text = text.replace("ß", "ss").replace("€", "EUR").replace("–", "-")
    return unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()


class ReceiptText(GraphBusNode):
    """Lays out the lines of a receipt for a narrow printer."""

    def __init__(self) -> None:
        super().__init__()
        self._name = TextWrapper(WIDTH - 10, subsequent_indent="  ", max_lines=2, placeholder="..")
        self._footer = TextWrapper(WIDTH, break_long_words=False)

    def _line(self, name: str, cents: int) -> list[str]:
        first, *more = self._name.wrap(plain(name)) or ["?"]
        price = f"{cents // 100}.{cents % 100:02d}"
        return [f"{first:<{WIDTH - 10}}{price:>10}", *more]

    @subscribe("/Till/Receipt")
    def on_receipt(self, items: list[list], thanks: str) -> str:
        out: list[str] = []
        total = 0
        for name, cents in items:
            out.extend(self._line(name, cents))
            total += cents
        out.append("-" * WIDTH)
        out.extend(self._line("TOTAL", total))
        out.extend(line.center(WIDTH).rstrip() for line in self._footer.wrap(plain(thanks)))
        return "\n".join(out)
