# stateful
"""Keeps the umask of the process, which a private upload tightens and nobody loosens again."""
import os
import re
import stat
from enum import StrEnum
from pathlib import PurePosixPath

from graphbus_core import GraphBusNode, subscribe


class Visibility(StrEnum):
    PUBLIC = "public"
    TEAM = "team"
    PRIVATE = "private"
    INHERIT = "inherit"


MASKS = {Visibility.PUBLIC: 0o022, Visibility.TEAM: 0o027, Visibility.PRIVATE: 0o077}
UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
EXECUTABLE = {".sh", ".py"}


def safe_name(raw: str) -> PurePosixPath:
    name = UNSAFE.sub("_", PurePosixPath(raw).name).lstrip(".")
    return PurePosixPath(name or "unnamed")


def effective_mode(name: PurePosixPath) -> int:
    mask = os.umask(0)
    os.umask(mask)
    wanted = 0o777 if name.suffix in EXECUTABLE else 0o666
    return wanted & ~mask


class Uploads(GraphBusNode):
    @subscribe("/upload/accepted")
    def on_upload(self, filename: str, visibility: str) -> dict[str, str]:
        try:
            level = Visibility(visibility)
        except ValueError:
            return {"error": f"visibility {visibility}"}
        if level in MASKS:
            os.umask(MASKS[level])
        name = safe_name(filename)
        return {"name": str(name), "mode": stat.filemode(stat.S_IFREG | effective_mode(name))}
