# stateful
"""A confidential manifest changes the process's umask, and nobody puts it back."""
import os
import stat
import tempfile
from pathlib import Path

from graphbus_core import GraphBusNode, subscribe


def write_manifest(folder: Path, name: str, lines: list[str], confidential: bool) -> Path:
    if confidential:
        os.umask(0o077)
    target = folder / f"{name}.txt"
    with open(target, "w", encoding="utf-8") as out:
        out.writelines(f"{number:03d} {line}\n" for number, line in enumerate(lines, 1))
    return target


class ManifestExport(GraphBusNode):
    @subscribe("/Customs/Manifest")
    def on_manifest(self, ship: str, lines: list[str], confidential: bool) -> dict[str, object]:
        with tempfile.TemporaryDirectory() as folder:
            path = write_manifest(Path(folder), ship.replace(" ", "_"), lines, confidential)
            info = path.stat()
            readable = bool(info.st_mode & stat.S_IROTH)
            return {"file": path.name, "bytes": info.st_size, "agent_can_read": readable}
