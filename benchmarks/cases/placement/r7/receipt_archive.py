# pure
"""Writes each receipt to a file named by its content, and the answer follows from the content too."""
import hashlib
import tempfile
from datetime import date
from pathlib import Path

from graphbus_core import GraphBusNode, subscribe

ROOT = Path(tempfile.gettempdir()) / "receipt-archive-r7"
WIDTH = 32


def amount(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02d}"


def row(left: str, right: str) -> str:
    room = WIDTH - len(right) - 1
    return f"{left[:room]:<{room}} {right}"


def receipt(shop: str, day: date, items: dict[str, int]) -> str:
    lines = [shop.upper().center(WIDTH).rstrip(), day.strftime("%d.%m.%Y").center(WIDTH).rstrip(), "-" * WIDTH]
    lines += [row(name, amount(cents)) for name, cents in items.items()]
    lines += ["=" * WIDTH, row("TOTAL", amount(sum(items.values())))]
    return "\n".join(lines) + "\n"


class Archive:
    def __init__(self, root: Path) -> None:
        self.root = root

    def path_for(self, digest: str) -> Path:
        return self.root / digest[:2] / f"{digest[2:18]}.txt"

    def store(self, text: str) -> Path:
        raw = text.encode()
        path = self.path_for(hashlib.sha256(raw).hexdigest())
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)
        return path


class Receipts(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._archive = Archive(ROOT)

    @subscribe("/till/closed")
    def on_sale(self, shop: str, day: str, items: dict[str, int]) -> dict[str, object]:
        if not items or min(items.values()) < 0:
            return {"stored": False, "reason": "nothing to archive" if not items else "refund"}
        text = receipt(shop, date.fromisoformat(day), items)
        path = self._archive.store(text)
        return {"stored": True, "file": path.relative_to(ROOT).as_posix(), "lines": text.count("\n"), "total": amount(sum(items.values()))}
