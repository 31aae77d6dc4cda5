# stateful
"""A confidential export sets the process's umask and never restores it, so later files are closed to others too."""
import os
import stat
import tempfile
from pathlib import Path

from graphbus_core import GraphBusNode, subscribe

PUBLIC = 0o022
PRIVATE = 0o077


def render(rows: list[list[str]]) -> str:
    return "".join(";".join(cell.replace(";", ",") for cell in row) + "\n" for row in rows)


def write(path: Path, text: str, confidential: bool) -> str:
    if confidential:
        os.umask(PRIVATE)
    path.write_text(text, encoding="utf-8")
    return stat.filemode(path.stat().st_mode)


class PayrollExport(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        os.umask(PUBLIC)

    @subscribe("/Export/Table")
    def on_table(self, name: str, rows: list[list[str]], confidential: bool) -> dict[str, object]:
        safe = "".join(sign for sign in name.lower() if sign.isalnum()) or "table"
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / f"{safe}.csv"
            mode = write(path, render(rows), confidential)
            return {"file": path.name, "bytes": path.stat().st_size, "mode": mode}
