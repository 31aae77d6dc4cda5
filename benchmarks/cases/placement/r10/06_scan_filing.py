# stateful
"""Keeps the filed documents as files in its own working directory and avoids their names."""
import tempfile
import unicodedata
from pathlib import Path

from graphbus_core import GraphBusNode, subscribe

FOLDERS = {"inv": "invoices", "del": "deliveries", "ctr": "contracts"}


def slug(title: str) -> str:
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    words = "".join(ch if ch.isalnum() else " " for ch in plain.lower()).split()
    return "-".join(words) or "untitled"


def free_name(folder: Path, stem: str, suffix: str) -> Path:
    candidate = folder / f"{stem}{suffix}"
    number = 2
    while candidate.exists():
        candidate = folder / f"{stem}-{number}{suffix}"
        number += 1
    return candidate


class ScanFiling(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        self._work = tempfile.TemporaryDirectory(prefix="scan")

    def _folder(self, code: str) -> Path:
        folder = Path(self._work.name, FOLDERS.get(code, "other"))
        folder.mkdir(exist_ok=True)
        return folder

    @subscribe("/scan/arrived")
    def on_scan(self, code: str, title: str, text: str) -> dict[str, object]:
        target = free_name(self._folder(code), slug(title), ".txt")
        target.write_text(text, encoding="utf-8")
        return {"file": f"{target.parent.name}/{target.name}", "bytes": target.stat().st_size}
