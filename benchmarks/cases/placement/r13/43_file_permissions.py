# stateful
"""os.umask is a property of the process: sealing a confidential file changes the mode of later ones."""
import os
import stat
import tempfile

from graphbus_core import GraphBusNode, subscribe

CONFIDENTIAL = ("medical", "fraud")


def store(text: str, confidential: bool) -> int:
    if confidential:
        os.umask(0o077)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "document.txt")
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        return stat.S_IMODE(os.stat(path).st_mode)


class FileDrop(GraphBusNode):
    def __init__(self) -> None:
        super().__init__()
        os.umask(0o022)

    @subscribe("/Files/Drop")
    def drop(self, department: str, text: str) -> dict[str, object]:
        mode = store(text, department in CONFIDENTIAL)
        return {"department": department, "mode": oct(mode), "readable_by_all": bool(mode & stat.S_IROTH)}
